package schema

import (
	"math"
	"testing"
)

// What is within bounds, and only that, passes checkRange: finite numbers from the
// column's least to its greatest, at these themselves, beside them, and far away.
func TestBoundsAreThoseOfTheColumn(t *testing.T) {
	for c := range NumColumns {
		lo, hi := bounds(c)
		for _, v := range []float64{
			lo, hi, math.Nextafter(lo, math.Inf(-1)), math.Nextafter(lo, math.Inf(1)), math.Nextafter(hi, math.Inf(1)), math.Nextafter(hi, math.Inf(-1)),
			0, math.Copysign(0, -1), 1, -1, .5, 1e300, -1e300, math.NaN(), math.Inf(1), math.Inf(-1),
		} {
			col := &Columns[c]
			want := !math.IsNaN(v) && !math.IsInf(v, 0) && (col.Min == nil || v >= *col.Min) && (col.Max == nil || v <= *col.Max)
			if within, passes := v >= lo && v <= hi, checkRange(c, v) == nil; within != want || passes != want {
				t.Errorf("%s: %v is within its bounds: %v, passes: %v, want %v", col.Name, v, within, passes, want)
			}
		}
	}
}
