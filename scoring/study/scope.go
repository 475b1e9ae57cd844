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

// Policies say what is done with runs and configurations that lack something
// (section 3).
type Policies struct {
	MissingReward string  `json:"missing_reward"` // error, zero, exclude
	MissingCost   string  `json:"missing_cost"`   // error, exclude, unaffordable
	Incomplete    string  `json:"incomplete"`     // exclude, error, zero
	PassThreshold float64 `json:"pass_threshold"`
}

// DefaultPolicies refuse to guess.
func DefaultPolicies() Policies {
	return Policies{MissingReward: "error", MissingCost: "error", Incomplete: "exclude", PassThreshold: scoring.DefaultPassThreshold}
}

// Validate says which policy is not one.
func (p Policies) Validate() error {
	for _, c := range []struct {
		flag, value string
		of          []string
	}{
		{"--missing-reward", p.MissingReward, []string{"error", "zero", "exclude"}},
		{"--missing-cost", p.MissingCost, []string{"error", "exclude", "unaffordable"}},
		{"--incomplete", p.Incomplete, []string{"exclude", "error", "zero"}},
	} {
		if err := oneOf(c.flag, c.value, c.of); err != nil {
			return err
		}
	}
	if !(p.PassThreshold > 0 && p.PassThreshold <= 1) {
		return schema.Faultf(schema.Usage, "--pass-threshold", "", "%v is outside (0,1]", p.PassThreshold)
	}
	return nil
}

func oneOf(flag, value string, of []string) error {
	for _, v := range of {
		if v == value {
			return nil
		}
	}
	return schema.Faultf(schema.Usage, flag, "", "%q is not one of %s", value, some(of))
}

// scope is a calibration and a task set, ready for the scoped views.
type scope struct {
	cal   *scoring.Calibration
	set   TaskSet   // the first of sets
	sets  []TaskSet // as asked for
	alpha float64
	tasks []scoring.PanelTask

	policies Policies
	keys     *sql.Keys
}

// choice is what a scope is opened for.
type choice struct {
	calibration string               // a name; "" = the only one, else the newest
	cal         *scoring.Calibration // in place of the name: one that is not stored
	tasks       []string             // all, a set's name, or @FILE; several: their union is in scope
	within      []scoring.TaskKey    // what the word all means; nil: every task of the calibration
	policies    Policies
	alpha       *float64 // nil = the calibration's
	views       bool     // point the database's scoped views at the scope, for who queries them next
}

// openScope reads the calibration and the task sets.
func openScope(ctx context.Context, db *sql.DB, o choice) (*scope, []string, error) {
	if err := o.policies.Validate(); err != nil {
		return nil, nil, err
	}
	var warnings []string
	cal := o.cal
	if cal == nil {
		var chosen string
		var err error
		if cal, chosen, err = ReadCalibration(ctx, db, o.calibration); err != nil {
			return nil, nil, err
		}
		if chosen != "" {
			warnings = append(warnings, chosen)
		}
	}
	s := &scope{cal: cal, alpha: cal.Alpha, policies: o.policies}
	if o.alpha != nil {
		if !(*o.alpha >= 0 && *o.alpha <= 1) {
			return nil, nil, schema.Faultf(schema.Usage, "--alpha", "", "%v is outside [0,1]", *o.alpha)
		}
		s.alpha = *o.alpha
		if *o.alpha != cal.Alpha {
			warnings = append(warnings, fmt.Sprintf("alpha %v in place of the calibration's %v", *o.alpha, cal.Alpha))
		}
	}
	if err := s.choose(ctx, db, o); err != nil {
		return nil, nil, err
	}
	if !o.views {
		return s, warnings, nil
	}
	return s, warnings, db.SetScope(ctx, s.forViews(o.policies))
}

// choose resolves the task sets and gives their tasks strata.
func (s *scope) choose(ctx context.Context, db *sql.DB, o choice) error {
	keys, err := db.Keys(ctx)
	if err != nil {
		return err
	}
	inForce := tasksInForce(keys)
	strata, all, err := stratify(s.cal, inForce)
	if err != nil {
		return err
	}
	s.keys = keys
	known := dedupe(append(taskKeys(keys), all...))
	if o.within != nil {
		all = o.within
	}
	var union []scoring.TaskKey
	for _, spec := range o.tasks {
		set, err := resolveTasks(ctx, db, spec, all, known)
		if err != nil {
			return err
		}
		set.Tasks = inForce.each(set.Tasks)
		s.sets = append(s.sets, set)
		union = append(union, set.Tasks...)
	}
	union = dedupe(union)
	slices.SortFunc(union, scoring.TaskKey.Compare)
	s.set = s.sets[0]
	var outside []string
	for _, k := range union {
		stratum, ok := strata[k]
		if !ok {
			outside = append(outside, k.String())
			continue
		}
		s.tasks = append(s.tasks, scoring.PanelTask{Key: k, Stratum: stratum})
	}
	if len(outside) > 0 {
		return schema.Faultf(schema.Failed, "--tasks "+s.set.Name, "calibrate anew over these tasks, or take them out of the set",
			"%d tasks are not in calibration %s, so they have no stratum: %s", len(outside), s.cal.Name, some(outside))
	}
	return nil
}

// under is the scope under another calibration of the same tasks.
func (s *scope) under(cal *scoring.Calibration) (*scope, error) {
	strata, _, err := stratify(cal, tasksInForce(s.keys))
	if err != nil {
		return nil, err
	}
	out := *s
	out.cal, out.tasks = cal, slices.Clone(s.tasks)
	for i, t := range out.tasks {
		out.tasks[i].Stratum = strata[t.Key]
	}
	return &out, nil
}

func dedupe(keys []scoring.TaskKey) []scoring.TaskKey {
	seen := map[scoring.TaskKey]bool{}
	var out []scoring.TaskKey
	for _, k := range keys {
		if !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	return out
}

// forViews is the scope as the database takes it.
func (s *scope) forViews(p Policies) *sql.Scope {
	v := &sql.Scope{
		Calibration: s.cal.Name, Digest: s.cal.Digest, Alpha: s.alpha, TaskSet: s.set.Name,
		MissingReward: p.MissingReward, MissingCost: p.MissingCost, PassThreshold: p.PassThreshold,
	}
	for i, st := range scoring.Strata {
		v.Budgets[i], v.Eta[i] = s.cal.Strata[st].Budgets, s.cal.Strata[st].EtaUSD
	}
	for _, t := range s.tasks {
		v.Tasks = append(v.Tasks, sql.ScopeTask{Benchmark: t.Key.Benchmark, Task: t.Key.Task, Stratum: int32(t.Stratum)})
	}
	return v
}

// SetScope points the scoped views at a calibration and a task set and makes
// those of section 5, for a person's own SQL. Without any calibration the views
// are there and empty.
func SetScope(ctx context.Context, db *sql.DB, calibration, tasks string, p Policies) (warnings []string, err error) {
	if calibration == "" {
		list, err := Calibrations(ctx, db)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, errors.Join(db.SetScope(ctx, nil), db.AnalysisViews(ctx))
		}
	}
	_, warnings, err = openScope(ctx, db, choice{calibration: calibration, tasks: []string{tasks}, policies: p, views: true})
	if err != nil {
		return warnings, err
	}
	return warnings, db.AnalysisViews(ctx)
}
