package stat

import (
	"math"
	"testing"
)

// p.adjust(c(.01, .04, .03, .005), "holm") in R gives .03 .06 .06 .02.
func TestHolmAgreesWithR(t *testing.T) {
	family := []float64{.01, .04, .03, .005}
	for i, want := range []float64{.03, .06, .06, .02} {
		if got, ok := Holm(family[i], family); !ok || math.Abs(got-want) > 1e-15 {
			t.Errorf("Holm(%v) = %v %v, want %v", family[i], got, ok, want)
		}
	}
	if got, _ := Holm(.6, []float64{.6, .6}); got != 1 {
		t.Errorf("an adjusted p is at most 1, got %v", got)
	}
	if _, ok := Holm(.2, []float64{.1}); ok {
		t.Error("p is not one of the family")
	}
}
