package stat

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// math.Erfinv keeps the digits of levels next to 0, the quantile of the upper tail
// those of levels next to 1.
func TestNormalDeviateAgreesWithASecondLibrary(t *testing.T) {
	check := func(level, want float64) {
		t.Helper()
		if got := normalDeviate(level); !(math.Abs(got-want) <= 2e-15*want) {
			t.Errorf("normalDeviate(%v) = %v, want %v", level, got, want)
		}
	}
	for i := 1; i < 2000; i++ {
		check(float64(i)/2000, math.Sqrt2*math.Erfinv(float64(i)/2000))
	}
	for i := 2; i <= 53; i++ {
		check(math.Ldexp(1, -i), math.Sqrt2*math.Erfinv(math.Ldexp(1, -i)))
		check(1-math.Ldexp(1, -i), -distuv.UnitNormal.Quantile(math.Ldexp(1, -i-1)))
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
