package scoring

import (
	"fmt"
	"strings"
	"testing"
)

// gridPanel is a panel of one run a cell with n tasks in each stratum; cell
// says what configuration c did at task t.
func gridPanel(configs, perStratum int, cell func(c, t int) Cell) *Panel {
	var names []string
	for c := range configs {
		names = append(names, fmt.Sprintf("m%02d/cli", c))
	}
	var tasks []PanelTask
	for t := range 3 * perStratum {
		tasks = append(tasks, PanelTask{TaskKey{"suite", fmt.Sprintf("t%03d", t)}, Stratum(t % 3)})
	}
	p := NewPanel(names, tasks)
	for c := range configs {
		for t := range tasks {
			*p.At(c, t) = cell(c, t)
		}
	}
	return p
}

// one is a cell of one execution.
func one(reward, masked, failure float64) Cell {
	return Cell{Runs: 1, Reward: reward, Masked: masked, Failure: failure, Totals: Totals{Runs: 1}}
}

func TestFidelityComparesConfigurationsCompleteOnBoth(t *testing.T) {
	whole := gridPanel(5, 4, func(c, t int) Cell {
		if c == 2 && t == 11 {
			return Cell{} // incomplete on the whole, complete on the subset
		}
		return one(float64(c)/5, float64(c)/10, 0)
	})
	sub := whole.Subset(func(k TaskKey) bool { return k.Task < "t006" })
	f, err := CompareSubset("core", "all", sub, whole, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if f.Configs != 4 || !*f.Top1Same || !*f.Top3Same || *f.Spearman != 1 || *f.MaxRankShift != 0 || f.Winner[0] != "m04/cli" {
		t.Errorf("%+v", f)
	}
}

func TestFidelitySeesAChangedPodium(t *testing.T) {
	whole := gridPanel(5, 4, func(c, t int) Cell {
		if t < 6 { // the subset turns the order around; the rest outweighs it
			return one(float64(4-c)/50, 0, 0)
		}
		return one(float64(c)/5, 0, 0)
	})
	f, err := CompareSubset("core", "all", whole.Subset(func(k TaskKey) bool { return k.Task < "t006" }), whole, 0.5)
	if err != nil || *f.Top1Same || *f.Top3Same || *f.Spearman != -1 || *f.MaxRankShift != 4 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestFidelityOfNothingIsUndefined(t *testing.T) {
	whole := gridPanel(2, 1, func(c, t int) Cell { return Cell{} })
	f, err := CompareSubset("core", "all", whole, whole, 0.5)
	if err != nil || f.Top1Same != nil || f.Spearman != nil || !strings.Contains(f.Reason, "complete on both") {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := CompareSubset("core", "all", whole.Subset(func(TaskKey) bool { return false }), whole, 0.5); err == nil {
		t.Error("an empty subset is no error")
	}
}

func TestFidelityKnowsThePodiumFromTheWinner(t *testing.T) {
	whole := gridPanel(5, 2, func(c, task int) Cell {
		reward := [5][2]float64{{1, 1}, {.8, .8}, {.6, .2}, {.4, .7}, {0, 0}}[c][task/3]
		return one(reward, reward, 0)
	})
	f, err := CompareSubset("core", "all", whole.Subset(func(k TaskKey) bool { return k.Task < "t003" }), whole, 0.5)
	if err != nil || !*f.Top1Same || *f.Top3Same {
		t.Errorf("%+v, %v", f, err)
	}
}
