package sql_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The view run_flags passes over most runs by plain comparisons. Here every
// column takes every kind of value beside every other, and the view without
// that first look gives the same marks.
func TestTheFirstLookMissesNoMark(t *testing.T) {
	db, ctx := open(t), t.Context()
	text, err := os.ReadFile("views/stored/run_flags.sql")
	if err != nil {
		t.Fatal(err)
	}
	first := regexp.MustCompile(`(?s)    -- Most runs have no mark.*?\n\),\nmarked`)
	slow := first.ReplaceAllString(string(text), "),\nmarked")
	if slow == string(text) || strings.Contains(slow, "WHERE r.reward IS NULL") {
		t.Fatal("the first look is not where this test takes it out")
	}
	pick := func(column string, values ...string) string {
		return fmt.Sprintf("[%s][1 + CAST(hash(i, '%s') %% %d AS INTEGER)] AS %s", strings.Join(values, ", "), column, len(values), column)
	}
	err = db.Exec(ctx, `
		INSERT INTO loads (load_id, path, format, sha256, loaded_at, amdb_version, read, inserted, unchanged, replaced, skipped, rejected)
		VALUES (1, 'x', 'x', 'x', '2026-01-10T00:00:00Z', 'x', 0, 0, 0, 0, 0, 0);
		INSERT INTO stored_runs BY NAME SELECT CAST(i AS VARCHAR) AS run_id, 0 AS task_key, 0 AS config_key, 0 AS description_key, 1 AS load_id, i AS source_row, `+strings.Join([]string{
		pick("reward", "NULL", "0.0", "0.5", "1.0", "0.7", "0.3"),
		pick("reported_cost_usd", "NULL", "0.0", "0.1", "0.2", "1.0", "0.3"),
		pick("priced_cost_usd", "NULL", "0.0", "0.1", "0.45", "NULL"),
		pick("cost_source", "NULL", "'reported'", "'priced'"),
		pick("input_tokens", "NULL", "0", "10", "5000000", "9223372036854775807"),
		pick("cached_input_tokens", "NULL", "0", "10", "11"),
		pick("output_tokens", "NULL", "0", "5", "9223372036854775807"),
		pick("total_tokens", "NULL", "0", "10", "15", "5000005", "9223372036854775807"),
		pick("steps", "NULL", "0", "1", "3", "100000"),
		pick("started_at", "NULL", "TIMESTAMPTZ '2026-01-01T00:00:00Z'", "TIMESTAMPTZ '2026-02-01T00:00:00Z'"),
		pick("finished_at", "NULL", "TIMESTAMPTZ '2026-01-02T00:00:00Z'", "TIMESTAMPTZ '2025-01-02T00:00:00Z'"),
		pick("status", "NULL", "'ok'", "'agent_timeout'", "'docker error'", "'verifier failed'"),
	}, ", ")+" FROM range(300000) AS t(i)")
	if err != nil {
		t.Fatal(err)
	}
	var kinds, unmarked, differ int
	if err := db.Row(ctx, "SELECT count(DISTINCT kind), 300000 - count(DISTINCT run_id) FROM run_flags", nil, &kinds, &unmarked); err != nil {
		t.Fatal(err)
	}
	if kinds < 17 || unmarked < 100 {
		t.Errorf("%d kinds of mark and %d runs without: too few to tell", kinds, unmarked)
	}
	err = db.Row(ctx, "SELECT count(*) FROM ((FROM run_flags EXCEPT ALL FROM ("+slow+")) UNION ALL (FROM ("+slow+") EXCEPT ALL FROM run_flags))", nil, &differ)
	if err != nil || differ > 0 {
		t.Errorf("%d marks differ: %v", differ, err)
	}
}
