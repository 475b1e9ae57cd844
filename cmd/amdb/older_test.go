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

// makeOlder makes a database file of today an older one.
func makeOlder(t *testing.T, file string) {
	t.Helper()
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
}

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
	makeOlder(t, file)
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

// A command that writes brings an older file up and does what it does in one of
// today: here it selects, stores the choice, and later runs are scored by it.
func TestSelectingInAnOlderFile(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	sources := put("sources.csv", `benchmark,task,model,cli,description,reward,cost,attempt
b,t1,m,a,original,0.5,1,1
b,t2,m,a,original,0.5,1,1
b,t3,m,a,original,0.5,1,1
b,t1,m,b,original,0.2,1,1
b,t2,m,b,original,0.2,2,1
b,t3,m,b,original,0,3,1
b,t1,m,a,m/a#1,0.9,1,1
b,t1,m,a,m/a#1,0.5,1,2
b,t1,m,a,m/a#2,0.8,2,1
b,t2,m,a,m/a#1,0.1,1,1
`)
	gate := put("gate.csv", "benchmark,task,source,candidate,preserved,reason\nb,t1,m/a,1,true,\nb,t1,m/a,2,true,\nb,t2,m/a,1,true,\n")
	targets := put("targets.csv", `benchmark,task,model,cli,description,reward,cost
b,t1,m,b,m/a#2,0.7,1
b,t2,m,b,m/a,0.6,1
b,t3,m,a,m/a,0.5,1
b,t3,m,b,m/a,0.4,1
`)
	answers := func(name string, old bool) (out []string) {
		file := filepath.Join(dir, name)
		for _, args := range [][]string{
			{"load", sources},
			{"calibrate", "main", "--effort-terms", "zero"},
			{"select", "--gate", gate},
			{"select", "-f", "csv"},
			{"sql", "SELECT * FROM selection_choices ORDER BY ALL", "-f", "csv"},
			{"load", targets},
			{"score", "--condition", "m/a", "-f", "json"},
		} {
			if old && args[0] == "select" {
				makeOlder(t, file)
				old = false
			}
			code, text, errs := runIn(t, t.Context(), nil, append([]string{"--db", file}, args...)...)
			if code != 0 {
				t.Fatalf("%s: %v: exit code %d: %s", name, args, code, errs)
			}
			if args[0] != "load" {
				out = append(out, text)
			}
		}
		return out
	}
	today, got := answers("today.duckdb", false), answers("older.duckdb", true)
	for i := range today {
		if got[i] != today[i] {
			t.Errorf("an older file gives\n%.2000s\nand not\n%.2000s", got[i], today[i])
		}
	}
	if !strings.Contains(today[1], "m/a#2") {
		t.Errorf("nothing is selected, so nothing is shown:\n%s", today[1])
	}
}
