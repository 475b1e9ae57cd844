package scoring

import (
	"encoding/json"
	"strings"
	"testing"
)

// flat is a configuration whose three strata score alike.
func flat(tq, aubqc, efr float64) Components {
	s := StratumScore{Tasks: 1, TQ: tq, AUBQC: aubqc, EFR: efr, AMS: AMS(tq, aubqc, efr, 0.5)}
	return CombineStrata([3]StratumScore{s, s, s})
}

func TestAblateTakesOutOnePartEach(t *testing.T) {
	names := []string{"a/x", "b/x", "c/x"}
	comps := []Components{flat(0.9, 0.1, 0), flat(0.5, 0.4, 0), flat(1, 0.9, 0.6)}
	got := Ablate(names, comps, 0.5) // full: .5, .45, .38
	want := map[string][]float64{NoAUBQC: {.9, .5, .4}, NoTQ: {.1, .4, .36}, NoEFR: {.5, .45, .95}}
	winner := map[string]string{NoAUBQC: "a/x", NoTQ: "b/x", NoEFR: "c/x"}
	shift := map[string]int{NoAUBQC: 0, NoTQ: 2, NoEFR: 2}
	for _, v := range got {
		for i := range names {
			near(t, v.Name+" "+names[i], v.Scores[i], want[v.Name][i])
		}
		if len(v.Winner) != 1 || v.Winner[0] != winner[v.Name] || *v.MaxRankShift != shift[v.Name] {
			t.Errorf("%s: winner %v, shift %d", v.Name, v.Winner, *v.MaxRankShift)
		}
	}
}

func TestCompareSaysWhyAFigureIsUndefined(t *testing.T) {
	for _, tc := range []struct {
		names       []string
		base, other []float64
		reason      string
		mae         bool
	}{
		{nil, nil, nil, "no configuration", false},
		{[]string{"a"}, []float64{.5}, []float64{.4}, "at least 2", true},
		{[]string{"a", "b"}, []float64{.5, .5}, []float64{.4, .3}, "score the same", true},
		// Float noise is a tie, not an order.
		{[]string{"a", "b"}, []float64{.15, .15000000000000002}, []float64{.4, .3}, "score the same", true},
	} {
		c := Compare(tc.names, tc.base, tc.other)
		if c.Spearman != nil || c.Kendall != nil || !strings.Contains(c.Reason, tc.reason) || (c.MAE != nil) != tc.mae {
			t.Errorf("%v: %+v", tc.base, c)
		}
	}
	b, err := json.Marshal(Variant{Name: "v", Comparison: Compare(nil, nil, nil)})
	if want := `{"name":"v","spearman":null,"kendall":null,"mae":null,"max_rank_shift":null,"winner":[],"reason":"no configuration to compare"}`; err != nil || string(b) != want {
		t.Errorf("JSON %s, %v", b, err)
	}
}

func TestCompareNamesEveryTiedWinner(t *testing.T) {
	c := Compare([]string{"z", "a", "k"}, []float64{1, .5, .2}, []float64{.7, .7, .2})
	if len(c.Winner) != 2 || c.Winner[0] != "a" || c.Winner[1] != "z" {
		t.Errorf("winner %v", c.Winner)
	}
}
