package scoring

import "testing"

// What score --condition works on and what descriptions report are one figure.
func TestAConditionsPanelScoresAsTheCondition(t *testing.T) {
	for _, set := range []string{"ties", "attempts", "paper"} {
		runs := goldenRuns(t, set)
		cal := goldenCalibration(t, runs)
		w := goldenWordings(runs, cal)
		want, err := Describe(w, cal.Alpha)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range want.Conditions {
			p := w.Panel(c.Condition)
			got, err := Score(p, cal.Alpha)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range c.Configs {
				if row.AMS == nil || got[i].AMS != *row.AMS || p.Missing(i) != 0 {
					t.Errorf("%s %s %s: %v, want %v", set, c.Condition, row.Config, got[i].AMS, row.AMS)
				}
			}
		}
	}
}

func TestACellThatOneDescriptionLacksIsMissing(t *testing.T) {
	tasks := []PanelTask{{TaskKey{"", "a"}, Easy}}
	full, empty, uncounted := NewPanel([]string{"m/c"}, tasks), NewPanel([]string{"m/c"}, tasks), NewPanel([]string{"m/c"}, tasks)
	*full.At(0, 0) = Cell{Runs: 1, Reward: 1, Totals: Totals{Runs: 1}}
	*uncounted.At(0, 0) = Cell{Totals: Totals{Runs: 2, MissingCost: 2}}
	at := func(second *Panel) Cell {
		w := DescriptionPanels{Original: full, Sources: map[string]*Panel{"s/1": full, "s/2": second}}
		return *w.Panel(Pooled).At(0, 0)
	}
	if c := at(empty); c != (Cell{}) {
		t.Errorf("missing in one: %+v", c)
	}
	if c := at(uncounted); c.Runs != 0 || c.Reward != 0 || c.Totals.Runs != 3 || c.Totals.MissingCost != 2 {
		t.Errorf("uncounted in one: %+v", c)
	}
	if c := at(full); c.Runs != 2 || c.Reward != 1 {
		t.Errorf("in both: %+v", c)
	}
}
