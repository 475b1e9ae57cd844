package workbook

import (
	"fmt"

	"github.com/xuri/excelize/v2"
)

// heatFirst is the column of the first configuration on the heat map.
const heatFirst = 4

// heat writes the mean reward of every cell, one row a task and one column a
// configuration, coloured. Each cell reads its row of the cell means.
func (w *workbook) heat() error {
	specs := []columnSpec{{"benchmark", 16, ""}, {"task", 26, ""}, {"stratum", 10, ""}}
	for _, c := range w.plan.configs {
		title := w.notes.text(c.name)
		if !c.ranked {
			title += " (not ranked)"
		}
		specs = append(specs, columnSpec{title, 6.5, ":heat"})
	}
	columns, err := w.columns(specs...)
	if err != nil {
		return err
	}
	s, err := w.open(heatSheet, layout{columns: columns, header: 1, freezeCols: 3, before: w.heatColours})
	if err != nil {
		return err
	}
	if err := s.heatHead(); err != nil {
		return err
	}
	for t, task := range w.plan.tasks {
		s.begin()
		s.value(w.notes.text(task.Key.Benchmark))
		s.value(w.notes.text(task.Key.Task))
		s.value(task.Stratum.String())
		for c, cfg := range w.plan.configs {
			zero := cfg.ranked && w.res.Policies.Incomplete == "zero"
			cell := w.plan.cell(c, t)
			if cell.runs == 0 && !zero { // a formula would read an empty cell as 0
				s.put(nil)
				continue
			}
			v := w.orZero(cell.reward, zero)
			s.live(fmt.Sprintf("%s!H%d", quoted(meansSheet), w.plan.meansRow(c, t)), v)
		}
		if err := s.end(); err != nil {
			return err
		}
	}
	return s.close()
}

// heatHead writes the header: configurations stand upright.
func (s *sheet) heatHead() error {
	head, err := s.w.st.named("head")
	if err != nil {
		return err
	}
	up, err := s.w.st.named("headUp")
	if err != nil {
		return err
	}
	s.begin()
	for i, c := range s.columns {
		style := up
		if i+1 < heatFirst {
			style = head
		}
		s.put(excelize.Cell{StyleID: style, Value: c.title})
	}
	return s.end(excelize.RowOpts{Height: 170})
}

func (w *workbook) heatColours(sheet string) error {
	if len(w.plan.configs) == 0 || len(w.plan.tasks) == 0 {
		return nil
	}
	last := cellName(heatFirst+len(w.plan.configs)-1, firstRow+len(w.plan.tasks)-1)
	if err := w.f.SetConditionalFormat(sheet, cellName(heatFirst, firstRow)+":"+last, []excelize.ConditionalFormatOptions{{
		Type: "3_color_scale", Criteria: "=", MinType: "num", MinValue: "0", MidType: "num", MidValue: "0.5", MaxType: "num", MaxValue: "1",
		MinColor: lowColour, MidColor: midColour, MaxColor: highColour,
	}}); err != nil {
		return err
	}
	return w.f.AutoFilter(sheet, "A1:"+cellName(heatFirst-1, firstRow+len(w.plan.tasks)-1), nil)
}
