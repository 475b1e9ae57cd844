package scoring

import "amdb/scoring/stat"

// PassAtK is the unbiased estimate of the chance that at least one of k
// attempts passes, from c passes of n attempts: 1 − C(n−c, k) / C(n, k). It
// reports false where n < k, k < 1, or c is outside [0, n].
func PassAtK(n, c, k int) (float64, bool) {
	if k < 1 || n < k || c < 0 || c > n {
		return 0, false
	}
	return 1 - chooseRatio(n-c, n, k), true
}

// PassHatK is the unbiased estimate of the chance that all of k attempts pass:
// C(c, k) / C(n, k). It reports false where PassAtK does.
func PassHatK(n, c, k int) (float64, bool) {
	if k < 1 || n < k || c < 0 || c > n {
		return 0, false
	}
	return chooseRatio(c, n, k), true
}

// chooseRatio is C(a, k) / C(n, k) for a ≤ n and k ≤ n, factor by factor; a
// factor is 0 where a < k.
func chooseRatio(a, n, k int) float64 {
	r := 1.0
	for i := range min(k, a+1) {
		r *= float64(a-i) / float64(n-i)
	}
	return r
}

// PassK is pass@k and pass^k of a configuration: per task, then the mean over
// the tasks with at least k attempts. A nil figure is undefined, and Reason
// says why.
type PassK struct {
	K           int      `json:"k"`
	PassAtK     *float64 `json:"pass_at_k"`
	PassHatK    *float64 `json:"pass_hat_k"`
	Tasks       int      `json:"tasks"`         // that the means are over
	TooFew      int      `json:"tasks_too_few"` // with fewer than k attempts
	MinAttempts int      `json:"min_attempts"`
	MaxAttempts int      `json:"max_attempts"`
	Reason      string   `json:"reason,omitempty"`
}

// PassKOf averages pass@k and pass^k over a configuration's cells. Attempts
// are the executions with a reward.
func PassKOf(row []Cell, k int) PassK {
	out := PassK{K: k}
	var at, hat []float64
	for i, c := range row {
		n, passes := int(c.Totals.Runs-c.Totals.MissingReward), int(c.Totals.Passes)
		if i == 0 || n < out.MinAttempts {
			out.MinAttempts = n
		}
		out.MaxAttempts = max(out.MaxAttempts, n)
		a, ok := PassAtK(n, passes, k)
		if !ok {
			out.TooFew++
			continue
		}
		h, _ := PassHatK(n, passes, k)
		at, hat = append(at, a), append(hat, h)
	}
	out.Tasks = len(at)
	if a, ok := stat.Mean(at); ok {
		h, _ := stat.Mean(hat)
		out.PassAtK, out.PassHatK = &a, &h
	} else {
		out.Reason = "no task has k attempts with a reward"
	}
	return out
}
