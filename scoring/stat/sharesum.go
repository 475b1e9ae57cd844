package stat

import (
	"math"
	"math/bits"
)

// A ShareSum is the sum of shares, each a quotient of whole numbers 0 ≤ z ≤ n <
// 2³². It is exact, so that it does not depend on their order, and one share may
// be taken out again.
//
// A task's zero rate is the mean of such shares over the reference
// configurations: percentile ranks ask whether two tasks' rates are equal, so
// the last bit counts there (section 2.2).
type ShareSum struct{ units WholeSum }

// shareUnits is the power of 2 that every share is a whole number of: as a
// double, one of at least 2⁻³² has no bit below 2⁻⁸⁴.
const shareUnits = 84

// Add adds a share.
func (s *ShareSum) Add(share float64) { s.units.Add(units(share)) }

// Take takes out a share that was added.
func (s *ShareSum) Take(share float64) {
	hi, lo := units(share)
	var borrow uint64
	s.units.Low, borrow = bits.Sub64(s.units.Low, lo, 0)
	s.units.High, _ = bits.Sub64(s.units.High, hi, borrow)
}

// units is a share in 2⁻⁸⁴.
func units(share float64) (hi, lo uint64) {
	mantissa, exponent := math.Frexp(share)
	m, shift := uint64(math.Ldexp(mantissa, 53)), exponent-53+shareUnits
	return m >> (64 - shift), m << shift // shift is 0 to 32
}

// Mean is the sum, rounded once, over the number of shares that it is of.
func (s ShareSum) Mean(n int) float64 {
	sum, down := s.units, 0
	if sum.High > 0 { // the upper 64 bits, and in the last of them whether more follow
		down = bits.Len64(sum.High)
		lost := sum.Low << (64 - down)
		sum.Low = sum.High<<(64-down) | sum.Low>>down
		if lost > 0 {
			sum.Low |= 1
		}
	}
	return math.Ldexp(float64(sum.Low), down-shareUnits) / float64(n)
}
