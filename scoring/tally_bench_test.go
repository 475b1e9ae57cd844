package scoring

import (
	"math"
	"math/rand/v2"
	"testing"
)

// BenchmarkTally is one execution in a cell, as score adds them: random costs
// and rewards, so that branches cannot be foreseen.
func BenchmarkTally(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	eta := 0.05
	budgets := make([]float64, 10)
	for i := range budgets {
		budgets[i] = 0.02 * math.Exp(float64(i)/5)
	}
	c := &Counting{Budgets: [3][]float64{budgets, budgets, budgets}, Eta: [3]*float64{&eta, &eta, &eta}, PassThreshold: DefaultPassThreshold}
	runs := make([]Execution, 1<<16)
	for i := range runs {
		runs[i] = Execution{
			Reward: float64(rng.IntN(2)), Cost: 0.05 * math.Exp(rng.NormFloat64()), Tokens: rng.Int64N(1 << 20),
			HasReward: true, HasCost: true, HasTokens: true,
		}
	}
	var t Tally
	for i := 0; b.Loop(); i++ {
		t.Add(c, Medium, runs[i&(1<<16-1)])
	}
}

// BenchmarkBudgetLevel is the search for one cost among ten budgets.
func BenchmarkBudgetLevel(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	budgets := make([]float64, 10)
	for i := range budgets {
		budgets[i] = 0.02 * math.Exp(float64(i)/5)
	}
	costs := make([]float64, 1<<16)
	for i := range costs {
		costs[i] = 0.05 * math.Exp(rng.NormFloat64())
	}
	n := 0
	for i := 0; b.Loop(); i++ {
		n += BudgetLevel(costs[i&(1<<16-1)], budgets)
	}
}
