package main

import (
	"bytes"
	stdsql "database/sql"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// built is the program as people run it, and the one that makes up runs: without
// the race detector, under which three million runs would take minutes.
func built(t *testing.T) (amdb, bench string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"amdb", "amdb-bench"} {
		cmd := exec.Command("go", "build", "-tags", "duckdb_arrow", "-o", filepath.Join(dir, name), "../"+name)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return filepath.Join(dir, "amdb"), filepath.Join(dir, "amdb-bench")
}

// sameRuns is how many runs the test takes: many enough that sums of doubles in
// parallel differ, which the test shows.
const sameRuns = 3_000_000

// Three million runs give the same digest, scores and bytes of Parquet with any
// number of threads, in any order, in one file or several, in memory or spilling
// to disk, and from kept cells. On the same runs an average of doubles does not.
func TestTheSameBits(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: three million runs")
	}
	amdb, bench := built(t)
	dir := t.TempDir()
	whole, shuffled := filepath.Join(dir, "whole.parquet"), filepath.Join(dir, "shuffled.parquet")
	if out, err := exec.Command(bench, "--step", "data", whole, fmt.Sprint(sameRuns), "28", "80").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	mem, err := stdsql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer mem.Close()
	exec1 := func(query string, args ...any) {
		t.Helper()
		if _, err := mem.Exec(fmt.Sprintf(query, args...)); err != nil {
			t.Fatal(err)
		}
	}
	exec1("COPY (SELECT * FROM '%s' ORDER BY hash(run_id)) TO '%s' (FORMAT parquet)", whole, shuffled)
	var split []string
	for i := range 5 {
		split = append(split, filepath.Join(dir, fmt.Sprintf("part%d.parquet", i)))
		exec1("COPY (SELECT * FROM '%s' WHERE hash(run_id, 1) %% 5 = %d) TO '%s' (FORMAT parquet)", shuffled, i, split[i])
	}

	// The naive way differs, on these very runs.
	naive := map[uint64]bool{}
	for _, q := range []string{whole, shuffled} {
		for _, threads := range []int{1, 8} {
			exec1("SET threads = %d", threads)
			var avg float64
			if err := mem.QueryRow("SELECT avg(cost_usd) FROM '" + q + "'").Scan(&avg); err != nil {
				t.Fatal(err)
			}
			naive[math.Float64bits(avg)] = true
		}
	}
	if len(naive) < 2 {
		t.Error("an average of doubles gives equal bits in any order: the runs are too few to show anything")
	}

	type result struct{ digest, score, again, others, runs, cells string }
	var first result
	for i, v := range []struct {
		what  string
		files []string
		flags []string
		spill bool
	}{
		{"one thread", []string{whole}, []string{"--threads", "1"}, false},
		{"eight threads", []string{whole}, []string{"--threads", "8"}, false},
		{"two threads, shuffled", []string{shuffled}, []string{"--threads", "2"}, false},
		{"five files, spilling", split, []string{"--threads", "2", "--memory-limit", "200MB"}, true},
	} {
		room := filepath.Join(dir, fmt.Sprint(i))
		spill := filepath.Join(room, "spill")
		if err := os.MkdirAll(spill, 0o755); err != nil {
			t.Fatal(err)
		}
		spilled := watch(t, spill)
		amdb := func(args ...string) string {
			t.Helper()
			var out, errs bytes.Buffer
			cmd := exec.Command(amdb, append(append([]string{"--db", filepath.Join(room, "a.duckdb"), "--temp-dir", spill}, v.flags...), args...)...)
			cmd.Stdout, cmd.Stderr, cmd.Env = &out, &errs, append(os.Environ(), "AMDB_CACHE="+filepath.Join(room, "cells"))
			if err := cmd.Run(); err != nil {
				t.Fatalf("%s: amdb %v: %v: %s", v.what, args, err, errs.String())
			}
			return out.String()
		}
		export := func(name, query string) string {
			t.Helper()
			path := filepath.Join(room, name)
			amdb("export", path, "--query", query)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		amdb(append([]string{"load"}, v.files...)...)
		amdb("calibrate", "main")
		got := result{
			digest: amdb("calibration", "export", "main"),
			score:  amdb("score", "-f", "json"),
			again:  amdb("score", "-f", "json"),
			others: amdb("sensitivity", "-f", "json", "--eta-quantiles", "0.5", "--budget-levels", "4"),
			runs:   export("runs.parquet", "SELECT * EXCLUDE (load_id) FROM runs ORDER BY run_id"),
			cells:  export("cells.parquet", "SELECT * FROM cells ORDER BY ALL"),
		}
		if kept, _ := filepath.Glob(filepath.Join(room, "cells", "*")); len(kept) != 1 {
			t.Errorf("%s: %d files of cells are kept, want 1", v.what, len(kept))
		}
		if spilled() != v.spill {
			t.Errorf("%s: spilled to disk: %v", v.what, spilled())
		}
		if i == 0 {
			first = got
		}
		for _, c := range []struct{ what, got, want string }{
			{"calibration", got.digest, first.digest},
			{"scores", got.score, first.score},
			{"scores from kept cells", got.again, first.score},
			{"alternatives", got.others, first.others},
			{"Parquet of the runs", got.runs, first.runs},
			{"Parquet of the cells", got.cells, first.cells},
		} {
			if c.got != c.want {
				t.Errorf("%s: the %s differ from those of one thread (%d bytes, %d bytes)", v.what, c.what, len(c.got), len(c.want))
			}
		}
		if err := os.RemoveAll(room); err != nil {
			t.Fatal(err)
		}
	}
}

// watch says whether anything was ever written into a folder.
func watch(t *testing.T, dir string) func() bool {
	t.Helper()
	var seen atomic.Bool
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
				if entries, _ := os.ReadDir(dir); len(entries) > 0 {
					seen.Store(true)
				}
			}
		}
	}()
	return seen.Load
}
