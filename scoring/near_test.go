package scoring

import (
	"math"
	"math/big"
	"testing"
)

// near wants two numbers that agree to twelve decimals.
func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > 1e-12 {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// exactMean is a mean whose sum has as many bits as it takes.
func exactMean(shares []float64) float64 {
	sum := new(big.Float).SetPrec(400)
	for _, x := range shares {
		sum.Add(sum, big.NewFloat(x))
	}
	out, _ := sum.Float64()
	return out / float64(len(shares))
}
