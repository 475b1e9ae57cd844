package report

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"

	"amdb/scoring"
)

// The parts of the packed JSON of the heat map that are held whole. Figures have
// six digits; null is unknown.
type (
	packedTasks struct {
		Bench   []string   `json:"bench"`
		Task    []string   `json:"task"`
		Stratum []int      `json:"stratum"`
		Effort  []num      `json:"effort"`
		Rank    []int      `json:"rank"`
		Tokens  []*float64 `json:"tokens"`
		Steps   []*float64 `json:"steps"`
		Zero    []num      `json:"zero"`
	}
	packedRuns struct {
		Cell      []int      `json:"cell"`
		ID        []string   `json:"id"`
		Attempt   []int64    `json:"attempt"`
		Reward    []*float64 `json:"reward"`
		Cost      []*float64 `json:"cost"`
		Source    []*string  `json:"source"`
		Level     []int64    `json:"level"`
		Masked    []num      `json:"masked"`
		Expensive []int      `json:"expensive"`
		Counts    []int      `json:"counts"`
		Tokens    []*int64   `json:"tokens"`
		Steps     []*int64   `json:"steps"`
		Status    []*string  `json:"status"`
	}
	// num is a number of six significant digits; NaN is unknown.
	num float64
)

// MarshalJSON writes six significant digits, or null.
func (n num) MarshalJSON() ([]byte, error) { return n.add(nil), nil }

func (n num) add(b []byte) []byte {
	if math.IsNaN(float64(n)) {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, float64(n), 'g', 6, 64)
}

func numOf(x *float64) num {
	if x == nil {
		return num(math.NaN())
	}
	return num(*x)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// heatTasks are the tasks of the panel in the order of effort.
func (r *report) heatTasks() (packedTasks, map[scoring.TaskKey]int) {
	var t packedTasks
	at := map[scoring.TaskKey]int{}
	in := map[scoring.TaskKey]bool{}
	for _, p := range r.res.Panel.Tasks {
		in[p.Key] = true
	}
	for _, e := range r.res.Cal.Tasks {
		if !in[e.Key()] {
			continue
		}
		at[e.Key()] = len(t.Task)
		t.Bench, t.Task = append(t.Bench, clean(e.Benchmark)), append(t.Task, clean(e.Task))
		t.Stratum, t.Effort, t.Rank = append(t.Stratum, int(e.Stratum)), append(t.Effort, num(e.Effort)), append(t.Rank, e.EffortRank)
		t.Tokens, t.Steps, t.Zero = append(t.Tokens, e.MedianTokens), append(t.Steps, e.MedianSteps), append(t.Zero, num(e.ZeroRate))
	}
	return t, at
}

// heatFigures is what the heat map shows of a cell.
type heatFigures struct {
	reward, masked, failure, cost num // cost: of the runs whose cost is known
	counted, of, noCost           int64
}

var noFigures = heatFigures{reward: num(math.NaN()), masked: num(math.NaN()), failure: num(math.NaN()), cost: num(math.NaN())}

// heatColumns are the figures of the heat map as they stand in the JSON: each a
// list, a row a configuration, within it a column a task.
var heatColumns = []struct {
	name string
	add  func(b []byte, f *heatFigures) []byte
}{
	{"reward", func(b []byte, f *heatFigures) []byte { return f.reward.add(b) }},
	{"masked", func(b []byte, f *heatFigures) []byte { return f.masked.add(b) }},
	{"failure", func(b []byte, f *heatFigures) []byte { return f.failure.add(b) }},
	{"cost", func(b []byte, f *heatFigures) []byte { return f.cost.add(b) }},
	{"counted", func(b []byte, f *heatFigures) []byte { return strconv.AppendInt(b, f.counted, 10) }},
	{"of", func(b []byte, f *heatFigures) []byte { return strconv.AppendInt(b, f.of, 10) }},
	{"nocost", func(b []byte, f *heatFigures) []byte { return strconv.AppendInt(b, f.noCost, 10) }},
}

// heatLine is a configuration of the heat map; at gives its cell at a task.
type heatLine struct {
	config string
	at     func(task int) heatFigures
}

// heatLines are the configurations by rank, those that are not ranked last. The
// cells of the panel are looked at where they are: there may be millions.
func (r *report) heatLines(column map[scoring.TaskKey]int) []heatLine {
	panel, lines := r.res.Panel, []heatLine{}
	from := make([]int, len(column)) // column → the panel's task
	for t, task := range panel.Tasks {
		from[column[task.Key]] = t
	}
	for _, s := range r.res.Leaderboard {
		c, _ := slices.BinarySearch(panel.Configs, s.Config)
		lines = append(lines, heatLine{s.Config, func(task int) heatFigures { return cellFigures(panel.At(c, from[task])) }})
	}
	if r.mixed { // the other cells are not at hand, and they are not missing
		return lines
	}
	left := map[string][]heatFigures{}
	for _, e := range r.res.Excluded {
		row := slices.Repeat([]heatFigures{noFigures}, len(column))
		left[e.Config] = row
		lines = append(lines, heatLine{e.Config, func(task int) heatFigures { return row[task] }})
	}
	for _, c := range r.left {
		f := heatFigures{numOf(c.reward), numOf(c.masked), numOf(c.failure), noFigures.cost, c.counted, c.runs, c.unpriced}
		if c.runs > c.unpriced {
			f.cost = num(c.costUSD)
		}
		left[c.config][column[c.task]] = f
	}
	return lines
}

func cellFigures(cell *scoring.Cell) heatFigures {
	f := noFigures
	if cell.Runs > 0 {
		f.reward, f.masked, f.failure = num(cell.Reward), num(cell.Masked), num(cell.Failure)
	}
	if cell.Totals.Runs > cell.Totals.MissingCost {
		f.cost = num(cell.Totals.CostUSD)
	}
	f.counted, f.of, f.noCost = int64(cell.Runs), int64(cell.Totals.Runs), int64(cell.Totals.MissingCost)
	return f
}

// packed is the heat map and the runs as deflated JSON in base64, for what is too
// big to stand in the page as it is. It is deflated as it is written.
func (r *report) packed() ([]byte, error) {
	tasks, column := r.heatTasks()
	lines := r.heatLines(column)
	configs, line := []string{}, map[string]int{}
	for i, l := range lines {
		line[l.config] = i
		configs = append(configs, clean(l.config))
	}
	var runs *packedRuns
	if r.runCount <= r.o.Runs && !r.mixed {
		runs = packRuns(r.runs, line, column, len(tasks.Task))
	}
	var out bytes.Buffer
	text := base64.NewEncoder(base64.StdEncoding, &out)
	packer, err := flate.NewWriter(text, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(packer, 1<<16)
	err = errors.Join(
		writePart(w, `{"tasks":`, tasks), writePart(w, `,"configs":`, configs), writePart(w, `,"ranked":`, len(r.res.Leaderboard)),
		writeHeat(w, lines, len(tasks.Task)), writePart(w, `,"runs":`, runs), w.WriteByte('}'),
		w.Flush(), packer.Close(), text.Close())
	return out.Bytes(), err
}

// writePart writes a text and a value.
func writePart(w *bufio.Writer, before string, v any) error {
	doc, err := json.Marshal(v)
	_, _ = w.WriteString(before) // Flush tells what went wrong
	_, _ = w.Write(doc)
	return err
}

// writeHeat writes the columns of figures.
func writeHeat(w *bufio.Writer, lines []heatLine, tasks int) error {
	var b []byte
	for _, column := range heatColumns {
		_, _ = w.WriteString(`,"` + column.name + `":[`) // Flush tells what went wrong
		for i, l := range lines {
			for t := range tasks {
				b = b[:0]
				if i+t > 0 {
					b = append(b, ',')
				}
				f := l.at(t)
				_, _ = w.Write(column.add(b, &f))
			}
		}
		if err := w.WriteByte(']'); err != nil {
			return err
		}
	}
	return nil
}

func packRuns(runs []reportRun, line map[string]int, column map[scoring.TaskKey]int, width int) *packedRuns {
	p := &packedRuns{}
	for _, n := range runs {
		c, known := line[n.config]
		if !known {
			continue
		}
		p.Cell, p.ID, p.Attempt = append(p.Cell, c*width+column[n.task]), append(p.ID, clean(n.id)), append(p.Attempt, n.attempt)
		p.Reward, p.Cost, p.Source = append(p.Reward, n.reward), append(p.Cost, n.cost), append(p.Source, n.source)
		p.Level, p.Masked = append(p.Level, n.level), append(p.Masked, numOf(n.masked))
		p.Expensive, p.Counts = append(p.Expensive, bit(n.expensive)), append(p.Counts, bit(n.counts))
		p.Tokens, p.Steps, p.Status = append(p.Tokens, n.tokens), append(p.Steps, n.steps), append(p.Status, n.status)
	}
	return p
}
