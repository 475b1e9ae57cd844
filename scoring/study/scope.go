package study

import (
	"context"
	"fmt"

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
	set   TaskSet
	alpha float64
	tasks []scoring.PanelTask
}

// openScope reads the calibration and the task set, and points the database's
// scoped views at them.
func openScope(ctx context.Context, db *sql.DB, calibration, tasks string, p Policies, alpha *float64) (*scope, []string, error) {
	if err := p.Validate(); err != nil {
		return nil, nil, err
	}
	cal, chosen, err := ReadCalibration(ctx, db, calibration)
	if err != nil {
		return nil, nil, err
	}
	var warnings []string
	if chosen != "" {
		warnings = append(warnings, chosen)
	}
	s := &scope{cal: cal, alpha: cal.Alpha}
	if alpha != nil {
		if !(*alpha >= 0 && *alpha <= 1) {
			return nil, nil, schema.Faultf(schema.Usage, "--alpha", "", "%v is outside [0,1]", *alpha)
		}
		s.alpha = *alpha
		if *alpha != cal.Alpha {
			warnings = append(warnings, fmt.Sprintf("alpha %v in place of the calibration's %v", *alpha, cal.Alpha))
		}
	}
	keys, err := db.Keys(ctx)
	if err != nil {
		return nil, nil, err
	}
	inForce := tasksInForce(keys)
	strata, all, err := stratify(cal, inForce)
	if err != nil {
		return nil, nil, err
	}
	known := append(taskKeys(keys), all...)
	if s.set, err = resolveTasks(ctx, db, tasks, all, dedupe(known)); err != nil {
		return nil, nil, err
	}
	s.set.Tasks = inForce.each(s.set.Tasks)
	var outside []string
	for _, k := range s.set.Tasks {
		stratum, ok := strata[k]
		if !ok {
			outside = append(outside, k.String())
			continue
		}
		s.tasks = append(s.tasks, scoring.PanelTask{Key: k, Stratum: stratum})
	}
	if len(outside) > 0 {
		return nil, nil, schema.Faultf(schema.Failed, "--tasks "+s.set.Name, "calibrate anew over these tasks, or take them out of the set",
			"%d tasks are not in calibration %s, so they have no stratum: %s", len(outside), cal.Name, some(outside))
	}
	return s, warnings, db.SetScope(ctx, s.forViews(p))
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

// SetScope points the scoped views at a calibration and a task set, for a
// person's own SQL. Without any calibration the views are there and empty.
func SetScope(ctx context.Context, db *sql.DB, calibration, tasks string, p Policies) (warnings []string, err error) {
	if calibration == "" {
		list, err := Calibrations(ctx, db)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, db.SetScope(ctx, nil)
		}
	}
	_, warnings, err = openScope(ctx, db, calibration, tasks, p, nil)
	return warnings, err
}
