package export

import (
	"strings"

	"amdb/scoring"
	"amdb/scoring/study"
)

// names is a list of configurations as one text; NULL for none.
func names(list []string) any {
	if len(list) == 0 {
		return nil
	}
	return strings.Join(list, ", ")
}

// Ablation is a row a part that was taken out.
func Ablation(res *study.Ablation) *Table {
	var rows [][]any
	for _, v := range res.Variants {
		rows = append(rows, []any{v.Name, maybe(v.Spearman), maybe(v.Kendall), maybe(v.MAE), maybeInt(v.MaxRankShift), names(v.Winner)})
	}
	return NewTable([]Column{{Name: "variant", Kind: Text}, {Name: "spearman", Kind: Number}, {Name: "kendall", Kind: Number}, {Name: "mae", Kind: Number}, {Name: "max_rank_shift", Kind: Integer}, {Name: "winner", Kind: Text}}, rows)
}

// AblationScores is a row a configuration: its score and rank in full and
// without each part.
func AblationScores(res *study.Ablation) *Table {
	columns := []Column{{Name: "rank", Kind: Integer}, {Name: "config", Kind: Text}, {Name: "ams", Kind: Number}}
	for _, v := range res.Variants {
		columns = append(columns, Column{Name: v.Name, Kind: Number}, Column{Name: "rank", Kind: Integer})
	}
	var rows [][]any
	for _, s := range res.Scores {
		row := []any{int64(s.Rank[study.FullScore]), s.Config, s.AMS[study.FullScore]}
		for _, v := range res.Variants {
			row = append(row, s.AMS[v.Name], int64(s.Rank[v.Name]))
		}
		rows = append(rows, row)
	}
	return NewTable(columns, rows)
}

// Fidelity is one row: a subset against the whole.
func Fidelity(res *study.Fidelity) *Table {
	return NewTable([]Column{
		{Name: "subset", Kind: Text},
		{Name: "against", Kind: Text},
		{Name: "configs", Kind: Integer},
		{Name: "spearman", Kind: Number},
		{Name: "kendall", Kind: Number},
		{Name: "mae", Kind: Number},
		{Name: "max_rank_shift", Kind: Integer},
		{Name: "top1_same", Kind: Bool},
		{Name: "top3_same", Kind: Bool},
		{Name: "winner", Kind: Text},
	}, [][]any{{
		res.Subset, res.Against, int64(res.Configs), maybe(res.Spearman), maybe(res.Kendall), maybe(res.MAE),
		maybeInt(res.MaxRankShift), maybeBool(res.Top1Same), maybeBool(res.Top3Same), names(res.Winner),
	}})
}

func maybeBool(x *bool) any {
	if x == nil {
		return nil
	}
	return *x
}

// criterionLabels are the criteria as short columns.
var criterionLabels = map[string]string{
	scoring.ByAMS: "ams", scoring.ByPasses: "passes", scoring.ByMeanReward: "reward",
	scoring.ByUSDPerPass: "usd/pass", scoring.ByTokensPerPass: "tok/pass",
	scoring.BySuccessfulUSDPerPass: "usd/succ", scoring.BySuccessfulTokensPerPass: "tok/succ",
}

// Criteria is a row a criterion: who leads by it, and how far it agrees with
// AMS.
func Criteria(res *study.Rankings) *Table {
	var rows [][]any
	for _, c := range res.Criteria {
		rows = append(rows, []any{c.Criterion, c.Better, int64(c.Configs), maybe(c.Spearman), maybe(c.Kendall), names(c.Leader)})
	}
	return NewTable([]Column{{Name: "criterion", Kind: Text}, {Name: "better", Kind: Text}, {Name: "configs", Kind: Integer}, {Name: "spearman", Kind: Number}, {Name: "kendall", Kind: Number}, {Name: "leader", Kind: Text}}, rows)
}

// CriterionRanks is a row a configuration: its rank by every criterion. people
// says whether short names are wanted and the figures left out.
func CriterionRanks(res *study.Rankings, people bool) *Table {
	columns := []Column{{Name: "config", Kind: Text}}
	for _, c := range res.Criteria {
		if people {
			columns = append(columns, Column{Name: criterionLabels[c.Criterion], Kind: Integer})
			continue
		}
		columns = append(columns, Column{Name: c.Criterion, Kind: Number}, Column{Name: c.Criterion + "_rank", Kind: Integer})
	}
	var rows [][]any
	for _, r := range res.Configs {
		row := []any{r.Config}
		for _, c := range res.Criteria {
			if !people {
				row = append(row, maybe(r.Values[c.Criterion]))
			}
			row = append(row, maybeInt(r.Ranks[c.Criterion]))
		}
		rows = append(rows, row)
	}
	return NewTable(columns, rows)
}

// SubsetTasks is a row a proposed task.
func SubsetTasks(res *study.Subset) *Table {
	var rows [][]any
	for _, t := range res.Tasks {
		rows = append(rows, []any{t.Benchmark, t.Task})
	}
	return NewTable([]Column{{Name: "benchmark", Kind: Text}, {Name: "task", Kind: Text}}, rows)
}

// Duels is a row a shared task: who wins where.
func Duels(res *study.ConfigComparison) *Table {
	var rows [][]any
	who := map[string]any{scoring.AheadA: "A", scoring.AheadB: "B", "": "="}
	for _, d := range res.PerTask {
		rows = append(rows, []any{
			d.Benchmark, d.Task, d.Stratum.String(), d.RewardA, d.RewardB, who[d.Ahead], maybe(d.CostA), maybe(d.CostB), who[d.AheadAMS],
		})
	}
	return NewTable([]Column{
		{Name: "benchmark", Kind: Text},
		{Name: "task", Kind: Text},
		{Name: "stratum", Kind: Text},
		{Name: "reward_a", Kind: Number},
		{Name: "reward_b", Kind: Number},
		{Name: "ahead", Kind: Text},
		{Name: "cost_a_usd", Kind: Number},
		{Name: "cost_b_usd", Kind: Number},
		{Name: "ahead_ams", Kind: Text},
	}, rows)
}
