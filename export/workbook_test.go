package export_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"amdb/export"
	"amdb/schema/source"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
	"amdb/sql/ingest"
)

// loaded is a database with the runs of files and a calibration called main
// over all their tasks.
func loaded(t testing.TB, rules scoring.Rules, files ...string) *sql.DB {
	t.Helper()
	ctx := context.Background()
	db, err := sql.Open(ctx, filepath.Join(t.TempDir(), "amdb.duckdb"), sql.Options{Mode: sql.Make})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if _, err := ingest.Load(ctx, db, ingest.Options{
		Paths: files, Format: "auto", Source: source.Options{}, OnConflict: ingest.ConflictError, Version: "test", Now: now,
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := study.Calibrate(ctx, db, study.CalibrateOptions{Name: "main", Tasks: "all", Rules: rules, Version: "test", Now: now}); err != nil {
		t.Fatal(err)
	}
	return db
}

func golden(name string) string { return filepath.Join("..", "testdata", "golden", name) }

// scored scores a database, over a task set of the golden files or all.
func scored(t testing.TB, db *sql.DB, o study.ScoreOptions) *study.Scores {
	t.Helper()
	if o.Policies == (study.Policies{}) {
		o.Policies = study.DefaultPolicies()
	}
	if o.Tasks == "" {
		o.Tasks = "all"
	}
	if o.Condition == "" {
		o.Condition = "original"
	}
	res, err := study.Score(context.Background(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// written writes a workbook and gives its path.
func written(t testing.TB, db *sql.DB, res *study.Scores, o export.WorkbookOptions) (string, export.Notes) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "review.xlsx")
	notes, err := export.WriteWorkbook(context.Background(), db, res, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return path, notes
}

func TestWriteSample(t *testing.T) {
	for _, name := range []string{"paper", "attempts", "ties"} {
		db := loaded(t, scoring.DefaultRules(), golden(name+".runs.jsonl"))
		res := scored(t, db, study.ScoreOptions{Tasks: "@" + golden(name+".core.txt")})
		n, err := export.WriteWorkbook(context.Background(), db, res, "/tmp/wb-"+name+".xlsx", export.WorkbookOptions{Version: "0.1.0"})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v", n)
	}
}
