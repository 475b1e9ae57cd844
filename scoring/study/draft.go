package study

import (
	"fmt"
	"slices"
	"strings"

	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/stat"
)

// draft is one calibration under way: the reference configurations at the
// reference tasks.
type draft struct {
	*family
	o       CalibrateOptions
	configs []int32 // Π_ref, by name
	of      *scoring.CalibrationBuilder
}

// fix is the calibration, given the costs that it needs.
func (d *draft) fix(costs map[scoring.Stratum]scoring.ReferenceCosts) (*scoring.Calibration, error) {
	cal, err := d.of.Fix(costs)
	if err != nil {
		return nil, calibrateFault(err)
	}
	cal.Warnings = append(cal.Warnings, d.warnings()...)
	return cal, nil
}

// referenceNames are the names of Π_ref.
func (d *draft) referenceNames() []string {
	out := make([]string, len(d.configs))
	for i, c := range d.configs {
		out[i] = d.names[c]
	}
	return out
}

// has says whether the rules' effort has a term.
func (d *draft) has(t scoring.Term) bool { return slices.Contains(d.o.Rules.EffortTerms, t) }

// choose settles Π_ref: the configurations named, or all that are complete on
// the reference tasks.
func (d *draft) choose() error {
	if len(d.o.Reference) == 0 {
		best, most := "", len(d.tasks)+1
		for _, c := range d.known {
			switch n := d.lack[c].tasks; {
			case n == 0:
				d.configs = append(d.configs, c)
			case n < most:
				best, most = d.names[c], n
			}
		}
		if len(d.configs) == 0 {
			return schema.Faultf(schema.Failed, "calibration",
				"calibrate on the tasks that all share with --tasks NAME|@FILE",
				"no configuration is complete on the %d reference tasks; %s comes nearest and lacks %d", len(d.tasks), best, most)
		}
		return nil
	}
	wanted := map[string]bool{}
	for _, name := range d.o.Reference {
		wanted[name] = true
	}
	var lacking []string
	for _, c := range d.known {
		if wanted[d.names[c]] {
			d.configs = append(d.configs, c)
			if d.lack[c].tasks > 0 {
				lacking = append(lacking, d.missing(c)...)
			}
			delete(wanted, d.names[c])
		}
	}
	for _, name := range d.o.Reference {
		if wanted[name] {
			return schema.Faultf(schema.Failed, "--reference "+name, `amdb sql "SELECT config FROM configs" lists the configurations`, "there is no such configuration")
		}
	}
	if len(lacking) > 0 {
		return schema.Faultf(schema.Failed, "calibration", "leave the configuration out of --reference, or the task out of --tasks",
			"%d reference cells have no run: %s", len(lacking), some(lacking))
	}
	return nil
}

// stats are the reference tasks' statistics (section 2.1): those of the family's
// configurations, without the ones that are no reference here.
func (d *draft) stats() []scoring.TaskStats {
	var out []int32
	for _, c := range d.family.configs {
		if !slices.Contains(d.configs, c) {
			out = append(out, c)
		}
	}
	stats := make([]scoring.TaskStats, len(d.numbers))
	medians := make([]float64, 2*len(d.numbers))
	var tokens, steps []float64 // of those without
	for i, task := range d.numbers {
		v := d.values[i] // its zero rate is a copy
		tokens, steps = tokens[:0], steps[:0]
		for _, c := range out {
			cell := d.cell(c, task)
			if mean, ok := cell.meanTokens(); ok {
				tokens = append(tokens, mean)
			}
			if mean, ok := cell.meanSteps(); ok {
				steps = append(steps, mean)
			}
			v.zeros.Take(d.zeroShare(cell))
		}
		stats[i] = scoring.TaskStats{
			Key:          d.tasks[i],
			MedianTokens: d.median(v.tokens, tokens, scoring.TermTokens, &medians[2*i]),
			MedianSteps:  d.median(v.steps, steps, scoring.TermSteps, &medians[2*i+1]),
			ZeroRate:     v.zeros.Mean(len(d.configs)),
		}
	}
	return stats
}

// median is that of the values without some, kept where it is told; nil where
// there is none, and where not every configuration has a value, unless effort
// needs the term.
func (d *draft) median(values, without []float64, term scoring.Term, at *float64) *float64 {
	slices.Sort(without)
	m, ok := stat.MedianWithout(values, without)
	if !ok || len(values)-len(without) < len(d.configs) && !d.has(term) {
		return nil
	}
	*at = m
	return at
}

// tally counts what the reference runs lack.
func (d *draft) tally() (sum lack) {
	for _, c := range d.configs {
		l := &d.lack[c]
		sum.runs += l.runs
		sum.noReward += l.noReward
		sum.noCost += l.noCost
		sum.noTokens += l.noTokens
		sum.noSteps += l.noSteps
	}
	return sum
}

// complete says what the reference runs lack and which flag settles it.
func (d *draft) complete() error {
	rules := d.o.Rules
	sum := d.tally()
	var present, lacking, columns []string
	for _, t := range rules.EffortTerms {
		n, column := int64(0), ""
		switch t {
		case scoring.TermTokens:
			n, column = sum.noTokens, "total_tokens"
		case scoring.TermSteps:
			n, column = sum.noSteps, "steps"
		case scoring.TermZero:
		}
		switch {
		case n == sum.runs:
			lacking, columns = append(lacking, string(t)), append(columns, column)
		case n > 0 && rules.MissingTerms == "error":
			return schema.Faultf(schema.Failed, "calibration",
				"--missing-terms known takes the means over the runs that have it; --effort-terms "+without(rules.EffortTerms, t)+" leaves the term out",
				"%d of %d reference runs have no %s, which the effort term %s needs", n, sum.runs, column, t)
		default:
			present = append(present, string(t))
		}
	}
	if len(lacking) > 0 {
		return schema.Faultf(schema.Failed, "calibration", "leave it out with --effort-terms "+strings.Join(present, ","),
			"no reference run has %s, which effort needs", strings.Join(columns, " or "))
	}
	if sum.noReward > 0 && rules.MissingReward == "error" {
		return schema.Faultf(schema.Failed, "calibration", "--missing-reward zero|exclude", "%d of %d reference runs have no reward", sum.noReward, sum.runs)
	}
	if sum.noCost > 0 && rules.MissingCost == "error" {
		return schema.Faultf(schema.Failed, "calibration", "amdb prices load FILE prices them from their tokens; or --missing-cost exclude leaves them out of budgets and thresholds",
			"%d of %d reference runs have no cost", sum.noCost, sum.runs)
	}
	return nil
}

// without is a list of terms less one, as the flag takes it.
func without(terms []scoring.Term, less scoring.Term) string {
	var out []string
	for _, t := range terms {
		if t != less {
			out = append(out, string(t))
		}
	}
	return strings.Join(out, ",")
}

// warnings count what the policies let pass.
func (d *draft) warnings() []string {
	sum := d.tally()
	var out []string
	warn := func(n int64, what string) {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d of %d reference runs have no %s", n, sum.runs, what))
		}
	}
	warn(sum.noReward, "reward (--missing-reward "+d.o.Rules.MissingReward+")")
	warn(sum.noCost, "cost (--missing-cost "+d.o.Rules.MissingCost+")")
	if d.has(scoring.TermTokens) {
		warn(sum.noTokens, "total_tokens (--missing-terms "+d.o.Rules.MissingTerms+")")
	}
	if d.has(scoring.TermSteps) {
		warn(sum.noSteps, "steps (--missing-terms "+d.o.Rules.MissingTerms+")")
	}
	return out
}
