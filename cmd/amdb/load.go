package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/schema"
	"amdb/schema/source"
	"amdb/schema/source/reader"
	"amdb/sql"
	"amdb/sql/ingest"
)

func (a *app) loadCommand() *cobra.Command {
	var (
		o          ingest.Options
		onConflict string
		prices     string
		delimiter  string
		rewards    string
		explain    bool
	)
	cmd := &cobra.Command{
		Use:   "load PATH…",
		Short: "Load runs from files, patterns, folders or standard input (-)",
		Long: `Load reads runs and stores them in one transaction: all or nothing. Formats are
found by content: ` + strings.Join(source.FormatNames(reader.Options{}), ", ") + `, each plain or packed with gzip or zstd.

Columns are matched by name, then by alias (docs/schema.md); --map decides
otherwise and declares what a source does not say, such as a cli. --explain shows
what would be read. A row that breaks a rule is rejected with file, row, column, value and
reason, and fails the load unless --allow-rejects. Loading the same runs again
changes nothing.`,
		Example: `  amdb load runs.parquet
  amdb load 'results/*.csv.gz' --map reward=score
  amdb load scores.jsonl --map @mapping.toml --reward-range 0:4 --explain
  curl … | amdb load - --input-format jsonl
  amdb load runs.csv --prices prices.csv`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Paths, o.OnConflict = args, ingest.OnConflict(onConflict)
			switch o.OnConflict {
			case ingest.ConflictError, ingest.ConflictSkip, ingest.ConflictReplace:
			default:
				return schema.Faultf(schema.Usage, "--on-conflict", "", "%q is not one of error, skip, replace", onConflict)
			}
			if delimiter != "" {
				r := []rune(strings.ReplaceAll(delimiter, `\t`, "\t"))
				if len(r) != 1 {
					return schema.Faultf(schema.Usage, "--delimiter", "", "%q is not one character", delimiter)
				}
				o.Source.Delimiter = r[0]
			}
			if rewards != "" {
				r, err := schema.ParseRange(rewards)
				if err != nil {
					return &schema.Fault{Class: schema.Usage, What: "--reward-range", Err: err}
				}
				o.Rewards = r
			}
			if prices != "" {
				var err error
				if o.Prices, err = ingest.ReadPrices(prices); err != nil {
					return err
				}
			}
			if explain {
				return a.explain(cmd.Context(), o)
			}
			return a.load(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Format, "input-format", "auto", "format of the input; auto finds it by content")
	f.StringArrayVar(&o.Map, "map", nil, "target=source: which source column fills a column of a run; target:=value: a constant; target?=value: where the source gives none; @FILE: the same as TOML (repeatable)")
	f.StringVar(&rewards, "reward-range", "", "LO:HI: the scale of the source's rewards, put on [0,1]; recorded in the table loads")
	f.BoolVar(&explain, "explain", false, "say which reader would read what, how each column is mapped and what would be missing; store nothing")
	f.BoolVar(&o.AllowRejects, "allow-rejects", false, "load the runs that hold the rules; keep the others in the table rejects")
	f.StringVar(&onConflict, "on-conflict", "error", "a run_id that is there with other values: error, skip (keep what is there), replace")
	f.BoolVar(&o.DryRun, "dry-run", false, "check everything and store nothing")
	f.StringVar(&prices, "prices", "", "price table (CSV: model,from,input,cached_input,output in USD per million tokens) for runs without a cost")
	f.StringVar(&delimiter, "delimiter", "", "field separator of a text table")
	f.StringVar(&o.Source.JSONPath, "json-path", "", "a.b.c: where in a JSON object the list of runs is")
	f.StringVar(&o.Source.Sheet, "sheet", "", "sheet of a workbook (default: the first)")
	f.StringVar(&o.Source.Scorer, "scorer", "", "which scorer of an Inspect log gives the reward")
	return cmd
}

func (a *app) load(ctx context.Context, o ingest.Options) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	if info, err := os.Stat(a.output); err == nil {
		for _, p := range o.Paths {
			if in, err := os.Stat(p); err == nil && os.SameFile(info, in) {
				return schema.Faultf(schema.Usage, "--output "+a.output, "name another file for the summary", "is what is loaded")
			}
		}
	}
	o.Stdin, o.Version, o.Now = a.stdin, version, a.now()
	progress := a.progress()
	o.Progress = progress.add
	defer context.AfterFunc(ctx, progress.done)() // what is said on stopping gets a line of its own
	var res *ingest.Result
	err := a.with(ctx, sql.Make, func(db *sql.DB) (err error) {
		res, err = ingest.Load(ctx, db, o)
		return err
	})
	progress.done()
	if err != nil {
		return err
	}
	a.warn(res.Warnings)
	for i, n := range res.Notes {
		if i == maxNotes {
			a.inform("note: … and %d more in the table load_notes", len(res.Notes)-i)
			break
		}
		a.inform("note: %s", oneLine(n.File+": "+n.Message))
	}
	a.rejects("rejected: ", res.Rejected, res.RejectedBy, res.Rejects)
	t := export.NewTable([]export.Column{
		{Name: "file"},
		{Name: "format"},
		{Name: "read", Kind: export.Integer},
		{Name: "inserted", Kind: export.Integer},
		{Name: "unchanged", Kind: export.Integer},
		{Name: "replaced", Kind: export.Integer},
		{Name: "skipped", Kind: export.Integer},
		{Name: "rejected", Kind: export.Integer},
	}, loadRows(res))
	var notes []string
	if res.Priced > 0 {
		notes = append(notes, fmt.Sprintf("%d runs without a reported cost were priced from their tokens.", res.Priced))
	}
	if o.DryRun {
		notes = append(notes, "Dry run: nothing was stored.")
	}
	return a.printResult(res, t, notes...)
}

// maxNotes bounds what a load says line by line.
const maxNotes = 10

func loadRows(res *ingest.Result) [][]any {
	var rows [][]any
	for _, f := range res.Files {
		rows = append(rows, []any{f.Path, f.Format, f.Read, f.Inserted, f.Unchanged, f.Replaced, f.Skipped, f.Rejected})
	}
	if len(res.Files) > 1 {
		rows = append(rows, []any{"all", "", res.Read, res.Inserted, res.Unchanged, res.Replaced, res.Skipped, res.Rejected})
	}
	return rows
}
