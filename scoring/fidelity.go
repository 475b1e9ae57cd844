package scoring

import "slices"

// Fidelity says how well a subset of the tasks keeps the ranking of the whole
// (section 5). Top1Same and Top3Same compare sets: everyone ranked first, and
// everyone ranked third or better, ties included.
type Fidelity struct {
	Subset      string   `json:"subset"`
	Against     string   `json:"against"`
	Configs     int      `json:"configs"` // complete on both
	ConfigNames []string `json:"config_names"`
	Comparison           // winner: of the subset
	Top1Same    *bool    `json:"top1_same"`
	Top3Same    *bool    `json:"top3_same"`
}

// CompareSubset scores a subset and the whole under one calibration and
// compares them over the configurations that are complete on both. A stratum
// without a task in either is an error.
func CompareSubset(subset, against string, sub, whole *Panel, alpha float64) (Fidelity, error) {
	names := bothComplete(sub, whole)
	in := func(p *Panel) *Panel {
		return p.Filter(func(c int) bool { return slices.Contains(names, p.Configs[c]) })
	}
	sub, whole = in(sub), in(whole)
	f := Fidelity{Subset: subset, Against: against, Configs: len(names), ConfigNames: names}
	a, err := Score(whole, alpha)
	if err != nil {
		return f, err
	}
	b, err := Score(sub, alpha)
	if err != nil {
		return f, err
	}
	f.Comparison = Compare(names, AMSOf(a), AMSOf(b))
	if len(names) == 0 {
		f.Reason = "no configuration is complete on both task sets"
		return f, nil
	}
	ra, rb := Ranks(AMSOf(a)), Ranks(AMSOf(b))
	f.Top1Same, f.Top3Same = ptr(sameTop(ra, rb, 1)), ptr(sameTop(ra, rb, 3))
	return f, nil
}

// bothComplete is the configurations without a missing cell in either panel.
func bothComplete(a, b *Panel) []string {
	out := []string{}
	for _, name := range a.Complete().Configs {
		if i, ok := slices.BinarySearch(b.Configs, name); ok && b.Missing(i) == 0 {
			out = append(out, name)
		}
	}
	return out
}

// sameTop says whether the same configurations rank k or better in both.
func sameTop(a, b []int, k int) bool {
	for i := range a {
		if (a[i] <= k) != (b[i] <= k) {
			return false
		}
	}
	return true
}
