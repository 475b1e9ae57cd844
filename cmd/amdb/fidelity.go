package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"amdb/export/table"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) fidelityCommand() *cobra.Command {
	o := study.ScoreOptions{Policies: study.DefaultPolicies()}
	against := "all"
	cmd := &cobra.Command{
		Use:   "fidelity SUBSET",
		Short: "Say how well a set of tasks keeps the ranking of the whole",
		Long: `Fidelity scores a set of tasks (a set's name or @FILE) and the whole under one
calibration, and compares the two rankings over the configurations that are
complete on both. Whether the first place and the first three stay is asked of
sets: everyone ranked first, and third or better, ties included.`,
		Example: "  amdb fidelity core\n  amdb fidelity @ten.txt --against core -f json",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Tasks = args[0]
			return a.fidelity(cmd.Context(), o, against)
		},
	}
	a.sharedFlags(cmd, &o)
	a.conditionFlag(cmd, &o)
	if err := cmd.Flags().MarkHidden("tasks"); err != nil {
		panic(err) // sharedFlags has it
	}
	cmd.Flags().StringVar(&against, "against", against, "the whole: all, a set's name, or @FILE")
	return cmd
}

func (a *app) fidelity(ctx context.Context, o study.ScoreOptions, against string) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var res *study.Fidelity
	if err := a.with(ctx, sql.Read, func(db *sql.DB) (err error) {
		res, err = study.CompareSubset(ctx, db, o, against)
		return err
	}); err != nil {
		return err
	}
	a.warn(res.Warnings)
	notes := append(reason(res.Reason), fmt.Sprintf("%s: %d tasks · %s: %d tasks", oneLine(res.Subset), res.Tasks, oneLine(res.Against), res.AgainstTasks))
	return a.printResult(res, table.Fidelity(res), append(notes, a.basisNotes(res.Basis, res.Tasks)...)...)
}
