package scoring

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"amdb/scoring/stat"
)

// MaxStratumStates bounds the assignments of one stratum that ExactAdapted1
// enumerates: sources to the power of the stratum's tasks (4 sources: 8 tasks).
const MaxStratumStates = 1 << 16

// AdaptedExact is the distribution of the equal-size control over all
// assignments, by enumeration. Scores are taken at 1e-15; two that differ by
// at most 5e-13 tie. A nil figure was not computed, and Reason says why.
type AdaptedExact struct {
	Assignments       uint64               `json:"assignments"` // all of them
	Leaders           []LeaderShare        `json:"leaders"`     // largest share first
	SameOrderAsPooled *float64             `json:"same_order_as_pooled"`
	AMSQuantiles      map[string]Quantiles `json:"ams_quantiles"` // by target
	MeanAMS           map[string]float64   `json:"mean_ams"`      // by target
	Excluded          []string             `json:"excluded,omitempty"`
	Reason            string               `json:"reason,omitempty"`
}

// TooManyStatesError says that an exact enumeration is out of bounds.
type TooManyStatesError struct {
	Stratum        Stratum
	Sources, Tasks int
}

func (e *TooManyStatesError) Error() string {
	return fmt.Sprintf("stratum %s has %d^%d assignments, and exact enumeration is bounded at %d a stratum: sample instead",
		e.Stratum, e.Sources, e.Tasks, MaxStratumStates)
}

// Scores of strata are integers of scoreUnit, so that equal states merge and
// sums do not depend on their order. The sum over strata is three times AMS.
const (
	scoreUnit = 1e-15
	tieUnits  = 1500 // 3 · 5e-13
)

// states are the joint scores of all targets: vector i is at [i·targets:], and
// weight[i] assignments lead to it.
type states struct {
	targets int
	scores  []int64
	weight  []uint64
}

func (s states) len() int             { return len(s.weight) }
func (s states) vector(i int) []int64 { return s.scores[i*s.targets : (i+1)*s.targets] }

// ExactAdapted1 is the exact distribution of the equal-size control. The score
// is a sum over strata, and the strata are independent: each stratum's
// assignments are enumerated once and equal states merged; then the two
// smaller strata are combined, and the largest is matched against them by
// sorting and counting, never by forming every whole assignment.
func ExactAdapted1(w DescriptionPanels, alpha float64, workers int) (AdaptedExact, error) {
	w, excluded, err := w.completeSources()
	if err != nil {
		return AdaptedExact{}, err
	}
	tasks, err := w.Original.strataTasks()
	if err != nil {
		return AdaptedExact{}, err
	}
	k := len(w.Sources)
	var perStratum [3]states
	total := 1.0
	for _, s := range Strata {
		n := 1.0
		for range tasks[s] {
			if n *= float64(k); n > MaxStratumStates {
				return AdaptedExact{}, &TooManyStatesError{s, k, len(tasks[s])}
			}
		}
		total *= n // at most 2^48
		perStratum[s] = w.enumerate(tasks[s], alpha)
	}
	slices.SortStableFunc(perStratum[:], func(a, b states) int { return cmp.Compare(a.len(), b.len()) })
	targets := w.Original.Configs
	out := AdaptedExact{Assignments: uint64(total), Excluded: excluded, MeanAMS: map[string]float64{}}
	for c, target := range targets {
		mean := 0.0
		for _, s := range perStratum {
			mean += s.mean(c)
		}
		out.MeanAMS[target] = mean * scoreUnit / 3
	}
	if n := perStratum[0].len() * perStratum[1].len(); n > maxCombined {
		out.Reason = fmt.Sprintf("shares and quantiles are not computed: the two smaller strata have %d joint states, the bound is %d", n, maxCombined)
		return out, nil
	}
	rest, largest := combine(perStratum[0], perStratum[1]), perStratum[2]
	out.AMSQuantiles = map[string]Quantiles{}
	for c, target := range targets {
		out.AMSQuantiles[target] = newSumDistribution(rest, largest, c).quantiles()
	}
	firsts, same, reason := countLeads(rest, largest, w.pooledRanks(tasks, alpha), workers)
	if out.Reason = reason; reason == "" {
		out.Leaders = leaderShares(targets, firsts, total)
		out.SameOrderAsPooled = ptr(float64(same) / total)
	}
	return out, nil
}

// maxCombined bounds the joint states of the two smaller strata.
const maxCombined = 1 << 20

// enumerate is every assignment of sources to the tasks of one stratum.
func (w DescriptionPanels) enumerate(tasks []int, alpha float64) states {
	targets := len(w.Original.Configs)
	partial, sources := make([]sums, targets), w.SourceNames()
	for _, t := range tasks {
		next := make([]sums, 0, len(partial)*len(w.Sources))
		for at := 0; at < len(partial); at += targets {
			for _, name := range sources {
				p := w.Sources[name]
				for c := range targets {
					cell := p.At(c, t)
					s := partial[at+c]
					s.add(sums{cell.Reward, cell.Masked, cell.Failure})
					next = append(next, s)
				}
			}
		}
		partial = next
	}
	out := states{targets: targets, scores: make([]int64, len(partial)), weight: make([]uint64, len(partial)/targets)}
	for i, s := range partial {
		out.scores[i] = int64(math.Round(s.stratumScore(float64(len(tasks)), alpha) / scoreUnit))
	}
	for i := range out.weight {
		out.weight[i] = 1
	}
	return out.merged()
}

// merged sorts the states and joins equal ones.
func (s states) merged() states {
	order := make([]int, s.len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(s.vector(a), s.vector(b)) })
	out := states{targets: s.targets}
	for n, i := range order {
		if n > 0 && slices.Equal(s.vector(i), s.vector(order[n-1])) {
			out.weight[len(out.weight)-1] += s.weight[i]
			continue
		}
		out.scores, out.weight = append(out.scores, s.vector(i)...), append(out.weight, s.weight[i])
	}
	return out
}

// combine is the sums of every pair of states.
func combine(a, b states) states {
	out := states{
		targets: a.targets, scores: make([]int64, 0, a.len()*len(b.scores)), weight: make([]uint64, 0, a.len()*b.len()),
	}
	for i := range a.len() {
		for j := range b.len() {
			for c, v := range a.vector(i) {
				out.scores = append(out.scores, v+b.scores[j*b.targets+c])
			}
			out.weight = append(out.weight, a.weight[i]*b.weight[j])
		}
	}
	return out.merged()
}

// mean is target c's mean score in units.
func (s states) mean(c int) float64 {
	var sum, n float64
	for i, w := range s.weight {
		sum += float64(float64(s.scores[i*s.targets+c]) * float64(w))
		n += float64(w)
	}
	return sum / n
}

// column is a target's scores in one set of states, ascending, with the number
// of assignments up to and including each.
type column struct {
	values []int64
	upto   []uint64
}

func (s states) column(c int) column {
	single := states{targets: 1, scores: make([]int64, s.len()), weight: s.weight}
	for i := range single.scores {
		single.scores[i] = s.scores[i*s.targets+c]
	}
	single = single.merged()
	out := column{single.scores, single.weight}
	for i := 1; i < len(out.upto); i++ {
		out.upto[i] += out.upto[i-1]
	}
	return out
}

// sumDistribution is the distribution of a + b over all pairs, never formed.
type sumDistribution struct {
	a, b  column
	total uint64
}

func newSumDistribution(a, b states, c int) sumDistribution {
	d := sumDistribution{a: a.column(c), b: b.column(c)}
	d.total = d.a.upto[len(d.a.upto)-1] * d.b.upto[len(d.b.upto)-1]
	return d
}

// atMost counts the pairs whose sum is at most x: one walk down b for a walk
// up a.
func (d sumDistribution) atMost(x int64) (n uint64) {
	j := len(d.b.values)
	for i, v := range d.a.values {
		for j > 0 && v+d.b.values[j-1] > x {
			j--
		}
		if j == 0 {
			break
		}
		weight := d.a.upto[i]
		if i > 0 {
			weight -= d.a.upto[i-1]
		}
		n += weight * d.b.upto[j-1]
	}
	return n
}

// order is the k-th smallest sum, counted from 0, by bisection.
func (d sumDistribution) order(k uint64) int64 {
	lo := d.a.values[0] + d.b.values[0]
	hi := d.a.values[len(d.a.values)-1] + d.b.values[len(d.b.values)-1]
	return lo + int64(sort.Search(int(hi-lo), func(i int) bool { return d.atMost(lo+int64(i)) > k }))
}

// quantiles are of the score: a third of the sum over strata.
func (d sumDistribution) quantiles() Quantiles {
	return quantilesOf(func(p float64) float64 {
		place, share := stat.QuantilePlace(int64(d.total), p) // at most 2^48
		k := uint64(place)
		low := d.order(k)
		high := low
		if k+1 < d.total && d.atMost(low) <= k+1 {
			high = d.order(k + 1)
		}
		return stat.Between(float64(low), float64(high), share) * scoreUnit / 3 // below 2^53
	})
}
