package stat

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestNormalQuantileAgreesWithASecondLibrary(t *testing.T) {
	for i := 1; i < 2000; i++ {
		for _, p := range []float64{float64(i) / 2000, math.Ldexp(1, -i/2), 1 - math.Ldexp(1, -1-i%50)} {
			got, want := normalQuantile(p), distuv.UnitNormal.Quantile(p)
			if !(math.Abs(got-want) <= 4e-15*max(1, math.Abs(want))) {
				t.Fatalf("normalQuantile(%v) = %v, want %v", p, got, want)
			}
		}
	}
}

func TestLogarithmAgreesWithTheStandardLibrary(t *testing.T) {
	for i := -1000; i < 1000; i++ {
		x := math.Ldexp(1+float64((i+1000)%97)/97, i)
		if got, want := logarithm(x), math.Log(x); !(math.Abs(got-want) <= 4e-16*max(1, math.Abs(want))) {
			t.Fatalf("logarithm(%v) = %v, want %v", x, got, want)
		}
	}
}
