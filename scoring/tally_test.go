package scoring

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestExactSumsOfUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		var sum Tally
		want := new(big.Int)
		for range 50 {
			x := math.Ldexp(rng.Float64(), rng.IntN(90)-50)
			sum.Add(&Counting{}, Easy, Execution{Cost: x, HasCost: true})
			f := new(big.Float).SetPrec(2000).SetMantExp(big.NewFloat(x), 60)
			// Halves to even, as the tally rounds.
			whole, _ := f.Int(nil)
			rest := new(big.Float).SetPrec(2000).Sub(f, new(big.Float).SetPrec(2000).SetInt(whole))
			half := rest.Cmp(big.NewFloat(0.5))
			if half > 0 || half == 0 && whole.Bit(0) == 1 {
				whole.Add(whole, big.NewInt(1))
			}
			want.Add(want, whole)
		}
		got := new(big.Int).Lsh(new(big.Int).SetUint64(sum.cost.High), 64)
		got.Add(got, new(big.Int).SetUint64(sum.cost.Low))
		if got.Cmp(want) != 0 {
			t.Fatalf("sum is %v, want %v", got, want)
		}
	}
}

func TestATallyDoesNotDependOnOrderOrParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	eta := 0.3
	c := &Counting{Budgets: [3][]float64{{0.1, 0.2, 0.2, 0.7}, {1}, {2, 3}}, Eta: [3]*float64{&eta, nil, &eta}, PassThreshold: DefaultPassThreshold}
	runs := make([]Execution, 500)
	for i := range runs {
		runs[i] = Execution{
			Reward: float64(rng.IntN(4)) / 3, Cost: rng.Float64(), Tokens: rng.Int64N(1 << 40),
			HasReward: rng.IntN(9) > 0, HasCost: rng.IntN(9) > 0, HasTokens: rng.IntN(9) > 0,
		}
	}
	var whole, left, right Tally
	for _, e := range runs {
		whole.Add(c, Easy, e)
	}
	rng.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
	for i, e := range runs {
		if i%3 == 0 {
			left.Add(c, Easy, e)
		} else {
			right.Add(c, Easy, e)
		}
	}
	left.Merge(&right)
	if left != whole {
		t.Errorf("in parts %+v, whole %+v", left, whole)
	}
	if cell := whole.Cell(4); cell.Runs == 0 || cell.Totals.Runs != 500 || cell.Totals.MissingReward == 0 {
		t.Errorf("cell %+v", cell)
	}
}

// Counted under several calibrations at once, an execution adds what it adds under
// each by itself: at, above and below budgets and thresholds.
func TestMaskedUnderIsMaskedUnderEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Few amounts, so that budgets, thresholds and costs meet.
		usd := rapid.OneOf(rapid.SampledFrom([]float64{0, 1, 2, math.Nextafter(2, 3), 5}), rapid.Float64Range(0, 10))
		var under []*Counting
		for range rapid.IntRange(1, 4).Draw(t, "calibrations") {
			c := &Counting{}
			for _, s := range Strata {
				c.Budgets[s] = rapid.SliceOfN(usd, 1, 20).Draw(t, "budgets")
				slices.Sort(c.Budgets[s])
				if eta := usd.Draw(t, "eta"); eta != 5 {
					c.Eta[s] = &eta
				}
			}
			under = append(under, c)
		}
		s := rapid.SampledFrom(Strata[:]).Draw(t, "stratum")
		together, apart := make([]Masked, len(under)), make([]Masked, len(under))
		at := NewMaskedUnder(under, s)
		for range rapid.IntRange(1, 10).Draw(t, "executions") {
			reward := rapid.OneOf(rapid.SampledFrom([]float64{0, 1, 1e-300}), rapid.Float64Range(0, 1)).Draw(t, "reward")
			cost := usd.Draw(t, "cost")
			at.Add(together, reward, cost)
			for i := range apart {
				apart[i].Add(under[i], s, reward, cost)
			}
		}
		if !slices.Equal(together, apart) {
			t.Fatalf("%v, want %v", together, apart)
		}
	})
}
