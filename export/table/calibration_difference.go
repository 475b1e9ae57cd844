package table

import (
	"amdb/export"
	"amdb/scoring"
	"amdb/scoring/study"
)

// PairFigures is the figures of two configurations and their difference.
func PairFigures(c *study.ConfigComparison) *export.Table {
	return export.NewTable([]export.Column{
		{Name: "figure", Kind: export.Text}, {Name: "a", Kind: export.Number}, {Name: "b", Kind: export.Number}, {Name: "difference", Kind: export.Number}, {Name: "lo", Kind: export.Number}, {Name: "hi", Kind: export.Number}, {Name: "se", Kind: export.Number}, {Name: "p_a_better", Kind: export.Number},
	}, [][]any{
		{"ams", optional(c.AMSA), optional(c.AMSB), optional(c.Difference), optional(c.Lo), optional(c.Hi), nil, optional(c.PBetter)},
		{"mean_reward", optional(c.MeanRewardA), optional(c.MeanRewardB), optional(c.RewardDifference), nil, nil, optional(c.RewardDifferenceSE), nil},
	})
}

// BudgetDifferences is a row a stratum: the budget level that moved most, and the
// threshold.
func BudgetDifferences(d scoring.CalibrationDiff) *export.Table {
	var rows [][]any
	for _, e := range d.Eta {
		row := []any{e.Stratum.String(), nil, nil, nil, nil, optional(e.FromUSD), optional(e.ToUSD), optional(e.Relative)}
		for _, b := range d.Budgets {
			if b.Stratum == e.Stratum {
				row[1], row[2], row[3], row[4] = int64(b.Level), b.FromUSD, b.ToUSD, optional(b.Relative)
			}
		}
		rows = append(rows, row)
	}
	return export.NewTable([]export.Column{
		{Name: "stratum", Kind: export.Text},
		{Name: "level", Kind: export.Integer},
		{Name: "budget_a_usd", Kind: export.Number},
		{Name: "budget_b_usd", Kind: export.Number},
		{Name: "relative", Kind: export.Number},
		{Name: "eta_a_usd", Kind: export.Number},
		{Name: "eta_b_usd", Kind: export.Number},
		{Name: "relative", Kind: export.Number},
	}, rows)
}

// StratumDifferences is a row a task in another stratum.
func StratumDifferences(d scoring.CalibrationDiff) *export.Table {
	var rows [][]any
	for _, m := range d.Changed {
		rows = append(rows, []any{m.Benchmark, m.Task, m.From.String(), m.To.String()})
	}
	return export.NewTable([]export.Column{{Name: "benchmark", Kind: export.Text}, {Name: "task", Kind: export.Text}, {Name: "in_a", Kind: export.Text}, {Name: "in_b", Kind: export.Text}}, rows)
}

// RankDifferences is a row a configuration with another rank.
func RankDifferences(d scoring.RankingDiff) *export.Table {
	var rows [][]any
	for _, m := range d.Moves {
		rows = append(rows, []any{m.Config, int64(m.From), int64(m.To), int64(m.From - m.To)})
	}
	return export.NewTable([]export.Column{{Name: "config", Kind: export.Text}, {Name: "rank_a", Kind: export.Integer}, {Name: "rank_b", Kind: export.Integer}, {Name: "places_up", Kind: export.Integer}}, rows)
}

// Alternatives is a row a choice that could have been made otherwise, and what
// it would change.
func Alternatives(res *study.Sensitivity) *export.Table {
	var rows [][]any
	for _, g := range []struct {
		kind string
		all  []study.Alternative
	}{{"without", res.LeaveOneOut}, {"eta quantile", res.EtaGrid}, {"budget levels", res.BudgetGrid}} {
		for _, a := range g.all {
			row := []any{g.kind, a.Choice, nil, nil, nil, nil, nil, nil}
			if a.Ranking != nil {
				r := a.Ranking
				row[2], row[3], row[4], row[5] = names(r.Winner), optional(r.Spearman), optional(r.Kendall), optionalInt(r.MaxRankShift)
				row[6] = int64(len(a.Moved.Changed))
				if b := a.Moved.Largest; b != nil {
					row[7] = optional(b.Relative)
				}
			}
			rows = append(rows, row)
		}
	}
	return export.NewTable([]export.Column{
		{Name: "choice", Kind: export.Text},
		{Name: "value", Kind: export.Text},
		{Name: "leader", Kind: export.Text},
		{Name: "spearman", Kind: export.Number},
		{Name: "kendall", Kind: export.Number},
		{Name: "max_shift", Kind: export.Integer},
		{Name: "tasks_moved", Kind: export.Integer},
		{Name: "budget_moved", Kind: export.Number},
	}, rows)
}

// AlphaRanges is a row a range of weights in which the leaders stay: ranges
// that differ only further down are joined.
func AlphaRanges(s scoring.AlphaSensitivity) *export.Table {
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
	return export.NewTable([]export.Column{{Name: "alpha_from", Kind: export.Number}, {Name: "alpha_to", Kind: export.Number}, {Name: "leader", Kind: export.Text}, {Name: "rankings", Kind: export.Integer}}, rows)
}
