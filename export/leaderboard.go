package export

import "amdb/scoring/study"

// Leaderboard is the ranked configurations as a flat table, the figures that
// people look for first in front.
func Leaderboard(res *study.Scores) *Table {
	columns := []Column{
		{"rank", Integer},
		{"config", Text},
		{"ams", Number},
		{"tq", Number},
		{"aubqc", Number},
		{"efr", Number},
		{"easy_ams", Number},
		{"medium_ams", Number},
		{"hard_ams", Number},
		{"mean_reward", Number},
		{"passes", Integer},
		{"runs", Integer},
		{"total_cost_usd", Number},
		{"usd_per_pass", Number},
		{"tokens_per_pass", Number},
		{"pareto", Bool},
		{"pass_rate", Number},
		{"successful_usd_per_pass", Number},
		{"successful_tokens_per_pass", Number},
		{"known_cost_usd", Number},
		{"cost_known_runs", Integer},
		{"scored_runs", Integer},
		{"model", Text},
		{"cli", Text},
	}
	var rows [][]any
	for _, s := range res.Leaderboard {
		rows = append(rows, []any{
			int64(s.Rank), s.Config, s.AMS, s.TQ, s.AUBQC, s.EFR,
			s.Strata[0].AMS, s.Strata[1].AMS, s.Strata[2].AMS,
			s.MeanReward, int64(s.Passes), int64(s.Runs),
			maybe(s.TotalCostUSD), maybe(s.USDPerPass), maybe(s.TokensPerPass), s.Pareto,
			maybe(s.PassRate), maybe(s.PassUSDPerPass), maybe(s.PassTokenPerPass),
			s.KnownCostUSD, int64(s.CostKnownRuns), int64(s.ScoredRuns),
			s.Model, s.CLI,
		})
	}
	t := NewTable(columns, rows)
	t.Brief = 16
	return t
}

// maybe is a number, or NULL.
func maybe(x *float64) any {
	if x == nil {
		return nil
	}
	return *x
}
