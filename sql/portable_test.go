package sql

import (
	"context"
	"path/filepath"
	"testing"
)

// DuckDB before 1.1 does not open a file with an index, and 1.0 is the oldest
// that must read ours.
func TestAFileHoldsNothingThatAnOlderDuckDBCannotRead(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "t.duckdb"), Options{Mode: Make})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var keys int
	if err := db.Row(ctx, "SELECT count(*) FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')", nil, &keys); err != nil || keys != 0 {
		t.Errorf("%d keys, %v", keys, err)
	}
	if err := db.Row(ctx, "SELECT count(*) FROM duckdb_indexes()", nil, &keys); err != nil || keys != 0 {
		t.Errorf("%d indexes, %v", keys, err)
	}
}
