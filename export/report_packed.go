package export

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"amdb/scoring"
)

// The packed JSON of the heat map: columns, a row a configuration, within it a
// column a task. Figures have six digits; null is unknown.
type (
	packedData struct {
		Tasks   packedTasks `json:"tasks"`
		Configs []string    `json:"configs"` // by rank, those that are not ranked last
		Ranked  int         `json:"ranked"`
		Reward  []num       `json:"reward"`
		Masked  []num       `json:"masked"`
		Failure []num       `json:"failure"`
		Cost    []num       `json:"cost"` // known costs
		Counted []int64     `json:"counted"`
		Of      []int64     `json:"of"`
		NoCost  []int64     `json:"nocost"`
		Runs    *packedRuns `json:"runs"`
	}
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
func (n num) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', 6, 64), nil
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

// packed is the heat map and the runs as deflated JSON in base64.
func (r *report) packed() ([]byte, error) {
	tasks, column := r.heatTasks()
	d := packedData{Tasks: tasks, Ranked: len(r.res.Leaderboard)}
	line := map[string]int{}
	for _, s := range r.res.Leaderboard {
		line[s.Config] = len(d.Configs)
		d.Configs = append(d.Configs, clean(s.Config))
	}
	for _, e := range r.res.Excluded {
		if r.mixed { // its cells are not at hand, and they are not missing
			break
		}
		line[e.Config] = len(d.Configs)
		d.Configs = append(d.Configs, clean(e.Config))
	}
	n, width := len(d.Configs)*len(tasks.Task), len(tasks.Task)
	unknown := slices.Repeat([]num{num(math.NaN())}, n)
	d.Reward, d.Masked, d.Failure, d.Cost = slices.Clone(unknown), slices.Clone(unknown), slices.Clone(unknown), unknown
	d.Counted, d.Of, d.NoCost = make([]int64, n), make([]int64, n), make([]int64, n)
	for c, name := range r.res.Panel.Configs {
		for t, cell := range r.res.Panel.Row(c) {
			i := line[name]*width + column[r.res.Panel.Tasks[t].Key]
			if cell.Runs > 0 {
				d.Reward[i], d.Masked[i], d.Failure[i] = num(cell.Reward), num(cell.Masked), num(cell.Failure)
			}
			if cell.Totals.Runs > cell.Totals.MissingCost {
				d.Cost[i] = num(cell.Totals.CostUSD)
			}
			d.Counted[i], d.Of[i], d.NoCost[i] = int64(cell.Runs), int64(cell.Totals.Runs), int64(cell.Totals.MissingCost)
		}
	}
	for _, c := range r.left {
		i := line[c.config]*width + column[c.task]
		d.Reward[i], d.Masked[i], d.Failure[i] = numOf(c.reward), numOf(c.masked), numOf(c.failure)
		if c.runs > c.unpriced {
			d.Cost[i] = num(c.costUSD)
		}
		d.Counted[i], d.Of[i], d.NoCost[i] = c.counted, c.runs, c.unpriced
	}
	if r.runCount <= r.o.Runs && !r.mixed {
		d.Runs = packRuns(r.runs, line, column, width)
	}
	return pack(d)
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

// pack deflates v's JSON, for what is too big to stand in the page as it is.
func pack(v any) ([]byte, error) {
	doc, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	w, err := flate.NewWriter(&buf, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(doc); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return []byte(base64.StdEncoding.EncodeToString(buf.Bytes())), nil
}
