//go:build unix

package export_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"amdb/export"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

// manyRuns is a database with n made-up runs of 20 configurations and 200
// tasks, with a calibration.
func manyRuns(b *testing.B, n int) *sql.DB {
	b.Helper()
	ctx := context.Background()
	db, err := sql.Open(ctx, filepath.Join(b.TempDir(), "amdb.duckdb"), sql.Options{Mode: sql.Make})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	for _, statement := range []string{
		"INSERT INTO task_keys SELECT i, 'bench', 'task-' || lpad(i::VARCHAR, 3, '0'), 'task-' || lpad(i::VARCHAR, 3, '0'), i FROM range(200) AS t(i)",
		"INSERT INTO config_keys SELECT i, 'model-' || i, 'cli', 'model-' || i, 'cli', i FROM range(20) AS t(i)",
		"INSERT INTO description_keys VALUES (0, 'original')",
		fmt.Sprintf(`INSERT INTO stored_runs
			SELECT 'run-' || lpad(i::VARCHAR, 8, '0'), i %% 200, (i // 200) %% 20, 0, NULL, '1.0',
				((i * 7919) %% 101) / 100, ((i * 104729) %% 9973 + 1) / 10000, NULL, NULL, 1000 + i %% 997, 0, 10 + i %% 89, 1010 + i %% 997, 1 + i %% 40,
				TIMESTAMPTZ '2026-01-01 00:00:00Z' + to_seconds(i), TIMESTAMPTZ '2026-01-01 01:00:00Z' + to_seconds(i), 'completed', NULL, 1, i
			FROM range(%d) AS t(i)`, n),
	} {
		if err := db.Exec(ctx, statement); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := study.Calibrate(ctx, db, study.CalibrateOptions{Name: "main", Tasks: "all", Rules: scoring.DefaultRules(), Version: "bench", Now: time.Unix(0, 0)}); err != nil {
		b.Fatal(err)
	}
	return db
}

// benchRuns is how many runs the benchmark writes; AMDB_BENCH_RUNS=1000000 for
// the claim of docs/workbook.md.
func benchRuns() int {
	if n, err := strconv.Atoi(os.Getenv("AMDB_BENCH_RUNS")); err == nil {
		return n
	}
	return 100_000
}

// BenchmarkWorkbook writes many runs into a workbook.
func BenchmarkWorkbook(b *testing.B) {
	db := manyRuns(b, benchRuns())
	res, err := study.Score(context.Background(), db, study.ScoreOptions{Tasks: "all", Condition: "original", Policies: study.DefaultPolicies(), Views: true})
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "review.xlsx")
	before := processorTime()
	for b.Loop() {
		if _, err := export.WriteWorkbook(context.Background(), db, res, path, export.WorkbookOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	report(b, path, before)
}

// BenchmarkWorkbookBare writes the same cells of runs with excelize's stream
// writer alone: the same formulas, values and styles, from memory.
func BenchmarkWorkbookBare(b *testing.B) {
	n := benchRuns()
	path := filepath.Join(b.TempDir(), "bare.xlsx")
	before := processorTime()
	for b.Loop() {
		f := excelize.NewFile()
		style, err := f.NewStyle(&excelize.Style{NumFmt: 2})
		if err != nil {
			b.Fatal(err)
		}
		sw, err := f.NewStreamWriter("Sheet1")
		if err != nil {
			b.Fatal(err)
		}
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		values := make([]any, 19)
		for i := range n {
			row := strconv.Itoa(i + 2)
			for k, v := range []any{
				"model-1/cli", "bench", "task-001", "Medium", int64(i), "run-00000001", 0.37, 0.1234, int64(1), int64(7), 0.259, int64(0),
				int64(1500), int64(17), at, at, "completed", "1.0", "reported",
			} {
				values[k] = excelize.Cell{StyleID: style, Value: v}
			}
			for k, formula := range map[int]string{
				8:  "IF(AND(ISNUMBER(G#),ISNUMBER(H#)),1,0)",
				9:  "IF(ISNUMBER(H#),SUMPRODUCT(ISNUMBER(budgets_Medium)*(budgets_Medium>=H#)),0)",
				10: `IF(I#=1,N(G#)*J#/levels_Medium,"")`,
				11: `IF(I#=1,(N(G#)=0)*ISNUMBER(H#)*ISNUMBER(eta_Medium)*(N(H#)>N(eta_Medium)),"")`,
			} {
				c := values[k].(excelize.Cell)
				c.Formula = strings.ReplaceAll(formula, "#", row)
				values[k] = c
			}
			if err := sw.SetRow("A"+row, values); err != nil {
				b.Fatal(err)
			}
		}
		if err := sw.Flush(); err != nil {
			b.Fatal(err)
		}
		out, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := f.Write(io.Writer(out)); err != nil {
			b.Fatal(err)
		}
		out.Close()
		f.Close()
	}
	report(b, path, before)
}

// report adds the size of the file, the memory, and the processor's time, which
// a busy machine does not stretch.
func report(b *testing.B, path string, before time.Duration) {
	b.Helper()
	b.ReportMetric((processorTime()-before).Seconds()/float64(b.N), "cpu-s/op")
	if info, err := os.Stat(path); err == nil {
		b.ReportMetric(float64(info.Size())/1e6, "MB-file")
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys-m.HeapReleased)/1e6, "MB-heap")
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(status)) {
			if kb, ok := strings.CutPrefix(line, "VmHWM:"); ok {
				if x, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kb), "kB")), 64); err == nil {
					b.ReportMetric(x/1e3, "MB-peak")
				}
			}
		}
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
