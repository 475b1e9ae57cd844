package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"amdb/export/table"
	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) subsetCommand() *cobra.Command {
	o := study.ScoreOptions{Policies: study.DefaultPolicies()}
	seed := uint64(1)
	cmd := &cobra.Command{
		Use:   "subset K",
		Short: "Propose K tasks that keep the ranking of all",
		Long: `Subset proposes K tasks with the shares of strata and benchmarks of the whole,
searched so that the ranking stays. It writes them as amdb set reads them, with
what is known of them as comments: how they agree with the full ranking, how such
a choice agrees on configurations that did not choose it, and how random subsets
with the same shares do.`,
		Example: "  amdb subset 30 -o core.txt && amdb set core @core.txt\n  amdb subset 30 --seed 7 -f json",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := strconv.Atoi(args[0])
			if err != nil {
				return schema.Faultf(schema.Usage, "subset", "as amdb subset 30", "%q is not a number of tasks", args[0])
			}
			return a.subset(cmd.Context(), o, k, seed)
		},
	}
	a.scopeFlags(cmd, &o)
	cmd.Flags().Uint64Var(&seed, "seed", seed, "seed of the search")
	return cmd
}

func (a *app) subset(ctx context.Context, o study.ScoreOptions, k int, seed uint64) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var res *study.Subset
	if err := a.with(ctx, sql.Read, func(db *sql.DB) (err error) {
		res, err = waiting(ctx, a, "choosing tasks", func() (*study.Subset, error) { return study.ProposeSubset(ctx, db, o, k, seed) })
		return err
	}); err != nil {
		return err
	}
	a.warn(res.Warnings)
	if a.format != "table" {
		return a.printResult(res, table.SubsetTasks(res))
	}
	return a.out(func(w io.Writer) error {
		for _, n := range subsetNotes(res) {
			fmt.Fprintln(w, "# "+oneLine(n))
		}
		for _, t := range res.Tasks {
			if _, err := fmt.Fprintf(w, "%s\t%s\n", t.Benchmark, t.Task); err != nil {
				return err
			}
		}
		return nil
	})
}

// subsetNotes say what is known of a proposal.
func subsetNotes(res *study.Subset) []string {
	notes := []string{
		fmt.Sprintf("%d of %d tasks, proposed by amdb subset with seed %d; amdb set NAME @FILE takes them", res.K, res.Of, res.Seed),
		res.Line(res.Of), res.PolicyLine(),
	}
	seats := "benchmark/stratum chosen of all:"
	for _, s := range res.Shares {
		seats += fmt.Sprintf(" %s/%s %d of %d;", s.Benchmark, s.Stratum, s.Chosen, s.Of)
	}
	notes = append(notes, seats[:len(seats)-1])
	c := res.Agreement
	notes = append(notes, fmt.Sprintf("agreement with the ranking of all, %d configurations: rho %s, tau %s, mean difference of ams %s",
		res.Configs, figure(c.Spearman), figure(c.Kendall), figure(c.MAE)))
	agreement := func(what string, g *scoring.Agreement) {
		if g != nil {
			notes = append(notes, fmt.Sprintf("%s: rho %s, tau %s, mean difference of ams %s, mean of %d subsets",
				what, figure(g.Spearman), figure(g.Kendall), figure(g.MAE), g.Subsets))
		}
	}
	agreement("on configurations that did not choose", res.HeldOut)
	agreement("random subsets with the same shares, on the same", res.Random)
	if res.AsGood != nil {
		notes = append(notes, "random subsets at least as good there: "+percent(res.AsGood))
	}
	return append(append(notes, reason(res.Reason)...), reason(c.Reason)...)
}

// figure is a number in a sentence, a dot where it is undefined.
func figure(x *float64) string {
	if x == nil {
		return "·"
	}
	return human(*x)
}

// percent is a share in a sentence, a dot where it is undefined.
func percent(x *float64) string {
	if x == nil {
		return "·"
	}
	return strconv.FormatFloat(*x*100, 'f', 1, 64) + " %"
}
