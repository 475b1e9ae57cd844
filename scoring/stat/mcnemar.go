package stat

import "math"

// McNemarExact is the exact two-sided p of the paired test on the discordant
// tasks: onlyA passed by A alone, onlyB by B alone. Under no difference each
// falls to either side like a fair coin. It reports false where no task is
// discordant, or a count is negative.
func McNemarExact(onlyA, onlyB int) (p float64, ok bool) {
	n := onlyA + onlyB
	if onlyA < 0 || onlyB < 0 || n == 0 {
		return 0, false
	}
	// Twice the smaller tail of Binomial(n, ½). Each binomial coefficient follows
	// from the one before by a product and a quotient, which every processor
	// rounds alike; the tail is exact up to n = 50. Powers of two are taken out
	// so that large n does not overflow.
	const large = 500
	coefficient, tail, exponent := 1.0, 0.0, -n
	for i := range min(onlyA, onlyB) + 1 {
		tail += coefficient
		coefficient = coefficient * float64(n-i) / float64(i+1)
		if coefficient > 1<<large {
			coefficient, tail, exponent = math.Ldexp(coefficient, -large), math.Ldexp(tail, -large), exponent+large
		}
	}
	return min(1, math.Ldexp(tail, exponent+1)), true
}
