package ingest

import (
	"context"
	_ "embed" // the query

	"amdb/sql"
)

//go:embed queries/names.sql
var namesSQL string

// nameKeys gives every key its name in force. Without aliases the names are the
// sources' own, as the keys came in.
func nameKeys(ctx context.Context, db *sql.DB) error {
	var aliases int
	if err := db.Row(ctx, "SELECT count(*) FROM aliases", nil, &aliases); err != nil || aliases == 0 {
		return err
	}
	return db.Exec(ctx, namesSQL)
}

// countFlags counts the runs that show a fault, for score and calibrate to warn
// from: of the loads from one on. Whatever writes runs, prices or aliases ends
// with it; 0 counts all anew.
func countFlags(ctx context.Context, db *sql.DB, from int32) error {
	if from <= 0 {
		if err := db.Exec(ctx, "DELETE FROM flagged_cells"); err != nil {
			return err
		}
	}
	return db.Exec(ctx, sql.Query("count_flags"), from)
}
