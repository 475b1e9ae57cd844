package scoring

import (
	"cmp"
	"math"
	"slices"
)

// CalibrationDiff is what moved between two calibrations (section 5).
type CalibrationDiff struct {
	From    string          `json:"from"` // names
	To      string          `json:"to"`
	Changed []StratumChange `json:"changed_strata"` // tasks in another stratum, in key order
	Tasks   int             `json:"tasks"`          // in both
	OnlyIn  [2]int          `json:"tasks_only_in"`  // one of the two
	Budgets []BudgetChange  `json:"budgets"`        // by stratum: the level that moved most
	Largest *BudgetChange   `json:"largest_budget_change"`
	Eta     []EtaChange     `json:"eta"` // by stratum
	Reason  string          `json:"reason,omitempty"`
}

// StratumChange is a task that two calibrations put into different strata.
type StratumChange struct {
	TaskKey
	From Stratum `json:"from"`
	To   Stratum `json:"to"`
}

// BudgetChange is the budget level of a stratum that moved most, relative to
// what it was. Level counts from 1; Relative is nil where it was 0, or where
// the calibrations have different numbers of levels.
type BudgetChange struct {
	Stratum  Stratum  `json:"stratum"`
	Level    int      `json:"level"`
	FromUSD  float64  `json:"from_usd"`
	ToUSD    float64  `json:"to_usd"`
	Relative *float64 `json:"relative"` // (to − from) / from
}

// EtaChange is a stratum's threshold in both; nil where it has none.
type EtaChange struct {
	Stratum  Stratum  `json:"stratum"`
	FromUSD  *float64 `json:"from_usd"`
	ToUSD    *float64 `json:"to_usd"`
	Relative *float64 `json:"relative"`
}

// DiffCalibrations compares two calibrations.
func DiffCalibrations(from, to Calibration) CalibrationDiff {
	out := CalibrationDiff{From: from.Name, To: to.Name, Changed: []StratumChange{}, Budgets: []BudgetChange{}, Eta: []EtaChange{}}
	a, b := from.Stratify(), to.Stratify()
	for key, s := range a {
		t, ok := b[key]
		switch {
		case !ok:
			out.OnlyIn[0]++
			continue
		case s != t:
			out.Changed = append(out.Changed, StratumChange{key, s, t})
		}
		out.Tasks++
	}
	out.OnlyIn[1] = len(b) - out.Tasks
	slices.SortFunc(out.Changed, func(x, y StratumChange) int { return x.Compare(y.TaskKey) })
	for _, s := range Strata {
		x, y := from.Strata[s], to.Strata[s]
		out.Eta = append(out.Eta, EtaChange{s, x.EtaUSD, y.EtaUSD, relative(x.EtaUSD, y.EtaUSD)})
		if len(x.Budgets) != len(y.Budgets) {
			out.Reason = "the calibrations have different numbers of budget levels, which are not compared"
			continue
		}
		if change, ok := largestChange(s, x.Budgets, y.Budgets); ok {
			out.Budgets = append(out.Budgets, change)
		}
	}
	for i := range out.Budgets {
		if out.Largest == nil || change(out.Budgets[i]) > change(*out.Largest) {
			out.Largest = &out.Budgets[i]
		}
	}
	return out
}

// change orders budget changes: by the size of the relative change, a change
// from 0 above all.
func change(b BudgetChange) float64 {
	switch {
	case b.Relative != nil:
		return math.Abs(*b.Relative)
	case b.FromUSD == b.ToUSD:
		return 0
	}
	return math.Inf(1)
}

func largestChange(s Stratum, from, to []float64) (out BudgetChange, ok bool) {
	for i := range from {
		c := BudgetChange{s, i + 1, from[i], to[i], relative(&from[i], &to[i])}
		if !ok || change(c) > change(out) {
			out, ok = c, true
		}
	}
	return out, ok
}

// relative is (to − from) / from, nil where either is unknown or from is 0.
func relative(from, to *float64) *float64 {
	if from == nil || to == nil || *from == 0 {
		return nil
	}
	return ptr((*to - *from) / *from)
}

// RankChange is a configuration's rank under two choices.
type RankChange struct {
	Config string `json:"config"`
	From   int    `json:"from"`
	To     int    `json:"to"`
}

// RankingDiff compares two rankings over the configurations in both.
type RankingDiff struct {
	Configs int `json:"configs"`
	Comparison
	Leader []string     `json:"leader"` // of the first ranking; winner is the second's
	Same   bool         `json:"leader_same"`
	Moves  []RankChange `json:"moves"` // configurations whose rank changed, the largest move first
}

// DiffRankings compares two sets of scores, each with its names, over the
// names in both. Ranks are among those.
func DiffRankings(namesA []string, a []float64, namesB []string, b []float64) RankingDiff {
	at := map[string]float64{}
	for i, n := range namesB {
		at[n] = b[i]
	}
	var names []string
	var x, y []float64
	for i, n := range namesA {
		if v, ok := at[n]; ok {
			names, x, y = append(names, n), append(x, a[i]), append(y, v)
		}
	}
	rx, ry := Ranks(x), Ranks(y)
	out := RankingDiff{Configs: len(names), Comparison: Compare(names, x, y), Leader: Leaders(names, rx), Moves: []RankChange{}}
	out.Same = len(names) > 0 && slices.Equal(out.Leader, out.Winner)
	for i, n := range names {
		if rx[i] != ry[i] {
			out.Moves = append(out.Moves, RankChange{n, rx[i], ry[i]})
		}
	}
	slices.SortFunc(out.Moves, func(p, q RankChange) int {
		return cmp.Or(cmp.Compare(abs(q.To-q.From), abs(p.To-p.From)), cmp.Compare(p.Config, q.Config))
	})
	return out
}

func abs(x int) int { return max(x, -x) }

// ShareSame is the share of rankings whose leaders are exactly base's; nil for
// no rankings.
func ShareSame(base []string, leaders [][]string) *float64 {
	same := 0
	for _, l := range leaders {
		if slices.Equal(l, base) {
			same++
		}
	}
	return ratio(float64(same), len(leaders), 0)
}
