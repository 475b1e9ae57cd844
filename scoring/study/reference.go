package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// refCell is a configuration at a reference task: sums over its attempts.
type refCell struct {
	runs, rewarded, zeros              int64 // rewarded: with a known reward
	priced, pricedZero, pricedRewarded int64 // with a known cost; of these, with reward 0, and above 0
	withTokens, withSteps              int64
	tokens, steps                      int64
}

// merge adds the attempts of another part of the cell.
func (c *refCell) merge(o *refCell) {
	c.runs += o.runs
	c.rewarded += o.rewarded
	c.zeros += o.zeros
	c.priced += o.priced
	c.pricedZero += o.pricedZero
	c.pricedRewarded += o.pricedRewarded
	c.withTokens += o.withTokens
	c.withSteps += o.withSteps
	c.tokens += o.tokens
	c.steps += o.steps
}

// reference is the reference configurations at the reference tasks.
type reference struct {
	// What the database holds, read once for any number of calibrations.
	cells     *sparse[refCell]
	names     []string          // of configurations, by number
	known     []int32           // configurations with runs, by name
	all       []scoring.TaskKey // by number
	ran       []scoring.TaskKey // with a run under the original description
	number    map[scoring.TaskKey]int32
	inForce   taskNames
	canonical []int32 // of configurations: the first number with the name
	originals string  // the condition that a run is of the original description

	// What one calibration chooses.
	o       CalibrateOptions
	configs []int32 // Π_ref, by name
	tasks   []scoring.TaskKey
	numbers []int32 // of the tasks
}

// cell is a configuration at a task by their numbers; without any run where
// there is none.
func (r *reference) cell(config, task int32) *refCell {
	if c := r.cells.find(r.cells.place(config, task)); c != nil {
		return c
	}
	return &refCell{}
}

// readReference reads every cell under the original description.
func readReference(ctx context.Context, db *sql.DB) (reference, error) {
	r := reference{number: map[scoring.TaskKey]int32{}}
	keys, err := db.Keys(ctx)
	if err != nil {
		return r, err
	}
	r.names, r.all, r.inForce = configNames(keys), taskKeys(keys), tasksInForce(keys)
	for n, k := range r.all { // of keys with one name, the first counts
		if _, there := r.number[k]; !there {
			r.number[k] = int32(n)
		}
	}
	first := map[string]int32{}
	for n, name := range r.names {
		if _, there := first[name]; !there {
			first[name] = int32(n)
		}
		r.canonical = append(r.canonical, first[name])
	}
	if err := r.read(ctx, db, slices.Index(keys.Descriptions, scoring.Original)); err != nil {
		return r, err
	}
	configSet, taskSeen := map[int32]bool{}, map[int32]bool{}
	for c := range int32(len(r.names)) {
		for t := range int32(len(r.all)) {
			if r.cells.find(r.cells.place(c, t)) != nil {
				configSet[c], taskSeen[t] = true, true
			}
		}
	}
	if len(configSet) == 0 {
		return r, schema.Faultf(schema.Failed, "calibration", "amdb load RUNS… loads runs", "there are no runs under the description original")
	}
	for t := range taskSeen {
		r.ran = append(r.ran, r.all[t])
	}
	for c := range configSet {
		r.known = append(r.known, c)
	}
	slices.SortFunc(r.known, func(a, b int32) int { return strings.Compare(r.names[a], r.names[b]) })
	return r, nil
}

// refColumns are what a cell needs of a run.
const refColumns = costColumns + ", total_tokens, steps"

// read sums the runs of the original description by cell.
func (r *reference) read(ctx context.Context, db *sql.DB, original int) error {
	r.cells = newSparse[refCell](len(r.names), len(r.all))
	if original < 0 {
		return nil
	}
	r.originals = fmt.Sprintf("description_key = %d", original)
	task := make([]int32, len(r.all))
	for n, k := range r.all {
		task[n] = r.number[k]
	}
	var parts []*sparse[refCell]
	err := db.ScanRuns(ctx, refColumns, r.originals, func() func(sql.Batch) error {
		cells := newSparse[refCell](len(r.names), len(r.all))
		parts = append(parts, cells)
		return func(b sql.Batch) error { return addReference(cells, b, r.canonical, task) }
	})
	if err != nil {
		return err
	}
	for c := range int32(len(r.names)) {
		for t := range int32(len(r.all)) {
			for _, cells := range parts {
				if part := cells.find(cells.place(c, t)); part != nil {
					r.cells.at(c, t).merge(part)
				}
			}
		}
	}
	return nil
}

// addReference sums the runs of a batch by cell; config and task are the
// numbers that count, by number.
func addReference(cells *sparse[refCell], b sql.Batch, config, task []int32) error {
	configs, tasks := b.Ints("config_key"), b.Ints("task_key")
	reward, tokens, steps := b.Doubles("reward"), b.Longs("total_tokens"), b.Longs("steps")
	hasReward, hasCost, hasTokens, hasSteps := b.Valid("reward"), b.Valid("cost_usd"), b.Valid("total_tokens"), b.Valid("steps")
	var cell *refCell
	last := [2]int32{-1, -1}
	for i := range configs {
		if configs[i] != last[0] || tasks[i] != last[1] { // runs of one cell mostly stand together
			last = [2]int32{configs[i], tasks[i]}
			cell = cells.at(config[last[0]], task[last[1]])
		}
		cell.runs++
		priced := hasCost.At(i)
		if priced {
			cell.priced++
		}
		switch {
		case !hasReward.At(i):
		case reward[i] > 0:
			cell.rewarded++
			if priced {
				cell.pricedRewarded++
			}
		default:
			cell.rewarded++
			cell.zeros++
			if priced {
				cell.pricedZero++
			}
		}
		if hasTokens.At(i) {
			cell.withTokens++
			cell.tokens += tokens[i]
		}
		if hasSteps.At(i) {
			cell.withSteps++
			cell.steps += steps[i]
		}
		if cell.tokens < 0 || cell.steps < 0 {
			return schema.Faultf(schema.Failed, "calibration", "", "the tokens or steps of one cell add up to more than 2^63")
		}
	}
	return nil
}

// counted is how many attempts of a cell count under the reward policy.
func (r *reference) counted(c *refCell) int64 {
	if r.o.Rules.MissingReward == "exclude" {
		return c.rewarded
	}
	return c.runs
}

// missing names the reference tasks that a configuration lacks.
func (r *reference) missing(config int32) []string {
	var out []string
	for i, t := range r.numbers {
		if r.counted(r.cell(config, t)) == 0 {
			out = append(out, r.names[config]+" at "+r.tasks[i].String())
		}
	}
	return out
}

// choose settles Π_ref: the configurations named, or all that are complete on
// the reference tasks.
func (r *reference) choose() error {
	r.numbers = make([]int32, len(r.tasks))
	for i, t := range r.tasks {
		n, known := r.number[t]
		if !known {
			return schema.Faultf(schema.Failed, "calibration", `amdb sql "SELECT benchmark, task FROM tasks" lists the tasks`, "there is no task %s", t)
		}
		r.numbers[i] = n
	}
	if len(r.o.Reference) == 0 {
		best, most := "", len(r.tasks)+1
		for _, c := range r.known {
			switch n := len(r.missing(c)); {
			case n == 0:
				r.configs = append(r.configs, c)
			case n < most:
				best, most = r.names[c], n
			}
		}
		if len(r.configs) == 0 {
			return schema.Faultf(schema.Failed, "calibration",
				"calibrate on the tasks that all share with --tasks NAME|@FILE",
				"no configuration is complete on the %d reference tasks; %s comes nearest and lacks %d", len(r.tasks), best, most)
		}
		return nil
	}
	wanted := map[string]bool{}
	for _, name := range r.o.Reference {
		wanted[name] = true
	}
	var lacking []string
	for _, c := range r.known {
		if wanted[r.names[c]] {
			r.configs = append(r.configs, c)
			lacking = append(lacking, r.missing(c)...)
			delete(wanted, r.names[c])
		}
	}
	for _, name := range r.o.Reference {
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
func (r *reference) stats() ([]scoring.TaskStats, []string, error) {
	if err := r.complete(); err != nil {
		return nil, nil, err
	}
	has := map[scoring.Term]bool{}
	for _, t := range r.o.Rules.EffortTerms {
		has[t] = true
	}
	var out []scoring.TaskStats
	for i, task := range r.numbers {
		s := scoring.TaskStats{Key: r.tasks[i]}
		var tokens, steps, zeros []float64
		for _, c := range r.configs {
			cell := r.cell(c, task)
			if cell.withTokens > 0 {
				tokens = append(tokens, float64(cell.tokens)/float64(cell.withTokens))
			}
			if cell.withSteps > 0 {
				steps = append(steps, float64(cell.steps)/float64(cell.withSteps))
			}
			zero := cell.zeros
			if r.o.Rules.MissingReward == "zero" {
				zero += cell.runs - cell.rewarded
			}
			zeros = append(zeros, float64(zero)/float64(r.counted(cell)))
		}
		if m, ok := scoring.Median(tokens); ok && (len(tokens) == len(r.configs) || has[scoring.TermTokens]) {
			s.MedianTokens = &m
		}
		if m, ok := scoring.Median(steps); ok && (len(steps) == len(r.configs) || has[scoring.TermSteps]) {
			s.MedianSteps = &m
		}
		s.ZeroRate, _ = scoring.ExactMean(zeros)
		out = append(out, s)
	}
	return out, r.warnings(has), nil
}

// tally counts what the reference runs lack.
func (r *reference) tally() (runs, noReward, noCost, noTokens, noSteps int64) {
	for _, task := range r.numbers {
		for _, c := range r.configs {
			cell := r.cell(c, task)
			runs += cell.runs
			noReward += cell.runs - cell.rewarded
			noCost += cell.runs - cell.priced
			noTokens += cell.runs - cell.withTokens
			noSteps += cell.runs - cell.withSteps
		}
	}
	return runs, noReward, noCost, noTokens, noSteps
}

// complete says what the reference runs lack and which flag settles it.
func (r *reference) complete() error {
	rules := r.o.Rules
	runs, noReward, noCost, noTokens, noSteps := r.tally()
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
func (r *reference) warnings(has map[scoring.Term]bool) []string {
	runs, noReward, noCost, noTokens, noSteps := r.tally()
	var out []string
	warn := func(n int64, what string) {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d of %d reference runs have no %s", n, runs, what))
		}
	}
	warn(noReward, "reward (--missing-reward "+r.o.Rules.MissingReward+")")
	warn(noCost, "cost (--missing-cost "+r.o.Rules.MissingCost+")")
	if has[scoring.TermTokens] {
		warn(noTokens, "total_tokens (--missing-terms "+r.o.Rules.MissingTerms+")")
	}
	if has[scoring.TermSteps] {
		warn(noSteps, "steps (--missing-terms "+r.o.Rules.MissingTerms+")")
	}
	return out
}
