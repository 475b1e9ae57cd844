package stat

import (
	"cmp"
	"math"
	"slices"
)

// Spearman is Spearman's ρ: the Pearson correlation of average ranks, which is
// right under ties (the shortcut by squared rank differences is not). Ranks
// are summed as integers, so the value does not depend on the order of pairs.
// It reports false where ρ is undefined: fewer than two pairs, unequal
// lengths, a NaN, or a series without any variation.
func Spearman(x, y []float64) (float64, bool) {
	if !pairable(x, y) {
		return 0, false
	}
	rx, ry := centredRanks(x), centredRanks(y)
	var sxy, sxx, syy float64 // of integers below 2^53 up to 10^5 pairs
	for i := range rx {
		sxy += float64(rx[i] * ry[i])
		sxx += float64(rx[i] * rx[i])
		syy += float64(ry[i] * ry[i])
	}
	if sxx == 0 || syy == 0 {
		return 0, false
	}
	return sxy / math.Sqrt(sxx*syy), true
}

// pairable says whether two series can be correlated at all.
func pairable(x, y []float64) bool {
	return len(x) == len(y) && len(x) >= 2 &&
		!slices.ContainsFunc(x, math.IsNaN) && !slices.ContainsFunc(y, math.IsNaN)
}

// AverageRanks ranks values from the least (1) up; equal values share the mean
// of the ranks that they span.
func AverageRanks(values []float64) []float64 {
	ranks := centredRanks(values)
	for i := range ranks {
		ranks[i] = (ranks[i] + float64(len(values)+1)) / 2
	}
	return ranks
}

// centredRanks is twice the average rank less its mean: an integer.
func centredRanks(values []float64) []float64 {
	n := len(values)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]float64, n)
	for from := 0; from < n; {
		to := from + 1
		for to < n && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from + 1 + to - (n + 1))
		}
		from = to
	}
	return out
}

// KendallTauB is Kendall's τ-b: (concordant − discordant) pairs over the
// geometric mean of the pairs that are not tied in x and not tied in y. It
// reports false in the cases that Spearman does. Counted by merge sort, in
// n log n.
func KendallTauB(x, y []float64) (float64, bool) {
	if !pairable(x, y) {
		return 0, false
	}
	n := len(x)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b]))
	})
	seq := make([]float64, n)
	for i, at := range order {
		seq[i] = y[at]
	}
	tied := func(same func(i int) bool) (pairs int) { // i equals its predecessor
		run := 1
		for i := 1; i <= n; i++ {
			if i < n && same(i) {
				run++
				continue
			}
			pairs += run * (run - 1) / 2
			run = 1
		}
		return pairs
	}
	tiedX := tied(func(i int) bool { return x[order[i]] == x[order[i-1]] })
	tiedBoth := tied(func(i int) bool { return x[order[i]] == x[order[i-1]] && seq[i] == seq[i-1] })
	swaps := inversions(seq, make([]float64, n)) // sorts seq
	tiedY := tied(func(i int) bool { return seq[i] == seq[i-1] })

	all := n * (n - 1) / 2
	if tiedX == all || tiedY == all {
		return 0, false
	}
	concordantLessDiscordant := all - tiedX - tiedY + tiedBoth - 2*swaps
	return float64(concordantLessDiscordant) / math.Sqrt(float64(all-tiedX)*float64(all-tiedY)), true
}

// inversions sorts values and counts the pairs that stood in falling order.
func inversions(values, scratch []float64) int {
	n := len(values)
	if n < 2 {
		return 0
	}
	mid := n / 2
	count := inversions(values[:mid], scratch[:mid]) + inversions(values[mid:], scratch[mid:])
	a, b, k := 0, mid, 0
	for a < mid || b < n {
		if b == n || (a < mid && values[a] <= values[b]) {
			scratch[k] = values[a]
			a++
		} else {
			scratch[k] = values[b]
			b++
			count += mid - a
		}
		k++
	}
	copy(values, scratch)
	return count
}
