package export

import (
	"amdb/scoring"
	"amdb/scoring/study"
)

// PairFigures is the figures of two configurations and their difference.
func PairFigures(c *study.ConfigComparison) *Table {
	return NewTable([]Column{
		{Name: "figure", Kind: Text}, {Name: "a", Kind: Number}, {Name: "b", Kind: Number}, {Name: "difference", Kind: Number}, {Name: "lo", Kind: Number}, {Name: "hi", Kind: Number}, {Name: "se", Kind: Number}, {Name: "p_a_better", Kind: Number},
	}, [][]any{
		{"ams", maybe(c.AMSA), maybe(c.AMSB), maybe(c.Difference), maybe(c.Lo), maybe(c.Hi), nil, maybe(c.PBetter)},
		{"mean_reward", maybe(c.MeanRewardA), maybe(c.MeanRewardB), maybe(c.RewardDifference), nil, nil, maybe(c.RewardDifferenceSE), nil},
	})
}

// MovedBudgets is a row a stratum: the budget level that moved most, and the
// threshold.
func MovedBudgets(d scoring.CalibrationDiff) *Table {
	var rows [][]any
	for _, e := range d.Eta {
		row := []any{e.Stratum.String(), nil, nil, nil, nil, maybe(e.FromUSD), maybe(e.ToUSD), maybe(e.Relative)}
		for _, b := range d.Budgets {
			if b.Stratum == e.Stratum {
				row[1], row[2], row[3], row[4] = int64(b.Level), b.FromUSD, b.ToUSD, maybe(b.Relative)
			}
		}
		rows = append(rows, row)
	}
	return NewTable([]Column{
		{Name: "stratum", Kind: Text},
		{Name: "level", Kind: Integer},
		{Name: "budget_a_usd", Kind: Number},
		{Name: "budget_b_usd", Kind: Number},
		{Name: "relative", Kind: Number},
		{Name: "eta_a_usd", Kind: Number},
		{Name: "eta_b_usd", Kind: Number},
		{Name: "relative", Kind: Number},
	}, rows)
}

// MovedTasks is a row a task in another stratum.
func MovedTasks(d scoring.CalibrationDiff) *Table {
	var rows [][]any
	for _, m := range d.Changed {
		rows = append(rows, []any{m.Benchmark, m.Task, m.From.String(), m.To.String()})
	}
	return NewTable([]Column{{Name: "benchmark", Kind: Text}, {Name: "task", Kind: Text}, {Name: "in_a", Kind: Text}, {Name: "in_b", Kind: Text}}, rows)
}

// MovedRanks is a row a configuration with another rank.
func MovedRanks(d scoring.RankingDiff) *Table {
	var rows [][]any
	for _, m := range d.Moves {
		rows = append(rows, []any{m.Config, int64(m.From), int64(m.To), int64(m.From - m.To)})
	}
	return NewTable([]Column{{Name: "config", Kind: Text}, {Name: "rank_a", Kind: Integer}, {Name: "rank_b", Kind: Integer}, {Name: "places_up", Kind: Integer}}, rows)
}

// Alternatives is a row a choice that could have been made otherwise, and what
// it would change.
func Alternatives(res *study.Sensitivity) *Table {
	var rows [][]any
	for _, g := range []struct {
		kind string
		all  []study.Alternative
	}{{"without", res.LeaveOneOut}, {"eta quantile", res.EtaGrid}, {"budget levels", res.BudgetGrid}} {
		for _, a := range g.all {
			row := []any{g.kind, a.Choice, nil, nil, nil, nil, nil, nil}
			if a.Ranking != nil {
				r := a.Ranking
				row[2], row[3], row[4], row[5] = names(r.Winner), maybe(r.Spearman), maybe(r.Kendall), maybeInt(r.MaxRankShift)
				row[6] = int64(len(a.Moved.Changed))
				if b := a.Moved.Largest; b != nil {
					row[7] = maybe(b.Relative)
				}
			}
			rows = append(rows, row)
		}
	}
	return NewTable([]Column{
		{Name: "choice", Kind: Text},
		{Name: "value", Kind: Text},
		{Name: "leader", Kind: Text},
		{Name: "spearman", Kind: Number},
		{Name: "kendall", Kind: Number},
		{Name: "max_shift", Kind: Integer},
		{Name: "tasks_moved", Kind: Integer},
		{Name: "budget_moved", Kind: Number},
	}, rows)
}

// AlphaRanges is a row a range of weights in which the leaders stay: ranges
// that differ only further down are joined.
func AlphaRanges(s scoring.AlphaSensitivity) *Table {
	var rows [][]any
	for _, in := range s.Intervals {
		leader := names(in.Leader)
		if n := len(rows); n > 0 && rows[n-1][2] == leader {
			rows[n-1][1] = in.To
			rows[n-1][3] = rows[n-1][3].(int64) + 1
			continue
		}
		rows = append(rows, []any{in.From, in.To, leader, int64(1)})
	}
	return NewTable([]Column{{Name: "alpha_from", Kind: Number}, {Name: "alpha_to", Kind: Number}, {Name: "leader", Kind: Text}, {Name: "rankings", Kind: Integer}}, rows)
}
