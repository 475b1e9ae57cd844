package study

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// alternatives computes other calibrations of the same runs, and the rankings
// under them.
type alternatives struct {
	db    *sql.DB
	o     SensitivityOptions
	r     *reference
	tasks []scoring.TaskKey // the reference tasks, by their names in force
	scope *scope
	cells *cells
	base  *ranked // under the calibration in force
}

// openAlternatives scores under the calibration in force, and warns where the
// runs of today give another one.
func openAlternatives(ctx context.Context, db *sql.DB, o SensitivityOptions) (*alternatives, error) {
	s, warnings, err := openScope(ctx, db, o.choice())
	if err != nil {
		return nil, err
	}
	a := &alternatives{db: db, o: o, scope: s}
	if a.cells, err = s.cells(ctx, db); err != nil {
		return nil, err
	}
	res, err := s.groundTouched(ctx, db, a.cells, o.Condition, warnings)
	if err != nil {
		return nil, err
	}
	if a.base, err = res.ranked(); err != nil {
		return nil, err
	}
	if a.r, err = readReference(ctx, db); err != nil {
		return nil, err
	}
	for _, t := range s.cal.Tasks {
		a.tasks = append(a.tasks, t.Key())
	}
	slices.SortFunc(a.tasks, scoring.TaskKey.Compare)
	a.tasks = a.r.inForce.each(a.tasks)
	return a, nil
}

// variant is a choice of calibration.
type variant struct {
	choice string // as Alternative says it
	o      CalibrateOptions
}

// variant is the choices of the calibration in force, but for one.
func (a *alternatives) variant(choice string, but func(o *CalibrateOptions)) variant {
	cal := a.base.Cal
	o := CalibrateOptions{Rules: cal.Rules, Reference: cal.Reference}
	if cal.BudgetLevels == 0 { // set by hand: they stay
		o.Budgets = map[scoring.Stratum][]float64{}
		for s, r := range cal.Strata {
			o.Budgets[s] = r.Budgets
		}
	}
	but(&o)
	return variant{choice, o}
}

func (a *alternatives) leaveOneOut(reasons map[string]string) (out []variant) {
	all := a.base.Cal.Reference
	if len(all) < 2 {
		reasons[ByOneOut] = "the calibration has one reference configuration"
		return nil
	}
	for i, name := range all {
		out = append(out, a.variant(name, func(o *CalibrateOptions) {
			o.Reference = slices.Delete(slices.Clone(all), i, i+1)
		}))
	}
	return out
}

func (a *alternatives) etaGrid() (out []variant, err error) {
	for _, q := range a.o.EtaQuantiles {
		if !(q >= 0 && q <= 1) {
			return nil, schema.Faultf(schema.Usage, "--eta-quantiles", "", "%v is outside [0,1]", q)
		}
		out = append(out, a.variant(fmt.Sprint(q), func(o *CalibrateOptions) { o.Rules.EtaQuantile = q }))
	}
	return out, nil
}

func (a *alternatives) levelsGrid(reasons map[string]string) (out []variant, err error) {
	if a.base.Cal.BudgetLevels == 0 {
		reasons[ByLevels] = "the calibration's budgets were set by hand"
		return nil, nil
	}
	for _, k := range a.o.BudgetLevels {
		if k < 1 || k > scoring.MaxBudgetLevels {
			return nil, schema.Faultf(schema.Usage, "--budget-levels", "", "%d is outside 1 to %d", k, scoring.MaxBudgetLevels)
		}
		out = append(out, a.variant(fmt.Sprint(k), func(o *CalibrateOptions) { o.Rules.BudgetLevels = k }))
	}
	return out, nil
}

// draftTasks is about how many tasks of drafts are held at once, some 200 bytes
// each.
var draftTasks = 1 << 19

// compute is every variant's calibration, and the ranking under it.
func (a *alternatives) compute(ctx context.Context, variants []variant) ([]Alternative, error) {
	var out []Alternative
	for now := range slices.Chunk(variants, max(1, draftTasks/len(a.tasks))) {
		part, err := a.computeTogether(ctx, now)
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
	}
	return out, nil
}

// computeTogether is compute for variants that read the runs together.
func (a *alternatives) computeTogether(ctx context.Context, variants []variant) ([]Alternative, error) {
	out := make([]Alternative, len(variants))
	options := []CalibrateOptions{a.variant("", func(*CalibrateOptions) {}).o} // those in force
	for _, v := range variants {
		options = append(options, v.o)
	}
	drafts, err := a.r.drafts(a.tasks, options)
	if err != nil {
		return nil, err
	}
	costs, err := a.r.costs(ctx, a.db, drafts)
	if err != nil {
		return nil, err
	}
	if err := a.verify(drafts[0], costs[0]); err != nil {
		return nil, err
	}
	all := make([]*scope, len(variants)) // nil: no such calibration
	err = each(len(variants), func(i int) error {
		out[i].Choice = variants[i].choice
		cal, err := drafts[i+1].fix(costs[i+1])
		if err != nil {
			out[i].Reason, err = undefined(err)
			return err
		}
		cal.Name = variants[i].choice
		all[i], err = a.scope.under(cal)
		return err
	})
	if err != nil {
		return nil, err
	}
	var scopes []*scope
	var of []*Alternative
	for i, s := range all {
		if s != nil {
			scopes, of = append(scopes, s), append(of, &out[i])
		}
	}
	return out, a.rank(ctx, scopes, of)
}

// rank ranks the configurations under other calibrations and says what each
// changes. Who is ranked, and on which tasks, does not hang on the calibration.
func (a *alternatives) rank(ctx context.Context, scopes []*scope, out []*Alternative) error {
	condition, panels, whole := a.o.Condition, a.cells.panels, true
	if a.cells.plain(condition) { // its rows are apart; other conditions average over panels
		panels, whole = map[string]*scoring.Panel{condition: a.base.Panel}, false
	}
	configs, ams := make([][]string, len(scopes)), make([][]float64, len(scopes))
	err := a.scope.panelsUnder(ctx, a.db, panels, scopes, whole, func(i int, under map[string]*scoring.Panel) error {
		panel := under[condition]
		if whole {
			res, err := scopes[i].ground(&cells{under, a.cells.frozen}, condition, nil)
			if err != nil {
				return err
			}
			panel = res.Panel
		}
		components, err := scoring.Score(panel, scopes[i].alpha)
		if err != nil {
			out[i].Reason, err = undefined(err)
			return err
		}
		configs[i], ams[i] = append(configs[i], panel.Configs...), append(ams[i], scoring.AMSOf(components)...)
		return nil
	})
	if err != nil {
		return err
	}
	return each(len(scopes), func(i int) error {
		if out[i].Reason == "" {
			moved := scoring.DiffCalibrations(*a.base.Cal, *scopes[i].cal)
			ranking := scoring.DiffRankings(a.base.Panel.Configs, a.base.ams, configs[i], ams[i])
			out[i].Digest, out[i].Moved, out[i].Ranking = scopes[i].cal.Digest, &moved, &ranking
		}
		return nil
	})
}

// each calls f for 0 to n−1 on all processors and gives the first error in that
// order.
func each(n int, f func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = f(i)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// verify warns where the runs of today give another calibration than the one in
// force.
func (a *alternatives) verify(d *draft, costs map[scoring.Stratum]scoring.ReferenceCosts) error {
	cal, err := d.fix(costs)
	if err != nil {
		return err
	}
	warning := fmt.Sprintf(
		"the reference runs or prices are no longer those that calibration %s was made from; the alternatives are computed from today's", a.base.Cal.Name)
	if cal.Digest != a.base.Cal.Digest && !slices.Contains(a.base.Warnings, warning) {
		a.base.Warnings = append(a.base.Warnings, warning)
	}
	return nil
}

// undefined says why there is no such calibration or ranking; any other error
// remains one.
func undefined(err error) (reason string, _ error) {
	var noReward *scoring.NoRewardError
	var empty *scoring.EmptyStratumError
	if !errors.As(err, &noReward) && !errors.As(err, &empty) {
		return "", err
	}
	var fault *schema.Fault
	if errors.As(err, &fault) {
		err = fault.Err
	}
	return err.Error(), nil
}
