package stat

import "math"

// normalDeviate is the z that a standard normal value stays within, on both
// sides, with the probability level in (0, 1): 1.96 for 0.95. It is Wichura's
// algorithm AS 241, to about 15 digits at any level. math.Erfinv is not used
// because its last digits differ between processors.
func normalDeviate(level float64) float64 {
	if q := level / 2; q <= 0.425 {
		return q * normalCentre.at(0.180625-float64(q*q))
	}
	tail := (1 - level) / 2 // exact, so that levels next to 1 lose no digit
	r := math.Sqrt(-logarithm(tail))
	if r <= 5 {
		return normalTail.at(r - 1.6)
	}
	return normalFarTail.at(r - 5)
}

// rational holds the coefficients of a numerator and a denominator, the
// constant term first.
type rational [2][8]float64

// at is the value of the rational function at x.
func (r *rational) at(x float64) float64 { return polynomial(x, r[0]) / polynomial(x, r[1]) }

func polynomial(x float64, coefficients [8]float64) float64 {
	sum := 0.0
	for i := len(coefficients) - 1; i >= 0; i-- {
		sum = float64(sum*x) + coefficients[i]
	}
	return sum
}

// The coefficients of AS 241 (routine PPND16).
var (
	normalCentre = rational{
		{
			3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
			4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
		},
		{
			1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
			2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3,
		},
	}
	normalTail = rational{
		{
			1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
			1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
		},
		{
			1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
			1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
		},
	}
	normalFarTail = rational{
		{
			6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
			2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
		},
		{
			1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
		},
	}
)

// logarithm is the natural logarithm of a positive number, by the series of the
// inverse hyperbolic tangent. math.Log is not used because it differs between
// processors in the last digit.
func logarithm(x float64) float64 {
	mantissa, exponent := math.Frexp(x)
	if mantissa < math.Sqrt2/2 {
		mantissa, exponent = 2*mantissa, exponent-1
	}
	s := (mantissa - 1) / (mantissa + 1) // |s| < 0.172, so twelve terms suffice
	square, sum := float64(s*s), 0.0
	for n := 23; n >= 1; n -= 2 {
		sum = float64(sum*square) + 1/float64(n)
	}
	return float64(2*s*sum) + float64(float64(exponent)*math.Ln2)
}
