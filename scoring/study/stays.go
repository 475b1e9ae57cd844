package study

import (
	"math"

	"amdb/scoring"
)

// leaderStays is the share of the defined alternatives that have exactly the
// present leaders; nil where none is defined.
func leaderStays(all []Alternative) *float64 {
	same, of := 0, 0
	for _, a := range all {
		if a.Ranking == nil {
			continue
		}
		of++
		if a.Ranking.Same {
			same++
		}
	}
	if of == 0 {
		return nil
	}
	share := float64(same) / float64(of)
	return &share
}

// largestMoves are the largest changes over the defined alternatives.
func largestMoves(all []Alternative) LargestMoves {
	var out LargestMoves
	for _, a := range all {
		if a.Moved == nil {
			continue
		}
		if n := len(a.Moved.Changed); out.ChangedStrata == nil || n > *out.ChangedStrata {
			out.ChangedStrata = &n
		}
		if b := a.Moved.Largest; b != nil && (out.Budget == nil || size(b) > size(out.Budget)) {
			out.Budget = b
		}
		if n := a.Ranking.MaxRankShift; n != nil && (out.RankShift == nil || *n > *out.RankShift) {
			out.RankShift = n
		}
	}
	return out
}

// size is how large a change is, relative to what was; a change from 0 is the
// largest.
func size(b *scoring.BudgetChange) float64 {
	switch {
	case b.Relative != nil:
		return math.Abs(*b.Relative)
	case b.FromUSD == b.ToUSD:
		return 0
	}
	return math.Inf(1)
}
