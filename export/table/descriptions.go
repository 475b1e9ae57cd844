package table

import (
	"amdb/export"
	"amdb/scoring"
	"amdb/scoring/study"
)

// Conditions is a row a condition: its means over the targets and who leads.
func Conditions(res *study.Descriptions) *export.Table {
	var rows [][]any
	for _, c := range res.Conditions {
		rows = append(rows, []any{
			c.Condition, optional(c.MacroAMS), optional(c.MacroMeanReward), optional(c.TotalCostUSD), int64(c.Ranked), names(c.Leader),
		})
	}
	return export.NewTable([]export.Column{
		{Name: "condition", Kind: export.Text}, {Name: "macro_ams", Kind: export.Number}, {Name: "macro_mean_reward", Kind: export.Number}, {Name: "total_cost_usd", Kind: export.Number}, {Name: "ranked", Kind: export.Integer}, {Name: "leader", Kind: export.Text},
	}, rows)
}

// ConditionTargets is a row a condition and target, with all its figures.
func ConditionTargets(res *study.Descriptions) *export.Table {
	var rows [][]any
	for _, c := range res.Conditions {
		for _, r := range c.Configs {
			rows = append(rows, []any{
				c.Condition, r.Config, optionalInt(r.Rank), optional(r.AMS), optional(r.TQ), optional(r.AUBQC), optional(r.EFR), optional(r.MeanReward),
				optional(r.TotalCostUSD), optional(r.MeanCostUSD), int64(r.Runs),
			})
		}
	}
	return export.NewTable([]export.Column{
		{Name: "condition", Kind: export.Text},
		{Name: "config", Kind: export.Text},
		{Name: "rank", Kind: export.Integer},
		{Name: "ams", Kind: export.Number},
		{Name: "tq", Kind: export.Number},
		{Name: "aubqc", Kind: export.Number},
		{Name: "efr", Kind: export.Number},
		{Name: "mean_reward", Kind: export.Number},
		{Name: "total_cost_usd", Kind: export.Number},
		{Name: "mean_cost_usd", Kind: export.Number},
		{Name: "runs", Kind: export.Integer},
	}, rows)
}

// AdaptedTargets is a row a target: how it fares when each task's description is
// drawn from the sources. The exact shares are there where they were computed.
func AdaptedTargets(res *study.Descriptions) *export.Table {
	columns := []export.Column{
		{Name: "config", Kind: export.Text},
		{Name: "first", Kind: export.Number},
		{Name: "se", Kind: export.Number},
		{Name: "mean_ams", Kind: export.Number},
		{Name: "ams_q025", Kind: export.Number},
		{Name: "ams_q25", Kind: export.Number},
		{Name: "ams_q50", Kind: export.Number},
		{Name: "ams_q75", Kind: export.Number},
		{Name: "ams_q975", Kind: export.Number},
	}
	exact := res.Exact != nil
	if exact {
		columns = append(columns, export.Column{Name: "exact_first", Kind: export.Number})
	}
	shares := map[string]float64{}
	if exact {
		for _, l := range res.Exact.Leaders {
			shares[l.Config] = l.Share
		}
	}
	var rows [][]any
	if a := res.Adapted1; a != nil {
		for _, l := range a.Leaders {
			q := a.AMSQuantiles[l.Config]
			row := []any{l.Config, l.Share, optional(l.SE), a.MeanAMS[l.Config], q.Q025, q.Q25, q.Q50, q.Q75, q.Q975}
			if exact {
				row = append(row, share(shares, l.Config))
			}
			rows = append(rows, row)
		}
	}
	return export.NewTable(columns, rows)
}

func share(of map[string]float64, config string) any {
	if v, ok := of[config]; ok {
		return v
	}
	return nil
}

// Choices is a row a task and source: the wording that was selected.
func Choices(choices []scoring.Choice) *export.Table {
	var rows [][]any
	for _, c := range choices {
		rows = append(rows, []any{
			c.Benchmark, c.Task, c.Source, c.Selected, optional(c.Reward), optional(c.CostUSD), optional(c.OriginalReward), optional(c.OriginalCostUSD),
			int64(c.Candidates), int64(c.Preserved), c.Reason,
		})
	}
	return export.NewTable([]export.Column{
		{Name: "benchmark", Kind: export.Text},
		{Name: "task", Kind: export.Text},
		{Name: "source", Kind: export.Text},
		{Name: "selected", Kind: export.Text},
		{Name: "reward", Kind: export.Number},
		{Name: "cost_usd", Kind: export.Number},
		{Name: "original_reward", Kind: export.Number},
		{Name: "original_cost_usd", Kind: export.Number},
		{Name: "candidates", Kind: export.Integer},
		{Name: "preserved", Kind: export.Integer},
		{Name: "reason", Kind: export.Text},
	}, rows)
}
