package scoring

// Variant is the score with one part taken out, against the full score
// (section 5).
type Variant struct {
	Name string `json:"name"`
	Comparison
	Scores []float64 `json:"-"` // in the order of the configurations
}

// The names of the ablations.
const (
	NoAUBQC = "no_aubqc" // α = 1: quality alone, discounted
	NoTQ    = "no_tq"    // α = 0: budgeted quality alone, discounted
	NoEFR   = "no_efr"   // no discount for expensive failures
)

// Ablate takes each of the three components out in turn and compares the
// scores with the full ones. names and components are in one order.
func Ablate(names []string, components []Components, alpha float64) []Variant {
	full := AMSOf(components)
	variants := []Variant{
		{Name: NoAUBQC, Scores: rescore(components, func(s StratumScore) float64 { return AMS(s.TQ, s.AUBQC, s.EFR, 1) })},
		{Name: NoTQ, Scores: rescore(components, func(s StratumScore) float64 { return AMS(s.TQ, s.AUBQC, s.EFR, 0) })},
		{Name: NoEFR, Scores: rescore(components, func(s StratumScore) float64 { return AMS(s.TQ, s.AUBQC, 0, alpha) })},
	}
	for i := range variants {
		variants[i].Comparison = Compare(names, full, variants[i].Scores)
	}
	return variants
}

// rescore is the macro average of another score of the same strata.
func rescore(components []Components, score func(StratumScore) float64) []float64 {
	out := make([]float64, len(components))
	for i, c := range components {
		for _, s := range c.Strata {
			out[i] += score(s)
		}
		out[i] /= float64(len(c.Strata))
	}
	return out
}
