package workbook

import (
	"fmt"

	"amdb/scoring"
)

// descriptions writes the targets under every condition of section 4, as values
// at export: the runs behind them are other than those of the workbook.
func (w *workbook) descriptions() error {
	d := w.o.Descriptions
	if d == nil {
		return nil
	}
	s, err := w.listSheet(descriptionsSheet,
		columnSpec{"condition", 14, ""}, columnSpec{"configuration", 36, ""}, columnSpec{"rank", 8, ":centre"},
		columnSpec{"AMS", 12, asScore}, columnSpec{"TQ", 12, asScore}, columnSpec{"AUBQC", 12, asScore}, columnSpec{"EFR", 12, asScore},
		columnSpec{"mean reward", 12, asScore}, columnSpec{"total cost, USD", 14, asScore}, columnSpec{"runs", 10, asCount},
		columnSpec{"share of first places", 14, asScore}, columnSpec{"note", 60, ""})
	if err != nil {
		return err
	}
	for _, c := range d.Conditions {
		for i := range c.Configs {
			if err := s.described(c.Condition, &c.Configs[i]); err != nil {
				return err
			}
		}
		s.begin()
		s.texts(c.Condition, "mean of the targets")
		s.value(nil)
		s.figures(c.MacroAMS, nil, nil, nil, c.MacroMeanReward, c.TotalCostUSD)
		s.value(nil)
		s.value(nil)
		s.texts(c.Reason)
		if err := s.end(); err != nil {
			return err
		}
	}
	if a := d.Adapted1; a != nil {
		for _, l := range a.Leaders {
			s.begin()
			s.texts("adapted-1", l.Config)
			for len(s.values) < 10 {
				s.value(nil)
			}
			s.figures(&l.Share)
			s.texts(fmt.Sprintf("%d assignments of one source a task, seed %d", a.Assignments, a.Seed))
			if err := s.end(); err != nil {
				return err
			}
		}
	}
	if err := s.table("descriptions", 1); err != nil {
		return err
	}
	return s.close()
}

// described writes one target under one condition.
func (s *sheet) described(condition string, c *scoring.ConditionConfig) error {
	s.begin()
	s.texts(condition, c.Config)
	if c.Rank == nil {
		s.value(nil)
	} else {
		s.value(int64(*c.Rank))
	}
	s.figures(c.AMS, c.TQ, c.AUBQC, c.EFR, c.MeanReward, c.TotalCostUSD)
	s.value(int64(c.Runs))
	s.value(nil)
	s.texts(c.Reason)
	return s.end()
}

// figures adds numbers; one that is undefined is an empty cell.
func (s *sheet) figures(list ...*float64) {
	for _, x := range list {
		if x == nil {
			s.value(nil)
		} else {
			s.value(s.w.notes.number(*x))
		}
	}
}
