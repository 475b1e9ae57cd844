package study

import (
	"fmt"

	"amdb/schema"
	"amdb/scoring"
)

// settle applies the policies: which configurations are ranked, and whether
// what is missing is allowed.
func (res *Scores) settle(p *scoring.Panel, policies Policies) (*scoring.Panel, error) {
	res.Policies.Policies = policies
	var lacking []string
	for c, name := range p.Configs {
		n := p.Missing(c)
		if n == 0 {
			continue
		}
		switch policies.Incomplete {
		case "error":
			lacking = append(lacking, fmt.Sprintf("%s (%d of %d)", name, n, len(p.Tasks)))
		case "zero":
			res.Policies.ZeroCells += n
		default:
			// Cells whose runs lack a figure that must not lack are no reason to
			// leave the configuration out: they are an error, further down.
			if n -= refused(p.Row(c), policies); n > 0 {
				res.Excluded = append(res.Excluded, Excluded{name, p.Missing(c), len(p.Tasks) - p.Missing(c), uncounted(p.Row(c))})
			}
		}
	}
	if len(lacking) > 0 {
		return nil, schema.Faultf(schema.Failed, "score", "--incomplete exclude|zero", "%d configurations lack cells of the task set: %s", len(lacking), some(lacking))
	}
	out := map[string]bool{}
	for _, e := range res.Excluded {
		out[e.Config] = true
	}
	ranked := p.Filter(func(c int) bool { return !out[p.Configs[c]] })
	warnings, err := res.Policies.admit(ranked.Rows, p.Rows)
	res.Warnings = append(res.Warnings, warnings...)
	return ranked, err
}

// admit says whether the policies allow what the ranked cells' runs lack, and
// counts what the policies touched in all cells, ranked or not: a run that a
// policy took out may be why its configuration is not ranked.
func (used *PoliciesUsed) admit(ranked, all [][]scoring.Cell) (warnings []string, err error) {
	runs, noReward, noCost := gaps(ranked)
	if noReward > 0 && used.MissingReward == "error" {
		return nil, schema.Faultf(schema.Failed, "score", "--missing-reward zero|exclude", "%d of %d runs have no reward", noReward, runs)
	}
	if noCost > 0 && used.MissingCost == "error" {
		return nil, schema.Faultf(schema.Failed, "score", "amdb prices load FILE prices them from their tokens; or --missing-cost exclude|unaffordable",
			"%d of %d runs have no cost", noCost, runs)
	}
	runs, noReward, noCost = gaps(all)
	if used.MissingReward != "error" && noReward > 0 {
		used.RunsWithoutReward = noReward
		warnings = append(warnings, fmt.Sprintf("%d of %d runs have no reward (--missing-reward %s)", noReward, runs, used.MissingReward))
	}
	if used.MissingCost != "error" && noCost > 0 {
		used.RunsWithoutCost = noCost
		warnings = append(warnings, fmt.Sprintf("%d of %d runs have no cost (--missing-cost %s)", noCost, runs, used.MissingCost))
	}
	for _, row := range all {
		for _, c := range row {
			// A run that lacks what must not lack is not left out: it is an error
			// where it matters, and its configuration is not ranked elsewhere.
			if used.MissingReward != "error" || used.MissingCost != "error" {
				used.RunsLeftOut += int(c.Totals.Runs - c.Runs)
			}
		}
	}
	return warnings, nil
}

// gaps counts the runs of cells, and those without a reward and a cost.
func gaps(rows [][]scoring.Cell) (runs, noReward, noCost int) {
	for _, row := range rows {
		for i := range row {
			t := &row[i].Totals
			runs += int(t.Runs)
			noReward += int(t.MissingReward)
			noCost += int(t.MissingCost)
		}
	}
	return runs, noReward, noCost
}

// uncounted counts the cells that have runs, none of which counts.
func uncounted(row []scoring.Cell) int {
	n := 0
	for _, c := range row {
		if c.Runs == 0 && c.Totals.Runs > 0 {
			n++
		}
	}
	return n
}

// refused counts the cells that have runs, none of which counts, where that is
// because of a figure whose absence is an error.
func refused(row []scoring.Cell, p Policies) int {
	n := 0
	for _, c := range row {
		if c.Runs == 0 && (p.MissingReward == "error" && c.Totals.MissingReward > 0 || p.MissingCost == "error" && c.Totals.MissingCost > 0) {
			n++
		}
	}
	return n
}
