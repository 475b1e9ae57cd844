package sql

import (
	"context"
	stdsql "database/sql"
	"path/filepath"
	"testing"
)

// A file of format 1 is read as it is, and any command that writes brings it to
// the format of today.
func TestAnOlderFileIsReadAndMigratedByAWrite(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "old.duckdb")
	raw, err := stdsql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	first, err := migrations.ReadFile("migrations/00001_init.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{string(first), "INSERT INTO meta VALUES ('format', '1')"} {
		if _, err := raw.ExecContext(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	open := func(mode Mode) *DB {
		db, err := Open(ctx, path, Options{Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	format := func(db *DB) (n int) {
		if err := db.Row(ctx, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'format'", nil, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	db := open(Read)
	if db.Has(2) || !db.Has(1) || format(db) != 1 {
		t.Error("reading changed the file, or mistook its format")
	}
	db.Close()
	db = open(Write)
	if !db.Has(2) || format(db) != FormatVersion {
		t.Error("writing did not bring the file up to date")
	}
	var n int
	if err := db.Row(ctx, "SELECT count(*) FROM selections", nil, &n); err != nil || n != 0 {
		t.Error(n, err)
	}
	db.Close()
	db = open(Read)
	defer db.Close()
	if !db.Has(2) {
		t.Error("the format is not kept")
	}
}

// Views that another amdb wrote are brought up by a command that writes, and
// only read until then.
func TestViewsAreBroughtUpByAWrite(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "t.duckdb")
	view := func(mode Mode, setup string) (text string) {
		db, err := Open(ctx, path, Options{Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		db.Keep()
		if err := db.Row(ctx, "SELECT sql FROM duckdb_views() WHERE view_name = 'budgets'", nil, &text); err != nil {
			t.Fatal(err)
		}
		if setup != "" {
			if err := db.Exec(ctx, setup); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		return text
	}
	today := view(Make, "CREATE OR REPLACE VIEW budgets AS SELECT 1 AS other; UPDATE meta SET value = 'of another amdb' WHERE key = 'views'")
	if view(Read, "") == today {
		t.Fatal("the view was not changed")
	}
	if view(Write, "") != today {
		t.Error("a write left another amdb's view")
	}
	if view(Read, "") != today {
		t.Error("the view is not kept")
	}
}
