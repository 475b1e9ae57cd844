package table

import (
	"fmt"

	"amdb/export"
	"amdb/scoring/study"
)

// Leaderboard is the ranked configurations as a flat table, the figures that
// people look for first in front: with intervals, these right behind the score.
func Leaderboard(res *study.Scores) *export.Table {
	columns := []export.Column{{Name: "rank", Kind: export.Integer}, {Name: "config", Kind: export.Text}, {Name: "ams", Kind: export.Number, Bar: true}}
	if res.CI != nil {
		columns = append(columns, export.Column{Name: "ams_lo", Kind: export.Number}, export.Column{Name: "ams_hi", Kind: export.Number}, export.Column{Name: "rank_lo", Kind: export.Integer}, export.Column{Name: "rank_hi", Kind: export.Integer},
			export.Column{Name: "p_best", Kind: export.Number}, export.Column{Name: "tier", Kind: export.Integer}, export.Column{Name: "degenerate", Kind: export.Bool})
	}
	if len(res.Leaderboard) > 0 {
		for _, k := range res.Leaderboard[0].PassK {
			columns = append(columns, export.Column{Name: fmt.Sprintf("pass_at_%d", k.K), Kind: export.Number}, export.Column{Name: fmt.Sprintf("pass_hat_%d", k.K), Kind: export.Number})
		}
	}
	more := len(columns) - 3
	columns = append(columns, []export.Column{
		{Name: "tq", Kind: export.Number},
		{Name: "aubqc", Kind: export.Number},
		{Name: "efr", Kind: export.Number},
		{Name: "easy_ams", Kind: export.Number},
		{Name: "medium_ams", Kind: export.Number},
		{Name: "hard_ams", Kind: export.Number},
		{Name: "mean_reward", Kind: export.Number},
		{Name: "passes", Kind: export.Integer},
		{Name: "runs", Kind: export.Integer},
		{Name: "total_cost_usd", Kind: export.Number},
		{Name: "usd_per_pass", Kind: export.Number},
		{Name: "tokens_per_pass", Kind: export.Number},
		{Name: "pareto", Kind: export.Bool},
		{Name: "pass_rate", Kind: export.Number},
		{Name: "successful_usd_per_pass", Kind: export.Number},
		{Name: "successful_tokens_per_pass", Kind: export.Number},
		{Name: "known_cost_usd", Kind: export.Number},
		{Name: "cost_known_runs", Kind: export.Integer},
		{Name: "scored_runs", Kind: export.Integer},
		{Name: "model", Kind: export.Text},
		{Name: "cli", Kind: export.Text},
	}...)
	if len(res.Leaderboard) > 0 {
		for _, k := range res.Leaderboard[0].PassK {
			columns = append(columns, export.Column{Name: fmt.Sprintf("tasks_below_%d", k.K), Kind: export.Integer})
		}
	}
	var rows [][]any
	for _, s := range res.Leaderboard {
		row := []any{int64(s.Rank), s.Config, s.AMS}
		if c := s.Certainty; c != nil {
			row = append(row, optional(c.AMSLo), optional(c.AMSHi), optionalInt(c.RankLo), optionalInt(c.RankHi), optional(c.PBest), int64(c.Tier), c.Degenerate)
		}
		for _, k := range s.PassK {
			row = append(row, optional(k.PassAtK), optional(k.PassHatK))
		}
		row = append(row,
			s.TQ, s.AUBQC, s.EFR,
			s.Strata[0].AMS, s.Strata[1].AMS, s.Strata[2].AMS,
			s.MeanReward, int64(s.Passes), int64(s.Runs),
			optional(s.TotalCostUSD), optional(s.USDPerPass), optional(s.TokensPerPass), s.Pareto,
			optional(s.PassRate), optional(s.PassUSDPerPass), optional(s.PassTokenPerPass),
			s.KnownCostUSD, int64(s.CostKnownRuns), int64(s.ScoredRuns),
			s.Model, s.CLI,
		)
		for _, k := range s.PassK {
			row = append(row, int64(k.TooFew))
		}
		rows = append(rows, row)
	}
	t := export.NewTable(columns, rows)
	t.Brief = 16 + more
	return t
}

// optional is a number, or NULL.
func optional(x *float64) any {
	if x == nil {
		return nil
	}
	return *x
}

// optionalInt is an integer, or NULL.
func optionalInt(x *int) any {
	if x == nil {
		return nil
	}
	return int64(*x)
}
