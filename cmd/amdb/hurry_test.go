//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An export that is stopped says so, leaves nothing behind, and keeps the file
// and the folder that were there before.
func TestAStoppedExportLeavesNothing(t *testing.T) {
	amdb, bench := built(t)
	dir := t.TempDir()
	runs, db := filepath.Join(dir, "runs.parquet"), filepath.Join(dir, "a.duckdb")
	out := filepath.Join(t.TempDir(), "out")
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	do := func(args ...string) {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		if b, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, b)
		}
	}
	do(bench, "--step", "data", runs, "1000000", "28", "80")
	do(amdb, "--db", db, "load", runs)
	file := filepath.Join(out, "runs.parquet")
	if err := os.WriteFile(file, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	cut := 0
	for _, wait := range []int{150, 300, 450, 600} {
		// A small limit, so that it spills: that must go too.
		cmd := exec.Command(amdb, "--db", db, "--memory-limit", "100MB", "export", file)
		var errs strings.Builder
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(wait) * time.Millisecond)
		_ = cmd.Process.Signal(os.Interrupt)
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) {
			continue // it was done already
		}
		cut++
		if exit.ExitCode() != 130 || !strings.HasPrefix(errs.String(), interrupted) {
			t.Errorf("after %v ms: exit code %d: %s", wait, exit.ExitCode(), errs.String())
		}
		for where, want := range map[string]string{dir: "a.duckdb runs.parquet", out: "runs.parquet"} {
			if got := names(t, where); got != want {
				t.Errorf("after %v ms: there are %s, want %s", wait, got, want)
			}
		}
		if b, err := os.ReadFile(file); err != nil || string(b) != "before" {
			t.Errorf("after %v ms: the file of before is %d bytes: %v", wait, len(b), err)
		}
	}
	if cut < 2 {
		t.Errorf("%d exports were stopped: too few to show anything", cut)
	}
}

// names are the names in a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}
