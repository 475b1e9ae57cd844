package workbook_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"amdb/export/workbook"
	"amdb/scoring"
	"amdb/scoring/study"
)

// runlessCases are a workbook without the runs, as written and at another alpha.
func runlessCases(t *testing.T) []officeCase {
	db := loaded(t, scoring.DefaultRules(), golden("attempts.runs.jsonl"))
	res := scored(t, db, study.ScoreOptions{})
	book, _ := written(t, db, res, workbook.Options{Runs: -1})
	alpha := 0.7
	other := scored(t, db, study.ScoreOptions{Alpha: &alpha})
	return []officeCase{
		{"no runs", book, nil, res},
		{"no runs at alpha 0.7", book, []string{"alpha=0.7"}, other},
	}
}

// A workbook with more runs than it may carry has none: its formulas rest on the
// cell means, and it says so.
func TestWorkbookCarriesRunsUpToABound(t *testing.T) {
	db := loaded(t, scoring.DefaultRules(), golden("attempts.runs.jsonl"))
	res := scored(t, db, study.ScoreOptions{})
	runs := 0
	for _, s := range res.Leaderboard {
		runs += s.Runs
	}
	if len(res.Excluded) > 0 || runs < 100 {
		t.Fatalf("%d runs, %d configurations not ranked: the case shows nothing", runs, len(res.Excluded))
	}
	for _, c := range []struct {
		bound   int
		carried bool
	}{{0, true}, {runs, true}, {runs - 1, false}, {-1, false}} {
		path, notes := written(t, db, res, workbook.Options{Runs: c.bound})
		f := opened(t, path)
		if i, err := f.GetSheetIndex("Runs"); err != nil || (i >= 0) != c.carried {
			t.Errorf("at most %d of %d runs: sheet %d of runs (%v)", c.bound, runs, i, err)
		}
		said := strings.Contains(strings.Join(notes.LeftOut, "\n"), fmt.Sprintf("The %d runs behind the cell means are not in this workbook", runs))
		if said == c.carried {
			t.Errorf("at most %d of %d runs: left out: %q", c.bound, runs, notes.LeftOut)
		}
		dangling, live := 0, 0
		for _, sheet := range f.GetSheetList() {
			rows, err := f.GetRows(sheet)
			if err != nil {
				t.Fatal(err)
			}
			for r, row := range rows {
				for col := range row {
					cell, err := excelize.CoordinatesToCellName(col+1, r+1)
					if err != nil {
						t.Fatal(err)
					}
					formula, err := f.GetCellFormula(sheet, cell)
					if err != nil {
						t.Fatal(err)
					}
					if formula != "" {
						live++
					}
					if strings.Contains(formula, "Runs") {
						dangling++
					}
				}
			}
		}
		if live == 0 || (dangling > 0) != c.carried {
			t.Errorf("at most %d of %d runs: %d formulas, %d of them over runs", c.bound, runs, live, dangling)
		}
	}
}
