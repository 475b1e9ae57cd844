package sample

import "math"

// exponential is e to the power x for |x| < 700. math.Exp is not used because its
// last digit differs between processors, and made-up runs must not.
func exponential(x float64) float64 {
	halvings := math.Round(x / math.Ln2)
	rest := x - float64(halvings*math.Ln2) // |rest| < 0.35, so sixteen terms suffice
	sum := 1.0
	for n := 16; n >= 1; n-- {
		sum = 1 + float64(sum*rest)/float64(n)
	}
	return math.Ldexp(sum, int(halvings))
}
