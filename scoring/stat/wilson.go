package stat

import "math"

// Wilson is the Wilson score interval for passes of n trials at a two-sided
// level such as 0.95. Unlike the percentile bootstrap it does not collapse
// where all pass or none does. It reports false for n < 1, passes outside
// [0, n], or a level outside (0, 1).
func Wilson(passes, n int, level float64) (lo, hi float64, ok bool) {
	if n < 1 || passes < 0 || passes > n || !(level > 0 && level < 1) {
		return 0, 0, false
	}
	z := normalDeviate(level)
	p, size := float64(passes)/float64(n), float64(n)
	centre := p + z*z/(2*size)
	half := float64(z * math.Sqrt(p*(1-p)/size+z*z/(4*size*size)))
	lo, hi = (centre-half)/(1+z*z/size), (centre+half)/(1+z*z/size)
	if passes == 0 {
		lo = 0 // the two terms cancel
	}
	if passes == n {
		hi = 1
	}
	return lo, hi, true
}
