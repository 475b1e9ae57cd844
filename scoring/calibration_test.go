package scoring

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// digestByTree is the digest by its definition: the JSON as a tree of maps, which
// marshal with sorted keys.
func digestByTree(t interface{ Fatal(...any) }, c Calibration) string {
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	dec, tree := json.NewDecoder(strings.NewReader(string(b))), map[string]any{}
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"name", "digest", "warnings"} {
		if _, there := tree[k]; !there {
			t.Fatal("the JSON has no " + k)
		}
		delete(tree, k)
	}
	if b, err = json.Marshal(tree); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// A digest is of the whole content but for names and warnings, whatever names
// and figures there are: a calibration that was stored keeps its digest.
func TestDigestIsOfTheSortedJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"<a>&b", "a\u2028b", "\"\\/\b\f\n\r\t\x01\x7f", "\xff", "é/🙂"}))
		figure := rapid.Float64()
		known := func() *float64 {
			if rapid.Bool().Draw(t, "known") {
				return nil
			}
			x := figure.Draw(t, "x")
			return &x
		}
		c := Calibration{
			Name: name.Draw(t, "name"), Digest: name.Draw(t, "digest"), Warnings: []string{name.Draw(t, "warning")},
			Rules: Rules{
				Alpha: figure.Draw(t, "alpha"), BudgetLevels: rapid.IntRange(0, 1000).Draw(t, "K"), EtaQuantile: figure.Draw(t, "q"),
				Percentile: Mid, EffortTerms: AllTerms, MissingReward: "zero", MissingCost: "exclude", MissingTerms: "known",
			},
			Prices: name.Draw(t, "prices"), Reference: rapid.SliceOf(name).Draw(t, "reference"), Strata: map[Stratum]StratumRules{},
		}
		for _, s := range Strata {
			c.Strata[s] = StratumRules{Tasks: int(s), Budgets: rapid.SliceOf(figure).Draw(t, "budgets"), EtaUSD: known()}
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "tasks") {
			c.Tasks = append(c.Tasks, TaskEffort{
				Benchmark: name.Draw(t, "benchmark"), Task: name.Draw(t, "task"), MedianTokens: known(), QZero: known(),
				ZeroRate: figure.Draw(t, "rate"), Effort: figure.Draw(t, "effort"), EffortRank: i + 1, Stratum: Strata[i],
			})
		}
		got, err := c.ComputeDigest()
		if err != nil {
			t.Fatal(err)
		}
		if want := digestByTree(t, c); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
		c.Name, c.Digest, c.Warnings = "other", "", nil
		if again, _ := c.ComputeDigest(); again != got {
			t.Fatal("the digest hangs on the name or the warnings")
		}
	})
}
