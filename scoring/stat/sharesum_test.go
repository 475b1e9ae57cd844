package stat

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// shares draws quotients of whole numbers, as a zero rate's are.
func shares(t *rapid.T, label string) []float64 {
	return rapid.SliceOf(rapid.Custom(func(t *rapid.T) float64 {
		n := rapid.OneOf(rapid.Uint32Range(1, 5), rapid.Uint32Range(1, math.MaxUint32)).Draw(t, "n")
		return float64(rapid.OneOf(rapid.Uint32Range(0, min(n, 2)), rapid.Uint32Range(0, n)).Draw(t, "z")) / float64(n)
	})).Draw(t, label)
}

// The mean is that of a sum which is rounded once, at the end.
func TestShareSumIsRoundedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, out := shares(t, "in"), shares(t, "out")
		var sum ShareSum
		for _, x := range append(append([]float64{}, out...), in...) {
			sum.Add(x)
		}
		for _, x := range rapid.Permutation(out).Draw(t, "shuffled") {
			sum.Take(x)
		}
		if len(in) == 0 {
			if sum != (ShareSum{}) {
				t.Fatalf("%v is left of nothing", sum)
			}
			return
		}
		if got, want := sum.Mean(len(in)), exactMean(in); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// ExactMean is a mean whose sum has as many bits as it takes.
func exactMean(shares []float64) float64 {
	sum := new(big.Float).SetPrec(400)
	for _, x := range shares {
		sum.Add(sum, big.NewFloat(x))
	}
	out, _ := sum.Float64()
	return out / float64(len(shares))
}

// The least share, and more of the largest than 64 bits hold.
func TestShareSumHoldsTheLeastAndTheMost(t *testing.T) {
	least := 1 / float64(math.MaxUint32)
	var sum ShareSum
	sum.Add(least)
	if got := sum.Mean(1); got != least {
		t.Errorf("%v, want %v", got, least)
	}
	for range 1 << 20 {
		sum.Add(1)
	}
	sum.Take(least)
	if got := sum.Mean(1 << 20); got != 1 {
		t.Errorf("a mean of %v, want 1", got)
	}
}

func TestMedianWithoutIsTheMedianOfTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0, 1e9), rapid.SampledFrom([]float64{0, 1, 2}))
		rest, less := rapid.SliceOf(value).Draw(t, "rest"), rapid.SliceOf(value).Draw(t, "less")
		got, ok := MedianWithout(ascending(append(append([]float64{}, rest...), less...)), ascending(less))
		want, defined := Median(rest)
		if got != want || ok != defined {
			t.Fatalf("%v, %v; want %v, %v", got, ok, want, defined)
		}
	})
}
