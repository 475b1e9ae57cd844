package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) calibrateCommand() *cobra.Command {
	rules := scoring.DefaultRules()
	var tasks, percentile, terms, reference, budgets string
	cmd := &cobra.Command{
		Use:   "calibrate NAME",
		Short: "Fix effort strata, budgets and thresholds from the reference runs",
		Long: `A calibration is computed once from the reference configurations on the reference
tasks, stored under a name, and never changes. It holds all that scoring needs.
Equal runs and choices give an equal digest, in any order, on any machine.

Choices marked [ours] are amdb's where the paper is silent (docs/method.md).`,
		Example: "  amdb calibrate main\n  amdb calibrate tokens-only --effort-terms tokens,zero\n  amdb calibrate eight --reference @reference.txt",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := study.CalibrateOptions{Name: args[0], Tasks: tasks, Rules: rules, Version: version, Now: a.now()}
			var err error
			if o.Rules.Percentile, err = scoring.ParsePercentile(percentile); err != nil {
				return &schema.Fault{Class: schema.Usage, What: "--percentile", Err: err}
			}
			if o.Rules.EffortTerms, err = scoring.ParseTerms(strings.Split(terms, ",")); err != nil {
				return &schema.Fault{Class: schema.Usage, What: "--effort-terms", Err: err}
			}
			if err := o.Rules.Validate(); err != nil {
				return &schema.Fault{Class: schema.Usage, What: "calibrate", Err: err}
			}
			if o.Reference, err = readList(reference); err != nil {
				return err
			}
			if budgets != "" {
				if o.Budgets, err = study.ReadBudgets(budgets); err != nil {
					return err
				}
			}
			return a.calibrate(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&tasks, "tasks", "all", "reference tasks: all, a set's name, or @FILE")
	f.StringVar(&reference, "reference", "", "reference configurations: A,B or @FILE (default: all that are complete)")
	f.Float64Var(&rules.Alpha, "alpha", rules.Alpha, "mixing weight of task quality [ours]")
	f.IntVar(&rules.BudgetLevels, "budget-levels", rules.BudgetLevels, "budgets a stratum: the quantiles k/K [ours]")
	f.StringVar(&budgets, "budgets", "", "budgets by hand: CSV with the columns stratum,budget_usd")
	f.Float64Var(&rules.EtaQuantile, "eta-quantile", rules.EtaQuantile, "quantile of failed runs' costs above which a failure is expensive [ours]")
	f.StringVar(&percentile, "percentile", string(rules.Percentile), "percentile rank of ties: mid, weak, strict [ours]")
	f.StringVar(&terms, "effort-terms", "tokens,steps,zero", "terms of the effort index")
	f.StringVar(&rules.MissingReward, "missing-reward", rules.MissingReward, "reference runs without a reward: error, zero, exclude")
	f.StringVar(&rules.MissingCost, "missing-cost", rules.MissingCost, "reference runs without a cost: error, exclude (from budgets and thresholds)")
	f.StringVar(&rules.MissingTerms, "missing-terms", rules.MissingTerms, "reference runs without tokens or steps: error, known (means over the runs that have them)")
	return cmd
}

// readList reads A,B,C or @FILE with one name a line.
func readList(spec string) ([]string, error) {
	path, isFile := strings.CutPrefix(spec, "@")
	if !isFile {
		var out []string
		for _, s := range strings.Split(spec, ",") {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		}
		return out, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if s := strings.TrimSpace(line); s != "" && !strings.HasPrefix(s, "#") {
			out = append(out, s)
		}
	}
	return out, nil
}

func (a *app) calibrate(ctx context.Context, o study.CalibrateOptions) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var cal *scoring.Calibration
	err := a.with(ctx, sql.Write, func(db *sql.DB) (err error) {
		cal, err = waiting(ctx, a, "calibrating", func() (*scoring.Calibration, error) { return study.Calibrate(ctx, db, o) })
		return err
	})
	if err != nil {
		return err
	}
	a.warn(cal.Warnings)
	return a.showCalibration(cal)
}

// showCalibration prints a calibration: its JSON, or its strata as a table.
func (a *app) showCalibration(cal *scoring.Calibration) error {
	if a.format == "json" || a.format == "jsonl" {
		return a.printJSON(cal)
	}
	var rows [][]any
	for _, s := range scoring.Strata {
		r := cal.Strata[s]
		var eta any
		if r.EtaUSD != nil {
			eta = *r.EtaUSD
		}
		rows = append(rows, []any{s.String(), int64(r.Tasks), int64(len(r.Budgets)), r.Budgets[0], r.Budgets[len(r.Budgets)-1], eta})
	}
	terms := make([]string, len(cal.EffortTerms))
	for i, t := range cal.EffortTerms {
		terms[i] = string(t)
	}
	return a.print(export.NewTable([]export.Column{
		{Name: "stratum"},
		{Name: "tasks", Kind: export.Integer},
		{Name: "budgets", Kind: export.Integer},
		{Name: "lowest_usd", Kind: export.Number},
		{Name: "highest_usd", Kind: export.Number},
		{Name: "eta_usd", Kind: export.Number},
	}, rows),
		fmt.Sprintf("calibration %s · %d tasks · %d reference configurations · alpha %v · effort %s · percentile %s · eta quantile %v",
			cal.Name, len(cal.Tasks), len(cal.Reference), cal.Alpha, strings.Join(terms, "+"), cal.Percentile, cal.EtaQuantile),
		"digest "+cal.Digest)
}
