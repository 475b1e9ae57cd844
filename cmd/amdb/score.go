package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"amdb/export/table"
	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) scoreCommand() *cobra.Command {
	o := study.ScoreOptions{Policies: study.DefaultPolicies()}
	bootstrap := scoring.DefaultBootstrap()
	var save string
	var ci bool
	cmd := &cobra.Command{
		Use:   "score",
		Short: "Score and rank the configurations",
		Long: `Score ranks configurations by AMS under a calibration: in each effort stratum
(alpha·TQ + (1−alpha)·AUBQC)·(1−EFR), then the mean of the three strata. Beside it
stand the conventional figures and the Pareto front of total cost and mean reward.

Nothing is dropped in silence: runs without a reward or a cost are an error that
counts them, until a policy says what to do; configurations that lack cells are
listed and not ranked.

--ci says how sure the ranking is: tasks are drawn anew within their strata, the
same draws for all configurations, and the scores and ranks computed again.
--pass-k gives the unbiased pass@k (one of k attempts passes) and pass^k (all
do), over the tasks with at least k attempts.`,
		Example: "  amdb score\n  amdb score --tasks core --ci\n  amdb score --condition pooled -f json\n  amdb score --pass-k 1,3\n  amdb score --missing-cost exclude --save review",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if ci {
				o.CI = &bootstrap
			} else if err := onlyWith(cmd, "--ci", "draws", "seed", "confidence"); err != nil {
				return err
			}
			return a.score(cmd.Context(), o, save)
		},
	}
	a.scopeFlags(cmd, &o)
	bootstrapFlags(cmd, &bootstrap)
	cmd.Flags().BoolVar(&ci, "ci", false, "intervals of scores and ranks, the chance of being best, and tiers, by bootstrap over tasks")
	cmd.Flags().IntSliceVar(&o.PassK, "pass-k", nil, "pass@k and pass^k for these numbers of attempts, as 1,3")
	cmd.Flags().StringVar(&save, "save", "", "store the result under this name in the tables saved_scores, saved_leaderboard, saved_strata, saved_intervals")
	return cmd
}

// scopeFlags are the flags that choose what is scored and how.
func (a *app) scopeFlags(cmd *cobra.Command, o *study.ScoreOptions) {
	a.sharedFlags(cmd, o)
	a.conditionFlag(cmd, o)
	cmd.Flags().StringVar(&o.Policies.Incomplete, "incomplete", o.Policies.Incomplete, "configurations that lack cells: exclude, error, zero")
}

// conditionFlag chooses the description.
func (a *app) conditionFlag(cmd *cobra.Command, o *study.ScoreOptions) {
	cmd.Flags().StringVar(&o.Condition, "condition", "original", "description whose runs are scored; or self, cross, pooled over the source-conditioned ones")
}

// sharedFlags are those of scopeFlags that mean something wherever runs are
// scored, configurations that lack cells or not.
func (a *app) sharedFlags(cmd *cobra.Command, o *study.ScoreOptions) {
	f := cmd.Flags()
	f.StringVar(&o.Calibration, "calibration", "", "calibration (default: the only one, else the newest)")
	f.StringVar(&o.Tasks, "tasks", "all", "tasks: all of the calibration's, a set's name, or @FILE")
	f.StringVar(&o.Policies.MissingReward, "missing-reward", o.Policies.MissingReward, "runs without a reward: error, zero, exclude")
	f.StringVar(&o.Policies.MissingCost, "missing-cost", o.Policies.MissingCost, "runs without a cost: error, exclude, unaffordable (within no budget)")
	f.Float64Var(&o.Policies.PassThreshold, "pass-threshold", o.Policies.PassThreshold, "least reward that passes")
	f.Var(alphaFlag{&o.Alpha}, "alpha", "mixing weight in place of the calibration's")
}

// bootstrapFlags are the flags of a resampling of tasks.
func bootstrapFlags(cmd *cobra.Command, o *scoring.BootstrapOptions) {
	f := cmd.Flags()
	f.IntVar(&o.Draws, "draws", o.Draws, "bootstrap draws of tasks within strata")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "seed: equal seeds and tasks give equal draws")
	f.Float64Var(&o.Level, "confidence", o.Level, "of the two-sided intervals")
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
		if res, err = waiting(ctx, a, "scoring", func() (*study.Scores, error) { return study.Score(ctx, db, o) }); err != nil || save == "" {
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
	return a.printResult(res, table.Leaderboard(res), a.scoreNotes(res)...)
}

// scoreNotes say under the table what it rests on.
func (a *app) scoreNotes(res *study.Scores) []string {
	notes := a.basisNotes(res.Basis(), res.Tasks)
	if res.CI == nil {
		return append(notes, passKNotes(res)...)
	}
	notes = append(notes, res.CI.Line())
	for _, s := range res.Leaderboard {
		if c := s.Certainty; c != nil && c.Reason != "" {
			notes = append(notes, fmt.Sprintf("· %s: %s", oneLine(s.Config), c.Reason))
		}
	}
	return append(notes, passKNotes(res)...)
}

// passKNotes count the tasks with too few attempts.
func passKNotes(res *study.Scores) (notes []string) {
	if len(res.Leaderboard) == 0 {
		return nil
	}
	for i, first := range res.Leaderboard[0].PassK {
		few := 0
		for _, s := range res.Leaderboard {
			few = max(few, s.PassK[i].TooFew)
		}
		if few > 0 {
			notes = append(notes, fmt.Sprintf("pass@%d, pass^%d: up to %d of %d tasks have fewer than %d attempts and are left out; · = all of them", first.K, first.K, few, res.Tasks, first.K))
		}
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
