package scoring

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"amdb/scoring/stat"
)

// Percentile says how ties count in a percentile rank (section 2.2).
type Percentile string

// The three conventions. Mid is the default and is ours: the paper says only
// "percentile rank".
const (
	Mid    Percentile = "mid"    // (#{y < x} + ½·#{y = x}) / n
	Weak   Percentile = "weak"   // #{y ≤ x} / n
	Strict Percentile = "strict" // #{y < x} / n
)

// ParsePercentile reads a convention's name.
func ParsePercentile(s string) (Percentile, error) {
	switch p := Percentile(s); p {
	case Mid, Weak, Strict:
		return p, nil
	}
	return "", fmt.Errorf("percentile %q is not one of mid, weak, strict", s)
}

// halves is 2n·q(x), an exact integer, for less values below x and equal
// values equal to it.
func (p Percentile) halves(less, equal int) int {
	switch p {
	case Weak:
		return 2 * (less + equal)
	case Strict:
		return 2 * less
	default:
		return 2*less + equal
	}
}

// PercentileRank is q(x), the share of values that x reaches, under p. x need
// not be among values. It reports false for no values.
func PercentileRank(x float64, values []float64, p Percentile) (float64, bool) {
	if len(values) == 0 {
		return 0, false
	}
	less, equal := 0, 0
	for _, v := range values {
		switch {
		case v < x:
			less++
		case v == x:
			equal++
		}
	}
	return float64(p.halves(less, equal)) / float64(2*len(values)), true
}

// percentileHalves is 2n·q for every value of a column, in its order.
func percentileHalves(values []float64, p Percentile) []int {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	out := make([]int, len(values))
	for i, x := range values {
		less, _ := slices.BinarySearch(sorted, x)
		upto, _ := slices.BinarySearchFunc(sorted, x, func(v, x float64) int {
			if v <= x {
				return -1
			}
			return 1
		})
		out[i] = p.halves(less, upto-less)
	}
	return out
}

// Term is one of the three statistics that make effort.
type Term string

// The terms of the effort index, in the order in which ties are broken.
const (
	TermTokens Term = "tokens"
	TermSteps  Term = "steps"
	TermZero   Term = "zero"
)

// AllTerms is the paper's effort index.
var AllTerms = []Term{TermTokens, TermSteps, TermZero}

// ParseTerms reads a list of term names; order and repeats do not matter.
func ParseTerms(names []string) ([]Term, error) {
	var out []Term
	for _, t := range AllTerms {
		if slices.Contains(names, string(t)) {
			out = append(out, t)
		}
	}
	for _, n := range names {
		if !slices.Contains(AllTerms, Term(n)) {
			return nil, fmt.Errorf("effort term %q is not one of tokens, steps, zero", n)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("effort needs at least one of the terms tokens, steps, zero")
	}
	return out, nil
}

// TaskStats are a reference task's three statistics (section 2.1): medians and
// mean over the reference configurations, each one's attempts averaged first.
// MedianTokens and MedianSteps are nil where the data have none.
type TaskStats struct {
	Key          TaskKey
	MedianTokens *float64
	MedianSteps  *float64
	ZeroRate     float64
}

// TaskEffort is a reference task with its percentile ranks, effort and stratum
// (sections 2.2 to 2.4). A rank is nil where its term was left out.
type TaskEffort struct {
	Benchmark    string   `json:"benchmark"`
	Task         string   `json:"task"`
	MedianTokens *float64 `json:"median_tokens"`
	MedianSteps  *float64 `json:"median_steps"`
	ZeroRate     float64  `json:"zero_rate"`
	QTokens      *float64 `json:"q_tokens"`
	QSteps       *float64 `json:"q_steps"`
	QZero        *float64 `json:"q_zero"`
	Effort       float64  `json:"effort"`
	EffortRank   int      `json:"effort_rank"` // 1 = least effort, ties broken
	Stratum      Stratum  `json:"stratum"`
}

// Key is the task's identity.
func (t TaskEffort) Key() TaskKey { return TaskKey{t.Benchmark, t.Task} }

// Effort is the mean of the percentile ranks given, the effort index e_i. It
// reports false for none.
func Effort(ranks ...float64) (float64, bool) { return stat.Mean(ranks) }

// Efforts ranks the reference tasks by effort and cuts them into strata. The
// result is in effort order. Efforts are compared as the integers 2n·q, never
// as floats, so a tie is a tie; ties then go by median tokens, median steps,
// zero rate and task key [ours]. The strata are three runs of ⌈n/3⌉ or ⌊n/3⌋
// tasks, the larger first.
func Efforts(stats []TaskStats, p Percentile, terms []Term) ([]TaskEffort, error) {
	n := len(stats)
	if n < 3 {
		return nil, fmt.Errorf("%d reference tasks: three strata need at least 3", n)
	}
	columns := map[Term][]float64{}
	for _, term := range terms {
		col := make([]float64, n)
		for i, s := range stats {
			v := s.term(term)
			if v == nil {
				return nil, fmt.Errorf("task %s has no %s", s.Key, term)
			}
			col[i] = *v
		}
		columns[term] = col
	}

	sums := make([]int, n)
	out := make([]TaskEffort, n)
	for i, s := range stats {
		out[i] = TaskEffort{
			Benchmark: s.Key.Benchmark, Task: s.Key.Task,
			MedianTokens: s.MedianTokens, MedianSteps: s.MedianSteps, ZeroRate: s.ZeroRate,
		}
	}
	for _, term := range terms {
		ranks := make([]float64, n)
		for i, h := range percentileHalves(columns[term], p) {
			sums[i] += h
			ranks[i] = float64(h) / float64(2*n)
			switch term {
			case TermTokens:
				out[i].QTokens = &ranks[i]
			case TermSteps:
				out[i].QSteps = &ranks[i]
			case TermZero:
				out[i].QZero = &ranks[i]
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(sums[a], sums[b]),
			comparePtr(stats[a].MedianTokens, stats[b].MedianTokens),
			comparePtr(stats[a].MedianSteps, stats[b].MedianSteps),
			cmp.Compare(stats[a].ZeroRate, stats[b].ZeroRate),
			stats[a].Key.Compare(stats[b].Key),
		)
	})
	sorted := make([]TaskEffort, n)
	for pos, i := range order {
		t := out[i]
		// One division of an exact integer: the effort of a tie is the same bits.
		t.Effort = float64(sums[i]) / float64(2*n*len(terms))
		t.EffortRank = pos + 1
		t.Stratum = stratumOf(pos, n)
		sorted[pos] = t
	}
	return sorted, nil
}

func (s TaskStats) term(t Term) *float64 {
	switch t {
	case TermTokens:
		return s.MedianTokens
	case TermSteps:
		return s.MedianSteps
	default:
		return &s.ZeroRate
	}
}

// comparePtr orders unknown before known; it only decides ties.
func comparePtr(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Compare(*a, *b)
}

// stratumOf is the stratum of the task at position pos of n in effort order.
func stratumOf(pos, n int) Stratum {
	base, extra := n/3, n%3
	for _, s := range Strata {
		size := base
		if int(s) < extra {
			size++
		}
		if pos < size {
			return s
		}
		pos -= size
	}
	return Hard
}
