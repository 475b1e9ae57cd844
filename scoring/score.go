package scoring

import (
	"slices"

	"amdb/scoring/stat"
)

// StratumScore is the components and score of one configuration in one stratum
// (section 3).
type StratumScore struct {
	Tasks int     `json:"tasks"`
	TQ    float64 `json:"tq"`
	AUBQC float64 `json:"aubqc"`
	EFR   float64 `json:"efr"`
	AMS   float64 `json:"ams"`
}

// Components are a configuration's score and its parts: each the mean over the
// three strata.
type Components struct {
	AMS    float64         `json:"ams"`
	TQ     float64         `json:"tq"`
	AUBQC  float64         `json:"aubqc"`
	EFR    float64         `json:"efr"`
	Strata [3]StratumScore `json:"-"` // indexed by Stratum
}

// scoreStratum scores the cells of one stratum: means over tasks, summed exactly
// as whole numbers of 2⁻⁶⁰, as the view stratum_scores does to the last bit.
func scoreStratum(row []Cell, tasks []int, alpha float64) StratumScore {
	var tq, aubqc, efr stat.WholeSum
	for _, t := range tasks {
		tq.Add(0, fewUnits(row[t].Reward))
		aubqc.Add(0, fewUnits(row[t].Masked))
		efr.Add(0, fewUnits(row[t].Failure))
	}
	n := float64(len(tasks))
	s := StratumScore{Tasks: len(tasks), TQ: tq.Float() / unit / n, AUBQC: aubqc.Float() / unit / n, EFR: efr.Float() / unit / n}
	s.AMS = AMS(s.TQ, s.AUBQC, s.EFR, alpha)
	return s
}

// CombineStrata is the macro average of three stratum scores.
func CombineStrata(strata [3]StratumScore) Components {
	c := Components{Strata: strata}
	for _, s := range strata {
		c.AMS += s.AMS
		c.TQ += s.TQ
		c.AUBQC += s.AUBQC
		c.EFR += s.EFR
	}
	c.AMS, c.TQ, c.AUBQC, c.EFR = c.AMS/3, c.TQ/3, c.AUBQC/3, c.EFR/3
	return c
}

// Score scores every configuration of the panel, in its order. A missing cell
// counts as reward 0 at no cost: leave incomplete configurations out with
// Complete unless that is the policy. A stratum without tasks is an error. The
// cells' means are at least 0 and at most 1.
func Score(p *Panel, alpha float64) ([]Components, error) {
	var tasks [3][]int
	for _, s := range Strata {
		if tasks[s] = p.StratumTasks(s); len(tasks[s]) == 0 {
			return nil, &EmptyStratumError{s}
		}
	}
	out := make([]Components, len(p.Configs))
	for c := range p.Configs {
		var strata [3]StratumScore
		for _, s := range Strata {
			strata[s] = scoreStratum(p.Row(c), tasks[s], alpha)
		}
		out[c] = CombineStrata(strata)
	}
	return out, nil
}

// AMSOf is the scores alone, in the order of the components.
func AMSOf(components []Components) []float64 {
	out := make([]float64, len(components))
	for i, c := range components {
		out[i] = c.AMS
	}
	return out
}

// Figures are the conventional figures of a configuration (section 3). A nil
// figure is undefined: no pass, or a cost or token count that is not known for
// every execution it sums.
type Figures struct {
	Runs             int      `json:"runs"`
	ScoredRuns       int      `json:"scored_runs"` // with a reward
	MeanReward       float64  `json:"mean_reward"` // attempts, then tasks, equal weights
	Passes           int      `json:"passes"`
	PassRate         *float64 `json:"pass_rate"` // passes over runs with a reward
	TotalCostUSD     *float64 `json:"total_cost_usd"`
	KnownCostUSD     float64  `json:"known_cost_usd"` // a lower bound where cost_known_runs < runs
	CostKnownRuns    int      `json:"cost_known_runs"`
	USDPerPass       *float64 `json:"usd_per_pass"`
	TokensPerPass    *float64 `json:"tokens_per_pass"`
	PassUSDPerPass   *float64 `json:"successful_usd_per_pass"`    // over successful runs alone
	PassTokenPerPass *float64 `json:"successful_tokens_per_pass"` // over successful runs alone
}

// FiguresOf sums a configuration's cells to its conventional figures.
func FiguresOf(row []Cell) Figures {
	var t Totals
	f := Figures{}
	for _, c := range row {
		t.add(c.Totals)
		f.MeanReward += c.Reward
	}
	if len(row) > 0 {
		f.MeanReward /= float64(len(row))
	}
	f.Runs, f.Passes, f.KnownCostUSD = int(t.Runs), int(t.Passes), t.CostUSD
	f.ScoredRuns, f.CostKnownRuns = int(t.Runs-t.MissingReward), int(t.Runs-t.MissingCost)
	f.PassRate = ratio(float64(t.Passes), t.Runs-t.MissingReward, 0)
	if t.MissingCost == 0 && t.Runs > 0 {
		f.TotalCostUSD = &t.CostUSD
	}
	f.USDPerPass = ratio(t.CostUSD, t.Passes, t.MissingCost)
	f.TokensPerPass = ratio(t.Tokens, t.Passes, t.MissingTokens)
	f.PassUSDPerPass = ratio(t.PassCostUSD, t.Passes, t.PassNoCost)
	f.PassTokenPerPass = ratio(t.PassTokens, t.Passes, t.PassNoTokens)
	return f
}

// ratio is sum/n, or nil where n is 0 or part of the sum is unknown.
func ratio[N int | uint32](sum float64, n, unknown N) *float64 {
	if n == 0 || unknown > 0 {
		return nil
	}
	r := sum / float64(n)
	return &r
}

// Order is the positions of configurations by rank, equal ranks by name.
func Order(names []string, ranks []int) []int {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if ranks[a] != ranks[b] {
			return ranks[a] - ranks[b]
		}
		if names[a] < names[b] {
			return -1
		}
		return 1
	})
	return order
}
