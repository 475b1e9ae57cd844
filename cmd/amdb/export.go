package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/export/parquet"
	"amdb/export/table"
	"amdb/export/workbook"
	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

// exporting is what amdb export was asked for.
type exporting struct {
	score       study.ScoreOptions
	view, query string
	workbook    workbook.Options
	partition   string
	safe        bool
}

func (a *app) exportCommand() *cobra.Command {
	e := exporting{score: study.ScoreOptions{Policies: study.DefaultPolicies()}}
	cmd := &cobra.Command{
		Use:   "export OUT",
		Short: "Write a workbook, a Parquet, CSV or JSON file, or a folder of Parquet files",
		Long: `The ending of OUT says what is written:

  .xlsx                    the scored leaderboard with all that it rests on, for reviewers
  .parquet                 a view or a query
  .csv .tsv .json .jsonl   a view or a query
  .md                      a view or a query as a Markdown table
  a folder                 every table and view as a Parquet file

A file appears whole or not at all. Equal data give equal bytes.`,
		Example: "  amdb export review.xlsx --tasks core\n  amdb export scores.parquet --view scores\n  amdb export failed.csv --query \"SELECT * FROM runs WHERE reward = 0\"\n  amdb export everything/",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.export(cmd.Context(), e, args[0])
		},
	}
	a.scopeFlags(cmd, &e.score)
	cmd.Flags().StringVar(&e.view, "view", "", "table or view to write (default: runs)")
	cmd.Flags().StringVar(&e.query, "query", "", "query to write")
	cmd.Flags().StringVar(&e.partition, "partition-by", "", "write the view or query into a folder with one Parquet file a value of this column")
	cmd.Flags().BoolVar(&e.safe, "spreadsheet-safe", false, "in .csv and .tsv, an apostrophe before texts that a spreadsheet would take for a formula")
	cmd.Flags().BoolVar(&e.workbook.ValuesOnly, "values-only", false, "a workbook of values, without formulas")
	cmd.Flags().BoolVar(&e.workbook.NoSplit, "no-split", false, "refuse runs that fill more than one sheet of a workbook")
	e.workbook.Runs = workbook.DefaultWorkbookRuns
	cmd.Flags().Var(carried{&e.workbook.Runs}, "runs", "carry the runs themselves in a workbook where there are at most this many; 0 carries none")
	return cmd
}

// textEndings are the endings of text files with their formats.
var textEndings = map[string]string{".csv": "csv", ".tsv": "tsv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".md": "markdown"}

func (a *app) export(ctx context.Context, e exporting, out string) error {
	if e.view != "" && e.query != "" {
		return schema.Faultf(schema.Usage, "export", "", "--view and --query exclude each other")
	}
	ending := ending(out)
	isFolder := strings.HasSuffix(out, "/") || ending == ""
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		isFolder = true
	}
	text, isText := textEndings[ending]
	switch {
	case isFolder, ending == ".parquet", isText:
		return a.exportData(ctx, e, out, isFolder, text)
	case ending == ".xlsx":
		return a.exportWorkbook(ctx, e, out)
	}
	return schema.Faultf(schema.Usage, out, "endings are .xlsx, .parquet, .csv, .tsv, .json, .jsonl, .md; a folder ends in /", "amdb does not know how to write %s", ending)
}

func (a *app) exportWorkbook(ctx context.Context, e exporting, out string) error {
	if e.view != "" || e.query != "" {
		return schema.Faultf(schema.Usage, "export", "write the view or query to .parquet or .csv", "a workbook holds the scored leaderboard, not --view or --query")
	}
	return a.with(ctx, sql.Read, func(db *sql.DB) error {
		// Where there are no descriptions, there is no sheet of them. They go
		// first: the scoring has the last word on what the views look at.
		if d, err := study.Describe(ctx, db, study.DescribeOptions{
			ScoreOptions: e.score, Assignments: scoring.DefaultAssignments, Seed: scoring.DefaultBootstrap().Seed,
		}); err == nil {
			e.workbook.Descriptions = d
		} else if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e.score.Views = true // the workbook queries them
		res, err := waiting(ctx, a, "scoring", func() (*study.Scores, error) { return study.Score(ctx, db, e.score) })
		if err != nil {
			return err
		}
		a.warn(res.Warnings)
		e.workbook.Version = version
		notes, err := waiting(ctx, a, "writing the workbook", func() (workbook.Notes, error) { return workbook.Write(ctx, db, res, out, e.workbook) })
		if err != nil {
			return writeFault(out, err)
		}
		a.warn(notes.Lines())
		for _, l := range notes.LeftOut {
			a.inform("note: %s", l)
		}
		a.inform("wrote %s", out)
		return nil
	})
}

// exportData writes views and queries. The scoring views are there where there
// is a calibration.
func (a *app) exportData(ctx context.Context, e exporting, out string, isFolder bool, text string) error {
	return a.with(ctx, sql.Read, func(db *sql.DB) error {
		p := e.score.Policies
		if p.MissingReward == "error" {
			p.MissingReward = "exclude"
		}
		if p.MissingCost == "error" {
			p.MissingCost = "exclude"
		}
		warnings, err := study.SetScope(ctx, db, e.score.Calibration, e.score.Tasks, p)
		if err != nil {
			return err
		}
		a.warn(warnings)
		named := e.view + e.query
		if isFolder && e.partition == "" {
			named = "pairwise" // among all
			if err := a.working(ctx, "looking for what is doubtful", func() error { return db.StageIssues(ctx) }); err != nil {
				return err
			}
			if err := a.working(ctx, "counting the cells", func() error { return db.StageCells(ctx) }); err != nil {
				return err
			}
		}
		if err := a.comparing(ctx, db, named); err != nil {
			return err
		}
		meta, err := study.Metadata(ctx, db, version)
		if err != nil {
			return err
		}
		abs, err := filepath.Abs(out)
		if err != nil {
			return err
		}
		if err := db.Confine(ctx, filepath.Dir(abs)+string(filepath.Separator)); err != nil {
			return err
		}
		if isFolder && e.partition != "" {
			return a.exportPartitioned(ctx, db, e, out, abs, meta)
		}
		if e.partition != "" {
			return schema.Faultf(schema.Usage, "--partition-by", "name a folder: amdb export "+strings.TrimSuffix(out, ending(out))+"/", "partitions are a folder, not a file")
		}
		if isFolder {
			relations, err := db.Relations(ctx)
			if err != nil {
				return err
			}
			if e.view != "" || e.query != "" {
				return schema.Faultf(schema.Usage, "export", "write one view or query to a .parquet file", "a folder holds every table and view")
			}
			relations = slices.DeleteFunc(relations, func(r string) bool { return slices.Contains(study.HelperRelations, r) })
			if err := a.writing(ctx, out, func() error { return parquet.Folder(ctx, db, abs, relations, meta) }); err != nil {
				return writeFault(out, err)
			}
			a.inform("wrote %s with %d Parquet files", out, len(relations))
			return nil
		}
		query, err := e.text(ctx, db)
		if err != nil {
			return err
		}
		if e.ignoresScope() {
			a.warn([]string{"--tasks chooses what the scoring views show; runs is written whole (--view masked_runs is the runs of the task set)"})
		}
		if text == "" {
			err = a.writing(ctx, out, func() error { return parquet.File(ctx, db, query, abs, meta) })
		} else {
			err = a.writing(ctx, out, func() error { return a.exportText(ctx, db, query, abs, text, e.safe) })
		}
		if err != nil {
			return writeFault(out, err)
		}
		a.inform("wrote %s", out)
		return nil
	})
}

// ignoresScope says whether --tasks was given for a view that is written whole.
func (e *exporting) ignoresScope() bool {
	return e.query == "" && (e.view == "" || e.view == "runs") && e.score.Tasks != "all" && e.score.Tasks != ""
}

// viewQuery is the query behind --view.
func viewQuery(ctx context.Context, db *sql.DB, view string) (string, error) {
	if view == "" {
		view = "runs"
	}
	relations, err := db.Relations(ctx)
	if err != nil {
		return "", err
	}
	if !slices.Contains(relations, view) {
		return "", schema.Faultf(schema.Usage, "--view "+view, "there are: "+strings.Join(relations, ", "), "there is no such table or view")
	}
	return sql.Ordered(view)
}

// text is the query that is written.
func (e *exporting) text(ctx context.Context, db *sql.DB) (string, error) {
	if e.query == "" {
		return viewQuery(ctx, db, e.view)
	}
	return e.query, db.CheckUserQuery(ctx, e.query)
}

func ending(path string) string { return strings.ToLower(filepath.Ext(path)) }

func (a *app) exportPartitioned(ctx context.Context, db *sql.DB, e exporting, out, abs string, meta map[string]string) error {
	query, err := e.text(ctx, db)
	if err != nil {
		return err
	}
	if err := a.writing(ctx, out, func() error { return parquet.Partitioned(ctx, db, query, e.partition, abs, meta) }); err != nil {
		return writeFault(out, err)
	}
	a.inform("wrote %s, a folder a value of %s", out, e.partition)
	return nil
}

func (a *app) exportText(ctx context.Context, db *sql.DB, query, path, format string, safe bool) error {
	rows, err := db.UserQuery(ctx, query) //nolint:rowserrcheck // the table checks it when it is read
	if err != nil {
		return err
	}
	defer rows.Close()
	t, err := export.FromRows(rows, func(err error) error { return sql.QueryFault(ctx, err) })
	if err != nil {
		return err
	}
	if safe && (format == "csv" || format == "tsv") {
		t = table.SafeForSpreadsheets(t)
	}
	return export.Atomic(path, func(f *os.File) error {
		w := bufio.NewWriter(f)
		return errors.Join(table.Write(w, format, t), w.Flush())
	})
}

// writeFault names the file that could not be written.
func writeFault(out string, err error) error {
	var fault *schema.Fault
	var pe *os.PathError
	switch {
	case errors.As(err, &fault):
		return err
	case errors.As(err, &pe):
		return schema.Faultf(schema.Failed, out, "", "cannot be written: %w", pe.Err)
	}
	return err
}

// writing is working on a file.
func (a *app) writing(ctx context.Context, out string, f func() error) error {
	return a.working(ctx, "writing "+oneLine(out), f)
}

// carried is a flag for the most runs that a file carries: 0 for none, which
// package export writes as -1, its own 0 being the default.
type carried struct{ n *int }

func (c carried) String() string {
	if c.n == nil {
		return ""
	}
	return strconv.Itoa(max(*c.n, 0))
}

func (c carried) Type() string { return "int" }

func (c carried) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("is no number of runs")
	}
	if *c.n = n; n == 0 {
		*c.n = -1
	}
	return nil
}
