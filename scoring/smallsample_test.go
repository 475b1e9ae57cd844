package scoring

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func roughly(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 5e-5) {
		t.Errorf("%s = %v, want %v to four places", what, got, want)
	}
}

// Cases e21 and a09.
func TestPassKIsUnbiasedAndUndefinedBelowK(t *testing.T) {
	got, ok := PassHatK(5, 3, 2)
	near(t, "pass^2 of 3 in 5", got, .3)
	if !ok {
		t.Error("undefined")
	}
	if _, ok := PassAtK(2, 0, 3); ok {
		t.Error("pass@3 of two attempts is defined")
	}
	if _, ok := PassHatK(2, 2, 3); ok {
		t.Error("pass^3 of two attempts is defined")
	}
	row := []Cell{
		{Runs: 5, Totals: Totals{Runs: 5, Passes: 3}},
		{Runs: 2, Totals: Totals{Runs: 2, Passes: 0}},
		{Runs: 4, Totals: Totals{Runs: 4, Passes: 4, MissingReward: 0}},
	}
	s := PassKOf(row, 3)
	near(t, "pass@3", *s.PassAtK, 1)
	near(t, "pass^3", *s.PassHatK, (.1+1)/2)
	if s.Tasks != 2 || s.TooFew != 1 || s.MinAttempts != 2 || s.MaxAttempts != 5 {
		t.Errorf("%+v", s)
	}
	if s := PassKOf(row, 6); s.PassAtK != nil || s.Reason == "" {
		t.Errorf("%+v", s)
	}
}

func TestPassKAgreesWithBinomials(t *testing.T) {
	choose := func(n, k int) float64 {
		v, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(k))).Float64()
		return v
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		c, k := rapid.IntRange(0, n).Draw(t, "c"), rapid.IntRange(1, n).Draw(t, "k")
		hat, _ := PassHatK(n, c, k)
		at, _ := PassAtK(n, c, k)
		wantHat, wantAt := 0.0, 1.0
		if c >= k {
			wantHat = choose(c, k) / choose(n, k)
		}
		if n-c >= k {
			wantAt = 1 - choose(n-c, k)/choose(n, k)
		}
		if math.Abs(hat-wantHat) > 1e-12 || math.Abs(at-wantAt) > 1e-12 {
			t.Fatalf("pass^k %v, want %v; pass@k %v, want %v", hat, wantHat, at, wantAt)
		}
	})
}
