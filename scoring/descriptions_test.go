package scoring

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// worldOf makes wordings of n targets, the first k of them sources, with the
// given tasks in each stratum. cell draws a cell.
func worldOf(n, k int, perStratum [3]int, cell func() Cell) DescriptionPanels {
	var names []string
	for c := range n {
		names = append(names, fmt.Sprintf("m%d/cli", c))
	}
	var tasks []PanelTask
	for s, count := range perStratum {
		for i := range count {
			tasks = append(tasks, PanelTask{TaskKey{"suite", fmt.Sprintf("s%d-%d", s, i)}, Stratum(s)})
		}
	}
	panel := func() *Panel {
		p := NewPanel(names, tasks)
		for _, row := range p.Rows {
			for t := range row {
				row[t] = cell()
			}
		}
		return p
	}
	w := DescriptionPanels{Original: panel(), Generic: panel(), Sources: map[string]*Panel{}}
	for c := range k {
		w.Sources[names[c]] = panel()
	}
	return w
}

// smooth draws cells that never tie; coarse draws cells that tie often.
func smooth(r *rand.Rand) func() Cell {
	return func() Cell {
		reward := r.Float64()
		c := one(reward, reward*r.Float64(), 0)
		c.Totals.CostUSD = r.Float64()
		return c
	}
}

func coarse(r *rand.Rand) func() Cell {
	return func() Cell {
		reward := float64(r.IntN(3)) / 2
		c := one(reward, reward*float64(r.IntN(2)), 0)
		if reward == 0 && r.IntN(2) == 0 {
			c.Failure = 1
		}
		c.Totals.CostUSD = float64(1 + r.IntN(3))
		return c
	}
}

func TestConditionsAverageTheRightDescriptions(t *testing.T) {
	w := worldOf(3, 2, [3]int{1, 1, 1}, func() Cell { return one(0, 0, 0) })
	set := func(p *Panel, target int, reward float64) {
		for i := range p.Tasks {
			*p.At(target, i) = one(reward, reward, 0)
		}
	}
	set(w.Sources["m0/cli"], 0, 1)   // m0 under its own wording
	set(w.Sources["m1/cli"], 0, .25) // m0 under m1's
	set(w.Sources["m1/cli"], 2, .5)  // m2, which is no source, under m1's
	set(w.Original, 1, .75)
	r, err := Describe(w, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	check := func(condition string, target int, want float64) {
		t.Helper()
		near(t, condition, *r.Condition(condition).Configs[target].AMS, want)
	}
	check(Original, 1, .75)
	check(Self, 0, 1)
	check(Cross, 0, .25)
	check(Pooled, 0, .625)
	check(Cross, 2, .25) // of both sources: neither is its own
	check(Pooled, 2, .25)
	self := r.Condition(Self)
	if got := self.Configs[2]; got.AMS != nil || got.Rank != nil || got.Reason == "" || self.Ranked != 2 || self.Reason == "" {
		t.Errorf("self of a target that is no source: %+v, %+v", got, self)
	}
	near(t, "macro of self", *self.MacroAMS, .5)
}

func TestAnEmptyConditionIsUndefinedWithAReason(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	w := worldOf(1, 1, [3]int{1, 1, 1}, smooth(r))
	w.Generic = nil
	got, err := Describe(w, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{Generic, Cross} {
		c := got.Condition(name)
		if c.MacroAMS != nil || c.TotalCostUSD != nil || len(c.Leader) != 0 || !strings.Contains(c.Reason, "no target") {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if got.CrossCells != (CrossCells{}) {
		t.Errorf("cross cells %+v", got.CrossCells)
	}
}

func TestAnUnknownCostMakesTheTotalUnknown(t *testing.T) {
	w := worldOf(2, 2, [3]int{1, 1, 1}, smooth(rand.New(rand.NewPCG(1, 1))))
	w.Original.At(0, 0).Totals.MissingCost = 1
	r, err := Describe(w, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	o := r.Condition(Original)
	if o.TotalCostUSD != nil || o.Configs[0].TotalCostUSD != nil || o.Configs[0].MeanCostUSD != nil || o.Configs[1].TotalCostUSD == nil {
		t.Errorf("%+v", o)
	}
	if o.MacroAMS == nil || r.Condition(Pooled).TotalCostUSD == nil {
		t.Error("an unknown cost touched a figure that it does not enter")
	}
}

func TestCrossCellsCountRewardThenCost(t *testing.T) {
	w := worldOf(2, 2, [3]int{2, 2, 1}, func() Cell { c := one(.5, .5, 0); c.Totals.CostUSD = 1; return c })
	cell := func(task int) *Cell { return w.Sources["m1/cli"].At(0, task) }
	cell(0).Reward = .6                // improved, whatever it cost
	cell(0).Totals.CostUSD = 9         //
	cell(1).Totals.CostUSD = .5        // cheaper
	cell(2).Totals.MissingCost = 1     // undecided
	cell(3).Reward = .4                // worse, though cheaper
	cell(3).Totals.CostUSD = .1        //
	cell(4).Reward = .5 + 1e-16        // float noise improves nothing
	cell(4).Totals.CostUSD = 1 + 1e-15 //
	want := CrossCells{ImprovedOrCheaper: 2, Of: 10, Improved: 1, Cheaper: 1, Undecided: 1}
	if got := w.CountCrossCells(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestWordingsOverOtherTasksAreRefused(t *testing.T) {
	w := worldOf(2, 2, [3]int{1, 1, 2}, smooth(rand.New(rand.NewPCG(1, 1))))
	w.Sources["m1/cli"] = w.Sources["m1/cli"].Subset(func(k TaskKey) bool { return k.Task != "s2-1" })
	if _, err := Describe(w, 0.5); err == nil || !strings.Contains(err.Error(), "m1/cli") {
		t.Errorf("error %v", err)
	}
	if _, err := Describe(worldOf(2, 2, [3]int{1, 0, 1}, smooth(rand.New(rand.NewPCG(1, 1)))), 0.5); err == nil {
		t.Error("an empty stratum is no error")
	}
}
