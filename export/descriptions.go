package export

import (
	"amdb/scoring"
	"amdb/scoring/study"
)

// Conditions is a row a condition: its means over the targets and who leads.
func Conditions(res *study.Descriptions) *Table {
	var rows [][]any
	for _, c := range res.Conditions {
		rows = append(rows, []any{
			c.Condition, maybe(c.MacroAMS), maybe(c.MacroMeanReward), maybe(c.TotalCostUSD), int64(c.Ranked), names(c.Leader),
		})
	}
	return NewTable([]Column{
		{Name: "condition", Kind: Text}, {Name: "macro_ams", Kind: Number}, {Name: "macro_mean_reward", Kind: Number}, {Name: "total_cost_usd", Kind: Number}, {Name: "ranked", Kind: Integer}, {Name: "leader", Kind: Text},
	}, rows)
}

// ConditionTargets is a row a condition and target, with all its figures.
func ConditionTargets(res *study.Descriptions) *Table {
	var rows [][]any
	for _, c := range res.Conditions {
		for _, r := range c.Configs {
			rows = append(rows, []any{
				c.Condition, r.Config, maybeInt(r.Rank), maybe(r.AMS), maybe(r.TQ), maybe(r.AUBQC), maybe(r.EFR), maybe(r.MeanReward),
				maybe(r.TotalCostUSD), maybe(r.MeanCostUSD), int64(r.Runs),
			})
		}
	}
	return NewTable([]Column{
		{Name: "condition", Kind: Text},
		{Name: "config", Kind: Text},
		{Name: "rank", Kind: Integer},
		{Name: "ams", Kind: Number},
		{Name: "tq", Kind: Number},
		{Name: "aubqc", Kind: Number},
		{Name: "efr", Kind: Number},
		{Name: "mean_reward", Kind: Number},
		{Name: "total_cost_usd", Kind: Number},
		{Name: "mean_cost_usd", Kind: Number},
		{Name: "runs", Kind: Integer},
	}, rows)
}

// AdaptedTargets is a row a target: how it fares when each task's description is
// drawn from the sources. The exact shares are there where they were computed.
func AdaptedTargets(res *study.Descriptions) *Table {
	columns := []Column{
		{Name: "config", Kind: Text},
		{Name: "first", Kind: Number},
		{Name: "se", Kind: Number},
		{Name: "mean_ams", Kind: Number},
		{Name: "ams_q025", Kind: Number},
		{Name: "ams_q25", Kind: Number},
		{Name: "ams_q50", Kind: Number},
		{Name: "ams_q75", Kind: Number},
		{Name: "ams_q975", Kind: Number},
	}
	exact := res.Exact != nil
	if exact {
		columns = append(columns, Column{Name: "exact_first", Kind: Number})
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
			row := []any{l.Config, l.Share, maybe(l.SE), a.MeanAMS[l.Config], q.Q025, q.Q25, q.Q50, q.Q75, q.Q975}
			if exact {
				row = append(row, share(shares, l.Config))
			}
			rows = append(rows, row)
		}
	}
	return NewTable(columns, rows)
}

func share(of map[string]float64, config string) any {
	if v, ok := of[config]; ok {
		return v
	}
	return nil
}

// Choices is a row a task and source: the wording that was selected.
func Choices(choices []scoring.Choice) *Table {
	var rows [][]any
	for _, c := range choices {
		rows = append(rows, []any{
			c.Benchmark, c.Task, c.Source, c.Selected, maybe(c.Reward), maybe(c.CostUSD), maybe(c.OriginalReward), maybe(c.OriginalCostUSD),
			int64(c.Candidates), int64(c.Preserved), c.Reason,
		})
	}
	return NewTable([]Column{
		{Name: "benchmark", Kind: Text},
		{Name: "task", Kind: Text},
		{Name: "source", Kind: Text},
		{Name: "selected", Kind: Text},
		{Name: "reward", Kind: Number},
		{Name: "cost_usd", Kind: Number},
		{Name: "original_reward", Kind: Number},
		{Name: "original_cost_usd", Kind: Number},
		{Name: "candidates", Kind: Integer},
		{Name: "preserved", Kind: Integer},
		{Name: "reason", Kind: Text},
	}, rows)
}
