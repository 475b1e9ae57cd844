package study

import (
	"context"

	"amdb/sql"
)

// Status is what a database holds, in numbers.
type Status struct {
	Path          string `json:"database"`
	Runs          int64  `json:"runs"`
	Configs       int64  `json:"configs"`
	Tasks         int64  `json:"tasks"`
	Benchmarks    int64  `json:"benchmarks"`
	Descriptions  int64  `json:"descriptions"`
	MissingReward int64  `json:"missing_reward"`
	MissingCost   int64  `json:"missing_cost"`
	Priced        int64  `json:"priced"`
	MissingTokens int64  `json:"missing_tokens"`
	MissingSteps  int64  `json:"missing_steps"`
	Loads         int64  `json:"loads"`
	Rejects       int64  `json:"rejects"`
	Prices        int64  `json:"prices"`
	Sets          int64  `json:"task_sets"`
	Calibrations  int64  `json:"calibrations"`
	Saved         int64  `json:"saved_scores"`
}

// ReadStatus counts what the database holds.
func ReadStatus(ctx context.Context, db *sql.DB) (*Status, error) {
	s := &Status{Path: db.Path}
	return s, db.Row(ctx, sql.Query("status"), nil,
		&s.Runs, &s.Configs, &s.Tasks, &s.Benchmarks, &s.Descriptions, &s.MissingReward, &s.MissingCost, &s.Priced,
		&s.MissingTokens, &s.MissingSteps, &s.Loads, &s.Rejects, &s.Prices, &s.Sets, &s.Calibrations, &s.Saved)
}
