package scoring

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"amdb/scoring/stat"
)

// Comparison says how far one ranking of configurations agrees with another
// (section 5). A nil figure is undefined, and Reason says why.
type Comparison struct {
	Spearman     *float64 `json:"spearman"`       // ρ of the scores, average ranks
	Kendall      *float64 `json:"kendall"`        // τ-b of the scores
	MAE          *float64 `json:"mae"`            // mean absolute difference of the scores
	MaxRankShift *int     `json:"max_rank_shift"` // positions, over competition ranks
	Winner       []string `json:"winner"`         // every first place of the other ranking, by name
	Reason       string   `json:"reason,omitempty"`
}

// Compare compares the scores other with the scores base, both in the order of
// names. Scores are taken at 12 decimals, as ranks are, so that float noise
// neither makes nor breaks a tie.
func Compare(names []string, base, other []float64) Comparison {
	c := Comparison{Winner: Leaders(names, Ranks(other))}
	if len(names) == 0 {
		c.Reason = "no configuration to compare"
		return c
	}
	sum := 0.0
	for i := range base {
		sum += math.Abs(other[i] - base[i])
	}
	c.MAE = ptr(sum / float64(len(base)))
	shift := 0
	a, b := Ranks(base), Ranks(other)
	for i := range a {
		shift = max(shift, a[i]-b[i], b[i]-a[i])
	}
	c.MaxRankShift = &shift
	c.Spearman, c.Kendall, c.Reason = correlate(base, other)
	return c
}

// correlate is ρ and τ-b of two series of scores, or why they are undefined.
func correlate(x, y []float64) (rho, tau *float64, reason string) {
	x, y = rounded(x), rounded(y)
	if v, ok := stat.Spearman(x, y); ok {
		rho = &v
	}
	if v, ok := stat.KendallTauB(x, y); ok {
		tau = &v
	}
	switch {
	case rho != nil && tau != nil:
	case len(x) < 2:
		reason = fmt.Sprintf("%d configurations: a correlation needs at least 2", len(x))
		if len(x) == 1 {
			reason = "1 configuration: a correlation needs at least 2"
		}
	default:
		reason = "all configurations score the same in one of the two rankings"
	}
	return rho, tau, reason
}

// Leaders are the names of every configuration ranked first, in name order.
func Leaders(names []string, ranks []int) []string {
	out := []string{}
	for i, r := range ranks {
		if r == 1 {
			out = append(out, names[i])
		}
	}
	slices.Sort(out)
	return out
}

// rounded is the scores at 12 decimals.
func rounded(scores []float64) []float64 {
	out := make([]float64, len(scores))
	for i, x := range scores {
		out[i] = round12(x)
	}
	return out
}

func ptr[T any](v T) *T { return &v }

// joinReasons joins the reasons that are given.
func joinReasons(reasons ...string) string {
	return strings.Join(slices.DeleteFunc(reasons, func(s string) bool { return s == "" }), "; ")
}
