package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/schema"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) checkCommand() *cobra.Command {
	var o study.CheckOptions
	var strict string
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Say what is doubtful in the data",
		Long: `Check lists what may be wrong with the runs, by kind and by where it is, with counts,
an example, and what it does to the score. The findings are the view quality_issues;
run_flags and run_outliers name every run behind them; docs/check.md explains each kind.

Severity is error (the score is wrong without a sound), warning (it may be, or
scoring stops) or note. --strict makes errors and warnings exit 1, --strict=error
errors alone. Nothing is changed: amdb never mends data by itself.`,
		Example: "  amdb check\n  amdb check --strict -f json\n  amdb check --grid\n  amdb check --kind zero_cost_pass -f csv",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if strict != "" && strict != "error" && strict != "warning" {
				return schema.Faultf(schema.Usage, "--strict", "", "%q is not one of error, warning", strict)
			}
			return a.check(cmd.Context(), o, strict)
		},
	}
	f := cmd.Flags()
	f.StringVar(&strict, "strict", "", "exit 1 where there are findings: of severity error or warning, or =error alone")
	f.Lookup("strict").NoOptDefVal = "warning"
	f.BoolVar(&o.Grid, "grid", false, "the coverage holes as a grid of tasks and configurations")
	f.StringSliceVar(&o.Kinds, "kind", nil, "only these kinds of finding")
	return cmd
}

func (a *app) check(ctx context.Context, o study.CheckOptions, strict string) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var q *study.Quality
	err := a.with(ctx, sql.Read, func(db *sql.DB) (err error) {
		q, err = waiting(ctx, a, "checking", func() (*study.Quality, error) { return study.Check(ctx, db, o) })
		return err
	})
	if err != nil {
		return err
	}
	switch {
	case a.format == "json" || a.format == "jsonl":
		err = a.printJSON(q)
	case o.Grid:
		err = a.printGrid(q.Grid)
	case a.format == "table":
		err = a.print(findingsPage(q), findingNotes(q)...)
	default:
		err = a.print(findingsTable(q))
	}
	if err == nil && strict != "" && q.Fails(strict) {
		return schema.Faultf(schema.Failed, "check", "", "%d errors and %d warnings were found", q.Errors, q.Warnings)
	}
	return err
}

// maxScopes bounds how many places of one kind the page shows.
const maxScopes = 5

// findingsPage is the findings for people: a line a kind, and the places where
// it is found most under it.
func findingsPage(q *study.Quality) *export.Table {
	rows := [][]any{}
	at := 0
	for _, k := range q.Kinds {
		of := q.Findings[at : at+k.Scopes]
		at += k.Scopes
		where := of[0].Scope
		if k.Scopes > 1 {
			where = fmt.Sprintf("%d places", k.Scopes)
		}
		rows = append(rows, []any{k.Severity, k.Kind, k.Found, k.OutOf, where})
		for i, f := range of {
			if k.Scopes == 1 {
				break
			}
			if i == maxScopes {
				rows = append(rows, []any{"", "", nil, nil, fmt.Sprintf("  … and %d more", k.Scopes-i)})
				break
			}
			rows = append(rows, []any{"", "", f.Found, f.OutOf, "  " + f.Scope})
		}
	}
	return export.NewTable([]export.Column{
		{Name: "severity"}, {Name: "kind"}, {Name: "found", Kind: export.Integer}, {Name: "out_of", Kind: export.Integer}, {Name: "where"},
	}, rows)
}

// findingNotes say under the page what each kind means.
func findingNotes(q *study.Quality) []string {
	notes := []string{""}
	for _, k := range q.Kinds {
		notes = append(notes, fmt.Sprintf("%s: %d %s. Effect: %s.", k.Kind, k.Found, k.Says, k.Effect))
	}
	if len(q.Kinds) == 0 {
		notes = []string{"Nothing doubtful was found."}
	}
	return append(notes, "", fmt.Sprintf("%d runs; %d errors, %d warnings, %d notes (-f csv lists all; amdb sql \"SELECT * FROM run_flags\" names the runs)",
		q.Runs, q.Errors, q.Warnings, q.Notes))
}

func findingsTable(q *study.Quality) *export.Table {
	rows := [][]any{}
	for _, f := range q.Findings {
		var example any
		if f.ExampleRunID != nil {
			example = *f.ExampleRunID
		}
		rows = append(rows, []any{f.Kind, f.Severity, f.ScopeType, f.Scope, f.Found, f.OutOf, example, f.Message, f.Effect})
	}
	return export.NewTable([]export.Column{
		{Name: "kind"},
		{Name: "severity"},
		{Name: "scope_type"},
		{Name: "scope"},
		{Name: "found", Kind: export.Integer},
		{Name: "out_of", Kind: export.Integer},
		{Name: "example_run_id"},
		{Name: "message"},
		{Name: "effect"},
	}, rows)
}

// printGrid prints the coverage holes: a sign a configuration for people, a
// column a configuration for programs.
func (a *app) printGrid(g *study.Grid) error {
	columns := []export.Column{{Name: "benchmark"}, {Name: "task"}, {Name: "missing", Kind: export.Integer}}
	signs := a.format == "table"
	if signs {
		columns = append(columns, export.Column{Name: "runs"})
	} else {
		for _, c := range g.Configs {
			columns = append(columns, export.Column{Name: c, Kind: export.Integer})
		}
	}
	rows := [][]any{}
	for _, t := range g.Tasks {
		row := []any{t.Benchmark, t.Task, int64(t.Missing)}
		if signs {
			var b strings.Builder
			for i := range g.Configs {
				b.WriteRune(gridSign(t.Runs[i], t.Scored[i]))
			}
			row = append(row, b.String())
		} else {
			for _, n := range t.Scored {
				row = append(row, n)
			}
		}
		rows = append(rows, row)
	}
	var notes []string
	if len(rows) == 0 {
		notes = append(notes, "Every configuration has a scored run of every task.")
	} else if signs {
		notes = append(notes, "", "runs: scored runs, one sign a configuration; · no run, ? no run with a reward, + more than 9")
		for i, c := range g.Configs {
			notes = append(notes, fmt.Sprintf("  %2d  %s", i+1, oneLine(c)))
		}
	}
	return a.print(export.NewTable(columns, rows), notes...)
}

func gridSign(runs, scored int64) rune {
	switch {
	case runs == 0:
		return '·'
	case scored == 0:
		return '?'
	case scored > 9:
		return '+'
	}
	return rune('0' + scored)
}
