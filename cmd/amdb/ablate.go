package main

import (
	"context"

	"github.com/spf13/cobra"

	"amdb/export/table"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) ablateCommand() *cobra.Command {
	o := study.ScoreOptions{Policies: study.DefaultPolicies()}
	cmd := &cobra.Command{
		Use:   "ablate",
		Short: "Take each part out of the score and see what the ranking becomes",
		Long: `Ablate scores without the budgets (no_aubqc: alpha = 1), without plain quality
(no_tq: alpha = 0) and without the discount for expensive failures (no_efr), and
compares each ranking with the full one: Spearman's rho, Kendall's tau-b, the mean
absolute difference of AMS, the largest shift of a rank, and who wins.`,
		Example: "  amdb ablate\n  amdb ablate --tasks core -f json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.ablate(cmd.Context(), o) },
	}
	a.scopeFlags(cmd, &o)
	return cmd
}

func (a *app) ablate(ctx context.Context, o study.ScoreOptions) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var res *study.Ablation
	if err := a.with(ctx, sql.Read, func(db *sql.DB) (err error) {
		res, err = study.Ablate(ctx, db, o)
		return err
	}); err != nil {
		return err
	}
	a.warn(res.Warnings)
	return a.printSections(res,
		section{table: table.Ablation(res), notes: reason(res.Variants[0].Reason)},
		section{title: "scores and ranks without each part", table: table.AblationScores(res), notes: a.basisNotes(res.Basis, res.Tasks)},
	)
}
