package scoring

import (
	"testing"

	"pgregory.net/rapid"
)

func TestExactSumIsRoundedOnce(t *testing.T) {
	for _, tc := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{1e16, 1, -1e16}, 1},
		{[]float64{.1, .2, .3}, 0.6},
		{[]float64{1e308, 1e-308, -1e308}, 1e-308},
	} {
		if got := ExactSum(tc.values); got != tc.want {
			t.Errorf("ExactSum(%v) = %v, want %v", tc.values, got, tc.want)
		}
	}
	if _, ok := ExactMean(nil); ok {
		t.Error("the mean of nothing is defined")
	}
}

func TestExactSumDoesNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Float64Range(-1e9, 1e9)).Draw(t, "values")
		if a, b := ExactSum(values), ExactSum(rapid.Permutation(values).Draw(t, "shuffled")); a != b {
			t.Fatalf("%v and %v", a, b)
		}
	})
}
