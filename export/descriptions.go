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
		{"condition", Text}, {"macro_ams", Number}, {"macro_mean_reward", Number}, {"total_cost_usd", Number}, {"ranked", Integer}, {"leader", Text},
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
		{"condition", Text},
		{"config", Text},
		{"rank", Integer},
		{"ams", Number},
		{"tq", Number},
		{"aubqc", Number},
		{"efr", Number},
		{"mean_reward", Number},
		{"total_cost_usd", Number},
		{"mean_cost_usd", Number},
		{"runs", Integer},
	}, rows)
}

// AdaptedTargets is a row a target: how it fares when each task's description is
// drawn from the sources. The exact shares are there where they were computed.
func AdaptedTargets(res *study.Descriptions) *Table {
	columns := []Column{
		{"config", Text},
		{"first", Number},
		{"se", Number},
		{"mean_ams", Number},
		{"ams_q025", Number},
		{"ams_q25", Number},
		{"ams_q50", Number},
		{"ams_q75", Number},
		{"ams_q975", Number},
	}
	exact := res.Exact != nil
	if exact {
		columns = append(columns, Column{"exact_first", Number})
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
		{"benchmark", Text},
		{"task", Text},
		{"source", Text},
		{"selected", Text},
		{"reward", Number},
		{"cost_usd", Number},
		{"original_reward", Number},
		{"original_cost_usd", Number},
		{"candidates", Integer},
		{"preserved", Integer},
		{"reason", Text},
	}, rows)
}
