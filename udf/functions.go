package udf

import "amdb/scoring"

// All is every SQL function, in the order of the documentation
// (SELECT * FROM functions).
var All = []Function{
	{
		Name: "ams", args: []arg{{"tq", double}, {"aubqc", double}, {"efr", double}, {"alpha", double}}, result: double,
		Doc: "A stratum's score: (alpha·tq + (1−alpha)·aubqc)·(1−efr). Section 3.",
		call: func(v values) (any, error) {
			return scoring.AMS(v.number(0), v.number(1), v.number(2), v.number(3)), nil
		},
	},
	{
		Name: "percentile_rank", args: []arg{{"x", double}, {"among", doubles}, {"kind", text}}, result: double,
		Doc: "Share of the values that x reaches; kind is mid (ties count half), weak (≤) or strict (<). NULLs in the list are left out. Section 2.2.",
		call: func(v values) (any, error) {
			p, err := scoring.ParsePercentile(v.text(2))
			if err != nil {
				return nil, err
			}
			return defined(scoring.PercentileRank(v.number(0), v.numbers(1), p))
		},
	},
	{
		Name: "effort", args: []arg{{"ranks", doubles}}, result: double,
		Doc:  "The effort index: the mean of a task's percentile ranks. NULLs (terms left out) do not count. Section 2.3.",
		call: func(v values) (any, error) { return defined(scoring.Effort(v.numbers(0)...)) },
	},
	{
		Name: "quantile7", args: []arg{{"values", doubles}, {"p", double}}, result: double,
		Doc:  "The p-quantile by linear interpolation (type 7, numpy's default). Section 2.5.",
		call: func(v values) (any, error) { return defined(scoring.Quantile7(v.numbers(0), v.number(1))) },
	},
	{
		Name: "mean_in_order", args: []arg{{"values", doubles}}, result: double,
		Doc:  "The mean, summed in the list's order: mean_in_order(list(x ORDER BY key)) gives the same bits whatever the threads. Section 3.",
		call: func(v values) (any, error) { return defined(scoring.Mean(v.numbers(0))) },
	},
	{
		Name: "budget_level", args: []arg{{"cost_usd", double}, {"budgets", doubles}}, result: integer,
		Doc:  "How many of the ascending budgets the cost does not exceed. Section 3.",
		call: func(v values) (any, error) { return int64(scoring.BudgetLevel(v.number(0), v.numbers(1))), nil },
	},
	{
		Name: "masked_reward", args: []arg{{"reward", double}, {"cost_usd", double}, {"budgets", doubles}}, result: double,
		Doc: "The reward, counted at every budget that the cost does not exceed, over the number of budgets. Section 3.",
		call: func(v values) (any, error) {
			return defined(scoring.MaskedReward(v.number(0), v.number(1), v.numbers(2)))
		},
	},
	{
		Name: "expensive_failure", args: []arg{{"reward", double}, {"cost_usd", double}, {"eta_usd", double}}, result: boolean,
		Doc: "Whether a run got no reward at a cost strictly above the threshold. Section 3.",
		call: func(v values) (any, error) {
			eta := v.number(2)
			return scoring.ExpensiveFailure(v.number(0), v.number(1), &eta), nil
		},
	},
}

// defined is NULL for a figure that is not.
func defined(x float64, ok bool) (any, error) {
	if !ok {
		return nil, nil
	}
	return x, nil
}
