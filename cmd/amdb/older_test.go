package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"amdb/sql"
)

// older makes a database of today one of format 2, as amdb wrote it before there
// were aliases and flags.
const older = `
DROP VIEW IF EXISTS quality_issues; DROP VIEW IF EXISTS runs; DROP VIEW IF EXISTS configs; DROP VIEW IF EXISTS tasks; DROP VIEW IF EXISTS coverage;
DROP TABLE aliases; DROP TABLE price_aliases; DROP TABLE flagged_cells;
ALTER TABLE loads DROP COLUMN options;
ALTER TABLE task_keys DROP COLUMN raw_task; ALTER TABLE task_keys DROP COLUMN canonical_key;
ALTER TABLE config_keys DROP COLUMN raw_model; ALTER TABLE config_keys DROP COLUMN raw_cli; ALTER TABLE config_keys DROP COLUMN canonical_key;
UPDATE meta SET value = '2' WHERE key = 'format';
DELETE FROM meta WHERE key = 'views';`

// Every command that reads says the same of a file that an earlier amdb wrote as
// of one of today, and leaves it as it is.
func TestAnOlderFileReadsLikeOneOfToday(t *testing.T) {
	golden := filepath.Join("..", "..", "testdata", "golden")
	dir := t.TempDir()
	file := filepath.Join(dir, "amdb.duckdb")
	do := func(args ...string) string {
		t.Helper()
		code, out, errs := runIn(t, t.Context(), nil, append([]string{"--db", file}, args...)...)
		if code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, code, errs)
		}
		return out
	}
	do("load", filepath.Join(golden, "paper.runs.jsonl"))
	do("calibrate", "main")
	page, other := filepath.Join(dir, "page.html"), filepath.Join(dir, "cells.csv")
	readers := [][]string{
		{"status"},
		{"score", "-f", "json"},
		{"descriptions", "-f", "json"},
		{"sensitivity", "-f", "json"},
		{"check", "-f", "json"},
		{"rankings", "-f", "json"},
		{"sql", "SELECT * FROM runs ORDER BY run_id LIMIT 50", "-f", "csv"},
		{"report", page},
		{"export", other, "--view", "cells"},
	}
	answers := func() (out []string) {
		for _, r := range readers {
			text := do(r...)
			for _, f := range []string{page, other} {
				if b, err := os.ReadFile(f); err == nil {
					text += string(b)
					_ = os.Remove(f)
				}
			}
			out = append(out, text)
		}
		return out
	}
	today := answers()
	db, err := sql.Open(context.Background(), file, sql.Options{Mode: sql.Write})
	if err != nil {
		t.Fatal(err)
	}
	for q := range strings.SplitSeq(older, ";") {
		if strings.TrimSpace(q) == "" {
			continue
		}
		if err := db.Exec(context.Background(), q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range answers() {
		if got != today[i] {
			t.Errorf("%v: an older file gives\n%.2000s\nand not\n%.2000s", readers[i], got, today[i])
		}
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("reading changed the file (%v)", err)
	}
}
