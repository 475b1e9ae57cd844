package scoring

import (
	"math"
	"math/rand/v2"
	"testing"
)

// searchAll runs a search over values by group to its end, each pass split among
// three workers in another order, and says how many passes it took.
func searchAll(t *testing.T, rng *rand.Rand, values [][]float64, ps [][]float64, hold int) (*QuantileSearch, int) {
	t.Helper()
	counts := make([]int64, len(values))
	for g := range values {
		counts[g] = int64(len(values[g]))
	}
	q, passes := SearchQuantiles(counts, ps, hold), 0
	for ; q.More(); passes++ {
		parts := []*QuantilePass{q.Pass(), q.Pass(), q.Pass()}
		for g := range values {
			for _, i := range rng.Perm(len(values[g])) {
				parts[rng.IntN(3)].Add(g, values[g][i])
			}
		}
		if err := q.End(parts); err != nil {
			t.Fatal(err)
		}
		if passes > 20 {
			t.Fatal("no end")
		}
	}
	return q, passes
}

func TestQuantileSearchIsQuantile7(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := []func() float64{
		func() float64 { return math.Exp(2 * rng.NormFloat64()) },
		func() float64 { return float64(rng.IntN(3)) / 3 },                   // ties, zeros
		func() float64 { return 0.25 },                                       // all equal
		func() float64 { return math.Nextafter(1, float64(rng.IntN(2)*2)) },  // neighbours
		func() float64 { return math.Ldexp(rng.Float64(), rng.IntN(80)-40) }, // any size
		func() float64 { return math.Copysign(0, float64(rng.IntN(2)*2-1)) }, // both zeros
	}
	most := 0
	for round := range 120 {
		values, ps := make([][]float64, 6), make([][]float64, 6)
		for g := range values {
			for range rng.IntN(1 + round) {
				values[g] = append(values[g], kinds[(round+g)%len(kinds)]())
			}
			for k := range 1 + rng.IntN(60) {
				ps[g] = append(ps[g], []float64{0, 1, rng.Float64(), float64(k+1) / 60}[rng.IntN(4)])
			}
		}
		hold := []int{0, 1, 50, 1 << 20}[round%4]
		q, passes := searchAll(t, rng, values, ps, hold)
		most = max(most, passes)
		if hold == 1<<20 && passes > 1 {
			t.Errorf("%d passes where all values can be held", passes)
		}
		for g := range values {
			got := q.Quantiles(g)
			if (got == nil) != (len(values[g]) == 0) {
				t.Fatalf("group %d of %d values: %v", g, len(values[g]), got)
			}
			for i := range got {
				want, _ := Quantile7(values[g], ps[g][i])
				if math.Float64bits(got[i]+0) != math.Float64bits(want+0) {
					t.Fatalf("round %d, group %d, p %v of %d values: %v, want %v", round, g, ps[g][i], len(values[g]), got[i], want)
				}
			}
		}
	}
	if most < 3 {
		t.Errorf("at most %d passes: the search was not put to the test", most)
	}
}

// Runs that change between two passes are an error, not a wrong number.
func TestQuantileSearchSeesOtherValues(t *testing.T) {
	for _, hold := range []int{0, 100} {
		q := SearchQuantiles([]int64{3}, [][]float64{{0.5}}, hold)
		p := q.Pass()
		p.Add(0, 1)
		p.Add(0, 2)
		if q.End([]*QuantilePass{p}) == nil {
			t.Errorf("hold %d: two values of three pass", hold)
		}
	}
}
