package sql

import "context"

// StageIssues makes ready for reading quality_issues over any number of runs in
// little memory: its parts that pass over all runs are counted one after another
// into a temporary table in place of the view flag_sums, where one query would
// hold them all at once.
func (db *DB) StageIssues(ctx context.Context) error {
	// Temporary views find the temporary table; those of the file do not.
	if err := db.makeTempViews(ctx, storedViews); err != nil {
		return err
	}
	return db.Exec(ctx, Query("stage_issues"))
}
