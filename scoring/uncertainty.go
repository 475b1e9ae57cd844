package scoring

import (
	"fmt"
	"math"
	"slices"

	"amdb/scoring/stat"
)

// How an interval was made.
const (
	ByBootstrap = "bootstrap"
	ByWilson    = "wilson" // every resample gives 0 or 1: the tasks as trials
)

// Uncertainty is how sure a leaderboard is of itself (section 5): what its
// figures would be had other tasks of the same kind been drawn.
type Uncertainty struct {
	BootstrapOptions
	Tasks    int                 `json:"tasks"`
	Configs  []ConfigUncertainty `json:"configs"` // in the order of the panel
	Warnings []string            `json:"warnings"`
}

// ConfigUncertainty is one configuration's intervals. The interval of its
// score depends on no other configuration. A nil figure is undefined, and
// Reason says why.
type ConfigUncertainty struct {
	Config string   `json:"config"`
	AMS    float64  `json:"ams"`    // on the data, not the mean of the draws
	Method string   `json:"method"` // of the interval: bootstrap or wilson; empty = none
	AMSLo  *float64 `json:"ams_lo"`
	AMSHi  *float64 `json:"ams_hi"`

	Rank     int      `json:"rank"`
	RankLo   *int     `json:"rank_lo"`
	RankHi   *int     `json:"rank_hi"`
	MeanRank *float64 `json:"mean_rank"`
	PBest    *float64 `json:"p_best"` // share of draws ranked first, a tie shared equally

	BehindLeader *float64 `json:"behind_leader"` // AMS of the leader less its own
	BehindLo     *float64 `json:"behind_lo"`
	BehindHi     *float64 `json:"behind_hi"`
	Tier         int      `json:"tier"` // 1: not separated from the leader

	Degenerate bool   `json:"degenerate"` // every draw of tasks gives the same score
	Reason     string `json:"reason,omitempty"`
}

// Bootstrap resamples the tasks of a panel of complete configurations. A
// stratum without a task is an error.
func Bootstrap(p *Panel, alpha float64, o BootstrapOptions) (Uncertainty, error) {
	out := Uncertainty{BootstrapOptions: o, Tasks: len(p.Tasks), Configs: []ConfigUncertainty{}, Warnings: []string{}}
	if err := o.Validate(); err != nil {
		return out, err
	}
	tasks, err := p.strataTasks()
	if err != nil {
		return out, err
	}
	for _, s := range Strata {
		if len(tasks[s]) == 1 {
			out.Warnings = append(out.Warnings, fmt.Sprintf("stratum %s has one task, so the intervals leave out how its score would vary", s))
		}
	}
	comps, err := Score(p, alpha)
	if err != nil {
		return out, err
	}
	scores := AMSOf(comps)
	ranks := Ranks(scores)
	r := p.resample(tasks, alpha, o)
	scratch := make([]float64, o.Draws)
	for c, name := range p.Configs {
		u := ConfigUncertainty{Config: name, AMS: scores[c], Rank: ranks[c]}
		copy(scratch, r.of(c))
		lo, hi := interval(scratch, o)
		u.setInterval(lo, hi, slices.Min(scratch) == slices.Max(scratch), len(p.Tasks), o.Level)
		out.Configs = append(out.Configs, u)
	}
	out.setRanks(r)
	p.setTiers(&out, r, alpha)
	return out, nil
}

// setInterval takes the bootstrap's interval, or what stands in for it where
// all draws are equal: that is never evidence that the score is certain.
func (u *ConfigUncertainty) setInterval(lo, hi float64, degenerate bool, tasks int, level float64) {
	if !degenerate {
		u.Method, u.AMSLo, u.AMSHi = ByBootstrap, &lo, &hi
		return
	}
	u.Degenerate = true
	u.Reason = "every draw of tasks gives the same score"
	switch round12(u.AMS) {
	case 0:
		lo, hi, _ = stat.Wilson(0, tasks, level)
	case 1:
		lo, hi, _ = stat.Wilson(tasks, tasks, level)
	default:
		u.Reason += ": no interval"
		return
	}
	u.Method, u.AMSLo, u.AMSHi = ByWilson, &lo, &hi
	u.Reason += fmt.Sprintf(": Wilson's interval with the %d tasks as trials", tasks)
}

// setRanks fills in what the draws say about ranks.
func (out *Uncertainty) setRanks(r resamples) {
	n := len(out.Configs)
	if n < 2 {
		for c := range out.Configs {
			out.Configs[c].Reason = joinReasons(out.Configs[c].Reason, "one configuration: it has no rank to vary")
		}
		return
	}
	firsts := newFirstCounts(n)
	counts := make([][]uint64, n) // counts[c][rank]
	for c := range counts {
		counts[c] = make([]uint64, n+1)
	}
	ranking := newRanking(n)
	for b := range r.draws {
		ranks := ranking.of(r.ams[b:], r.draws)
		firsts.add(ranks, 1)
		for c, rank := range ranks {
			counts[c][rank]++
		}
	}
	pl, ph := out.tails()
	for c := range out.Configs {
		u := &out.Configs[c]
		u.RankLo, u.RankHi = ptr(countQuantile(counts[c], pl)), ptr(countQuantile(counts[c], ph))
		sum := uint64(0)
		for rank, k := range counts[c] {
			sum += uint64(rank) * k
		}
		u.MeanRank = ptr(float64(sum) / float64(r.draws))
		u.PBest = ptr(firsts.share(c, float64(r.draws)))
	}
}

// countQuantile is the least rank that at least the share p of draws does not
// exceed.
func countQuantile(counts []uint64, p float64) int {
	total, upto := uint64(0), uint64(0)
	for _, k := range counts {
		total += k
	}
	need := uint64(math.Ceil(p * float64(total)))
	for rank, k := range counts {
		if upto += k; upto >= need && upto > 0 {
			return rank
		}
	}
	return len(counts) - 1
}

// setTiers compares every configuration with the leader, and puts those that
// are not separated from it into its tier; the best of the rest leads the next
// tier. Intervals are of the paired difference, not corrected for the number
// of comparisons.
func (p *Panel) setTiers(out *Uncertainty, r resamples, alpha float64) {
	ranks := make([]int, len(out.Configs))
	for c, u := range out.Configs {
		ranks[c] = u.Rank
	}
	order := Order(p.Configs, ranks)
	scratch := make([]float64, r.draws)
	for tier := 1; len(order) > 0; tier++ {
		leader := order[0]
		var rest []int
		for _, c := range order {
			u := &out.Configs[c]
			d := p.difference(r, leader, c, alpha, out.BootstrapOptions, scratch)
			if tier == 1 && c != leader {
				u.BehindLeader, u.BehindLo, u.BehindHi = ptr(out.Configs[leader].AMS-u.AMS), d.lo, d.hi
				u.Reason = joinReasons(u.Reason, d.reason)
			}
			if c != leader && d.separated {
				rest = append(rest, c)
				continue
			}
			u.Tier = tier
		}
		order = rest
	}
}

// difference is the paired difference of two configurations over the same
// draws.
type difference struct {
	lo, hi    *float64
	separated bool // the interval excludes 0, or the stand-in test rejects
	reason    string
}

// difference compares configurations a and b. Where every draw gives the same
// difference, the bootstrap says nothing, and the exact sign test over tasks
// decides instead. diff is scratch space for the draws.
func (p *Panel) difference(r resamples, a, b int, alpha float64, o BootstrapOptions, diff []float64) difference {
	if a == b {
		return difference{}
	}
	x, y := r.of(a), r.of(b)
	for i := range diff {
		diff[i] = round12(x[i] - y[i])
	}
	if slices.Min(diff) == slices.Max(diff) {
		d := difference{reason: "every draw of tasks gives the same difference"}
		wins, losses := p.taskWins(a, b, alpha)
		if pValue, ok := stat.McNemarExact(wins, losses); ok {
			d.separated = pValue < 1-o.Level
			d.reason += fmt.Sprintf(": the exact sign test over tasks gives p = %.3g", pValue)
		}
		return d
	}
	lo, hi := interval(diff, o)
	return difference{lo: &lo, hi: &hi, separated: lo > 0 || hi < 0}
}

// taskWins counts the tasks at which a's cell scores above b's, and below.
func (p *Panel) taskWins(a, b int, alpha float64) (wins, losses int) {
	for t := range p.Tasks {
		x, y := cellScore(p.At(a, t), alpha), cellScore(p.At(b, t), alpha)
		switch {
		case x > y:
			wins++
		case x < y:
			losses++
		}
	}
	return wins, losses
}

// cellScore is the score of a stratum that holds this cell alone.
func cellScore(c *Cell, alpha float64) float64 {
	return round12(AMS(c.Reward, c.Masked, c.Failure, alpha))
}
