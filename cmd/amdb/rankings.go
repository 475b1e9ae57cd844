package main

import (
	"context"

	"github.com/spf13/cobra"

	"amdb/export/table"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) rankingsCommand() *cobra.Command {
	o := study.ScoreOptions{Policies: study.DefaultPolicies()}
	cmd := &cobra.Command{
		Use:   "rankings",
		Short: "Rank by passes, cost and tokens per pass, and mean reward beside AMS",
		Long: `Rankings puts the ranks by conventional criteria beside that by AMS, and says who
leads each and how far each agrees with AMS: Spearman's rho and Kendall's tau-b,
oriented so that 1 is the same order of merit. A configuration without a pass has
no cost per pass and is not ranked by it.

usd/pass and tok/pass divide all spending by the passes; usd/succ and tok/succ
count the spending of the successful runs alone.`,
		Example: "  amdb rankings --tasks core\n  amdb rankings -f csv",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.rankings(cmd.Context(), o) },
	}
	a.scopeFlags(cmd, &o)
	return cmd
}

func (a *app) rankings(ctx context.Context, o study.ScoreOptions) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var res *study.Rankings
	if err := a.with(ctx, sql.Read, func(db *sql.DB) (err error) {
		res, err = study.Rank(ctx, db, o)
		return err
	}); err != nil {
		return err
	}
	a.warn(res.Warnings)
	var notes []string
	for _, c := range res.Criteria {
		if c.Reason != "" {
			notes = append(notes, "· "+c.Criterion+": "+c.Reason)
		}
	}
	return a.printSections(res,
		section{title: "rank by", table: table.CriterionRanks(res, a.format == "table"), notes: notes},
		section{title: "agreement with ams", table: table.Criteria(res), notes: a.basisNotes(res.Basis, res.Tasks)},
	)
}
