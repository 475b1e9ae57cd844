package study

import (
	"context"
	"slices"

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
// scores. All alternatives read the runs together.
func Analyse(ctx context.Context, db *sql.DB, o SensitivityOptions) (*Sensitivity, error) {
	a, err := openAlternatives(ctx, db, o)
	if err != nil {
		return nil, err
	}
	base := a.base
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
	oneOut := a.leaveOneOut(out.Reasons)
	eta, err := a.etaGrid()
	if err != nil {
		return nil, err
	}
	levels, err := a.levelsGrid(out.Reasons)
	if err != nil {
		return nil, err
	}
	all, err := a.compute(ctx, slices.Concat(oneOut, eta, levels))
	if err != nil {
		return nil, err
	}
	out.LeaveOneOut, all = all[:len(oneOut)], all[len(oneOut):]
	out.EtaGrid, out.BudgetGrid = all[:len(eta)], all[len(eta):]
	out.Basis = base.Basis()
	out.LeaderStays[ByAlpha] = out.AlphaSweep.LeaderShare
	out.LeaderStays[ByOneOut] = leaderStays(out.LeaveOneOut)
	out.LeaderStays[ByEta] = leaderStays(out.EtaGrid)
	out.LeaderStays[ByLevels] = leaderStays(out.BudgetGrid)
	out.LargestMoves = largestMoves(out.LeaveOneOut)
	return out, nil
}
