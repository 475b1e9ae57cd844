package workbook

import (
	"fmt"
	"strconv"

	"github.com/xuri/excelize/v2"

	"amdb/scoring"
)

// tasks writes the calibration's tasks in the order of their effort, and which
// of them are scored.
func (w *workbook) tasks() error {
	columns, err := w.columns(
		columnSpec{"benchmark", 18, ""}, columnSpec{"task", 30, ""}, columnSpec{"stratum", 10, ""}, columnSpec{"scored", 9, ":centre"},
		columnSpec{"effort rank", 9, asCount}, columnSpec{"effort", 10, asScore},
		columnSpec{"median tokens", 14, asFigure}, columnSpec{"median steps", 11, asFigure}, columnSpec{"zero rate", 10, asScore},
		columnSpec{"rank of tokens", 10, asScore}, columnSpec{"rank of steps", 10, asScore}, columnSpec{"rank of zero rate", 10, asScore},
	)
	if err != nil {
		return err
	}
	s, err := w.open(tasksSheet, layout{columns: columns, header: 1, freezeCols: 2, before: func(sheet string) error {
		n := len(w.res.Cal.Tasks)
		if n == 0 {
			return nil
		}
		return w.f.SetConditionalFormat(sheet, fmt.Sprintf("F%d:F%d", firstRow, firstRow+n-1), []excelize.ConditionalFormatOptions{{
			Type: "data_bar", Criteria: "=", MinType: "num", MinValue: "0", MaxType: "num", MaxValue: "1", BarColor: "#" + barColour,
		}})
	}})
	if err != nil {
		return err
	}
	if err := s.head(); err != nil {
		return err
	}
	scored := map[scoring.TaskKey]bool{}
	for _, t := range w.plan.tasks {
		scored[t.Key] = true
	}
	for _, t := range w.res.Cal.Tasks {
		s.begin()
		s.value(w.notes.text(t.Benchmark))
		s.value(w.notes.text(t.Task))
		s.value(t.Stratum.String())
		s.value(yes(scored[t.Key()]))
		s.value(int64(t.EffortRank))
		s.value(w.notes.number(t.Effort))
		s.maybe(t.MedianTokens)
		s.maybe(t.MedianSteps)
		s.value(w.notes.number(t.ZeroRate))
		s.maybe(t.QTokens)
		s.maybe(t.QSteps)
		s.maybe(t.QZero)
		if err := s.end(); err != nil {
			return err
		}
	}
	if err := s.table("tasks", 1); err != nil {
		return err
	}
	return s.close()
}

// maybe adds a figure, or an empty cell where it is undefined.
func (s *sheet) maybe(x *float64) {
	if x == nil {
		s.put(nil)
		return
	}
	s.value(s.w.notes.number(*x))
}

// budgets writes what a reviewer may change: alpha, the pass threshold, and by
// stratum the threshold and the budgets. Formulas know the cells by name.
func (w *workbook) budgets() error {
	columns, err := w.columns(columnSpec{"", 30, ":bold"}, columnSpec{"", 14, ""}, columnSpec{"", 14, ""}, columnSpec{"", 14, ""}, columnSpec{"", 66, ":note"})
	if err != nil {
		return err
	}
	levels := 1
	for _, st := range scoring.Strata {
		levels = max(levels, len(w.res.Cal.Strata[st].Budgets))
	}
	s, err := w.open(budgetsSheet, layout{columns: columns, portrait: true, before: func(sheet string) error { return w.validations(sheet, levels) }})
	if err != nil {
		return err
	}
	if err := s.line("Budgets, thresholds and alpha", "title"); err != nil {
		return err
	}
	if err := s.line(w.budgetsNote(), "muted"); err != nil {
		return err
	}
	s.row = alphaRow - 1
	if err := s.inputs("alpha", "weight of quality (TQ) against budgeted quality (AUBQC)", w.input(true, asGeneral), w.notes.given(w.res.Alpha)); err != nil {
		return err
	}
	if err := s.inputs("pass threshold", "least reward that passes", w.input(w.plan.carried(), asGeneral), w.notes.given(w.res.Policies.PassThreshold)); err != nil {
		return err
	}
	s.row = stratumRow - 1
	if err := s.strataHead("", "Easy", "Medium", "Hard"); err != nil {
		return err
	}
	if err := s.byStratum(w); err != nil {
		return err
	}
	s.row = budgetsFirst - 2
	if err := s.strataHead("budget level, USD", "Easy", "Medium", "Hard"); err != nil {
		return err
	}
	input, err := w.st.format(w.input(w.plan.carried(), asUSD))
	if err != nil {
		return err
	}
	for level := range levels {
		s.begin()
		s.value(int64(level + 1))
		for _, st := range scoring.Strata {
			if b := w.res.Cal.Strata[st].Budgets; level < len(b) {
				s.put(excelize.Cell{StyleID: input, Value: w.notes.given(b[level])})
			} else {
				s.put(nil)
			}
		}
		if err := s.end(); err != nil {
			return err
		}
	}
	return s.close()
}

// budgetsNote says what may be changed.
func (w *workbook) budgetsNote() string {
	switch {
	case w.o.ValuesOnly:
		return "As they were at export."
	case !w.plan.carried():
		return "The coloured alpha may be changed; the leaderboard follows. The rest is as it was at export: the runs are not in this workbook."
	}
	return "Coloured cells may be changed; the leaderboard follows. Keep as many budgets as there are, in any order."
}

// byStratum writes the rows between the strata's header and the budgets.
func (s *sheet) byStratum(w *workbook) error {
	count, err := w.st.number(asCount)
	if err != nil {
		return err
	}
	input, err := w.st.format(w.input(w.plan.carried(), asUSD))
	if err != nil {
		return err
	}
	row := func(title, note string, cell func(scoring.Stratum) excelize.Cell) error {
		s.begin()
		s.value(title)
		for _, st := range scoring.Strata {
			s.put(cell(st))
		}
		s.value(note)
		return s.end()
	}
	if err := row("tasks of the calibration", "", func(st scoring.Stratum) excelize.Cell {
		return excelize.Cell{StyleID: count, Value: int64(w.res.Cal.Strata[st].Tasks)}
	}); err != nil {
		return err
	}
	if err := row("tasks scored", "", func(st scoring.Stratum) excelize.Cell {
		n := int64(0)
		for _, t := range w.plan.tasks {
			if t.Stratum == st {
				n++
			}
		}
		return excelize.Cell{StyleID: count, Value: n}
	}); err != nil {
		return err
	}
	if err := row("threshold η, USD", "a run without reward above this cost is an expensive failure; none: no run is", func(st scoring.Stratum) excelize.Cell {
		if eta := w.res.Cal.Strata[st].EtaUSD; eta != nil {
			return excelize.Cell{StyleID: input, Value: w.notes.given(*eta)}
		}
		return excelize.Cell{StyleID: input, Value: "none"}
	}); err != nil {
		return err
	}
	return row("budget levels", "how many budgets there are", func(st scoring.Stratum) excelize.Cell {
		c := excelize.Cell{StyleID: count, Value: int64(len(w.res.Cal.Strata[st].Budgets))}
		if !w.o.ValuesOnly {
			c.Formula = "COUNT(" + budgetsName(st) + ")"
		}
		return c
	})
}

func (s *sheet) inputs(title, note, format string, v any) error {
	style, err := s.w.st.format(format)
	if err != nil {
		return err
	}
	s.begin()
	s.value(title)
	s.put(excelize.Cell{StyleID: style, Value: v}, nil, nil)
	s.value(note)
	return s.end()
}

func (s *sheet) strataHead(titles ...string) error {
	head, err := s.w.st.named("head")
	if err != nil {
		return err
	}
	s.begin()
	for _, t := range titles {
		s.put(excelize.Cell{StyleID: head, Value: t})
	}
	return s.end(excelize.RowOpts{Height: headHeight})
}

// validations keep a mistyped figure out of the cells that may be changed.
func (w *workbook) validations(sheet string, levels int) error {
	if w.o.ValuesOnly {
		return nil
	}
	for _, v := range []struct {
		cells, why string
		most       float64
	}{
		{"B" + strconv.Itoa(alphaRow) + ":B" + strconv.Itoa(passRow), "a number from 0 to 1", 1},
		{fmt.Sprintf("B%d:D%d", budgetsFirst, budgetsFirst+levels-1), "US dollars, 0 or more", 1e15},
	} {
		dv := excelize.NewDataValidation(false)
		dv.SetSqref(v.cells)
		if err := dv.SetRange(0.0, v.most, excelize.DataValidationTypeDecimal, excelize.DataValidationOperatorBetween); err != nil {
			return err
		}
		dv.SetError(excelize.DataValidationErrorStyleStop, "not possible here", v.why)
		if err := w.f.AddDataValidation(sheet, dv); err != nil {
			return err
		}
	}
	return nil
}
