package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"amdb/schema/sample"
	"amdb/sql"
)

// smallDisk is a folder on a file system of its own of some size, where this
// process may mount one.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("SKIPPED: no small file system to be had: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// manyRuns writes a Parquet file of made-up runs.
func manyRuns(t *testing.T, path string, attempts int) {
	t.Helper()
	g := sample.Wide(1, 20, 100, attempts)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := sample.WriteParquet(f, g.Runs()); err != nil {
		t.Fatal(err)
	}
}

func TestAFullDiskIsAnErrorAndLosesNothing(t *testing.T) {
	dir := smallDisk(t, "size=12m")
	file := filepath.Join(dir, "amdb.duckdb")
	golden := filepath.Join("..", "..", "testdata", "golden", "ties.runs.jsonl")
	if code, _, errs := runIn(t, t.Context(), nil, "--db", file, "load", golden); code != 0 {
		t.Fatal(errs)
	}
	big := filepath.Join(t.TempDir(), "big.parquet")
	manyRuns(t, big, 200)
	code, _, errs := runIn(t, t.Context(), nil, "--db", file, "load", big)
	if code != 1 || !strings.Contains(errs, "no space left on the disk") || !strings.Contains(errs, "hint: free some space") {
		t.Errorf("exit code %d, stderr %s", code, errs)
	}
	if code, out, errs := runIn(t, t.Context(), nil, "--db", file, "sql", "-f", "csv", "SELECT count(*) FROM runs"); !strings.HasSuffix(out, "\n211\n") {
		t.Errorf("afterwards: %d %s %s", code, out, errs)
	}
}

func TestAReadOnlyDiskReadsAndRefusesToWrite(t *testing.T) {
	dir := smallDisk(t, "size=32m")
	file := filepath.Join(dir, "amdb.duckdb")
	golden := filepath.Join("..", "..", "testdata", "golden", "ties.runs.jsonl")
	if code, _, errs := runIn(t, t.Context(), nil, "--db", file, "load", golden); code != 0 {
		t.Fatal(errs)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("SKIPPED: no read-only file system to be had: %v", err)
	}
	if code, out, errs := runIn(t, t.Context(), nil, "--db", file, "sql", "-f", "csv", "SELECT count(*) FROM runs"); code != 0 || !strings.Contains(out, "211") {
		t.Errorf("reading: exit code %d, %s", code, errs)
	}
	for _, args := range [][]string{{"load", golden}, {"calibrate", "main"}, {"export", filepath.Join(dir, "x.parquet")}} {
		code, _, errs := runIn(t, t.Context(), nil, append([]string{"--db", file}, args...)...)
		if code != 1 || !strings.Contains(strings.ToLower(errs), "read-only") || strings.Count(errs, "\n") > 2 {
			t.Errorf("%v: exit code %d, stderr %s", args, code, errs)
		}
	}
}

func TestADatabaseOfANewerAmdbIsLeftAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "amdb.duckdb")
	db, err := sql.Open(t.Context(), file, sql.Options{Mode: sql.Make})
	if err != nil {
		t.Fatal(err)
	}
	db.Keep()
	if err := db.Exec(t.Context(), "UPDATE meta SET value = '99' WHERE key = 'format'"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"status"}, {"load", filepath.Join("..", "..", "testdata", "golden", "ties.runs.jsonl")}} {
		code, _, errs := runIn(t, t.Context(), nil, append([]string{"--db", file}, args...)...)
		if code != 1 || !strings.Contains(errs, "was written by a newer amdb (format 99") || !strings.Contains(errs, "hint: use the amdb that wrote it") {
			t.Errorf("%v: exit code %d, stderr %s", args, code, errs)
		}
	}
}
