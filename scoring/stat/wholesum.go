package stat

import "math/bits"

// WholeSum is a whole number of 128 bits, at least 0.
type WholeSum struct{ High, Low uint64 }

func (w *WholeSum) Add(hi, lo uint64) {
	var carry uint64
	w.Low, carry = bits.Add64(w.Low, lo, 0)
	w.High, _ = bits.Add64(w.High, hi, carry)
}

// Float rounds as DuckDB does when it casts a HUGEINT to a DOUBLE, so that
// views and scores agree to the last bit.
func (w WholeSum) Float() float64 { return float64(w.Low) + float64(float64(w.High)*(1<<64)) }

// Minus is w less o.
func (w WholeSum) Minus(o WholeSum) float64 {
	sign := 1.0
	if w.High < o.High || w.High == o.High && w.Low < o.Low {
		w, o, sign = o, w, -1
	}
	lo, borrow := bits.Sub64(w.Low, o.Low, 0)
	hi, _ := bits.Sub64(w.High, o.High, borrow)
	return sign * WholeSum{hi, lo}.Float()
}
