package study

import (
	"context"
	"errors"
	"fmt"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// ScoreOptions are the choices of one scoring.
type ScoreOptions struct {
	Calibration string // "" = the only one, else the newest
	Tasks       string // all, a set's name, or @FILE
	Condition   string // a description's name, or self, cross, pooled
	Policies    Policies
	Alpha       *float64                  // nil = the calibration's
	CI          *scoring.BootstrapOptions // nil = no intervals
	PassK       []int                     // pass@k and pass^k for these k
	Views       bool                      // leave the database's scoped views looking at what was scored
}

// CalibrationRef names a calibration with its digest.
type CalibrationRef struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// PoliciesUsed are the policies in force and what they touched.
type PoliciesUsed struct {
	Policies
	RunsWithoutReward int `json:"runs_without_reward"`
	RunsWithoutCost   int `json:"runs_without_cost"`
	RunsLeftOut       int `json:"runs_left_out"`
	ZeroCells         int `json:"zero_cells"` // missing cells that count as 0
}

// Scores is a leaderboard with everything that it rests on (docs/json.md).
type Scores struct {
	Calibration CalibrationRef `json:"calibration"`
	Condition   string         `json:"condition"`
	TaskSet     string         `json:"task_set"`
	Tasks       int            `json:"tasks"`
	Alpha       float64        `json:"alpha"`
	Policies    PoliciesUsed   `json:"policies"`
	Leaderboard []Standing     `json:"leaderboard"`
	Excluded    []Excluded     `json:"excluded"`
	CI          *CI            `json:"ci,omitempty"`
	Warnings    []string       `json:"warnings"`

	// Panel is the cells of the ranked configurations; Cal their calibration.
	Panel *scoring.Panel       `json:"-"`
	Cal   *scoring.Calibration `json:"-"`
	sets  []TaskSet
}

// Standing is one configuration's place.
type Standing struct {
	Rank   int    `json:"rank"`
	Config string `json:"config"`
	Model  string `json:"model"`
	CLI    string `json:"cli"`
	scoring.Components
	StrataByName map[string]scoring.StratumScore `json:"strata"`
	scoring.Figures
	Pareto bool `json:"pareto"`
	*Certainty
	PassK []scoring.PassK `json:"pass_k,omitempty"`
}

// Excluded is a configuration that is not ranked.
type Excluded struct {
	Config       string `json:"config"`
	MissingCells int    `json:"missing_cells"`
	Cells        int    `json:"cells"`           // that it has, with a run that counts
	Uncounted    int    `json:"uncounted_cells"` // of the missing ones, those whose runs the policies left out
}

// Score scores and ranks the configurations of one condition (section 3).
func Score(ctx context.Context, db *sql.DB, o ScoreOptions) (*Scores, error) {
	res, err := ground(ctx, db, o)
	if err != nil {
		return nil, err
	}
	if err := res.rank(); err != nil {
		return nil, err
	}
	if err := res.addPassK(o.PassK); err != nil {
		return nil, err
	}
	return res, res.addCertainty(o.CI)
}

// choice is the options as a scope takes them.
func (o ScoreOptions) choice() choice {
	return choice{calibration: o.Calibration, tasks: []string{o.Tasks}, policies: o.Policies, alpha: o.Alpha, views: o.Views}
}

// ground is the panel that a study stands on: the cells of the configurations
// that the policies admit, under one condition, not yet scored.
func ground(ctx context.Context, db *sql.DB, o ScoreOptions) (*Scores, error) {
	return groundOf(ctx, db, o.Condition, o.choice())
}

func groundOf(ctx context.Context, db *sql.DB, condition string, o choice) (*Scores, error) {
	s, warnings, err := openScope(ctx, db, o)
	if err != nil {
		return nil, err
	}
	c, err := s.cells(ctx, db)
	if err != nil {
		return nil, err
	}
	return s.groundTouched(ctx, db, c, condition, warnings)
}

// groundTouched is ground with the warnings of touched.
func (s *scope) groundTouched(ctx context.Context, db *sql.DB, c *cells, condition string, warnings []string) (*Scores, error) {
	res, err := s.ground(c, condition, warnings)
	if err != nil {
		return nil, err
	}
	faults, err := touched(ctx, db, res.Panel.Configs, taskKeysOf(s.tasks), described(condition))
	res.Warnings = append(res.Warnings, faults...)
	return res, err
}

// ground settles who is ranked under a condition.
func (s *scope) ground(c *cells, condition string, warnings []string) (*Scores, error) {
	panel, more, err := s.condition(c, condition)
	if err != nil {
		return nil, err
	}
	res := s.result(condition, panel, append(warnings, more...))
	if res.Panel, err = res.settle(panel, s.policies); err != nil {
		return nil, err
	}
	if n := len(res.Excluded); n > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("%d configurations lack cells of the task set and are not ranked", n))
	}
	return res, nil
}

// result is a result in which nothing is scored yet.
func (s *scope) result(condition string, panel *scoring.Panel, warnings []string) *Scores {
	return &Scores{
		Calibration: CalibrationRef{s.cal.Name, s.cal.Digest}, Condition: condition, TaskSet: s.set.Name, Tasks: len(panel.Tasks),
		Alpha: s.alpha, Leaderboard: []Standing{}, Excluded: []Excluded{}, Warnings: append([]string{}, warnings...),
		Panel: panel, Cal: s.cal, sets: s.sets,
	}
}

// components scores the panel. A stratum without a task is an error that says
// what to do.
func (res *Scores) components() ([]scoring.Components, error) {
	components, err := scoring.Score(res.Panel, res.Alpha)
	return components, strataFault(err, res.TaskSet)
}

func strataFault(err error, taskSet string) error {
	var empty *scoring.EmptyStratumError
	if errors.As(err, &empty) {
		return schema.Faultf(schema.Failed, "--tasks "+taskSet, "choose tasks of all three strata; amdb calibration show lists them", "%w", err)
	}
	return err
}

// rank scores the panel and puts its configurations in order.
func (res *Scores) rank() error {
	components, err := res.components()
	if err != nil {
		return err
	}
	p := res.Panel
	ranks := scoring.Ranks(scoring.AMSOf(components))
	points := make([]scoring.Point, len(p.Configs))
	figures := make([]scoring.Figures, len(p.Configs))
	for c := range p.Configs {
		figures[c] = scoring.FiguresOf(p.Row(c))
		points[c] = scoring.Point{Cost: figures[c].TotalCostUSD, Quality: figures[c].MeanReward}
	}
	front := scoring.Pareto(points)
	for _, c := range scoring.Order(p.Configs, ranks) {
		model, cli, _ := scoring.SplitConfig(p.Configs[c])
		st := Standing{
			Rank: ranks[c], Config: p.Configs[c], Model: model, CLI: cli,
			Components: components[c], StrataByName: map[string]scoring.StratumScore{}, Figures: figures[c], Pareto: front[c],
		}
		for _, s := range scoring.Strata {
			st.StrataByName[s.String()] = components[c].Strata[s]
		}
		res.Leaderboard = append(res.Leaderboard, st)
	}
	return nil
}
