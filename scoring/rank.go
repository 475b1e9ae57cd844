package scoring

import "math"

// round12 rounds to 12 decimals, so that float noise does not break a tie.
func round12(x float64) float64 { return math.Round(x*1e12) / 1e12 }

// Ranks gives standard competition ranks (1, 2, 2, 4) of scores rounded to 12
// decimals, the highest first, in the order of scores (section 3).
func Ranks(scores []float64) []int {
	ranks := make([]int, len(scores))
	for i, x := range scores {
		ranks[i] = 1
		for _, y := range scores {
			if round12(y) > round12(x) {
				ranks[i]++
			}
		}
	}
	return ranks
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
