package study

import (
	"fmt"
	"slices"
	"strings"

	"amdb/schema"
	"amdb/scoring"
)

// draft is one calibration under way: the reference configurations at the
// reference tasks.
type draft struct {
	*reference
	o       CalibrateOptions
	configs []int32 // Π_ref, by name
	tasks   []scoring.TaskKey
	numbers []int32 // of the tasks
	of      *scoring.Draft
}

// draft settles everything about a calibration but what its costs decide.
func (r *reference) draft(o CalibrateOptions, tasks []scoring.TaskKey) (*draft, error) {
	d := &draft{reference: r, o: o, tasks: tasks}
	if err := d.choose(); err != nil {
		return nil, err
	}
	if err := d.complete(); err != nil {
		return nil, err
	}
	var err error
	d.of, err = scoring.Calibrate(o.Rules, r.prices, d.referenceNames(), d.stats(), o.Budgets)
	return d, calibrateFault(err)
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

// counted is how many attempts of a cell count under the reward policy.
func (d *draft) counted(c *refCell) int64 {
	if d.o.Rules.MissingReward == "exclude" {
		return int64(c.rewarded)
	}
	return int64(c.runs)
}

// missing names the reference tasks that a configuration lacks.
func (d *draft) missing(config int32) []string {
	var out []string
	for i, t := range d.numbers {
		if d.counted(d.cell(config, t)) == 0 {
			out = append(out, d.names[config]+" at "+d.tasks[i].String())
		}
	}
	return out
}

// choose settles Π_ref: the configurations named, or all that are complete on
// the reference tasks.
func (d *draft) choose() error {
	d.numbers = make([]int32, len(d.tasks))
	for i, t := range d.tasks {
		n, known := d.number[t]
		if !known {
			return schema.Faultf(schema.Failed, "calibration", `amdb sql "SELECT benchmark, task FROM tasks" lists the tasks`, "there is no task %s", t)
		}
		d.numbers[i] = n
	}
	if len(d.o.Reference) == 0 {
		best, most := "", len(d.tasks)+1
		for _, c := range d.known {
			switch n := len(d.missing(c)); {
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
			lacking = append(lacking, d.missing(c)...)
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

// stats are the reference tasks' statistics (section 2.1).
func (d *draft) stats() []scoring.TaskStats {
	var out []scoring.TaskStats
	for i, task := range d.numbers {
		s := scoring.TaskStats{Key: d.tasks[i]}
		var tokens, steps, zeros []float64
		for _, c := range d.configs {
			cell := d.cell(c, task)
			if cell.withTokens > 0 {
				tokens = append(tokens, float64(cell.tokens)/float64(cell.withTokens))
			}
			if cell.withSteps > 0 {
				steps = append(steps, float64(cell.steps)/float64(cell.withSteps))
			}
			zero := cell.zeros
			if d.o.Rules.MissingReward == "zero" {
				zero += cell.runs - cell.rewarded
			}
			zeros = append(zeros, float64(zero)/float64(d.counted(cell)))
		}
		if m, ok := scoring.Median(tokens); ok && (len(tokens) == len(d.configs) || d.has(scoring.TermTokens)) {
			s.MedianTokens = &m
		}
		if m, ok := scoring.Median(steps); ok && (len(steps) == len(d.configs) || d.has(scoring.TermSteps)) {
			s.MedianSteps = &m
		}
		s.ZeroRate, _ = scoring.ExactMean(zeros)
		out = append(out, s)
	}
	return out
}

// tally counts what the reference runs lack.
func (d *draft) tally() (runs, noReward, noCost, noTokens, noSteps int64) {
	for _, task := range d.numbers {
		for _, c := range d.configs {
			cell := d.cell(c, task)
			runs += int64(cell.runs)
			noReward += int64(cell.runs - cell.rewarded)
			noCost += int64(cell.runs - cell.priced)
			noTokens += int64(cell.runs - cell.withTokens)
			noSteps += int64(cell.runs - cell.withSteps)
		}
	}
	return runs, noReward, noCost, noTokens, noSteps
}

// complete says what the reference runs lack and which flag settles it.
func (d *draft) complete() error {
	rules := d.o.Rules
	runs, noReward, noCost, noTokens, noSteps := d.tally()
	var present, lacking, columns []string
	for _, t := range rules.EffortTerms {
		n, column := int64(0), ""
		switch t {
		case scoring.TermTokens:
			n, column = noTokens, "total_tokens"
		case scoring.TermSteps:
			n, column = noSteps, "steps"
		case scoring.TermZero:
		}
		switch {
		case n == runs:
			lacking, columns = append(lacking, string(t)), append(columns, column)
		case n > 0 && rules.MissingTerms == "error":
			return schema.Faultf(schema.Failed, "calibration",
				"--missing-terms known takes the means over the runs that have it; --effort-terms "+without(rules.EffortTerms, t)+" leaves the term out",
				"%d of %d reference runs have no %s, which the effort term %s needs", n, runs, column, t)
		default:
			present = append(present, string(t))
		}
	}
	if len(lacking) > 0 {
		return schema.Faultf(schema.Failed, "calibration", "leave it out with --effort-terms "+strings.Join(present, ","),
			"no reference run has %s, which effort needs", strings.Join(columns, " or "))
	}
	if noReward > 0 && rules.MissingReward == "error" {
		return schema.Faultf(schema.Failed, "calibration", "--missing-reward zero|exclude", "%d of %d reference runs have no reward", noReward, runs)
	}
	if noCost > 0 && rules.MissingCost == "error" {
		return schema.Faultf(schema.Failed, "calibration", "amdb prices load FILE prices them from their tokens; or --missing-cost exclude leaves them out of budgets and thresholds",
			"%d of %d reference runs have no cost", noCost, runs)
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
	runs, noReward, noCost, noTokens, noSteps := d.tally()
	var out []string
	warn := func(n int64, what string) {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d of %d reference runs have no %s", n, runs, what))
		}
	}
	warn(noReward, "reward (--missing-reward "+d.o.Rules.MissingReward+")")
	warn(noCost, "cost (--missing-cost "+d.o.Rules.MissingCost+")")
	if d.has(scoring.TermTokens) {
		warn(noTokens, "total_tokens (--missing-terms "+d.o.Rules.MissingTerms+")")
	}
	if d.has(scoring.TermSteps) {
		warn(noSteps, "steps (--missing-terms "+d.o.Rules.MissingTerms+")")
	}
	return out
}
