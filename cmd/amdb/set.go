package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/schema"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) setCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "set [NAME @FILE]",
		Short: "Name a set of tasks, or list the sets",
		Long: `A set is a file with a task a line: its id, or benchmark, tab, id. A bare id that
stands in several benchmarks is an error that names them. Setting a name again
replaces it; calibrations keep the tasks that they were made from.`,
		Example: "  amdb set core @core.txt\n  amdb set",
		Args: usageArgs(func(_ *cobra.Command, args []string) error {
			if len(args) != 0 && len(args) != 2 {
				return errorf("takes no arguments, or NAME and @FILE")
			}
			return nil
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listSets(cmd.Context())
			}
			return a.makeSet(cmd.Context(), args[0], args[1])
		},
	}
}

func (a *app) makeSet(ctx context.Context, name, file string) error {
	path, ok := strings.CutPrefix(file, "@")
	if !ok {
		return schema.Faultf(schema.Usage, "set", "as amdb set core @core.txt", "%q is not @FILE", file)
	}
	return a.with(ctx, sql.Write, func(db *sql.DB) error {
		n, err := study.MakeSet(ctx, db, name, path)
		if err == nil {
			a.inform("set %s: %d tasks", name, n)
		}
		return err
	})
}

func (a *app) listSets(ctx context.Context) error {
	return a.with(ctx, sql.Read, func(db *sql.DB) error {
		sets, err := study.Sets(ctx, db)
		if err != nil {
			return err
		}
		rows := [][]any{}
		for _, s := range sets {
			rows = append(rows, []any{s.Name, s.Tasks, s.Benchmarks})
		}
		return a.printResult(sets, export.NewTable([]export.Column{
			{Name: "name"}, {Name: "tasks", Kind: export.Integer}, {Name: "benchmarks", Kind: export.Integer},
		}, rows))
	})
}
