package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"amdb/schema"
	"amdb/sql"
)

// app is one run of the program: its streams, its clock and the flags that all
// commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	now            func() time.Time

	db          string
	format      string
	output      string
	threads     int
	memoryLimit string
	tempDir     string
}

// run is the whole program.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, now: time.Now}
	root := a.root()
	root.SetArgs(args)
	return a.report(ctx, root.ExecuteContext(ctx))
}

// root is the command line with all its commands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "amdb",
		Short: "Analytics database for benchmarks of command-line agents",
		Long: `amdb loads runs of command-line agents (Parquet, CSV, JSON, harness folders) into
one DuckDB file, fixes a calibration, and scores configurations (a model driving
an agent) by quality, cost and expensive failures. Everything can be queried with
SQL and exported to a workbook or Parquet.

  amdb load runs.parquet
  amdb calibrate main
  amdb score`,
		SilenceUsage: true, SilenceErrors: true,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.CompletionOptions.HiddenDefaultCmd = false
	f := root.PersistentFlags()
	f.StringVar(&a.db, "db", "", "database file (default $AMDB_DB, else amdb.duckdb)")
	f.StringVarP(&a.format, "format", "f", "table", "output format: table, csv, tsv, json, jsonl, markdown")
	f.StringVarP(&a.output, "output", "o", "", "write to this file instead of standard output")
	f.IntVar(&a.threads, "threads", 0, "threads of the database (default: all cores); results do not depend on it")
	f.StringVar(&a.memoryLimit, "memory-limit", "", "memory of the database, as 512MB; beyond it, it spills to disk (default 4GiB, or 80 % of the machine's where that is less)")
	f.StringVar(&a.tempDir, "temp-dir", "", "where the database spills (default: beside the file)")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return &schema.Fault{Class: schema.Usage, Err: err, Hint: "amdb help COMMAND lists the flags"}
	})
	root.AddCommand(
		a.loadCommand(), a.setCommand(), a.calibrateCommand(), a.calibrationCommand(), a.scoreCommand(),
		a.ablateCommand(), a.fidelityCommand(), a.compareCommand(), a.sensitivityCommand(), a.subsetCommand(), a.rankingsCommand(),
		a.descriptionsCommand(), a.selectCommand(),
		a.checkCommand(), a.pricesCommand(), a.aliasCommand(),
		a.sqlCommand(), a.exportCommand(), a.reportCommand(), a.demoCommand(), a.statusCommand(), a.versionCommand(),
	)
	return root
}

// path is the database file in force.
func (a *app) path() string {
	return cmp.Or(a.db, os.Getenv("AMDB_DB"), "amdb.duckdb")
}

// open opens the database for a command.
func (a *app) open(ctx context.Context, mode sql.Mode, shut bool) (*sql.DB, error) {
	if a.threads < 0 {
		return nil, schema.Faultf(schema.Usage, "--threads", "", "%d is below 0", a.threads)
	}
	if a.memoryLimit != "" {
		// Whoever limits the database's memory wants little beside it too.
		debug.SetGCPercent(30)
	}
	return sql.Open(ctx, a.path(), sql.Options{
		Mode: mode, Shut: shut, Threads: a.threads, MemoryLimit: a.memoryLimit, TempDir: a.tempDir,
	})
}

// with opens the database, runs f on it, and closes it.
func (a *app) with(ctx context.Context, mode sql.Mode, f func(db *sql.DB) error) error {
	db, err := a.open(ctx, mode, false)
	if err != nil {
		return err
	}
	return errors.Join(f(db), db.Close())
}

// usageArgs makes cobra's complaint about arguments a fault of usage.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &schema.Fault{Class: schema.Usage, What: cmd.CommandPath(), Err: err, Hint: "as " + strings.TrimPrefix(cmd.UseLine(), "amdb ")}
		}
		return nil
	}
}

// isInterrupt says whether the person stopped the program.
func isInterrupt(ctx context.Context, err error) bool {
	return errors.Is(err, context.Canceled) || (ctx.Err() != nil && err != nil)
}
