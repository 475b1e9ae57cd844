package scoring

import "math/big"

// ExactSum is the sum of values correctly rounded once, at the end, so that it
// does not depend on their order. Values are finite.
//
// A task's zero rate is such a sum over the reference configurations' shares,
// divided by their number: percentile ranks ask whether two tasks' rates are
// equal, so the last bit counts there (section 2.2).
func ExactSum(values []float64) float64 {
	// Doubles span 2^-1074 to 2^1024; the rest is room for carries.
	const precision = 1074 + 1024 + 64
	sum, term := new(big.Float).SetPrec(precision), new(big.Float).SetPrec(precision)
	for _, v := range values {
		sum.Add(sum, term.SetFloat64(v))
	}
	out, _ := sum.Float64()
	return out
}

// ExactMean is ExactSum over the number of values; false for none.
func ExactMean(values []float64) (float64, bool) {
	if len(values) == 0 {
		return 0, false
	}
	return ExactSum(values) / float64(len(values)), true
}
