package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"amdb/export/table"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) selectCommand() *cobra.Command {
	o := study.SelectOptions{MissingReward: "error", Version: version}
	cmd := &cobra.Command{
		Use:   "select [--gate FILE]",
		Short: "Choose the wording of every task and source among its candidates, and freeze it",
		Long: `A candidate is a wording that its source ran itself: a run of model/cli under the
description model/cli#N. The gate table says which candidates preserve the task: CSV
with the columns benchmark, task, source, candidate, preserved, reason.

For each task and source, of the candidates that passed the gate, the one with the
highest reward is selected, then the lowest cost, then the lowest N; original stays
where that one neither improves the reward nor keeps it at lower cost. The choice
is stored with a digest and never changes. It is refused where a target ran under
that source's description before: a selection comes before the evaluation.

From then on the selected wording is the source's description in descriptions and
in score --condition. Without --gate, what is frozen is shown.`,
		Example: "  amdb select --gate gate.csv\n  amdb select -f json",
		Args:    usageArgs(cobra.NoArgs),
	}
	gate := cmd.Flags().String("gate", "", "verdicts of the preservation gate: CSV, or - for standard input")
	cmd.Flags().StringVar(&o.MissingReward, "missing-reward", o.MissingReward, "source-side runs without a reward: error, zero, exclude")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := a.checkFormat(); err != nil {
			return err
		}
		if *gate == "" {
			if err := onlyWith(cmd, "--gate", "missing-reward"); err != nil {
				return err
			}
			return a.showSelections(cmd.Context())
		}
		o.GateName, o.Now = *gate, a.now()
		return a.selectWordings(cmd.Context(), o)
	}
	return cmd
}

func (a *app) selectWordings(ctx context.Context, o study.SelectOptions) (err error) {
	if o.Gate, err = a.readFile(o.GateName); err != nil {
		return err
	}
	var res *study.Selection
	if err := a.with(ctx, sql.Write, func(db *sql.DB) (err error) {
		res, err = study.Select(ctx, db, o)
		return err
	}); err != nil {
		return err
	}
	a.warn(res.Warnings)
	return a.printResult(res, table.Choices(res.Choices), selectionNote(*res))
}

func selectionNote(s study.Selection) string {
	return fmt.Sprintf("selection %s: %d wordings selected, %d fall back to original; gate table sha256 %.12s", s.Digest, s.Selected, s.Fallbacks, s.GateSHA256)
}

func (a *app) showSelections(ctx context.Context) error {
	var all []study.Selection
	if err := a.with(ctx, sql.Read, func(db *sql.DB) (err error) {
		all, err = study.Selections(ctx, db)
		return err
	}); err != nil {
		return err
	}
	var choices []scoring.Choice
	var notes []string
	for _, s := range all {
		choices, notes = append(choices, s.Choices...), append(notes, selectionNote(s))
	}
	if len(all) == 0 {
		notes = append(notes, "nothing is selected yet: amdb select --gate FILE")
	}
	return a.printResult(map[string]any{"selections": all}, table.Choices(choices), notes...)
}
