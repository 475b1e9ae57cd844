package workbook

import (
	"fmt"

	"amdb/scoring"
)

// Names of ranges that formulas use. Those of the strata end in its name.
const (
	alphaName = "alpha"
	passName  = "pass_threshold"
)

func budgetsName(s scoring.Stratum) string { return "budgets_" + s.String() }
func levelsName(s scoring.Stratum) string  { return "levels_" + s.String() }
func etaName(s scoring.Stratum) string     { return "eta_" + s.String() }

// Rows and columns of the sheet of budgets.
const (
	alphaRow     = 4
	passRow      = 5
	stratumRow   = 8 // header of the strata; below it what each has
	tasksRow     = 9
	setTasksRow  = 10
	etaRow       = 11
	levelsRow    = 12
	budgetsFirst = 15 // the first level
)

func stratumColumn(s scoring.Stratum) string { return columnName(2 + int(s)) }

// Columns of the ranges by configuration.
var (
	scoreNames = [][2]string{
		{"score_config", "A"},
		{"score_ams", "B"},
		{"score_tq", "C"},
		{"score_aubqc", "D"},
		{"score_efr", "E"},
		{"score_ams12", "F"},
		{"score_rank", "G"},
		{"score_place", "H"},
		{"score_ams_Easy", "L"},
		{"score_ams_Medium", "P"},
		{"score_ams_Hard", "T"},
		{"score_link", "U"},
	}
	figureNames = [][2]string{
		{"figure_runs", "B"},
		{"figure_reward", "D"},
		{"figure_passes", "E"},
		{"figure_pass_rate", "F"},
		{"figure_cost", "I"},
		{"figure_usd_per_pass", "J"},
		{"figure_tokens_per_pass", "K"},
		{"figure_pareto", "N"},
		{"figure_front_cost", "O"},
	}
)

// names defines every name that formulas use.
func (w *workbook) names() error {
	defs := [][2]string{
		{alphaName, fixedCell(budgetsSheet, "B", alphaRow)},
		{passName, fixedCell(budgetsSheet, "B", passRow)},
	}
	for _, s := range scoring.Strata {
		col := stratumColumn(s)
		defs = append(defs,
			[2]string{budgetsName(s), fixedSpan(budgetsSheet, col, budgetsFirst, budgetsFirst+max(1, len(w.res.Cal.Strata[s].Budgets))-1)},
			[2]string{levelsName(s), fixedCell(budgetsSheet, col, levelsRow)},
			[2]string{etaName(s), fixedCell(budgetsSheet, col, etaRow)})
	}
	if n := len(w.res.Panel.Configs); n > 0 {
		for _, d := range scoreNames {
			defs = append(defs, [2]string{d[0], fixedSpan(strataSheet, d[1], strataFirst, strataFirst+n-1)})
		}
		for _, d := range figureNames {
			defs = append(defs, [2]string{d[0], fixedSpan(figuresSheet, d[1], firstRow, firstRow+n-1)})
		}
	}
	for _, d := range defs {
		if err := w.name(d[0], d[1]); err != nil {
			return fmt.Errorf("name %s: %w", d[0], err)
		}
	}
	return nil
}
