package main

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"amdb/export"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) sqlCommand() *cobra.Command {
	o := study.ScoreOptions{Policies: study.DefaultPolicies()}
	cmd := &cobra.Command{
		Use:   "sql [QUERY]",
		Short: "Query the database with SQL, read-only",
		Long: `One statement that reads, over the tables and views of docs/schema.md. Nothing can
be written, and files, network and settings are out of reach. Without QUERY, or
with -, it is read from standard input; on a terminal there is a prompt.

The views cells, masked_runs, budget_curve, stratum_scores and scores look at the
calibration, the tasks and the policies that the flags choose. Our functions are
documented in the view functions.`,
		Example: `  amdb sql "SELECT config, ams FROM scores WHERE description = 'original' ORDER BY rank"
  amdb sql "SELECT * FROM functions" -f markdown
  echo "SELECT count(*) FROM runs" | amdb sql -f json`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkFormat(); err != nil {
				return err
			}
			query := "-"
			if len(args) == 1 {
				query = args[0]
			}
			f, isFile := a.stdin.(*os.File)
			if query == "-" && len(args) == 0 && isFile && term.IsTerminal(int(f.Fd())) {
				return a.prompt(cmd.Context(), o)
			}
			if query == "-" {
				text, err := io.ReadAll(a.stdin)
				if err != nil {
					return err
				}
				query = string(text)
			}
			return a.query(cmd.Context(), o, query)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Calibration, "calibration", "", "calibration of the scoring views (default: the only one, else the newest)")
	f.StringVar(&o.Tasks, "tasks", "all", "tasks of the scoring views: all of the calibration's, a set's name, or @FILE")
	f.StringVar(&o.Policies.MissingReward, "missing-reward", "exclude", "runs without a reward in the scoring views: zero, exclude")
	f.StringVar(&o.Policies.MissingCost, "missing-cost", "exclude", "runs without a cost in the scoring views: exclude, unaffordable")
	return cmd
}

// openForSQL opens the database shut in, with the scoring views in place.
func (a *app) openForSQL(ctx context.Context, o study.ScoreOptions) (*sql.DB, error) {
	db, err := a.open(ctx, sql.Read, true)
	if err != nil {
		return nil, err
	}
	warnings, err := study.SetScope(ctx, db, o.Calibration, o.Tasks, o.Policies)
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	a.warn(warnings)
	return db, nil
}

func (a *app) query(ctx context.Context, o study.ScoreOptions, query string) error {
	db, err := a.openForSQL(ctx, o)
	if err != nil {
		return err
	}
	defer db.Close()
	return a.runQuery(ctx, db, query)
}

func (a *app) runQuery(ctx context.Context, db *sql.DB, query string) error {
	if err := a.comparing(ctx, db, query); err != nil {
		return err
	}
	rows, err := db.UserQuery(ctx, query) //nolint:rowserrcheck // the table checks it when it is read
	if err != nil {
		return err
	}
	defer rows.Close()
	t, err := export.FromRows(rows, func(err error) error { return sql.QueryFault(ctx, err) })
	if err != nil {
		return err
	}
	return a.print(t)
}

// comparing counts the pairs of configurations beforehand where a text names
// them: within a query they take more memory than a large grid may leave.
func (a *app) comparing(ctx context.Context, db *sql.DB, text string) error {
	if !strings.Contains(strings.ToLower(text), "pairwise") {
		return nil
	}
	return a.working(ctx, "comparing the configurations", func() error { return db.StagePairs(ctx) })
}

// prompt reads statements from a terminal, each up to a semicolon. A mistake in
// one does not end it.
func (a *app) prompt(ctx context.Context, o study.ScoreOptions) error {
	db, err := a.openForSQL(ctx, o)
	if err != nil {
		return err
	}
	defer db.Close()
	f := a.stdin.(*os.File)
	old, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return err
	}
	defer func() { _ = term.Restore(int(f.Fd()), old) }()
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{f, a.stderr}, "amdb> ")
	var statement strings.Builder
	for {
		line, err := t.ReadLine()
		if err != nil {
			return nil //nolint:nilerr // end of input is how a prompt ends
		}
		word := strings.TrimSpace(line)
		if statement.Len() == 0 && (word == "exit" || word == "quit" || word == `\q`) {
			return nil
		}
		statement.WriteString(line + "\n")
		if !strings.HasSuffix(word, ";") {
			t.SetPrompt("  ... ")
			continue
		}
		t.SetPrompt("amdb> ")
		_ = term.Restore(int(f.Fd()), old)
		if err := a.runQuery(ctx, db, statement.String()); err != nil {
			if isInterrupt(ctx, err) {
				return err
			}
			a.report(ctx, err)
		}
		statement.Reset()
		if _, err := term.MakeRaw(int(f.Fd())); err != nil {
			return err
		}
	}
}
