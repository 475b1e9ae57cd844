package ingest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"amdb/sql/ingest"
)

// A golden set as Parquet, whose names are dictionaries of many words and some of
// whose cells are empty, is stored as the same set as JSON Lines is.
func TestParquetIsStoredAsJSONLinesAre(t *testing.T) {
	ctx := context.Background()
	lines, err := os.ReadFile(filepath.Join("..", "..", "testdata", "golden", "attempts.runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	asJSON, asParquet := open(t), open(t)
	mustLoad(t, asJSON, [2]string{"a.jsonl", string(lines)})
	path := filepath.Join(t.TempDir(), "a.parquet")
	query := "SELECT run_id, benchmark AS source, task, model, cli, description, attempt, reward, cost_usd, input_tokens, cached_input_tokens, output_tokens, total_tokens, steps FROM runs ORDER BY hash(run_id)"
	if err := asJSON.CopyParquet(ctx, query, path, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.Load(ctx, asParquet, ingest.Options{Paths: []string{path}, Format: "auto", OnConflict: ingest.ConflictError, Now: time.Unix(1e9, 0), Version: "test"}); err != nil {
		t.Fatal(err)
	}
	all := "SELECT count(*) || ' ' || count(DISTINCT task) || ' ' || md5(string_agg(CAST(r AS VARCHAR), '|' ORDER BY r.run_id)) FROM (SELECT * EXCLUDE (load_id) FROM runs) AS r"
	if want, got := one(t, asJSON, all), one(t, asParquet, all); got != want {
		t.Errorf("as Parquet %s, as JSON Lines %s", got, want)
	}
}

// Columns that have their type already are held to their bounds too, each wrong
// value with its row, its column and why; an empty cell is no value.
func TestTypedValuesAreHeldToTheirBounds(t *testing.T) {
	ctx := context.Background()
	for what, c := range map[string]struct{ values, column, reason string }{
		"a reward above 1":   {"1.5::DOUBLE AS reward", "reward", "is outside [0,1]"},
		"a reward below 0":   {"-1e-9::DOUBLE AS reward", "reward", "is outside [0,1]"},
		"a reward of NaN":    {"'nan'::DOUBLE AS reward", "reward", "is not finite"},
		"a cost below 0":     {"1.0::DOUBLE AS reward, -0.25::DOUBLE AS cost_usd", "cost_usd", "is below 0"},
		"an endless cost":    {"1.0::DOUBLE AS reward, 'inf'::DOUBLE AS cost_usd", "cost_usd", "is not finite"},
		"tokens below 0":     {"1.0::DOUBLE AS reward, -1::BIGINT AS total_tokens", "total_tokens", "is below 0"},
		"an attempt below 1": {"1.0::DOUBLE AS reward, 0::BIGINT AS attempt", "attempt", "is below 1"},
	} {
		db, path := open(t), filepath.Join(t.TempDir(), "a.parquet")
		query := "SELECT 't' || i AS task, 'm' AS model, 'c' AS cli, w.* FROM range(4) AS r(i) LEFT JOIN (SELECT " + c.values + ") AS w ON i = 2 ORDER BY i"
		if err := db.CopyParquet(ctx, query, path, nil); err != nil {
			t.Fatal(err)
		}
		res, err := ingest.Load(ctx, db, ingest.Options{Paths: []string{path}, Format: "auto", OnConflict: ingest.ConflictError, AllowRejects: true, Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Rejects) != 1 || res.Rejects[0].Reason != c.reason || res.Rejects[0].Column != c.column || res.Rejects[0].Row != 3 || one(t, db, "SELECT count(*) FROM runs") != "3" {
			t.Errorf("%s: %+v", what, res.Rejects)
		}
	}
}
