package sql

import (
	"context"
	_ "embed" // the statements
	"fmt"
	"strings"
)

//go:embed lift/00003_trust.sql
var liftTrust string

// lift puts temporary tables and views over those of a file that an older amdb
// wrote and that is only read: every query sees the tables of today, and the
// file stays as it is.
func (db *DB) lift(ctx context.Context) error {
	if db.Has(3) {
		return nil
	}
	var file string
	if err := db.Row(ctx, "SELECT current_database()", nil, &file); err != nil {
		return err
	}
	if err := db.Exec(ctx, strings.ReplaceAll(liftTrust, "{{file}}", Quote(file)+".main")); err != nil {
		return fmt.Errorf("lifting an older file: %w", err)
	}
	return db.makeTempViews(ctx, storedViews)
}
