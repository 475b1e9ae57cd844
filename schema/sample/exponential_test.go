package sample

import (
	"math"
	"testing"
)

func TestExponentialAgreesWithTheStandardLibrary(t *testing.T) {
	for i := -4000; i <= 4000; i++ {
		x := float64(i) / 400
		if got, want := exponential(x), math.Exp(x); math.Abs(got-want) > 1e-14*want {
			t.Fatalf("exponential(%v) = %v, want %v", x, got, want)
		}
	}
}
