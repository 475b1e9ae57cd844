package study_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"amdb/scoring"
	"amdb/scoring/study"
)

// e03: a missing figure is no largest figure: the task's rank is among those
// that have one.
func TestFieldCaseE03UnknownIsNotRanked(t *testing.T) {
	db := database(t, [][][]byte{lines(t, "ties")}, 0)
	var lo, hi float64
	var unknown any
	err := db.Row(context.Background(), `SELECT percentile_rank(0.2, x, 'strict'), percentile_rank(0.5, x, 'weak'), percentile_rank(NULL, x, 'mid')
		FROM (SELECT list(v) AS x FROM (VALUES (0.2), (0.5), (NULL)) AS t(v))`, nil, &lo, &hi, &unknown)
	if err != nil || lo != 0 || hi != 1 || unknown != nil {
		t.Errorf("%v %v %v, %v", lo, hi, unknown, err)
	}
}

// e14: who lacks tasks is said to lack them; nobody's missing tasks are skipped.
func TestFieldCaseE14MissingCellsAreNotSkipped(t *testing.T) {
	var runs [][]byte
	for i := range 4 {
		task := fmt.Sprintf("t%d", i+1)
		runs = append(runs, run("m/a", task, "original", .5, float64(i+1)), run("m/b", task, "original", .75, float64(i+1)))
		if i < 2 {
			runs = append(runs, run("m/c", task, "original", 1, float64(i+1)))
		}
	}
	db := database(t, [][][]byte{runs}, 0)
	calibrate(t, db)
	s := score(t, db, "all")
	var ranked []string
	for _, r := range s.Leaderboard {
		ranked = append(ranked, r.Config)
	}
	if want := []string{"m/b", "m/a"}; !slices.Equal(ranked, want) {
		t.Errorf("ranked %v, want %v", ranked, want)
	}
	if len(s.Excluded) != 1 || s.Excluded[0] != (study.Excluded{Config: "m/c", MissingCells: 2, Cells: 2}) {
		t.Errorf("excluded %+v", s.Excluded)
	}
	// On the tasks that both ran, it can be compared.
	c, err := study.Compare(context.Background(), db, "m/a", "m/c", options("all"), scoring.BootstrapOptions{Draws: 100, Seed: 1, Level: .95})
	if err != nil {
		t.Fatal(err)
	}
	if p := c.Configs; p.Tasks != 2 || p.Losses != 2 || p.Difference != nil || p.Reasons["difference"] == "" {
		t.Errorf("%+v", p.PairedComparison)
	}
}
