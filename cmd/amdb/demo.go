package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/export/report"
	"amdb/schema"
	"amdb/schema/sample"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
	"amdb/sql/ingest"
)

// demoFolder is where the demo puts everything.
const demoFolder = "amdb-demo"

func (a *app) demoCommand() *cobra.Command {
	var seed uint64
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Make up runs in the shape of the paper's grid and do the whole job with them",
		Long: `The demo makes up runs of 28 configurations on 80 tasks (a core of 30), writes them
to amdb-demo/, loads them, fixes a calibration, scores the core, queries the result
with SQL and exports it. The runs are made up: no figure says anything about a real
model or agent that bears one of these names.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), seed) },
	}
	cmd.Flags().Uint64Var(&seed, "seed", 7, "seed of the made-up world")
	return cmd
}

// demoMarker says that a folder is a demo's, so that the next one may replace it.
const demoMarker = ".amdb-demo"

func (a *app) demo(ctx context.Context, seed uint64) error {
	if err := freshFolder(demoFolder); err != nil {
		return err
	}
	at := func(name string) string { return filepath.Join(demoFolder, name) }
	say := func(format string, args ...any) { fmt.Fprintf(a.stdout, format+"\n", args...) }

	runs, core := sample.Demo(seed)
	if err := writeDemo(at, runs, core); err != nil {
		return err
	}
	say("1. Made up %d runs (seed %d): %s. They say nothing about real models or agents.", len(runs), seed, at("runs.parquet"))

	a.db, a.format, a.output = at("amdb.duckdb"), "table", ""
	quiet := *a
	quiet.stdout, quiet.stderr = io.Discard, io.Discard
	if err := quiet.load(ctx, ingest.Options{Paths: []string{at("runs.parquet")}, Format: "auto", OnConflict: ingest.ConflictError}); err != nil {
		return err
	}
	say("2. Loaded them into %s.", a.db)
	if err := quiet.makeSet(ctx, "core", "@"+at("core.txt")); err != nil {
		return err
	}
	var cal *scoring.Calibration
	err := a.with(ctx, sql.Write, func(db *sql.DB) (err error) {
		cal, err = study.Calibrate(ctx, db, study.CalibrateOptions{Name: "main", Tasks: "all", Rules: scoring.DefaultRules(), Version: version, Now: a.now()})
		return err
	})
	if err != nil {
		return err
	}
	say("3. Fixed the calibration main from %d complete configurations on %d tasks, digest %.12s.", len(cal.Reference), len(cal.Tasks), cal.Digest)
	say("4. Scored the core of %d tasks:", len(core))
	say("")
	top, err := a.demoTop(ctx)
	if err != nil {
		return err
	}
	fmt.Fprint(a.stdout, top)
	say("")
	for _, out := range []string{"review.xlsx", "scores.parquet"} {
		e := exporting{score: coreScore()}
		if !strings.HasSuffix(out, ".xlsx") {
			e.view = "scores"
		}
		if err := quiet.export(ctx, e, at(out)); err != nil {
			return err
		}
	}
	page := report.Options{
		Title: "amdb demo: made-up runs", Version: version, Bootstrap: scoring.DefaultBootstrap(), Runs: report.DefaultReportRuns,
	}
	if err := quiet.writeReport(ctx, coreScore(), page, at("report.html"), true); err != nil {
		return err
	}
	say("5. Wrote %s and %s for reviewers, %s for programs.", at("review.xlsx"), at("report.html"), at("scores.parquet"))
	say("")
	say("Next (amdb = go run -tags duckdb_arrow ./cmd/amdb):")
	say("  amdb --db %s score --tasks core", a.db)
	say("  amdb --db %s sql \"SELECT model, round(avg(reward), 3) AS reward FROM runs GROUP BY model ORDER BY reward DESC\"", a.db)
	say("  amdb load YOUR-RUNS.parquet && amdb calibrate main && amdb score")
	return nil
}

// coreScore is what the demo scores.
func coreScore() study.ScoreOptions {
	return study.ScoreOptions{Tasks: "core", Condition: scoring.Original, Policies: study.DefaultPolicies()}
}

// demoTop is the first places as a table.
func (a *app) demoTop(ctx context.Context) (string, error) {
	db, err := a.openForSQL(ctx, study.ScoreOptions{Tasks: "core", Policies: study.DefaultPolicies()})
	if err != nil {
		return "", err
	}
	defer db.Close()
	rows, err := db.UserQuery(ctx, "SELECT rank, config, ams, tq, aubqc, efr FROM scores WHERE description = 'original' ORDER BY rank, config LIMIT 8") //nolint:rowserrcheck // the table checks it when it is read
	if err != nil {
		return "", err
	}
	defer rows.Close()
	t, err := export.FromRows(rows, func(err error) error { return sql.QueryFault(ctx, err) })
	if err != nil {
		return "", err
	}
	var buf bytes.Buffer
	err = a.terminal(&buf, t, []string{"(the first 8 of 28, by SQL over the view scores)"})
	return buf.String(), err
}

// freshFolder makes the demo's folder anew. A folder that no demo made stays.
func freshFolder(path string) error {
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(path, demoMarker)); err != nil {
			return schema.Faultf(schema.Failed, path, "move it away, or run the demo in another folder", "is there, and no demo made it")
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(path, demoMarker), nil, 0o644)
}

// writeDemo writes the made-up runs and the core tasks.
func writeDemo(at func(string) string, runs []sample.Run, core []sample.Task) error {
	err := export.Atomic(at("runs.parquet"), func(f *os.File) error {
		i := 0
		_, err := sample.WriteParquet(f, func() (r sample.Run, ok bool) {
			if i == len(runs) {
				return r, false
			}
			i++
			return runs[i-1], true
		})
		return err
	})
	if err != nil {
		return err
	}
	var text strings.Builder
	text.WriteString("# core tasks of the demo\n")
	for _, t := range core {
		text.WriteString(t.Benchmark + "\t" + t.ID + "\n")
	}
	return os.WriteFile(at("core.txt"), []byte(text.String()), 0o644)
}
