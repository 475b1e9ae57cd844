package stat

// Holm is p adjusted for being one of many: Holm's step-down over all the
// p-values of a family, of which p is one. The family-wise error is then what
// p says. It reports false where p is not in the family.
func Holm(p float64, family []float64) (float64, bool) {
	// Sorted ascending, p₍ᵢ₎ becomes the largest of (m − j + 1)·p₍ⱼ₎ over j ≤ i;
	// among equal ones the first has the largest factor.
	in, adjusted := false, 0.0
	for _, q := range family {
		if q > p {
			continue
		}
		in = in || q == p
		below := 0
		for _, r := range family {
			if r < q {
				below++
			}
		}
		adjusted = max(adjusted, float64(len(family)-below)*q)
	}
	return min(1, adjusted), in
}
