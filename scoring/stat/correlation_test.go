package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > 1e-12 {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Case e08: the shortcut by squared differences says .875 here.
func TestSpearmanTakesAverageRanks(t *testing.T) {
	got, ok := Spearman([]float64{.6, .6, .6, .8, .9}, []float64{3, 1, 2, 4, 4})
	if !ok || math.Abs(got-.8603) > 5e-5 {
		t.Errorf("Spearman = %v, %v, want .8603", got, ok)
	}
}

func TestCorrelationsAreUndefinedWithoutVariation(t *testing.T) {
	for name, xy := range map[string][2][]float64{
		"constant x": {{1, 1, 1}, {1, 2, 3}},
		"constant y": {{1, 2, 3}, {5, 5, 5}},
		"one pair":   {{1}, {2}},
		"none":       {nil, nil},
		"lengths":    {{1, 2}, {1, 2, 3}},
		"not number": {{1, math.NaN()}, {1, 2}},
	} {
		if v, ok := Spearman(xy[0], xy[1]); ok {
			t.Errorf("%s: Spearman = %v, want undefined", name, v)
		}
		if v, ok := KendallTauB(xy[0], xy[1]); ok {
			t.Errorf("%s: KendallTauB = %v, want undefined", name, v)
		}
	}
}

// bruteTauB counts every pair by its definition.
func bruteTauB(x, y []float64) float64 {
	var c, d, tx, ty float64
	for i := range x {
		for j := range i {
			switch p := (x[i] - x[j]) * (y[i] - y[j]); {
			case p > 0:
				c++
			case p < 0:
				d++
			case x[i] == x[j] && y[i] == y[j]:
			case x[i] == x[j]:
				tx++
			default:
				ty++
			}
		}
	}
	return (c - d) / math.Sqrt((c+d+tx)*(c+d+ty))
}

func TestCorrelationsAgreeWithDefinitionsOnTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		gen := rapid.SliceOfN(rapid.IntRange(0, rapid.IntRange(1, 9).Draw(t, "values")), n, n)
		xi, yi := gen.Draw(t, "x"), gen.Draw(t, "y")
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(xi[i]), float64(yi[i])
		}
		rho, okRho := Spearman(x, y)
		tau, okTau := KendallTauB(x, y)
		if okRho != okTau {
			t.Fatalf("defined: Spearman %v, KendallTauB %v", okRho, okTau)
		}
		if !okRho {
			return
		}
		if want := stat.Correlation(AverageRanks(x), AverageRanks(y), nil); math.Abs(rho-want) > 1e-12 {
			t.Fatalf("Spearman = %v, gonum on average ranks %v", rho, want)
		}
		if want := bruteTauB(x, y); math.Abs(tau-want) > 1e-12 {
			t.Fatalf("KendallTauB = %v, by definition %v", tau, want)
		}
		if math.Abs(rho) > 1 || math.Abs(tau) > 1 {
			t.Fatalf("outside [-1,1]: %v, %v", rho, tau)
		}
	})
}

func TestKendallAgreesWithGonumWithoutTies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		x, y := make([]float64, 28), make([]float64, 28)
		for i := range x {
			x[i], y[i] = r.Float64(), r.Float64()
		}
		got, _ := KendallTauB(x, y)
		near(t, "KendallTauB", got, stat.Kendall(x, y, nil))
	}
}
