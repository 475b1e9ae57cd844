package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/schema"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) scoreCommand() *cobra.Command {
	o := study.ScoreOptions{Policies: study.DefaultPolicies()}
	var save string
	cmd := &cobra.Command{
		Use:   "score",
		Short: "Score and rank the configurations",
		Long: `Score ranks configurations by AMS under a calibration: in each effort stratum
(alpha·TQ + (1−alpha)·AUBQC)·(1−EFR), then the mean of the three strata. Beside it
stand the conventional figures and the Pareto front of total cost and mean reward.

Nothing is dropped in silence: runs without a reward or a cost are an error that
counts them, until a policy says what to do; configurations that lack cells are
listed and not ranked.`,
		Example: "  amdb score\n  amdb score --calibration main --tasks core -f json\n  amdb score --missing-cost exclude --save review",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.score(cmd.Context(), o, save)
		},
	}
	a.scopeFlags(cmd, &o)
	cmd.Flags().StringVar(&save, "save", "", "store the result under this name in the tables saved_scores, saved_leaderboard, saved_strata")
	return cmd
}

// scopeFlags are the flags that choose what is scored and how.
func (a *app) scopeFlags(cmd *cobra.Command, o *study.ScoreOptions) {
	f := cmd.Flags()
	f.StringVar(&o.Calibration, "calibration", "", "calibration (default: the only one, else the newest)")
	f.StringVar(&o.Tasks, "tasks", "all", "tasks: all of the calibration's, a set's name, or @FILE")
	f.StringVar(&o.Condition, "condition", "original", "description whose runs are scored")
	f.StringVar(&o.Policies.MissingReward, "missing-reward", o.Policies.MissingReward, "runs without a reward: error, zero, exclude")
	f.StringVar(&o.Policies.MissingCost, "missing-cost", o.Policies.MissingCost, "runs without a cost: error, exclude, unaffordable (within no budget)")
	f.StringVar(&o.Policies.Incomplete, "incomplete", o.Policies.Incomplete, "configurations that lack cells: exclude, error, zero")
	f.Float64Var(&o.Policies.PassThreshold, "pass-threshold", o.Policies.PassThreshold, "least reward that passes")
	f.Var(alphaFlag{&o.Alpha}, "alpha", "mixing weight in place of the calibration's")
}

func (a *app) score(ctx context.Context, o study.ScoreOptions, save string) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	mode := sql.Read
	if save != "" {
		mode = sql.Write
	}
	var res *study.Scores
	err := a.with(ctx, mode, func(db *sql.DB) (err error) {
		if res, err = study.Score(ctx, db, o); err != nil || save == "" {
			return err
		}
		return study.Save(ctx, db, res, save, version, a.now())
	})
	if err != nil {
		return err
	}
	a.warn(res.Warnings)
	if save != "" {
		a.inform("saved as %s", save)
	}
	return a.printResult(res, export.Leaderboard(res), a.scoreNotes(res)...)
}

// scoreNotes say under the table what it rests on.
func (a *app) scoreNotes(res *study.Scores) []string {
	notes := []string{
		fmt.Sprintf("calibration %s (%.12s) · %d tasks (%s) · condition %s · alpha %v", res.Calibration.Name, res.Calibration.Digest,
			res.Tasks, res.TaskSet, res.Condition, res.Alpha),
		res.PolicyLine(),
	}
	for i, e := range res.Excluded {
		if i == maxNotes {
			notes = append(notes, fmt.Sprintf("not ranked: … and %d more (-f json lists all)", len(res.Excluded)-i))
			break
		}
		notes = append(notes, fmt.Sprintf("not ranked: %s lacks %d of %d cells", oneLine(e.Config), e.MissingCells, res.Tasks))
	}
	return notes
}

// alphaFlag is a number that may be left out.
type alphaFlag struct{ to **float64 }

func (f alphaFlag) Type() string { return "float" }

func (f alphaFlag) String() string {
	if f.to == nil || *f.to == nil {
		return ""
	}
	return fmt.Sprint(**f.to)
}

func (f alphaFlag) Set(s string) error {
	var x float64
	if _, err := fmt.Sscanf(s, "%g", &x); err != nil {
		return schema.Faultf(schema.Usage, "--alpha", "", "%q is not a number", s)
	}
	*f.to = &x
	return nil
}
