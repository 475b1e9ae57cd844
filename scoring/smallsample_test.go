package scoring

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"amdb/scoring/stat"
)

func roughly(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 5e-5) {
		t.Errorf("%s = %v, want %v to four places", what, got, want)
	}
}

// Case e10: the percentile bootstrap says [1,1] and [0,0] here.
func TestWilsonDoesNotCollapse(t *testing.T) {
	lo, hi, ok := stat.Wilson(3, 3, .95)
	roughly(t, "3/3 lo", lo, .4385)
	if hi != 1 || !ok {
		t.Errorf("3/3 hi = %v, %v", hi, ok)
	}
	lo, hi, _ = stat.Wilson(0, 5, .95)
	roughly(t, "0/5 hi", hi, .4345)
	if lo != 0 {
		t.Errorf("0/5 lo = %v", lo)
	}
	for _, bad := range [][2]int{{0, 0}, {-1, 3}, {4, 3}} {
		if _, _, ok := stat.Wilson(bad[0], bad[1], .95); ok {
			t.Errorf("Wilson(%v) is defined", bad)
		}
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

// Case e17: an unpaired test says .098.
func TestMcNemarIsExact(t *testing.T) {
	p, ok := stat.McNemarExact(6, 1)
	near(t, "p", p, .125)
	if !ok {
		t.Error("undefined")
	}
	if p, _ := stat.McNemarExact(4, 4); p != 1 {
		t.Errorf("p = %v for a draw", p)
	}
	if _, ok := stat.McNemarExact(0, 0); ok {
		t.Error("no discordant task is a test")
	}
	if p, ok := stat.McNemarExact(0, 3000); !ok || p != 0 && p > 1e-300 {
		t.Errorf("p = %v, %v for 3000 to nothing", p, ok)
	}
	rapid.Check(t, func(t *rapid.T) {
		b, c := rapid.IntRange(0, 30).Draw(t, "b"), rapid.IntRange(0, 30).Draw(t, "c")
		if b+c == 0 {
			return
		}
		sum := new(big.Int)
		for i := range min(b, c) + 1 {
			sum.Add(sum, new(big.Int).Binomial(int64(b+c), int64(i)))
		}
		want, _ := new(big.Rat).SetFrac(sum.Lsh(sum, 1), new(big.Int).Lsh(big.NewInt(1), uint(b+c))).Float64()
		if p, _ := stat.McNemarExact(b, c); math.Abs(p-min(1, want)) > 1e-12 {
			t.Fatalf("p = %v, want %v", p, want)
		}
	})
}

// Case e12: attempts are not tasks.
func TestClusterSETakesTheTaskAsUnit(t *testing.T) {
	mean, se, ok := stat.ClusterSE([][]float64{{1, 1, 1}, {0, 0, 0}, {1, 1, 0}, {0, 0, 1}})
	near(t, "mean", mean, .5)
	roughly(t, "se", se, .2152)
	if _, _, ok2 := stat.ClusterSE([][]float64{{1, 0, 1}, nil}); ok2 || !ok {
		t.Error("one task has a standard error")
	}
}
