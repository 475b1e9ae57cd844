package scoring

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
	// Twice the smaller tail of Binomial(n, ½), summed on logarithms so that
	// large n does not underflow.
	logTotal, _ := math.Lgamma(float64(n + 1))
	tail := 0.0
	for i := range min(onlyA, onlyB) + 1 {
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(n - i + 1))
		tail += math.Exp(logTotal - a - b - float64(n)*math.Ln2)
	}
	return min(1, 2*tail), true
}
