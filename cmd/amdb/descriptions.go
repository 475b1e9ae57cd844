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

func (a *app) descriptionsCommand() *cobra.Command {
	o := study.DescribeOptions{
		ScoreOptions: study.ScoreOptions{Policies: study.DefaultPolicies(), Condition: scoring.Original},
		Assignments:  scoring.DefaultAssignments, Seed: 1,
	}
	cmd := &cobra.Command{
		Use:   "descriptions",
		Short: "Score the targets under every wording of the tasks",
		Long: `Descriptions scores every target under the conditions original, generic, self (its
own source's wording), cross (all others'), and pooled (all), over the tasks that
were run under all of them. Targets are the configurations with runs under a
source-conditioned description, which is named by its source as model/cli.

adapted-1 draws one source's wording for each task and gives it to all targets:
how often each leads, and how often the order is that of pooled. --exact computes
the same over all assignments, without sampling.`,
		Example: "  amdb descriptions\n  amdb descriptions --exact -f json\n  amdb descriptions --assignments 100000 --seed 7",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.descriptions(cmd.Context(), o) },
	}
	a.sharedFlags(cmd, &o.ScoreOptions)
	f := cmd.Flags()
	f.IntVar(&o.Assignments, "assignments", o.Assignments, "assignments of sources to tasks that adapted-1 draws")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "seed of the draws: equal seeds, tasks and sources give equal bits")
	f.BoolVar(&o.Exact, "exact", false, "also compute adapted-1 over all assignments")
	return cmd
}

func (a *app) descriptions(ctx context.Context, o study.DescribeOptions) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var res *study.Descriptions
	if err := a.with(ctx, sql.Read, func(db *sql.DB) (err error) {
		res, err = study.Describe(ctx, db, o)
		return err
	}); err != nil {
		return err
	}
	a.warn(res.Warnings)
	targets := section{title: "targets", table: table.ConditionTargets(res), notes: targetNotes(res)}
	if a.format == "csv" || a.format == "tsv" {
		return a.printSections(res, targets)
	}
	var notes []string
	for _, c := range res.Conditions {
		if c.Reason != "" {
			notes = append(notes, "· "+c.Condition+": "+oneLine(c.Reason))
		}
	}
	return a.printSections(res,
		section{title: "conditions", table: table.Conditions(res), notes: notes}, targets,
		section{title: "adapted-1: one source's wording a task, the same for all targets", table: table.AdaptedTargets(res), notes: a.adaptedNotes(res)},
	)
}

// targetNotes say why a target has no figure under a condition.
func targetNotes(res *study.Descriptions) []string {
	var notes []string
	for _, c := range res.Conditions {
		for _, r := range c.Configs {
			if r.Reason != "" && len(notes) < maxNotes && c.Ranked > 0 {
				notes = append(notes, fmt.Sprintf("· %s, %s: %s", c.Condition, oneLine(r.Config), r.Reason))
			}
		}
	}
	return notes
}

func (a *app) adaptedNotes(res *study.Descriptions) []string {
	var notes []string
	if s := res.Adapted1; s != nil {
		notes = append(notes, fmt.Sprintf("%d assignments, seed %d: %s have the order of pooled", s.Assignments, s.Seed, percent(s.SameOrderAsPooled)))
		for _, name := range s.Excluded {
			notes = append(notes, "· "+oneLine(name)+" lacks a run under some source's description and is left out")
		}
	}
	if x := res.Exact; x != nil {
		notes = append(notes, fmt.Sprintf("exactly, over all %d assignments: %s", x.Assignments, percent(x.SameOrderAsPooled)))
		notes = append(notes, reason(x.Reason)...)
	}
	for _, name := range []string{"adapted1", "adapted1_exact"} {
		if why, ok := res.Reasons[name]; ok {
			notes = append(notes, "· "+name+": "+why)
		}
	}
	c := res.CrossCells
	notes = append(notes, fmt.Sprintf("cross cells: %d of %d improve the reward (%d) or keep it at lower cost (%d); %d are undecided, a cost being unknown",
		c.ImprovedOrCheaper, c.Of, c.Improved, c.Cheaper, c.Undecided))
	for _, digest := range res.Selections {
		notes = append(notes, fmt.Sprintf("wordings of selection %.12s stand where their source's own name was not run", digest))
	}
	return append(notes, res.Line(), res.PolicyLine())
}
