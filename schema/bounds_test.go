package schema

import (
	"math"
	"testing"
)

// What bounds pass is what checkRange passes, at the bounds themselves, beside
// them, and far away.
func TestBoundsAreWhatCheckRangePasses(t *testing.T) {
	for c := range NumColumns {
		lo, hi := bounds(c)
		for _, v := range []float64{
			lo, hi, math.Nextafter(lo, math.Inf(-1)), math.Nextafter(lo, math.Inf(1)), math.Nextafter(hi, math.Inf(1)), math.Nextafter(hi, math.Inf(-1)),
			0, math.Copysign(0, -1), 1, -1, .5, 1e300, -1e300, math.NaN(), math.Inf(1), math.Inf(-1),
		} {
			if within, passes := v >= lo && v <= hi, checkRange(c, v) == nil; within != passes {
				t.Errorf("%s: %v is within its bounds: %v, passes: %v", Columns[c].Name, v, within, passes)
			}
		}
	}
}
