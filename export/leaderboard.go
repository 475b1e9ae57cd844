package export

import (
	"fmt"

	"amdb/scoring/study"
)

// Leaderboard is the ranked configurations as a flat table, the figures that
// people look for first in front: with intervals, these right behind the score.
func Leaderboard(res *study.Scores) *Table {
	columns := []Column{{"rank", Integer}, {"config", Text}, {"ams", Number}}
	if res.CI != nil {
		columns = append(columns, Column{"ams_lo", Number}, Column{"ams_hi", Number}, Column{"rank_lo", Integer}, Column{"rank_hi", Integer},
			Column{"p_best", Number}, Column{"tier", Integer}, Column{"degenerate", Bool})
	}
	if len(res.Leaderboard) > 0 {
		for _, k := range res.Leaderboard[0].PassK {
			columns = append(columns, Column{fmt.Sprintf("pass_at_%d", k.K), Number}, Column{fmt.Sprintf("pass_hat_%d", k.K), Number})
		}
	}
	more := len(columns) - 3
	columns = append(columns, []Column{
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
	}...)
	if len(res.Leaderboard) > 0 {
		for _, k := range res.Leaderboard[0].PassK {
			columns = append(columns, Column{fmt.Sprintf("tasks_below_%d", k.K), Integer})
		}
	}
	var rows [][]any
	for _, s := range res.Leaderboard {
		row := []any{int64(s.Rank), s.Config, s.AMS}
		if c := s.Certainty; c != nil {
			row = append(row, maybe(c.AMSLo), maybe(c.AMSHi), maybeInt(c.RankLo), maybeInt(c.RankHi), maybe(c.PBest), int64(c.Tier), c.Degenerate)
		}
		for _, k := range s.PassK {
			row = append(row, maybe(k.PassAtK), maybe(k.PassHatK))
		}
		row = append(row,
			s.TQ, s.AUBQC, s.EFR,
			s.Strata[0].AMS, s.Strata[1].AMS, s.Strata[2].AMS,
			s.MeanReward, int64(s.Passes), int64(s.Runs),
			maybe(s.TotalCostUSD), maybe(s.USDPerPass), maybe(s.TokensPerPass), s.Pareto,
			maybe(s.PassRate), maybe(s.PassUSDPerPass), maybe(s.PassTokenPerPass),
			s.KnownCostUSD, int64(s.CostKnownRuns), int64(s.ScoredRuns),
			s.Model, s.CLI,
		)
		for _, k := range s.PassK {
			row = append(row, int64(k.TooFew))
		}
		rows = append(rows, row)
	}
	t := NewTable(columns, rows)
	t.Brief = 16 + more
	return t
}

// maybe is a number, or NULL.
func maybe(x *float64) any {
	if x == nil {
		return nil
	}
	return *x
}

// maybeInt is an integer, or NULL.
func maybeInt(x *int) any {
	if x == nil {
		return nil
	}
	return int64(*x)
}
