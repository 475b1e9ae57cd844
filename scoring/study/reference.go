package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// reference is the reference configurations at the reference tasks.
type reference struct {
	o       CalibrateOptions
	cells   map[[2]int32]refCell
	names   []string // of configurations, by number
	known   []int32  // configurations with runs, by name
	configs []int32  // Π_ref, by name
	tasks   []scoring.TaskKey
	number  map[scoring.TaskKey]int32
}

// counted is how many attempts of a cell count under the reward policy.
func (r *reference) counted(c refCell) int64 {
	if r.o.Rules.MissingReward == "exclude" {
		return c.rewarded
	}
	return c.runs
}

// missing names the reference tasks that a configuration lacks.
func (r *reference) missing(config int32) []string {
	var out []string
	for _, t := range r.tasks {
		if r.counted(r.cells[[2]int32{config, r.number[t]}]) == 0 {
			out = append(out, r.names[config]+" at "+t.String())
		}
	}
	return out
}

// choose settles Π_ref: the configurations named, or all that are complete on
// the reference tasks.
func (r *reference) choose() error {
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
	for _, task := range r.tasks {
		s := scoring.TaskStats{Key: task}
		var tokens, steps, zeros []float64
		for _, c := range r.configs {
			cell := r.cells[[2]int32{c, r.number[task]}]
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
	for _, task := range r.tasks {
		for _, c := range r.configs {
			cell := r.cells[[2]int32{c, r.number[task]}]
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
		return schema.Faultf(schema.Failed, "calibration", "load a price table with --prices, or --missing-cost exclude leaves them out of budgets and thresholds",
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

// costs are the costs of the reference executions by stratum.
func (r *reference) costs(ctx context.Context, db *sql.DB, strata map[scoring.TaskKey]scoring.Stratum) (map[scoring.Stratum]scoring.ReferenceCosts, error) {
	var tasks, configs [][]any
	for k, s := range strata {
		tasks = append(tasks, []any{r.number[k], int32(s)})
	}
	for _, c := range r.configs {
		configs = append(configs, []any{c})
	}
	if err := errors.Join(
		db.Temp(ctx, "study_tasks", "task_key INTEGER, stratum INTEGER", tasks),
		db.Temp(ctx, "study_configs", "config_key INTEGER", configs),
	); err != nil {
		return nil, err
	}
	var costs [3]scoring.ReferenceCosts
	err := db.Batches(ctx, sql.Query("reference_costs"), func(b sql.Batch) error {
		stratum, cost := b.Ints("stratum"), b.Doubles("cost_usd")
		missing, rewarded := b.Bools("missing"), b.Bools("rewarded")
		for i, s := range stratum {
			switch {
			case missing.Value(i) && r.o.Rules.MissingReward != "zero":
			case rewarded.Value(i):
				costs[s].Rewarded = append(costs[s].Rewarded, cost[i])
			default:
				costs[s].Zero = append(costs[s].Zero, cost[i])
			}
		}
		return nil
	})
	out := map[scoring.Stratum]scoring.ReferenceCosts{}
	for s, c := range costs {
		out[scoring.Stratum(s)] = c
	}
	return out, err
}

// pricesDigest is the SHA-256 of the price table in force, "" where there is
// none: the pricing rules that a calibration freezes.
func pricesDigest(ctx context.Context, db *sql.DB) (string, error) {
	rows, err := db.Rows(ctx, "SELECT model, CAST(valid_from AS VARCHAR), input_usd, cached_input_usd, output_usd FROM prices ORDER BY ALL")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	h, n := sha256.New(), 0
	for rows.Next() {
		var model, from string
		var in, cached, out float64
		if err := rows.Scan(&model, &from, &in, &cached, &out); err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %s %v %v %v\n", model, from, in, cached, out)
		n++
	}
	if n == 0 || rows.Err() != nil {
		return "", rows.Err()
	}
	aliases, err := db.Rows(ctx, "SELECT alias, model FROM price_aliases ORDER BY alias")
	if err != nil {
		return "", err
	}
	defer aliases.Close()
	for aliases.Next() {
		var alias, model string
		if err := aliases.Scan(&alias, &model); err != nil {
			return "", err
		}
		fmt.Fprintf(h, "alias %q %q\n", alias, model)
	}
	if err := aliases.Err(); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
