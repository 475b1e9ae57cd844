package study

import (
	"context"
	"encoding/json"
	"time"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// Save stores a leaderboard under a name that is free, in tables that any
// DuckDB reads.
func Save(ctx context.Context, db *sql.DB, res *Scores, name, version string, now time.Time) error {
	var taken int
	if err := db.Row(ctx, "SELECT count(*) FROM saved_scores WHERE name = ?", []any{name}, &taken); err != nil {
		return err
	}
	if taken > 0 {
		return schema.Faultf(schema.Failed, "--save "+name, "choose another name: a saved score never changes", "the name is taken")
	}
	doc, err := json.Marshal(res)
	if err != nil {
		return err
	}
	var board, strata [][]any
	for _, s := range res.Leaderboard {
		board = append(board, []any{
			name, int32(s.Rank), s.Config, s.Model, s.CLI, s.AMS, s.TQ, s.AUBQC, s.EFR, int64(s.Runs), s.MeanReward,
			int64(s.Passes), nullable(s.PassRate), nullable(s.TotalCostUSD), nullable(s.USDPerPass), nullable(s.TokensPerPass), s.Pareto, int32(0),
		})
		for _, st := range scoring.Strata {
			x := s.Strata[st]
			strata = append(strata, []any{name, s.Config, st.String(), int32(x.Tasks), x.TQ, x.AUBQC, x.EFR, x.AMS})
		}
	}
	for _, e := range res.Excluded {
		model, cli, _ := scoring.SplitConfig(e.Config)
		board = append(board, []any{
			name, nil, e.Config, model, cli, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, int32(e.MissingCells),
		})
	}
	p := res.Policies
	intervals := res.intervalRows(name)
	return db.Tx(ctx, func() error {
		if err := db.Insert("saved_scores", [][]any{{
			name, now.UTC(), version, res.Calibration.Name, res.Calibration.Digest, res.Condition, res.TaskSet, int32(res.Tasks), res.Alpha,
			p.MissingReward, p.MissingCost, p.Incomplete, string(doc),
		}}); err != nil {
			return err
		}
		if err := db.Insert("saved_leaderboard", board); err != nil {
			return err
		}
		if err := db.Insert("saved_strata", strata); err != nil {
			return err
		}
		return db.Insert("saved_intervals", intervals)
	})
}

// intervalRows are the rows of saved_intervals, none without --ci.
func (res *Scores) intervalRows(name string) [][]any {
	var rows [][]any
	for _, s := range res.Leaderboard {
		c := s.Certainty
		if c == nil {
			continue
		}
		rows = append(rows, []any{
			name, s.Config, nullable(c.AMSLo), nullable(c.AMSHi), nullableInt(c.RankLo), nullableInt(c.RankHi), nullable(c.PBest),
			int32(c.Tier), c.Degenerate, int32(res.CI.Draws), res.CI.Seed, res.CI.Confidence,
		})
	}
	return rows
}

// nullableInt is a pointer's value as an INTEGER, or NULL.
func nullableInt(x *int) any {
	if x == nil {
		return nil
	}
	return int32(*x)
}
