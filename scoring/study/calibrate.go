package study

import (
	"context"
	"encoding/json"
	"fmt"
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

// Calibrate computes a calibration from the reference runs and stores it under
// a name that is free (section 2).
func Calibrate(ctx context.Context, db *sql.DB, o CalibrateOptions) (*scoring.Calibration, error) {
	if strings.TrimSpace(o.Name) == "" {
		return nil, schema.Faultf(schema.Usage, "calibrate", "as amdb calibrate main", "the name is empty")
	}
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
	r, err := readReference(ctx, db)
	if err != nil {
		return nil, err
	}
	set, err := resolveTasks(ctx, db, o.Tasks, r.ran, r.all)
	if err != nil {
		return nil, err
	}
	drafts, err := r.drafts(set.Tasks, []CalibrateOptions{o})
	if err != nil {
		return nil, err
	}
	costs, err := r.costs(ctx, db, drafts)
	if err != nil {
		return nil, err
	}
	d := drafts[0]
	cal, err := d.fix(costs[0])
	if err != nil {
		return nil, err
	}
	faults, err := touched(ctx, db, d.referenceNames(), d.tasks, []string{scoring.Original})
	cal.Warnings = append(cal.Warnings, faults...)
	return cal, err
}

func calibrateFault(err error) error {
	if err == nil {
		return nil
	}
	if none, ok := err.(*scoring.NoRewardError); ok { //nolint:errorlint // it is not wrapped
		return schema.Faultf(schema.Failed, "calibration",
			"where costs are missing, amdb prices load FILE prices runs from their tokens; --budgets FILE sets budgets by hand", "%w", none)
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
