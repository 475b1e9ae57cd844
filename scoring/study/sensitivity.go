package study

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// SensitivityOptions are the choices of a sensitivity analysis.
type SensitivityOptions struct {
	ScoreOptions
	EtaQuantiles []float64
	BudgetLevels []int
}

// DefaultEtaQuantiles and DefaultBudgetLevels are the grids [ours].
var (
	DefaultEtaQuantiles = []float64{.5, .6, .7, .75, .8, .9, .95}
	DefaultBudgetLevels = []int{3, 5, 8, 10, 15, 20, 50}
)

// Sensitivity is how far the ranking hangs on the choices behind it: the mixing
// weight (section 5.8), the reference set, the quantile of η and the number of
// budgets (5.9).
type Sensitivity struct {
	Basis
	Tasks        int                      `json:"tasks"`
	Configs      int                      `json:"configs"`
	Leader       []string                 `json:"leader"`
	AlphaSweep   scoring.AlphaSensitivity `json:"alpha_sweep"`
	LeaveOneOut  []Alternative            `json:"leave_one_out"`
	EtaGrid      []Alternative            `json:"eta_grid"`
	BudgetGrid   []Alternative            `json:"budget_levels_grid"`
	LeaderStays  map[string]*float64      `json:"leader_stays"` // share of each kind's choices; nil: no choices
	LargestMoves LargestMoves             `json:"largest_moves"`
	Reasons      map[string]string        `json:"reasons,omitempty"`
}

// Alternative is one other choice, and what it would change. Where it has no
// calibration, Moved and Ranking are nil and Reason says why.
type Alternative struct {
	Choice  string                   `json:"choice"` // the configuration left out, or the grid's value
	Digest  string                   `json:"digest,omitempty"`
	Moved   *scoring.CalibrationDiff `json:"moved"`
	Ranking *scoring.RankingDiff     `json:"ranking"`
	Reason  string                   `json:"reason,omitempty"`
}

// LargestMoves are the largest changes that leaving out one reference
// configuration makes; nil where there is none to leave out.
type LargestMoves struct {
	ChangedStrata *int                  `json:"changed_strata"` // tasks
	Budget        *scoring.BudgetChange `json:"budget"`
	RankShift     *int                  `json:"rank_shift"`
}

// The kinds of choice, as keys of LeaderStays.
const (
	ByAlpha  = "alpha"
	ByOneOut = "leave_one_out"
	ByEta    = "eta_quantile"
	ByLevels = "budget_levels"
)

// Analyse computes every alternative anew from the runs: calibration, cells and
// scores.
func Analyse(ctx context.Context, db *sql.DB, o SensitivityOptions) (*Sensitivity, error) {
	base, err := scoreUnder(ctx, db, o.Condition, o.choice())
	if err != nil {
		return nil, err
	}
	components, err := base.components()
	if err != nil {
		return nil, err
	}
	names := base.Panel.Configs
	out := &Sensitivity{
		Tasks: base.Tasks, Configs: len(names), Leader: scoring.Leaders(names, scoring.Ranks(base.ams)),
		AlphaSweep:  scoring.SweepAlpha(names, components, base.Alpha),
		LeaderStays: map[string]*float64{}, Reasons: map[string]string{},
	}
	r, err := readReference(ctx, db)
	if err != nil {
		return nil, err
	}
	a := &alternatives{db: db, r: r, base: base, o: o}
	if err := a.verify(ctx); err != nil {
		return nil, err
	}
	if out.LeaveOneOut, err = a.leaveOneOut(ctx, out.Reasons); err != nil {
		return nil, err
	}
	if out.EtaGrid, err = a.etaGrid(ctx); err != nil {
		return nil, err
	}
	if out.BudgetGrid, err = a.levelsGrid(ctx, out.Reasons); err != nil {
		return nil, err
	}
	out.Basis = base.Basis()
	out.LeaderStays[ByAlpha] = out.AlphaSweep.LeaderShare
	out.LeaderStays[ByOneOut] = leaderStays(out.LeaveOneOut)
	out.LeaderStays[ByEta] = leaderStays(out.EtaGrid)
	out.LeaderStays[ByLevels] = leaderStays(out.BudgetGrid)
	out.LargestMoves = largestMoves(out.LeaveOneOut)
	return out, nil
}

// alternatives computes other calibrations of the same runs.
type alternatives struct {
	db   *sql.DB
	r    reference
	base *ranked
	o    SensitivityOptions
}

// options are the choices of the calibration in force.
func (a *alternatives) options() CalibrateOptions {
	cal := a.base.Cal
	o := CalibrateOptions{Rules: cal.Rules, Reference: cal.Reference, within: []scoring.TaskKey{}}
	for _, t := range cal.Tasks {
		o.within = append(o.within, t.Key())
	}
	slices.SortFunc(o.within, scoring.TaskKey.Compare)
	o.within = a.r.inForce.each(o.within)
	if cal.BudgetLevels == 0 { // set by hand: they stay
		o.Budgets = map[scoring.Stratum][]float64{}
		for s, r := range cal.Strata {
			o.Budgets[s] = r.Budgets
		}
	}
	return o
}

// verify computes the calibration in force anew, and warns where the runs of
// today give another.
func (a *alternatives) verify(ctx context.Context) error {
	cal, err := a.r.compute(ctx, a.db, a.options())
	if err != nil {
		return err
	}
	if cal.Digest != a.base.Cal.Digest {
		a.base.Warnings = append(a.base.Warnings, fmt.Sprintf(
			"the reference runs or prices are no longer those that calibration %s was made from; the alternatives are computed from today's", a.base.Cal.Name))
	}
	return nil
}

// under is one alternative: its calibration, and the ranking under it.
func (a *alternatives) under(ctx context.Context, choice string, o CalibrateOptions) (Alternative, error) {
	out := Alternative{Choice: choice}
	cal, err := a.r.compute(ctx, a.db, o)
	if err != nil {
		return undefined(out, err)
	}
	cal.Name = choice
	c := a.o.choice()
	c.cal = cal
	res, err := scoreUnder(ctx, a.db, a.o.Condition, c)
	if err != nil {
		return undefined(out, err)
	}
	moved, ranking := scoring.DiffCalibrations(*a.base.Cal, *cal), a.base.diff(res)
	out.Digest, out.Moved, out.Ranking = cal.Digest, &moved, &ranking
	return out, nil
}

// undefined says why there is no such calibration or ranking; any other error
// remains one.
func undefined(out Alternative, err error) (Alternative, error) {
	var noReward *scoring.NoRewardError
	var empty *scoring.EmptyStratumError
	if !errors.As(err, &noReward) && !errors.As(err, &empty) {
		return out, err
	}
	var fault *schema.Fault
	if errors.As(err, &fault) {
		err = fault.Err
	}
	out.Reason = err.Error()
	return out, nil
}

func (a *alternatives) leaveOneOut(ctx context.Context, reasons map[string]string) ([]Alternative, error) {
	out := []Alternative{}
	all := a.base.Cal.Reference
	if len(all) < 2 {
		reasons[ByOneOut] = "the calibration has one reference configuration"
		return out, nil
	}
	for i, name := range all {
		o := a.options()
		o.Reference = slices.Delete(slices.Clone(all), i, i+1)
		alt, err := a.under(ctx, name, o)
		if err != nil {
			return nil, err
		}
		out = append(out, alt)
	}
	return out, nil
}

func (a *alternatives) etaGrid(ctx context.Context) ([]Alternative, error) {
	out := []Alternative{}
	for _, q := range a.o.EtaQuantiles {
		if !(q >= 0 && q <= 1) {
			return nil, schema.Faultf(schema.Usage, "--eta-quantiles", "", "%v is outside [0,1]", q)
		}
		o := a.options()
		o.Rules.EtaQuantile = q
		alt, err := a.under(ctx, fmt.Sprint(q), o)
		if err != nil {
			return nil, err
		}
		out = append(out, alt)
	}
	return out, nil
}

func (a *alternatives) levelsGrid(ctx context.Context, reasons map[string]string) ([]Alternative, error) {
	out := []Alternative{}
	if a.base.Cal.BudgetLevels == 0 {
		reasons[ByLevels] = "the calibration's budgets were set by hand"
		return out, nil
	}
	for _, k := range a.o.BudgetLevels {
		if k < 1 || k > scoring.MaxBudgetLevels {
			return nil, schema.Faultf(schema.Usage, "--budget-levels", "", "%d is outside 1 to %d", k, scoring.MaxBudgetLevels)
		}
		o := a.options()
		o.Rules.BudgetLevels = k
		alt, err := a.under(ctx, fmt.Sprint(k), o)
		if err != nil {
			return nil, err
		}
		out = append(out, alt)
	}
	return out, nil
}
