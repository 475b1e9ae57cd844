package stat

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

// Case e10: the percentile bootstrap says [1,1] and [0,0] here.
func TestWilsonDoesNotCollapse(t *testing.T) {
	lo, hi, ok := Wilson(3, 3, .95)
	roughly(t, "3/3 lo", lo, .4385)
	if hi != 1 || !ok {
		t.Errorf("3/3 hi = %v, %v", hi, ok)
	}
	lo, hi, _ = Wilson(0, 5, .95)
	roughly(t, "0/5 hi", hi, .4345)
	if lo != 0 {
		t.Errorf("0/5 lo = %v", lo)
	}
	for _, bad := range [][2]int{{0, 0}, {-1, 3}, {4, 3}} {
		if _, _, ok := Wilson(bad[0], bad[1], .95); ok {
			t.Errorf("Wilson(%v) is defined", bad)
		}
	}
}

// Case e17: an unpaired test says .098.
func TestMcNemarIsExact(t *testing.T) {
	p, ok := McNemarExact(6, 1)
	near(t, "p", p, .125)
	if !ok {
		t.Error("undefined")
	}
	if p, _ := McNemarExact(4, 4); p != 1 {
		t.Errorf("p = %v for a draw", p)
	}
	if _, ok := McNemarExact(0, 0); ok {
		t.Error("no discordant task is a test")
	}
	if p, ok := McNemarExact(0, 3000); !ok || p != 0 && p > 1e-300 {
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
		if p, _ := McNemarExact(b, c); math.Abs(p-min(1, want)) > 1e-12 {
			t.Fatalf("p = %v, want %v", p, want)
		}
	})
}

// Case e12: attempts are not tasks.
func TestClusterSETakesTheTaskAsUnit(t *testing.T) {
	mean, se, ok := ClusterSE([][]float64{{1, 1, 1}, {0, 0, 0}, {1, 1, 0}, {0, 0, 1}})
	near(t, "mean", mean, .5)
	roughly(t, "se", se, .2152)
	if _, _, ok2 := ClusterSE([][]float64{{1, 0, 1}, nil}); ok2 || !ok {
		t.Error("one task has a standard error")
	}
}

// The tail is a whole number below 2^53 up to n = 50; beyond, the error of each
// coefficient adds up.
func TestMcNemarAgreesWithWholeNumbers(t *testing.T) {
	for n := 1; n <= 2400; n++ {
		if n > 50 && n%97 != 0 {
			continue // every n up to 50, then some
		}
		sum := new(big.Int)
		for k := range n/2 + 1 {
			sum.Add(sum, new(big.Int).Binomial(int64(n), int64(k)))
			if n > 50 && k%53 != 0 && k != n/2 {
				continue
			}
			exact := new(big.Float).SetMantExp(new(big.Float).SetInt(sum), 1-n)
			want, _ := exact.Float64()
			got, ok := McNemarExact(k, n-k)
			tolerance := 0.0
			if n > 50 {
				tolerance = float64(n) * 0x1p-52 * want
			}
			if want = min(1, want); !ok || math.Abs(got-want) > tolerance {
				t.Fatalf("McNemarExact(%d, %d) = %v, want %v", k, n-k, got, want)
			}
		}
	}
}
