package scoring

// BudgetLevel is #{b ∈ budgets : cost ≤ b}: how many budgets an execution of
// this cost fits. budgets ascend; equal budgets each count.
func BudgetLevel(cost float64, budgets []float64) int {
	n := 0
	for len(budgets) > 16 { // of many, halve those that are left
		mid := len(budgets) / 2
		if cost <= budgets[mid] {
			n += len(budgets) - mid
			budgets = budgets[:mid]
		} else {
			budgets = budgets[mid+1:]
		}
	}
	for _, b := range budgets { // four times as fast as searching: no branch
		if cost <= b {
			n++
		}
	}
	return n
}

// MaskedReward is M = R · level / |B| (section 3): the reward, counted at every
// budget that the cost does not exceed. It reports false for no budgets.
func MaskedReward(reward, cost float64, budgets []float64) (float64, bool) {
	if len(budgets) == 0 {
		return 0, false
	}
	return reward * float64(BudgetLevel(cost, budgets)) / float64(len(budgets)), true
}

// ExpensiveFailure is F (section 3): no reward at a cost strictly above eta. A
// nil eta means that the stratum has no threshold, and nothing fails there.
func ExpensiveFailure(reward, cost float64, eta *float64) bool {
	return reward == 0 && eta != nil && cost > *eta
}

// AMS is a stratum's score: (α·TQ + (1−α)·AUBQC) · (1 − EFR).
func AMS(tq, aubqc, efr, alpha float64) float64 {
	return float64((float64(alpha*tq) + float64((1-alpha)*aubqc)) * (1 - efr))
}

// Passed says whether a reward counts as a pass (section 3): reward ≥ threshold.
func Passed(reward, threshold float64) bool { return reward >= threshold }

// DefaultPassThreshold is the least reward that passes.
const DefaultPassThreshold = 1 - 1e-6
