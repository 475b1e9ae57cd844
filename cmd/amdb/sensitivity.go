package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"amdb/export/table"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) sensitivityCommand() *cobra.Command {
	o := study.SensitivityOptions{
		ScoreOptions: study.ScoreOptions{Policies: study.DefaultPolicies()},
		EtaQuantiles: study.DefaultEtaQuantiles, BudgetLevels: study.DefaultBudgetLevels,
	}
	cmd := &cobra.Command{
		Use:   "sensitivity",
		Short: "Say what other weights, reference sets, thresholds and budgets would change",
		Long: `Sensitivity finds the exact mixing weights at which any two configurations change
places, and who leads between them. It then makes the calibration anew from the
runs without each reference configuration in turn, with other quantiles for the
threshold, and with other numbers of budgets, scores under each, and compares: how
often the leader stays, how far ranks shift, which tasks change stratum, and how
far a budget moves.`,
		Example: "  amdb sensitivity --tasks core\n  amdb sensitivity --eta-quantiles 0.5,0.9 --budget-levels 5,20 -f json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.sensitivity(cmd.Context(), o) },
	}
	a.scopeFlags(cmd, &o.ScoreOptions)
	cmd.Flags().Float64SliceVar(&o.EtaQuantiles, "eta-quantiles", o.EtaQuantiles, "quantiles of the threshold to try [ours]")
	cmd.Flags().IntSliceVar(&o.BudgetLevels, "budget-levels", o.BudgetLevels, "numbers of budgets to try [ours]")
	return cmd
}

func (a *app) sensitivity(ctx context.Context, o study.SensitivityOptions) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var res *study.Sensitivity
	if err := a.with(ctx, sql.Read, func(db *sql.DB) (err error) {
		res, err = waiting(ctx, a, "scoring under other calibrations", func() (*study.Sensitivity, error) { return study.Analyse(ctx, db, o) })
		return err
	}); err != nil {
		return err
	}
	a.warn(res.Warnings)
	s := res.AlphaSweep
	notes := append(reason(s.Reason), fmt.Sprintf("%d weights at which places change (-f json lists the pairs); the whole ranking is one from alpha %s to %s",
		len(s.Breakpoints), figure(s.StableFrom), figure(s.StableTo)))
	return a.printSections(res,
		section{title: "other choices", table: table.Alternatives(res), notes: a.alternativeNotes(res)},
		section{title: "mixing weight", table: table.AlphaRanges(s), notes: append(notes, a.basisNotes(res.Basis, res.Tasks)...)},
	)
}

// alternativeNotes sum the alternatives up.
func (a *app) alternativeNotes(res *study.Sensitivity) []string {
	stays := res.LeaderStays
	notes := []string{
		fmt.Sprintf("leader: %s", oneLine(strings.Join(res.Leader, ", "))),
		fmt.Sprintf("it stays in %s of [0,1] for alpha, %s of reference sets less one, %s of eta quantiles, %s of budget levels",
			percent(stays[study.ByAlpha]), percent(stays[study.ByOneOut]), percent(stays[study.ByEta]), percent(stays[study.ByLevels])),
	}
	if m := res.LargestMoves; m.ChangedStrata != nil {
		line := fmt.Sprintf("leaving one out moves at most %d tasks to another stratum", *m.ChangedStrata)
		if m.RankShift != nil {
			line += fmt.Sprintf(", %d ranks", *m.RankShift)
		}
		if b := m.Budget; b != nil {
			line += fmt.Sprintf(", and a budget by %s (%s, level %d: %s to %s USD)", percent(b.Relative), b.Stratum, b.Level, human(b.FromUSD), human(b.ToUSD))
		}
		notes = append(notes, line)
	}
	for _, kind := range []string{study.ByOneOut, study.ByEta, study.ByLevels} {
		if why, ok := res.Reasons[kind]; ok {
			notes = append(notes, "· "+kind+": "+why)
		}
	}
	for _, all := range [][]study.Alternative{res.LeaveOneOut, res.EtaGrid, res.BudgetGrid} {
		for _, alt := range all {
			if alt.Reason != "" {
				notes = append(notes, "· "+oneLine(alt.Choice+": "+alt.Reason))
			}
		}
	}
	return notes
}
