package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"amdb/export/report"
	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) reportCommand() *cobra.Command {
	o := study.ScoreOptions{Policies: study.DefaultPolicies()}
	var sensitivity bool
	r := report.Options{Version: version, Bootstrap: scoring.DefaultBootstrap(), Runs: report.DefaultReportRuns}
	cmd := &cobra.Command{
		Use:   "report OUT.html",
		Short: "Write one self-contained page with the scores and what they rest on",
		Long: `Report writes a page for people: the leaderboard with intervals, budget–quality
curves, cost against reward, the parts of the score, how stable the ranks are, every
task and configuration down to its runs, what is missing, and where it all comes
from. It is one file that asks no network for anything, for screen and print.

Equal data and choices give an equal file, byte for byte.`,
		Example: "  amdb report review.html\n  amdb report review.html --tasks core --title \"Spring review\"",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.Bootstrap.Validate(); err != nil {
				return schema.Faultf(schema.Usage, "report", "as --draws 10000 --confidence 0.95", "%w", err)
			}
			asked := cmd.Flags().Changed("sensitivity")
			if asked && !sensitivity {
				r.SensitivityReason = "not asked for (--sensitivity=false)"
			}
			return a.writeReport(cmd.Context(), o, r, args[0], asked)
		},
	}
	a.scopeFlags(cmd, &o)
	bootstrapFlags(cmd, &r.Bootstrap)
	f := cmd.Flags()
	f.StringVar(&r.Title, "title", "", "title of the page")
	f.BoolVar(&sensitivity, "sensitivity", false, fmt.Sprintf("rank again under other calibrations, which takes minutes where the runs are many (default: up to %d runs)", maxSensitivityRuns))
	f.Var(carried{&r.Runs}, "runs", "carry the runs themselves where there are at most this many; 0 carries none")
	return cmd
}

// maxSensitivityRuns is up to how many runs a report ranks anew under other
// calibrations without being asked: some forty rankings, about a second.
const maxSensitivityRuns = 200_000

func (a *app) writeReport(ctx context.Context, o study.ScoreOptions, r report.Options, out string, asked bool) error {
	if ending := strings.ToLower(filepath.Ext(out)); ending != ".html" && ending != ".htm" {
		return schema.Faultf(schema.Usage, out, "amdb export writes other kinds of file", "a report's ending is .html")
	}
	return a.with(ctx, sql.Read, func(db *sql.DB) error {
		if !asked {
			s, err := study.ReadStatus(ctx, db)
			if err != nil {
				return err
			}
			if s.Runs > maxSensitivityRuns {
				r.SensitivityReason = fmt.Sprintf("there are %d runs; --sensitivity looks all the same", s.Runs)
			}
		}
		if err := a.analyses(ctx, db, o, &r); err != nil {
			return err
		}
		o.Views = true // the report queries them
		res, err := waiting(ctx, a, "scoring", func() (*study.Scores, error) { return study.Score(ctx, db, o) })
		if err != nil {
			return err
		}
		a.warn(res.Warnings)
		if err := a.writing(ctx, out, func() error { return report.Write(ctx, db, res, out, r) }); err != nil {
			return writeFault(out, err)
		}
		a.inform("wrote %s", out)
		return nil
	})
}

// analyses adds what some data do not have: where an analysis cannot be made,
// the page says why. It goes before the scoring, which must have the last word
// on what the views look at.
func (a *app) analyses(ctx context.Context, db *sql.DB, o study.ScoreOptions, r *report.Options) error {
	var err error
	if r.Descriptions, err = study.Describe(ctx, db, study.DescribeOptions{
		ScoreOptions: o, Assignments: scoring.DefaultAssignments, Seed: r.Bootstrap.Seed,
	}); err != nil {
		r.Descriptions, r.DescriptionsReason = nil, err.Error()
	}
	if r.SensitivityReason == "" {
		if r.Sensitivity, err = study.Analyse(ctx, db, study.SensitivityOptions{
			ScoreOptions: o, EtaQuantiles: study.DefaultEtaQuantiles, BudgetLevels: study.DefaultBudgetLevels,
		}); err != nil {
			r.Sensitivity, r.SensitivityReason = nil, err.Error()
		}
	}
	return ctx.Err()
}
