package workbook

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// plan is where everything stands: formulas on one sheet address rows of
// another by position, so the positions are fixed before the first row.
type plan struct {
	configs []planConfig // in name order
	tasks   []scoring.PanelTask
	strata  [3][2]int  // first and last position in tasks
	cells   []planCell // configs × tasks
	sheets  []string   // of runs; none where the workbook carries no runs
	runs    int        // behind the cells, carried or not
}

// planConfig is a configuration's place among the runs.
type planConfig struct {
	name        string
	model, cli  string
	ranked      bool
	sheet       int // number of its sheet of runs; -1 = none of its runs is here
	first, last int // rows of its runs
}

// planCell is a cell's runs, and its means as the database has them (nil: no
// run counts).
type planCell struct {
	runs, counted           int64
	first, last             int // rows on its configuration's sheet
	reward, masked, failure *float64
}

// cell is the cell of configuration c at task t.
func (p *plan) cell(c, t int) *planCell { return &p.cells[c*len(p.tasks)+t] }

// meansRow is the row of that cell on the sheet of cell means.
func (p *plan) meansRow(c, t int) int { return firstRow + c*len(p.tasks) + t }

// firstRow is the first row of data on sheets whose header is the first row.
const firstRow = 2

// makePlan reads the cells and gives every run its row.
func (w *workbook) makePlan() (*plan, error) {
	p := &plan{tasks: slices.Clone(w.res.Panel.Tasks)}
	slices.SortStableFunc(p.tasks, func(a, b scoring.PanelTask) int { return int(a.Stratum) - int(b.Stratum) })
	at := map[scoring.TaskKey]int{}
	for i, t := range p.tasks {
		at[t.Key] = i
		if i == 0 || p.tasks[i-1].Stratum != t.Stratum {
			p.strata[t.Stratum][0] = i
		}
		p.strata[t.Stratum][1] = i
	}
	excluded := map[string]bool{}
	for _, e := range w.res.Excluded {
		excluded[e.Config] = true
	}
	names := w.configs()
	row := map[string]int{}
	for i, n := range names {
		model, cli, _ := scoring.SplitConfig(n)
		row[n] = i
		p.configs = append(p.configs, planConfig{name: n, model: model, cli: cli, ranked: !excluded[n]})
	}
	if n := len(names) * len(p.tasks); n > w.o.rows-1 {
		return nil, tooLarge("cells", "choose fewer tasks with --tasks; a Parquet export has no limit", n, w.o.rows)
	}
	if len(names) > maxSheetCols-heatFirst {
		return nil, tooLarge("configurations", "a Parquet export has no limit", len(names), maxSheetCols)
	}
	p.cells = make([]planCell, len(names)*len(p.tasks))
	rows, err := w.db.Rows(w.ctx, sql.Query("workbook_cells"), w.res.Condition)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var config, stratum string
		var k scoring.TaskKey
		var c planCell
		if err := rows.Scan(&config, &k.Benchmark, &k.Task, &stratum, &c.runs, &c.counted, &c.reward, &c.masked, &c.failure); err != nil {
			return nil, err
		}
		i, ok := row[config]
		j, known := at[k]
		if !ok || !known {
			return nil, fmt.Errorf("workbook: the views show cell %s × %s, the scores do not: they look at different scopes", config, k)
		}
		*p.cell(i, j) = c
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if err := w.oneDescription(p); err != nil {
		return nil, err
	}
	for _, c := range p.cells {
		p.runs += int(c.runs)
	}
	if p.runs > w.o.Runs {
		for c := range p.configs {
			p.configs[c].sheet = -1
		}
		return p, nil
	}
	return p, p.place(w.o.rows, w.o.NoSplit)
}

// oneDescription refuses scores that are not those of the runs of one
// description: a mean over descriptions, or one with selected wordings.
func (w *workbook) oneDescription(p *plan) error {
	panel := w.res.Panel
	same := func(x *float64, y float64) bool { return x != nil && math.Abs(*x-y) <= 1e-9 }
	for c, name := range panel.Configs {
		i, _ := slices.BinarySearchFunc(p.configs, name, func(cfg planConfig, n string) int { return strings.Compare(cfg.name, n) })
		for j, t := range p.tasks {
			col, _ := slices.BinarySearchFunc(panel.Tasks, t.Key, func(pt scoring.PanelTask, k scoring.TaskKey) int { return pt.Key.Compare(k) })
			scored, cell := panel.At(c, col), p.cell(i, j)
			if int64(scored.Runs) == cell.counted && (cell.counted == 0 || same(cell.reward, scored.Reward) && same(cell.masked, scored.Masked)) {
				continue
			}
			return schema.Faultf(schema.Failed, "--condition "+w.res.Condition, "export the condition original, or a description that was run as it is; amdb descriptions shows all conditions",
				"a workbook holds the runs of one description, and %s at %s is scored from others", name, t.Key)
		}
	}
	return nil
}

// noRunsHint is what to do where runs do not fit.
const noRunsHint = "choose fewer tasks with --tasks, or leave the runs out with --runs 0; a Parquet export has no limit"

// carried says whether the workbook holds the runs themselves.
func (p *plan) carried() bool { return len(p.sheets) > 0 }

// place gives every run its row; a configuration's runs stay on one sheet.
func (p *plan) place(limit int, noSplit bool) error {
	next, sheet := firstRow, 0
	for c := range p.configs {
		cfg := &p.configs[c]
		size := 0
		for t := range p.tasks {
			size += int(p.cell(c, t).runs)
		}
		if cfg.sheet = -1; size == 0 {
			continue
		}
		if size > limit-1 {
			return tooLarge("runs of "+cfg.name, noRunsHint, size, limit)
		}
		if next+size-1 > limit {
			next, sheet = firstRow, sheet+1
		}
		cfg.sheet, cfg.first, cfg.last = sheet, next, next+size-1
		for t := range p.tasks {
			if cell := p.cell(c, t); cell.runs > 0 {
				cell.first, cell.last = next, next+int(cell.runs)-1
				next += int(cell.runs)
			}
		}
	}
	if noSplit && sheet > 0 {
		return tooLarge("runs", "let them fill several sheets, or "+noRunsHint, p.runs, limit)
	}
	taken := map[string]bool{}
	for i := range sheet + 1 {
		want := runsSheet
		if sheet > 0 {
			want = fmt.Sprintf("%s %d", runsSheet, i+1)
		}
		p.sheets = append(p.sheets, sheetName(want, taken))
	}
	return nil
}

// sheetOf is the name of the sheet that holds configuration c's runs.
func (p *plan) sheetOf(c int) string { return p.sheets[p.configs[c].sheet] }
