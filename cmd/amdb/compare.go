package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"amdb/export/table"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) compareCommand() *cobra.Command {
	o := study.ScoreOptions{Policies: study.DefaultPolicies()}
	bootstrap := scoring.DefaultBootstrap()
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two configurations task by task, or two calibrations",
		Long: `Two configurations are compared on the tasks that both ran: the difference of AMS
with its interval from the same draws of tasks, the difference of mean reward with
its standard error by task, McNemar's exact test where every cell is one attempt
with reward 0 or 1, and who wins at which task.

Two calibrations are compared by what moved: tasks between strata, budgets,
thresholds, and the ranks under each, over the tasks in both.

The interval and the test are for one pair chosen beforehand. Of many pairs some
look separated by chance: the view pairwise has Holm's correction over all pairs.`,
		Example: "  amdb compare kimi-k2.5/claude-code glm-5.1/codex-cli --tasks core\n  amdb compare main tokens-only",
		Args:    usageArgs(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.compare(cmd.Context(), args[0], args[1], o, bootstrap)
		},
	}
	a.sharedFlags(cmd, &o)
	a.conditionFlag(cmd, &o)
	bootstrapFlags(cmd, &bootstrap)
	return cmd
}

func (a *app) compare(ctx context.Context, first, second string, o study.ScoreOptions, bootstrap scoring.BootstrapOptions) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var res study.Compared
	if err := a.with(ctx, sql.Read, func(db *sql.DB) (err error) {
		res, err = study.Compare(ctx, db, first, second, o, bootstrap)
		return err
	}); err != nil {
		return err
	}
	if c := res.Calibrations; c != nil {
		a.warn(c.Warnings)
		return a.printSections(c, a.movedSections(c)...)
	}
	c := res.Configs
	a.warn(c.Warnings)
	return a.printSections(c,
		section{title: fmt.Sprintf("A %s · B %s", c.A, c.B), table: table.PairFigures(c), notes: a.pairNotes(c)},
		section{title: "who wins where", table: table.PairedTasks(c), notes: a.basisNotes(c.Basis, c.Tasks)},
	)
}

// pairNotes say in words what the comparison of two configurations found.
func (a *app) pairNotes(c *study.ConfigComparison) []string {
	verdict := map[string]string{
		scoring.AheadA: c.A + " is ahead", scoring.AheadB: c.B + " is ahead", scoring.NotSeparated: "they are not separated",
	}[c.Verdict]
	notes := []string{
		fmt.Sprintf("%s at %v %% confidence: %d bootstrap draws of %d shared tasks, seed %d", oneLine(verdict), c.Level*100, c.Draws, c.Tasks, c.Seed),
		fmt.Sprintf("by reward A wins %d tasks, B wins %d, %d are equal", c.Wins, c.Losses, c.Ties),
	}
	if m := c.McNemar; m != nil {
		notes = append(notes, fmt.Sprintf("McNemar's exact test: A alone passed %d, B alone %d, p = %s", m.OnlyA, m.OnlyB, figure(m.P)))
	}
	if c.Pairs > 1 {
		notes = append(notes, fmt.Sprintf("one of %d pairs: of many, some look separated by chance (the view pairwise corrects by Holm)", c.Pairs))
	}
	for _, name := range []string{"difference", "difference_lo", "reward_difference", "reward_difference_se", "mcnemar"} {
		if why, ok := c.Reasons[name]; ok {
			notes = append(notes, "· "+name+": "+why)
		}
	}
	return notes
}

// movedSections are what moved between two calibrations.
func (a *app) movedSections(c *study.CalibrationComparison) []section {
	m, r := c.Moved, c.Ranking
	notes := append(reason(r.Reason),
		fmt.Sprintf("rankings: rho %s, tau %s, mean difference of ams %s; leader %s under A, %s under B", figure(r.Spearman), figure(r.Kendall), figure(r.MAE),
			oneLine(strings.Join(r.Leader, ", ")), oneLine(strings.Join(r.Winner, ", "))),
		fmt.Sprintf("A %s (%.12s) · B %s (%.12s) · %d tasks (%s) · condition %s", c.A.Name, c.A.Digest, c.B.Name, c.B.Digest, c.Tasks, c.TaskSet, c.Condition),
		study.Basis{Policies: c.Policies}.PolicyLine())
	return []section{
		{title: "budgets (the level that moved most) and thresholds", table: table.BudgetDifferences(m), notes: reason(m.Reason)},
		{title: fmt.Sprintf("%d of %d tasks in another stratum", len(m.Changed), m.Tasks), table: table.StratumDifferences(m)},
		{title: fmt.Sprintf("%d of %d configurations with another rank", len(r.Moves), r.Configs), table: table.RankDifferences(r), notes: notes},
	}
}
