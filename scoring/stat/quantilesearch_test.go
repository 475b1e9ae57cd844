package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// drawn is a value with its classes.
type drawn struct {
	value   float64
	classes []int32
}

// searchAll runs a search over values to its end, each pass split among three
// workers in another order, and says how many passes it took.
func searchAll(t *testing.T, rng *rand.Rand, values []drawn, classes int, groups []QuantileGroup, hold int) (*QuantileSearch, int) {
	t.Helper()
	counts := make([]int64, classes)
	for _, v := range values {
		for _, c := range v.classes {
			counts[c]++
		}
	}
	q, passes := SearchQuantiles(counts, groups, hold), 0
	for ; q.More(); passes++ {
		parts := []*QuantilePass{q.Pass(), q.Pass(), q.Pass()}
		for _, i := range rng.Perm(len(values)) {
			parts[rng.IntN(3)].Add(values[i].value, values[i].classes...)
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

// Values are of one of three kinds; some of them move to the next kind in the
// second family of groups, and some are left out there.
func TestQuantileSearchIsQuantile7(t *testing.T) {
	const kinds, moved, left, none, classes = 3, 3, 6, 9, 10
	rng := rand.New(rand.NewPCG(1, 2))
	sizes := []func() float64{
		func() float64 { return math.Exp(2 * rng.NormFloat64()) },
		func() float64 { return float64(rng.IntN(3)) / 3 },                   // ties, zeros
		func() float64 { return 0.25 },                                       // all equal
		func() float64 { return math.Nextafter(1, float64(rng.IntN(2)*2)) },  // neighbours
		func() float64 { return math.Ldexp(rng.Float64(), rng.IntN(80)-40) }, // any size
		func() float64 { return math.Copysign(0, float64(rng.IntN(2)*2-1)) }, // both zeros
	}
	most, differ := 0, 0
	for round := range 240 {
		var values []drawn
		var of [2 * kinds][]float64 // by group
		for k := range int32(kinds) {
			size := sizes[(round+int(k))%len(sizes)]
			for range rng.IntN(1 + round) {
				x, now := size(), (k+1)%kinds
				switch of[k] = append(of[k], x); rng.IntN(4) {
				case 0: // another kind in the second family
					of[kinds+now] = append(of[kinds+now], x)
					values = append(values, drawn{x, []int32{k, moved + k}})
				case 1: // left out of it
					values = append(values, drawn{x, []int32{left + k, k}})
				case 2: // another kind, and left out: in a class of both
					values = append(values, drawn{x, []int32{k, moved + k, left + now}})
				default:
					of[kinds+k] = append(of[kinds+k], x)
					values = append(values, drawn{x, []int32{k}})
				}
			}
		}
		values = append(values, drawn{1, []int32{none}}) // in no group
		groups := make([]QuantileGroup, 2*kinds)
		for k := range int32(kinds) {
			groups[k].Plus = []int32{k}
			groups[kinds+k] = QuantileGroup{Plus: []int32{k, moved + (k+kinds-1)%kinds}, Minus: []int32{moved + k, left + k}}
		}
		for g := range groups {
			for k := range 1 + rng.IntN(60) {
				groups[g].Quantiles = append(groups[g].Quantiles, []float64{0, 1, rng.Float64(), float64(k+1) / 60}[rng.IntN(4)])
			}
		}
		hold := []int{0, 1, 50, 1 << 20}[round%4]
		q, passes := searchAll(t, rng, values, classes, groups, hold)
		most = max(most, passes)
		if hold == 1<<20 && passes > 1 {
			t.Errorf("%d passes where all values can be held", passes)
		}
		for g := range groups {
			got := q.Quantiles(g)
			if (got == nil) != (len(of[g]) == 0) {
				t.Fatalf("group %d of %d values: %v", g, len(of[g]), got)
			}
			for i := range got {
				p := groups[g].Quantiles[i]
				want, _ := Quantile7(of[g], p)
				if math.Float64bits(got[i]+0) != math.Float64bits(want+0) {
					t.Fatalf("round %d, group %d, p %v of %d values: %v, want %v", round, g, p, len(of[g]), got[i], want)
				}
				if other, ok := Quantile7(of[g%kinds], p); ok && g >= kinds && other != want {
					differ++
				}
			}
		}
	}
	if most < 3 || differ == 0 {
		t.Errorf("at most %d passes, %d quantiles of the second family differ: the search was not put to the test", most, differ)
	}
}

// Runs that change between two passes are an error, not a wrong number.
func TestQuantileSearchSeesOtherValues(t *testing.T) {
	for _, hold := range []int{0, 100} {
		q := SearchQuantiles([]int64{3}, []QuantileGroup{{Plus: []int32{0}, Quantiles: []float64{0.5}}}, hold)
		p := q.Pass()
		p.Add(1, 0)
		p.Add(2, 0)
		if q.End([]*QuantilePass{p}) == nil {
			t.Errorf("hold %d: two values of three pass", hold)
		}
	}
}
