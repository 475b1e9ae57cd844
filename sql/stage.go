package sql

import (
	"context"
	"strings"
)

// StageIssues makes ready for reading quality_issues over any number of runs in
// little memory: the views that pass over all runs are counted one after another
// into a temporary table behind the view flag_sums, where one query would hold
// them all at once. What changes later is not seen until it is called again.
func (db *DB) StageIssues(ctx context.Context) error {
	// The temporary views look at the temporary table; those of the file do not.
	if err := db.makeTempViews(ctx, storedViews); err != nil {
		return err
	}
	if err := db.Exec(ctx, "CREATE OR REPLACE TEMP TABLE counted_flags AS SELECT * FROM flag_sums LIMIT 0"); err != nil {
		return err
	}
	for _, view := range []string{"run_flags", "far_runs", "twin_runs"} {
		if err := db.Exec(ctx, "INSERT INTO counted_flags "+strings.ReplaceAll(Query("count_issues"), "{{view}}", view)); err != nil {
			return err
		}
	}
	return db.Exec(ctx, "CREATE OR REPLACE TEMP VIEW flag_sums AS SELECT * FROM counted_flags")
}

// StageCells counts the cells in scope once, into a temporary table behind the
// view cell_sums, for many views are made of them. The next SetScope undoes it.
func (db *DB) StageCells(ctx context.Context) error {
	if err := db.Exec(ctx, "CREATE OR REPLACE TEMP TABLE counted_cells AS SELECT * FROM cell_sums"); err != nil {
		return err
	}
	db.scoped = false
	return db.Exec(ctx, "CREATE OR REPLACE TEMP VIEW cell_sums AS SELECT * FROM counted_cells")
}

// stagedConfigs is how many configurations are paired with all others at once.
const stagedConfigs = 50

// StagePairs counts the pairs of configurations in scope into a temporary table
// behind the view pair_sums, some configurations after another: in one query the
// join of the cells with themselves is held whole. Where they are counted already,
// it does nothing; AnalysisViews undoes it.
func (db *DB) StagePairs(ctx context.Context) error {
	if db.paired {
		return nil
	}
	// An earlier call may have ended half-way.
	if err := db.makeViews(ctx, analysisViews); err != nil {
		return err
	}
	if err := db.Exec(ctx, `
		CREATE OR REPLACE TEMP TABLE counted_pair_cells AS SELECT * FROM pair_cells ORDER BY place;
		CREATE OR REPLACE TEMP VIEW pair_cells AS SELECT * FROM counted_pair_cells;
		CREATE OR REPLACE TEMP TABLE counted_pairs AS SELECT * FROM pair_sums LIMIT 0;`); err != nil {
		return err
	}
	var places int
	if err := db.Row(ctx, "SELECT coalesce(max(place), 0) FROM pair_cells", nil, &places); err != nil {
		return err
	}
	for from := 1; from <= places; from += stagedConfigs {
		if err := db.Exec(ctx, "INSERT INTO counted_pairs SELECT * FROM pair_sums WHERE a >= ? AND a < ?", from, from+stagedConfigs); err != nil {
			return err
		}
	}
	if err := db.Exec(ctx, "CREATE OR REPLACE TEMP VIEW pair_sums AS SELECT * FROM counted_pairs"); err != nil {
		return err
	}
	db.paired = true
	return nil
}
