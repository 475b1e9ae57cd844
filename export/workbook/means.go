package workbook

import (
	"fmt"
	"strconv"

	"amdb/scoring"
)

// means writes one row a cell: the first average of the method, over attempts.
// A cell's runs are neighbours, so that each formula reads its own few rows.
// Without runs the means are figures, which a reviewer may change.
func (w *workbook) means() error {
	mean := w.input(!w.plan.carried(), asScore)
	columns, err := w.columns(
		columnSpec{"configuration", 34, ""}, columnSpec{"benchmark", 16, ""}, columnSpec{"task", 24, ""}, columnSpec{"stratum", 10, ""}, columnSpec{"ranked", 8, ":centre"},
		columnSpec{"runs", 8, asCount}, columnSpec{"runs that count", 10, asCount},
		columnSpec{"mean reward", 11, mean}, columnSpec{"mean masked reward", 11, mean}, columnSpec{"failure rate", 11, mean},
	)
	if err != nil {
		return err
	}
	s, err := w.open(meansSheet, layout{columns: columns, header: 1, freezeCols: 1})
	if err != nil {
		return err
	}
	if err := s.head(); err != nil {
		return err
	}
	for c := range w.plan.configs {
		for t := range w.plan.tasks {
			if err := s.mean(c, t); err != nil {
				return err
			}
		}
	}
	if err := s.table("cell_means", 1); err != nil {
		return err
	}
	return s.close()
}

// mean writes the cell of configuration c at task t.
func (s *sheet) mean(c, t int) error {
	s.begin()
	p, n := s.w.plan, &s.w.notes
	cfg, task, cell := &p.configs[c], p.tasks[t], p.cell(c, t)
	// Policy zero gives a ranked configuration's empty cell the reward 0.
	zero := cfg.ranked && s.w.res.Policies.Incomplete == "zero"
	s.value(n.text(cfg.name))
	s.value(n.text(task.Key.Benchmark))
	s.value(n.text(task.Key.Task))
	s.value(task.Stratum.String())
	s.value(yes(cfg.ranked))
	s.value(cell.runs)
	means := [...]*float64{cell.reward, cell.masked, cell.failure}
	if cell.runs == 0 || !p.carried() {
		s.value(cell.counted)
		for _, mean := range means {
			s.value(s.w.orZero(mean, zero))
		}
		return s.end()
	}
	row := strconv.Itoa(s.row)
	of := func(col string) string { return span(p.sheetOf(c), col, cell.first, cell.last) }
	// Formulas find a cell's runs by position: rows sorted otherwise must show.
	s.live(fmt.Sprintf(`IF(SUMPRODUCT((%s=A%s)*(%s=B%s)*(%s=C%s))=F%s,SUM(%s),"moved")`,
		of(runConfig), row, of(runBenchmark), row, of(runTask), row, row, of(runCounts)), cell.counted)
	for i, sum := range []string{
		"SUMPRODUCT(" + of(runCounts) + "," + of(runReward) + ")",
		"SUM(" + of(runMasked) + ")",
		"SUM(" + of(runFailure) + ")",
	} {
		formula := "IF(N(G" + row + `)=0,"",` + sum + "/G" + row + ")"
		if zero {
			formula = "IF(ISNUMBER(G" + row + "),IF(G" + row + "=0,0," + sum + "/G" + row + `),"")`
		}
		s.live(formula, s.w.orZero(means[i], zero))
	}
	return s.end()
}

// orZero is a mean; one that is missing is blank, or 0 where policy says so.
func (w *workbook) orZero(x *float64, zero bool) any {
	switch {
	case x != nil:
		return w.notes.number(*x)
	case zero:
		return 0.0
	}
	return nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// stratumSpan is a column of the cell means over configuration c's cells in
// stratum s.
func (w *workbook) stratumSpan(c int, s scoring.Stratum, col string) string {
	at := w.plan.strata[s]
	return span(meansSheet, col, w.plan.meansRow(c, at[0]), w.plan.meansRow(c, at[1]))
}
