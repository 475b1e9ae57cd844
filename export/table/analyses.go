package table

import (
	"strings"

	"amdb/export"
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
func Ablation(res *study.Ablation) *export.Table {
	var rows [][]any
	for _, v := range res.Variants {
		rows = append(rows, []any{v.Name, optional(v.Spearman), optional(v.Kendall), optional(v.MAE), optionalInt(v.MaxRankShift), names(v.Winner)})
	}
	return export.NewTable([]export.Column{{Name: "variant", Kind: export.Text}, {Name: "spearman", Kind: export.Number}, {Name: "kendall", Kind: export.Number}, {Name: "mae", Kind: export.Number}, {Name: "max_rank_shift", Kind: export.Integer}, {Name: "winner", Kind: export.Text}}, rows)
}

// AblationScores is a row a configuration: its score and rank in full and
// without each part.
func AblationScores(res *study.Ablation) *export.Table {
	columns := []export.Column{{Name: "rank", Kind: export.Integer}, {Name: "config", Kind: export.Text}, {Name: "ams", Kind: export.Number}}
	for _, v := range res.Variants {
		columns = append(columns, export.Column{Name: v.Name, Kind: export.Number}, export.Column{Name: "rank", Kind: export.Integer})
	}
	var rows [][]any
	for _, s := range res.Scores {
		row := []any{int64(s.Rank[study.FullScore]), s.Config, s.AMS[study.FullScore]}
		for _, v := range res.Variants {
			row = append(row, s.AMS[v.Name], int64(s.Rank[v.Name]))
		}
		rows = append(rows, row)
	}
	return export.NewTable(columns, rows)
}

// Fidelity is one row: a subset against the whole.
func Fidelity(res *study.Fidelity) *export.Table {
	return export.NewTable([]export.Column{
		{Name: "subset", Kind: export.Text},
		{Name: "against", Kind: export.Text},
		{Name: "configs", Kind: export.Integer},
		{Name: "spearman", Kind: export.Number},
		{Name: "kendall", Kind: export.Number},
		{Name: "mae", Kind: export.Number},
		{Name: "max_rank_shift", Kind: export.Integer},
		{Name: "top1_same", Kind: export.Bool},
		{Name: "top3_same", Kind: export.Bool},
		{Name: "winner", Kind: export.Text},
	}, [][]any{{
		res.Subset, res.Against, int64(res.Configs), optional(res.Spearman), optional(res.Kendall), optional(res.MAE),
		optionalInt(res.MaxRankShift), optionalBool(res.Top1Same), optionalBool(res.Top3Same), names(res.Winner),
	}})
}

func optionalBool(x *bool) any {
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
func Criteria(res *study.Rankings) *export.Table {
	var rows [][]any
	for _, c := range res.Criteria {
		rows = append(rows, []any{c.Criterion, c.Better, int64(c.Configs), optional(c.Spearman), optional(c.Kendall), names(c.Leader)})
	}
	return export.NewTable([]export.Column{{Name: "criterion", Kind: export.Text}, {Name: "better", Kind: export.Text}, {Name: "configs", Kind: export.Integer}, {Name: "spearman", Kind: export.Number}, {Name: "kendall", Kind: export.Number}, {Name: "leader", Kind: export.Text}}, rows)
}

// CriterionRanks is a row a configuration: its rank by every criterion. people
// says whether short names are wanted and the figures left out.
func CriterionRanks(res *study.Rankings, people bool) *export.Table {
	columns := []export.Column{{Name: "config", Kind: export.Text}}
	for _, c := range res.Criteria {
		if people {
			columns = append(columns, export.Column{Name: criterionLabels[c.Criterion], Kind: export.Integer})
			continue
		}
		columns = append(columns, export.Column{Name: c.Criterion, Kind: export.Number}, export.Column{Name: c.Criterion + "_rank", Kind: export.Integer})
	}
	var rows [][]any
	for _, r := range res.Configs {
		row := []any{r.Config}
		for _, c := range res.Criteria {
			if !people {
				row = append(row, optional(r.Values[c.Criterion]))
			}
			row = append(row, optionalInt(r.Ranks[c.Criterion]))
		}
		rows = append(rows, row)
	}
	return export.NewTable(columns, rows)
}

// SubsetTasks is a row a proposed task.
func SubsetTasks(res *study.Subset) *export.Table {
	var rows [][]any
	for _, t := range res.Tasks {
		rows = append(rows, []any{t.Benchmark, t.Task})
	}
	return export.NewTable([]export.Column{{Name: "benchmark", Kind: export.Text}, {Name: "task", Kind: export.Text}}, rows)
}

// PairedTasks is a row a shared task: who wins where.
func PairedTasks(res *study.ConfigComparison) *export.Table {
	var rows [][]any
	who := map[string]any{scoring.AheadA: "A", scoring.AheadB: "B", "": "="}
	for _, d := range res.PerTask {
		rows = append(rows, []any{
			d.Benchmark, d.Task, d.Stratum.String(), d.RewardA, d.RewardB, who[d.Ahead], optional(d.CostA), optional(d.CostB), who[d.AheadAMS],
		})
	}
	return export.NewTable([]export.Column{
		{Name: "benchmark", Kind: export.Text},
		{Name: "task", Kind: export.Text},
		{Name: "stratum", Kind: export.Text},
		{Name: "reward_a", Kind: export.Number},
		{Name: "reward_b", Kind: export.Number},
		{Name: "ahead", Kind: export.Text},
		{Name: "cost_a_usd", Kind: export.Number},
		{Name: "cost_b_usd", Kind: export.Number},
		{Name: "ahead_ams", Kind: export.Text},
	}, rows)
}
