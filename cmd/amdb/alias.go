package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/schema"
	"amdb/sql"
	"amdb/sql/ingest"
)

func (a *app) aliasCommand() *cobra.Command {
	var benchmark string
	var remove bool
	cmd := &cobra.Command{
		Use:   "alias [model|cli|task RAW=NAME…]",
		Short: "Give models, agents and tasks the names that count, or list them",
		Long: `Sources spell one thing in many ways. An alias says that the name RAW of a source means
NAME; it holds for every stored run and every later load. Nothing is joined by
likeness: check lists near-doubles, and joining them is for a person to say.

The names of the sources stay: raw_model, raw_cli and raw_task of the view runs, and
the identity of every run, rest on them. --remove gives the runs their own names back.
An argument @FILE reads RAW=NAME from lines of a file.`,
		Example: `  amdb alias model openrouter/anthropic/claude-sonnet-4.5=claude-sonnet-4.5
  amdb alias task --benchmark swe-bench django_1=django-1
  amdb alias
  amdb alias cli --remove ClaudeCode`,
		Args: usageArgs(func(_ *cobra.Command, args []string) error {
			if len(args) == 1 || len(args) > 0 && !slices.Contains(ingest.AliasKinds, args[0]) {
				return errorf("takes no arguments, or model, cli or task and RAW=NAME")
			}
			return nil
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkFormat(); err != nil {
				return err
			}
			if len(args) == 0 {
				if remove {
					return schema.Faultf(schema.Usage, "alias", "as amdb alias model --remove RAW", "--remove wants a kind and names")
				}
				return a.listAliases(cmd.Context())
			}
			return a.alias(cmd.Context(), args[0], benchmark, args[1:], remove)
		},
	}
	cmd.Flags().StringVar(&benchmark, "benchmark", "", "suite of the tasks (default: all)")
	cmd.Flags().BoolVar(&remove, "remove", false, "take the aliases of these names away")
	return cmd
}

func (a *app) alias(ctx context.Context, kind, benchmark string, args []string, remove bool) error {
	var names []string
	for _, arg := range args {
		list := []string{arg}
		if arg[0] == '@' {
			var err error
			if list, err = readList(arg); err != nil {
				return err
			}
		}
		names = append(names, list...)
	}
	return a.with(ctx, sql.Write, func(db *sql.DB) error {
		if remove {
			return ingest.RemoveAliases(ctx, db, kind, benchmark, names)
		}
		aliases, err := ingest.ParseAliases(kind, benchmark, names)
		if err != nil {
			return err
		}
		if err := ingest.SetAliases(ctx, db, aliases); err != nil {
			return err
		}
		list, err := ingest.Aliases(ctx, db)
		if err != nil {
			return err
		}
		for _, l := range list {
			if slices.ContainsFunc(aliases, func(n ingest.Alias) bool { return n.Kind == l.Kind && n.Benchmark == l.Benchmark && n.Raw == l.Raw }) {
				a.inform("%s %s is %s: %d runs", l.Kind, oneLine(l.Raw), oneLine(l.Name), l.Runs)
			}
		}
		return nil
	})
}

func (a *app) listAliases(ctx context.Context) error {
	return a.with(ctx, sql.Read, func(db *sql.DB) error {
		list, err := ingest.Aliases(ctx, db)
		if err != nil {
			return err
		}
		rows := [][]any{}
		for _, l := range list {
			rows = append(rows, []any{l.Kind, l.Raw, l.Name, l.Benchmark, l.Runs})
		}
		return a.printResult(list, export.NewTable([]export.Column{
			{Name: "kind"}, {Name: "raw"}, {Name: "name"}, {Name: "benchmark"}, {Name: "runs", Kind: export.Integer},
		}, rows))
	})
}
