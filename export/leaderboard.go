package export

import (
	"fmt"

	"amdb/scoring/study"
)

// Leaderboard is the ranked configurations as a flat table, the figures that
// people look for first in front: with intervals, these right behind the score.
func Leaderboard(res *study.Scores) *Table {
	columns := []Column{{Name: "rank", Kind: Integer}, {Name: "config", Kind: Text}, {Name: "ams", Kind: Number, Bar: true}}
	if res.CI != nil {
		columns = append(columns, Column{Name: "ams_lo", Kind: Number}, Column{Name: "ams_hi", Kind: Number}, Column{Name: "rank_lo", Kind: Integer}, Column{Name: "rank_hi", Kind: Integer},
			Column{Name: "p_best", Kind: Number}, Column{Name: "tier", Kind: Integer}, Column{Name: "degenerate", Kind: Bool})
	}
	if len(res.Leaderboard) > 0 {
		for _, k := range res.Leaderboard[0].PassK {
			columns = append(columns, Column{Name: fmt.Sprintf("pass_at_%d", k.K), Kind: Number}, Column{Name: fmt.Sprintf("pass_hat_%d", k.K), Kind: Number})
		}
	}
	more := len(columns) - 3
	columns = append(columns, []Column{
		{Name: "tq", Kind: Number},
		{Name: "aubqc", Kind: Number},
		{Name: "efr", Kind: Number},
		{Name: "easy_ams", Kind: Number},
		{Name: "medium_ams", Kind: Number},
		{Name: "hard_ams", Kind: Number},
		{Name: "mean_reward", Kind: Number},
		{Name: "passes", Kind: Integer},
		{Name: "runs", Kind: Integer},
		{Name: "total_cost_usd", Kind: Number},
		{Name: "usd_per_pass", Kind: Number},
		{Name: "tokens_per_pass", Kind: Number},
		{Name: "pareto", Kind: Bool},
		{Name: "pass_rate", Kind: Number},
		{Name: "successful_usd_per_pass", Kind: Number},
		{Name: "successful_tokens_per_pass", Kind: Number},
		{Name: "known_cost_usd", Kind: Number},
		{Name: "cost_known_runs", Kind: Integer},
		{Name: "scored_runs", Kind: Integer},
		{Name: "model", Kind: Text},
		{Name: "cli", Kind: Text},
	}...)
	if len(res.Leaderboard) > 0 {
		for _, k := range res.Leaderboard[0].PassK {
			columns = append(columns, Column{Name: fmt.Sprintf("tasks_below_%d", k.K), Kind: Integer})
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
