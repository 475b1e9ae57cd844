package udf

import (
	"amdb/scoring"
	"amdb/scoring/stat"
)

// All is every SQL function, in the order of the documentation
// (SELECT * FROM functions).
var All = append([]Function{
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
		call: func(v values) (any, error) { return defined(stat.Quantile7(v.numbers(0), v.number(1))) },
	},
	{
		Name: "mean_in_order", args: []arg{{"values", doubles}}, result: double,
		Doc:  "The mean, summed in the list's order: mean_in_order(list(x ORDER BY key)) gives the same bits whatever the threads. Section 3.",
		call: func(v values) (any, error) { return defined(stat.Mean(v.numbers(0))) },
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
}, comparing...)

// comparing are the functions of section 5.
var comparing = []Function{
	{
		Name: "spearman", args: []arg{{"x", doubles}, {"y", doubles}}, result: double,
		Doc:  "Spearman's rank correlation with average ranks for ties. Pairs with a NULL are left out; NULL for fewer than two pairs or a constant series. Section 5.1.",
		call: func(v values) (any, error) { return paired(v, stat.Spearman) },
	},
	{
		Name: "kendall_tau_b", args: []arg{{"x", doubles}, {"y", doubles}}, result: double,
		Doc:  "Kendall's tau-b. Pairs with a NULL are left out; NULL for fewer than two pairs or a constant series. Section 5.1.",
		call: func(v values) (any, error) { return paired(v, stat.KendallTauB) },
	},
	{
		Name: "alpha_crossing", args: []arg{{"a_at_0", double}, {"a_at_1", double}, {"b_at_0", double}, {"b_at_1", double}}, result: double,
		Doc: "The one mixing weight in [0,1] at which two configurations tie, from their scores at alpha 0 and 1; NULL where there is none. Section 5.8.",
		call: func(v values) (any, error) {
			return defined(scoring.AlphaCrossing(v.number(0), v.number(1), v.number(2), v.number(3)))
		},
	},
	{
		Name: "wilson_lo", args: []arg{{"passes", integer}, {"n", integer}, {"level", double}}, result: double,
		Doc:  "Lower end of Wilson's interval for passes of n trials. Section 5.5.",
		call: func(v values) (any, error) { lo, _, ok := wilson(v); return defined(lo, ok) },
	},
	{
		Name: "wilson_hi", args: []arg{{"passes", integer}, {"n", integer}, {"level", double}}, result: double,
		Doc:  "Upper end of Wilson's interval for passes of n trials. Section 5.5.",
		call: func(v values) (any, error) { _, hi, ok := wilson(v); return defined(hi, ok) },
	},
	{
		Name: "pass_at_k", args: []arg{{"n", integer}, {"passes", integer}, {"k", integer}}, result: double,
		Doc:  "Unbiased chance that at least one of k attempts passes; NULL where n < k. Section 5.7.",
		call: func(v values) (any, error) { return defined(scoring.PassAtK(v.integer(0), v.integer(1), v.integer(2))) },
	},
	{
		Name: "pass_hat_k", args: []arg{{"n", integer}, {"passes", integer}, {"k", integer}}, result: double,
		Doc: "Unbiased chance that all of k attempts pass; NULL where n < k. Section 5.7.",
		call: func(v values) (any, error) {
			return defined(scoring.PassHatK(v.integer(0), v.integer(1), v.integer(2)))
		},
	},
	{
		Name: "mcnemar_exact", args: []arg{{"only_a", integer}, {"only_b", integer}}, result: double,
		Doc:  "Exact two-sided p of the paired test on the tasks that one of two alone won; NULL where there is none. Section 5.6.",
		call: func(v values) (any, error) { return defined(stat.McNemarExact(v.integer(0), v.integer(1))) },
	},
	{
		Name: "holm", args: []arg{{"p", double}, {"family", doubles}}, result: double,
		Doc:  "p adjusted by Holm's step-down for being one of a family of p-values. Section 5.6.",
		call: func(v values) (any, error) { return defined(stat.Holm(v.number(0), v.numbers(1))) },
	},
}

func wilson(v values) (lo, hi float64, ok bool) {
	return stat.Wilson(v.integer(0), v.integer(1), v.number(2))
}

// paired gives a correlation the pairs without a NULL.
func paired(v values, correlation func(x, y []float64) (float64, bool)) (any, error) {
	x, y, err := v.pairs(0, 1)
	if err != nil {
		return nil, err
	}
	return defined(correlation(x, y))
}

// defined is NULL for a figure that is not.
func defined(x float64, ok bool) (any, error) {
	if !ok {
		return nil, nil
	}
	return x, nil
}
