package study

import (
	"context"
	"fmt"
	"slices"

	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/stat"
	"amdb/sql"
)

// What amdb compare compares.
const (
	OfConfigurations = "configurations"
	OfCalibrations   = "calibrations"
)

// Compared is one comparison; the other of its two results is nil.
type Compared struct {
	Configs      *ConfigComparison
	Calibrations *CalibrationComparison
}

// ConfigComparison is two configurations on the tasks that both ran
// (section 5.6).
type ConfigComparison struct {
	Of string `json:"of"` // configurations
	Basis
	scoring.PairedComparison
	MeanRewardA *float64 `json:"mean_reward_a"` // over the shared tasks
	MeanRewardB *float64 `json:"mean_reward_b"`
	Pairs       int      `json:"pairs"` // of configurations with runs here: how many such comparisons one could look at
}

// CalibrationComparison is what moved between two calibrations (section 5.9).
type CalibrationComparison struct {
	Of        string                  `json:"of"` // calibrations
	A         CalibrationRef          `json:"a"`
	B         CalibrationRef          `json:"b"`
	Condition string                  `json:"condition"`
	TaskSet   string                  `json:"task_set"`
	Tasks     int                     `json:"tasks"` // scored under both
	Policies  PoliciesUsed            `json:"policies"`
	Moved     scoring.CalibrationDiff `json:"moved"`
	Ranking   scoring.RankingDiff     `json:"ranking"`
	Warnings  []string                `json:"warnings"`
}

// Compare compares two configurations, or else two calibrations, by name.
func Compare(ctx context.Context, db *sql.DB, a, b string, o ScoreOptions, bootstrap scoring.BootstrapOptions) (out Compared, err error) {
	keys, err := db.Keys(ctx)
	if err != nil {
		return out, err
	}
	list, err := Calibrations(ctx, db)
	if err != nil {
		return out, err
	}
	configs := configNames(keys)
	isCalibration := func(name string) bool {
		return slices.ContainsFunc(list, func(c CalibrationInfo) bool { return c.Name == name })
	}
	switch {
	case slices.Contains(configs, a) && slices.Contains(configs, b):
		out.Configs, err = compareConfigs(ctx, db, a, b, o, bootstrap)
		return out, err
	case isCalibration(a) && isCalibration(b):
		out.Calibrations, err = compareCalibrations(ctx, db, a, b, o)
		return out, err
	}
	for _, name := range []string{a, b} {
		if !slices.Contains(configs, name) && !isCalibration(name) {
			return out, schema.Faultf(schema.Failed, "compare "+name, `amdb sql "SELECT config FROM configs" and amdb calibration list say what there is`,
				"there is no such configuration or calibration")
		}
	}
	return out, schema.Faultf(schema.Usage, "compare", "name two configurations, or two calibrations", "%s and %s are a configuration and a calibration", a, b)
}

func compareConfigs(ctx context.Context, db *sql.DB, a, b string, o ScoreOptions, bootstrap scoring.BootstrapOptions) (*ConfigComparison, error) {
	if err := checkBootstrap(bootstrap); err != nil {
		return nil, err
	}
	if a == b {
		return nil, schema.Faultf(schema.Usage, "compare", "name two configurations", "%s is compared with itself", a)
	}
	s, warnings, err := openScope(ctx, db, o.choice())
	if err != nil {
		return nil, err
	}
	c, err := s.cells(ctx, db)
	if err != nil {
		return nil, err
	}
	panel, more, err := s.condition(c, o.Condition)
	if err != nil {
		return nil, err
	}
	// Tasks that only one of them ran are not compared, so nothing is excluded.
	res := s.result(o.Condition, panel, append(warnings, more...))
	res.Policies.Policies = o.Policies
	n := len(panel.Configs)
	two := panel.Filter(func(c int) bool { return panel.Configs[c] == a || panel.Configs[c] == b })
	for _, name := range []string{a, b} {
		if !slices.Contains(two.Configs, name) {
			return nil, schema.Faultf(schema.Failed, "compare "+name, "choose other tasks or another condition", "it has no run on these tasks under %s", o.Condition)
		}
	}
	more, err = res.Policies.admit(two.Rows, two.Rows)
	if err != nil {
		return nil, err
	}
	out := &ConfigComparison{Of: OfConfigurations, Pairs: n * (n - 1) / 2}
	if out.PairedComparison, err = scoring.ComparePair(two, a, b, res.Alpha, bootstrap); err != nil {
		return nil, err
	}
	out.meanRewards()
	if left := len(two.Tasks) - out.Tasks; left > 0 {
		more = append(more, fmt.Sprintf("%d of %d tasks were not run by both and are left out", left, len(two.Tasks)))
	}
	res.Warnings = append(res.Warnings, more...)
	out.Basis = res.Basis()
	return out, nil
}

// meanRewards averages the rewards over the shared tasks.
func (c *ConfigComparison) meanRewards() {
	var a, b []float64
	for _, d := range c.PerTask {
		a, b = append(a, d.RewardA), append(b, d.RewardB)
	}
	if m, ok := stat.Mean(a); ok {
		n, _ := stat.Mean(b)
		c.MeanRewardA, c.MeanRewardB = &m, &n
	}
}

func compareCalibrations(ctx context.Context, db *sql.DB, a, b string, o ScoreOptions) (*CalibrationComparison, error) {
	from, _, err := ReadCalibration(ctx, db, a)
	if err != nil {
		return nil, err
	}
	to, _, err := ReadCalibration(ctx, db, b)
	if err != nil {
		return nil, err
	}
	c := o.choice()
	c.within = sharedTasks(from, to)
	c.cal = from
	before, err := scoreUnder(ctx, db, o.Condition, c)
	if err != nil {
		return nil, err
	}
	c.cal = to
	after, err := scoreUnder(ctx, db, o.Condition, c)
	if err != nil {
		return nil, err
	}
	out := &CalibrationComparison{
		Of: OfCalibrations, A: before.Calibration, B: after.Calibration, Condition: o.Condition, TaskSet: before.TaskSet, Tasks: before.Tasks,
		Policies: before.Policies, Moved: scoring.DiffCalibrations(*from, *to), Ranking: before.diff(after), Warnings: before.Warnings,
	}
	if only := out.Moved.OnlyIn; only != [2]int{} && before.TaskSet == "all" {
		out.Warnings = append(out.Warnings, fmt.Sprintf("rankings are over the %d tasks in both calibrations; %d are only in %s, %d only in %s",
			len(c.within), only[0], a, only[1], b))
	}
	return out, nil
}

// sharedTasks are the tasks in both calibrations.
func sharedTasks(a, b *scoring.Calibration) []scoring.TaskKey {
	in, out := b.Stratify(), []scoring.TaskKey{}
	for _, t := range a.Tasks {
		if _, ok := in[t.Key()]; ok {
			out = append(out, t.Key())
		}
	}
	return out
}

// ranked is a settled panel with its scores.
type ranked struct {
	*Scores
	ams []float64 // in the order of the panel
}

// scoreUnder scores one condition under a choice.
func scoreUnder(ctx context.Context, db *sql.DB, condition string, c choice) (*ranked, error) {
	res, err := groundOf(ctx, db, condition, c)
	if err != nil {
		return nil, err
	}
	return res.ranked()
}

// ranked scores the panel.
func (res *Scores) ranked() (*ranked, error) {
	components, err := res.components()
	return &ranked{res, scoring.AMSOf(components)}, err
}

// diff compares two rankings over the configurations in both.
func (r *ranked) diff(o *ranked) scoring.RankingDiff {
	return scoring.DiffRankings(r.Panel.Configs, r.ams, o.Panel.Configs, o.ams)
}
