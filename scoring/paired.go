package scoring

import (
	"fmt"
	"slices"

	"amdb/scoring/stat"
)

// Who is ahead in a paired comparison.
const (
	AheadA       = "a"
	AheadB       = "b"
	NotSeparated = "not separated"
)

// PairedComparison compares two configurations on the tasks that both ran
// (section 5). Differences are A less B. A nil figure is undefined, and
// Reasons says why by the figure's name.
type PairedComparison struct {
	A string `json:"a"`
	B string `json:"b"`
	BootstrapOptions
	Tasks int `json:"tasks"` // shared

	AMSA       *float64 `json:"ams_a"`
	AMSB       *float64 `json:"ams_b"`
	Difference *float64 `json:"difference"` // of AMS
	Lo         *float64 `json:"difference_lo"`
	Hi         *float64 `json:"difference_hi"`
	PBetter    *float64 `json:"p_a_better"` // share of draws with A ahead, a tie half
	Verdict    string   `json:"verdict"`    // a, b, or not separated

	RewardDifference   *float64 `json:"reward_difference"` // of mean reward
	RewardDifferenceSE *float64 `json:"reward_difference_se"`

	Wins   int `json:"wins"` // tasks at which A's reward is higher
	Losses int `json:"losses"`
	Ties   int `json:"ties"`

	McNemar *McNemar          `json:"mcnemar"` // nil unless every cell is one binary attempt
	PerTask []TaskPair        `json:"per_task"`
	Reasons map[string]string `json:"reasons,omitempty"`
}

// McNemar is the exact paired test of passes. P is nil where no task is
// discordant.
type McNemar struct {
	OnlyA int      `json:"only_a"`
	OnlyB int      `json:"only_b"`
	P     *float64 `json:"p"`
}

// TaskPair is one shared task. Costs are means in USD, nil where unknown.
type TaskPair struct {
	TaskKey
	Stratum  Stratum  `json:"stratum"`
	RewardA  float64  `json:"reward_a"`
	RewardB  float64  `json:"reward_b"`
	CostA    *float64 `json:"cost_a_usd"`
	CostB    *float64 `json:"cost_b_usd"`
	Ahead    string   `json:"ahead"`     // by reward: a, b, or empty
	AheadAMS string   `json:"ahead_ams"` // by the score of the cell alone, in which cost counts
}

// ComparePair compares two configurations of a panel by name.
func ComparePair(p *Panel, a, b string, alpha float64, o BootstrapOptions) (PairedComparison, error) {
	out := PairedComparison{A: a, B: b, BootstrapOptions: o, Verdict: NotSeparated, PerTask: []TaskPair{}, Reasons: map[string]string{}}
	if err := o.Validate(); err != nil {
		return out, err
	}
	for _, name := range []string{a, b} {
		if !slices.Contains(p.Configs, name) {
			return out, fmt.Errorf("configuration %q has no run on these tasks", name)
		}
	}
	if a == b {
		return out, fmt.Errorf("configuration %q is compared with itself", a)
	}
	shared := p.shared(a, b)
	ia, ib := slices.Index(shared.Configs, a), slices.Index(shared.Configs, b)
	out.Tasks = len(shared.Tasks)
	out.duel(shared, ia, ib, alpha)
	out.testPasses(shared, ia, ib)
	return out, out.bootstrap(shared, ia, ib, alpha)
}

// shared is the panel of two configurations and the tasks that both ran.
func (p *Panel) shared(a, b string) *Panel {
	two := p.Filter(func(c int) bool { return p.Configs[c] == a || p.Configs[c] == b })
	ran := map[TaskKey]bool{}
	for t, task := range two.Tasks {
		ran[task.Key] = two.At(0, t).Runs > 0 && two.At(1, t).Runs > 0
	}
	return two.Subset(func(k TaskKey) bool { return ran[k] })
}

// duel fills in what is counted task by task.
func (out *PairedComparison) duel(p *Panel, a, b int, alpha float64) {
	ahead := func(x, y float64) string {
		switch x, y = round12(x), round12(y); {
		case x > y:
			return AheadA
		case x < y:
			return AheadB
		}
		return ""
	}
	var differences [][]float64
	var sumA, sumB stat.WholeSum
	for t, task := range p.Tasks {
		x, y := p.At(a, t), p.At(b, t)
		d := TaskPair{
			TaskKey: task.Key, Stratum: task.Stratum, RewardA: x.Reward, RewardB: y.Reward, CostA: cellCost(x), CostB: cellCost(y),
			Ahead: ahead(x.Reward, y.Reward), AheadAMS: ahead(cellScore(x, alpha), cellScore(y, alpha)),
		}
		switch d.Ahead {
		case AheadA:
			out.Wins++
		case AheadB:
			out.Losses++
		default:
			out.Ties++
		}
		out.PerTask = append(out.PerTask, d)
		differences = append(differences, []float64{x.Reward - y.Reward})
		sumA.Add(0, fewUnits(x.Reward))
		sumB.Add(0, fewUnits(y.Reward))
	}
	_, se, ok := stat.ClusterSE(differences)
	if n := len(differences); n > 0 {
		out.RewardDifference = ptr(sumA.Minus(sumB) / unit / float64(n))
	} else {
		out.Reasons["reward_difference"] = "no task was run by both"
	}
	if ok {
		out.RewardDifferenceSE = &se
	} else {
		out.Reasons["reward_difference_se"] = "a standard error needs at least 2 shared tasks"
	}
}

// testPasses is McNemar's test where every shared cell is one binary attempt.
func (out *PairedComparison) testPasses(p *Panel, a, b int) {
	m := McNemar{}
	for t := range p.Tasks {
		x, y := p.At(a, t), p.At(b, t)
		for _, c := range []*Cell{x, y} {
			if c.Runs != 1 || c.Reward != 0 && c.Reward != 1 {
				out.Reasons["mcnemar"] = "the exact test is for one attempt a task with reward 0 or 1; see the interval instead"
				return
			}
		}
		switch {
		case x.Reward > y.Reward:
			m.OnlyA++
		case x.Reward < y.Reward:
			m.OnlyB++
		}
	}
	if len(p.Tasks) == 0 {
		out.Reasons["mcnemar"] = "no task was run by both"
		return
	}
	if pValue, ok := stat.McNemarExact(m.OnlyA, m.OnlyB); ok {
		m.P = &pValue
	} else {
		out.Reasons["mcnemar"] = "no task was passed by one alone"
	}
	out.McNemar = &m
}

// bootstrap is the paired difference of AMS under the same draws of tasks.
func (out *PairedComparison) bootstrap(p *Panel, a, b int, alpha float64) error {
	tasks, err := p.strataTasks()
	if err != nil { // too few shared tasks: the rest still stands
		out.Reasons["difference"] = err.Error()
		return nil //nolint:nilerr // the reason is kept
	}
	comps, err := Score(p, alpha)
	if err != nil {
		return err
	}
	out.AMSA, out.AMSB = &comps[a].AMS, &comps[b].AMS
	out.Difference = ptr(comps[a].AMS - comps[b].AMS)
	r := p.resample(tasks, alpha, out.BootstrapOptions)
	d := p.difference(r, a, b, alpha, out.BootstrapOptions, make([]float64, r.draws))
	out.Lo, out.Hi = d.lo, d.hi
	if d.reason != "" {
		out.Reasons["difference_lo"] = d.reason
	}
	if d.separated {
		out.Verdict = AheadA
		if *out.Difference < 0 {
			out.Verdict = AheadB
		}
	}
	halves := 0
	for i, x := range r.of(a) {
		switch y := r.of(b)[i]; {
		case round12(x) > round12(y):
			halves += 2
		case round12(x) == round12(y):
			halves++
		}
	}
	out.PBetter = ptr(float64(halves) / float64(2*r.draws))
	return nil
}
