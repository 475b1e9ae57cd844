package scoring

import (
	"cmp"
	"math"
	"slices"
)

// round12 rounds to 12 decimals, so that float noise does not break a tie.
func round12(x float64) float64 { return math.Round(x*1e12) / 1e12 }

// Ranks gives standard competition ranks (1, 2, 2, 4) of scores rounded to 12
// decimals, the highest first, in the order of scores (section 3).
func Ranks(scores []float64) []int {
	if len(scores) == 0 {
		return []int{}
	}
	r := newRanking(len(scores))
	for i, x := range scores {
		r.keys[i] = round12(x)
	}
	slices.SortFunc(r.order, func(a, b int) int { return cmp.Compare(r.keys[b], r.keys[a]) })
	return r.fromOrder()
}

// ranking ranks many sets of as many scores without allocating.
type ranking struct {
	keys         []float64
	order, ranks []int
}

func newRanking(n int) *ranking {
	r := &ranking{make([]float64, n), make([]int, n), make([]int, n)}
	for i := range r.order {
		r.order[i] = i
	}
	return r
}

// of is Ranks of every step-th of scores, until the next call. The order before
// is a good start for this one, so it is sorted by insertion.
func (r *ranking) of(scores []float64, step int) []int {
	for i := range r.keys {
		r.keys[i] = round12(scores[i*step])
	}
	for i := 1; i < len(r.order); i++ {
		c := r.order[i]
		j := i
		for ; j > 0 && r.keys[c] > r.keys[r.order[j-1]]; j-- {
			r.order[j] = r.order[j-1]
		}
		r.order[j] = c
	}
	return r.fromOrder()
}

// fromOrder gives the ranks once order is sorted.
func (r *ranking) fromOrder() []int {
	for i, c := range r.order {
		r.ranks[c] = i + 1
		if i > 0 && r.keys[c] == r.keys[r.order[i-1]] {
			r.ranks[c] = r.ranks[r.order[i-1]]
		}
	}
	return r.ranks
}

// Point is a configuration in the plane of cost and quality. A nil cost is
// unknown.
type Point struct {
	Cost    *float64
	Quality float64
}

// Pareto says which points no other dominates: none costs at most as much with
// at least the quality and is strictly better in one. Exact duplicates stay
// together. A point of unknown cost is neither on the front (false) nor a
// dominator.
func Pareto(points []Point) []bool {
	front := make([]bool, len(points))
	for i, p := range points {
		front[i] = p.Cost != nil
		for _, q := range points {
			if p.Cost == nil || q.Cost == nil {
				continue
			}
			if *q.Cost <= *p.Cost && q.Quality >= p.Quality && (*q.Cost < *p.Cost || q.Quality > p.Quality) {
				front[i] = false
				break
			}
		}
	}
	return front
}
