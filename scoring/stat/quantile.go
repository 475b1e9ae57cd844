package stat

import (
	"math"
	"slices"
)

// Quantile7 is the p-quantile of values by linear interpolation between order
// statistics (Hyndman and Fan's type 7; numpy's "linear"; DuckDB's
// quantile_cont). values need not be sorted and are not changed. It reports
// false for no values or p outside [0,1]: a quantile of nothing is unknown.
func Quantile7(values []float64, p float64) (float64, bool) {
	if len(values) == 0 || !(p >= 0 && p <= 1) {
		return 0, false
	}
	return QuantileSorted(ascending(values), p), true
}

// QuantileSorted is Quantile7 for values already in ascending order. It is
// non-empty and p is in [0,1].
func QuantileSorted(sorted []float64, p float64) float64 {
	lo, share := QuantilePlace(int64(len(sorted)), p)
	if share == 0 {
		return sorted[lo]
	}
	return Between(sorted[lo], sorted[lo+1], share)
}

// QuantilePlace is where the p-quantile of n > 0 ascending values lies: a share
// of the way from one place, counted from 0, to the next.
func QuantilePlace(n int64, p float64) (place int64, share float64) {
	h := float64(p * float64(n-1))
	place = int64(math.Floor(h))
	if place >= n-1 {
		return n - 1, 0
	}
	return place, h - float64(place)
}

// Between is the value a share of the way from a to b.
func Between(a, b, share float64) float64 { return a + float64(share*(b-a)) }

// Median is the middle value; an even count takes the mean of the middle two.
// It reports false for no values.
func Median(values []float64) (float64, bool) { return MedianWithout(ascending(values), nil) }

// MedianWithout is the median of what is left of sorted, which ascends, when the
// values less, which ascend and are among them, are taken out.
func MedianWithout(sorted, less []float64) (float64, bool) {
	n := len(sorted) - len(less)
	if n == 0 {
		return 0, false
	}
	upper := placeWithout(sorted, less, n/2)
	if n%2 == 1 {
		return upper, true
	}
	return (placeWithout(sorted, less, n/2-1) + upper) / 2, true
}

// placeWithout is the value at a place, counted from 0, of what is left of sorted
// without less.
func placeWithout(sorted, less []float64, place int) float64 {
	for _, x := range less {
		if x <= sorted[place] {
			place++
		}
	}
	return sorted[place]
}

// ascending is a sorted copy.
func ascending(values []float64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted
}

// Mean is the arithmetic mean, summed in the order given; callers order by key
// so that equal data give equal bits. It reports false for no values.
func Mean(values []float64) (float64, bool) {
	if len(values) == 0 {
		return 0, false
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values)), true
}
