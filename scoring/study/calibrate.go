package study

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// CalibrateOptions are the choices of one calibration.
type CalibrateOptions struct {
	Name      string
	Tasks     string // all, a set's name, or @FILE
	Reference []string
	Rules     scoring.Rules
	Budgets   map[scoring.Stratum][]float64 // by hand; nil: by section 2.5
	Version   string
	Now       time.Time
}

// refCell is a configuration at a reference task: sums over its attempts.
type refCell struct {
	runs, rewarded, zeros, priced, withTokens, withSteps, tokens, steps int64
}

// Calibrate computes a calibration from the reference runs and stores it under
// a name that is free (section 2).
func Calibrate(ctx context.Context, db *sql.DB, o CalibrateOptions) (*scoring.Calibration, error) {
	var taken int
	if err := db.Row(ctx, "SELECT count(*) FROM calibrations WHERE name = ?", []any{o.Name}, &taken); err != nil {
		return nil, err
	}
	if taken > 0 {
		return nil, schema.Faultf(schema.Failed, "calibration "+o.Name, "choose another name: a calibration never changes", "the name is taken")
	}
	cal, err := compute(ctx, db, o)
	if err != nil {
		return nil, err
	}
	cal.Name = o.Name
	return cal, db.Tx(ctx, func() error { return store(ctx, db, cal, o.Version, o.Now) })
}

// compute does the work of Calibrate without storing it.
func compute(ctx context.Context, db *sql.DB, o CalibrateOptions) (*scoring.Calibration, error) {
	keys, err := db.Keys(ctx)
	if err != nil {
		return nil, err
	}
	cells := map[[2]int32]refCell{}
	configSet, taskSeen := map[int32]bool{}, map[int32]bool{}
	err = db.Batches(ctx, sql.Query("reference_cells"), func(b sql.Batch) error {
		c, t := b.Ints("config_key"), b.Ints("task_key")
		runs, rewarded, zeros, priced := b.Longs("runs"), b.Longs("rewarded"), b.Longs("zeros"), b.Longs("priced")
		withTokens, withSteps := b.Longs("with_tokens"), b.Longs("with_steps")
		tokens, steps := b.Longs("tokens"), b.Longs("steps")
		for i := range c {
			cells[[2]int32{c[i], t[i]}] = refCell{runs[i], rewarded[i], zeros[i], priced[i], withTokens[i], withSteps[i], tokens[i], steps[i]}
			configSet[c[i]], taskSeen[t[i]] = true, true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(cells) == 0 {
		return nil, schema.Faultf(schema.Failed, "calibration", "amdb load RUNS… loads runs", "there are no runs under the description original")
	}
	names, tasksByKey := configNames(keys), taskKeys(keys)
	var all []scoring.TaskKey
	for t := range taskSeen {
		all = append(all, tasksByKey[t])
	}
	set, err := resolveTasks(ctx, db, o.Tasks, all, tasksByKey)
	if err != nil {
		return nil, err
	}
	r := &reference{o: o, cells: cells, names: names, tasks: set.Tasks, number: map[scoring.TaskKey]int32{}}
	for n, k := range tasksByKey { // of keys with one name, the first counts
		if _, there := r.number[k]; !there {
			r.number[k] = int32(n)
		}
	}
	for c := range configSet {
		r.known = append(r.known, c)
	}
	slices.SortFunc(r.known, func(a, b int32) int { return strings.Compare(names[a], names[b]) })
	if err := r.choose(); err != nil {
		return nil, err
	}
	stats, warnings, err := r.stats()
	if err != nil {
		return nil, err
	}
	refNames := make([]string, len(r.configs))
	for i, c := range r.configs {
		refNames[i] = names[c]
	}
	cal, err := scoring.Calibrate(o.Rules, refNames, stats, func(strata map[scoring.TaskKey]scoring.Stratum) (map[scoring.Stratum]scoring.ReferenceCosts, error) {
		return r.costs(ctx, db, strata)
	}, o.Budgets)
	if err != nil {
		return nil, calibrateFault(err)
	}
	cal.Warnings = append(cal.Warnings, warnings...)
	faults, err := touched(ctx, db, refNames, r.tasks, []string{"original"})
	if err != nil {
		return nil, err
	}
	cal.Warnings = append(cal.Warnings, faults...)
	cal.Prices, err = pricesDigest(ctx, db)
	if err != nil {
		return nil, err
	}
	cal.Digest, err = cal.ComputeDigest()
	return &cal, err
}

func calibrateFault(err error) error {
	if none, ok := err.(*scoring.NoRewardError); ok { //nolint:errorlint // it is not wrapped
		return schema.Faultf(schema.Failed, "calibration",
			"runs without a cost need --prices at load; --budgets FILE sets budgets by hand", "%w", none)
	}
	return schema.Faultf(schema.Failed, "calibration", "", "%w", err)
}

// store writes a calibration into the database.
func store(ctx context.Context, db *sql.DB, c *scoring.Calibration, version string, now time.Time) error {
	doc, err := json.Marshal(c)
	if err != nil {
		return err
	}
	terms := make([]string, len(c.EffortTerms))
	for i, t := range c.EffortTerms {
		terms[i] = string(t)
	}
	if err := db.Insert("calibrations", [][]any{{
		c.Name, c.Digest, c.Alpha, int32(c.BudgetLevels), c.EtaQuantile, string(c.Percentile), strings.Join(terms, ","),
		int32(len(c.Reference)), int32(len(c.Tasks)), now.UTC(), version, string(doc),
	}}); err != nil {
		return err
	}
	var tasks, budgets, thresholds [][]any
	for _, t := range c.Tasks {
		tasks = append(tasks, []any{
			c.Name, t.Benchmark, t.Task, nullable(t.MedianTokens), nullable(t.MedianSteps), t.ZeroRate,
			nullable(t.QTokens), nullable(t.QSteps), nullable(t.QZero), t.Effort, int32(t.EffortRank), t.Stratum.String(),
		})
	}
	for _, s := range scoring.Strata {
		r := c.Strata[s]
		thresholds = append(thresholds, []any{c.Name, s.String(), int32(r.Tasks), nullable(r.EtaUSD)})
		for i, b := range r.Budgets {
			budgets = append(budgets, []any{c.Name, s.String(), int32(i + 1), b})
		}
	}
	for _, t := range []struct {
		name string
		rows [][]any
	}{{"calibration_tasks", tasks}, {"calibration_budgets", budgets}, {"calibration_thresholds", thresholds}} {
		if err := db.Insert(t.name, t.rows); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// nullable is a pointer's value, or NULL.
func nullable(x *float64) any {
	if x == nil {
		return nil
	}
	return *x
}
