package study_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amdb/scoring/study"
	"amdb/sql"
	"amdb/sql/ingest"
)

// respelled gives every third run of a set another spelling of its model, agent
// and task.
func respelled(runs [][]byte) [][]byte {
	var out [][]byte
	for i, line := range runs {
		if i%3 == 0 {
			for _, field := range []string{"model", "cli", "task"} {
				line = bytes.Replace(line, fmt.Appendf(nil, `"%s": "`, field), fmt.Appendf(nil, `"%s": "other-`, field), 1)
			}
		}
		out = append(out, line)
	}
	return out
}

func TestAliasesGiveTheSameBitsAsOneSpelling(t *testing.T) {
	ctx := context.Background()
	runs := lines(t, "attempts")
	plain := database(t, [][][]byte{runs}, 2)
	wantCal, want := calibrate(t, plain), score(t, plain, "all")

	db := database(t, [][][]byte{respelled(runs)}, 2)
	var aliases []ingest.Alias
	for kind, query := range map[string]string{
		"model": "SELECT DISTINCT raw_model FROM runs WHERE raw_model LIKE 'other-%'",
		"cli":   "SELECT DISTINCT raw_cli FROM runs WHERE raw_cli LIKE 'other-%'",
		"task":  "SELECT DISTINCT raw_task FROM runs WHERE raw_task LIKE 'other-%'",
	} {
		rows, err := db.Rows(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var raw string
			if err := rows.Scan(&raw); err != nil {
				t.Fatal(err)
			}
			aliases = append(aliases, ingest.Alias{Kind: kind, Raw: raw, Name: raw[len("other-"):]})
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(aliases) < 10 {
		t.Fatalf("%d aliases: the set is respelled too little", len(aliases))
	}
	if err := ingest.SetAliases(ctx, db, aliases); err != nil {
		t.Fatal(err)
	}
	gotCal, got := calibrate(t, db), score(t, db, "all")
	if gotCal.Digest != wantCal.Digest {
		t.Errorf("digest %s, want %s", gotCal.Digest, wantCal.Digest)
	}
	if d := cmp.Diff(want.Leaderboard, got.Leaderboard); d != "" {
		t.Errorf("leaderboard (-one spelling +aliases):\n%s", d)
	}
	// The views of a person's own SQL see the same.
	for _, db := range []*sql.DB{plain, db} {
		if _, err := study.SetScope(ctx, db, "main", "all", study.DefaultPolicies()); err != nil {
			t.Fatal(err)
		}
	}
	for _, view := range []string{"cells", "budget_curve", "scores", "ablation", "alpha_breakpoints", "pairwise"} {
		query := "SELECT CAST(r AS VARCHAR) FROM " + view + " AS r"
		if d := cmp.Diff(sortedRows(t, plain, query), sortedRows(t, db, query)); d != "" {
			t.Errorf("%s (-one spelling +aliases):\n%s", view, d)
		}
	}
	var cells, names, holes int
	if err := db.Row(ctx, "SELECT count(*), count(DISTINCT (config, benchmark, task, description)) FROM cells", nil, &cells, &names); err != nil {
		t.Fatal(err)
	}
	if cells != names {
		t.Errorf("%d cells have %d names", cells, names)
	}
	if err := db.Row(ctx, "SELECT count(*) FROM scores AS s WHERE s.ams IS DISTINCT FROM NULL AND s.tasks <> (SELECT count(*) FROM tasks)", nil, &holes); err != nil {
		t.Fatal(err)
	}
	if holes != 0 {
		t.Errorf("%d scores count other tasks than there are", holes)
	}
}

func TestACalibrationKeepsItsTasksUnderTheirNewNames(t *testing.T) {
	ctx := context.Background()
	db := database(t, [][][]byte{lines(t, "attempts")}, 2)
	calibrate(t, db)
	want := score(t, db, "all")
	var task string
	if err := db.Row(ctx, "SELECT min(task) FROM tasks", nil, &task); err != nil {
		t.Fatal(err)
	}
	if err := ingest.SetAliases(ctx, db, []ingest.Alias{{Kind: "task", Raw: task, Name: "renamed"}}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.Leaderboard[0].StrataByName, score(t, db, "all").Leaderboard[0].StrataByName); d != "" {
		t.Error(d)
	}
	if err := ingest.RemoveAliases(ctx, db, "task", "", []string{task}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.Leaderboard, score(t, db, "all").Leaderboard); d != "" {
		t.Error(d)
	}
}

// A task with another name since the calibration is the same task to whatever
// calibrates its runs anew.
func TestSensitivityKnowsTasksByTheirNewNames(t *testing.T) {
	ctx := t.Context()
	db := database(t, [][][]byte{lines(t, "attempts")}, 2)
	cal := calibrate(t, db)
	analyse := func() *study.Sensitivity {
		res, err := study.Analyse(ctx, db, study.SensitivityOptions{
			ScoreOptions: options("all"), EtaQuantiles: study.DefaultEtaQuantiles, BudgetLevels: study.DefaultBudgetLevels,
		})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	before := analyse()
	last := cal.Tasks[len(cal.Tasks)-1].Task
	if err := ingest.SetAliases(ctx, db, []ingest.Alias{{Kind: "task", Raw: last, Name: last + "-renamed"}}); err != nil {
		t.Fatal(err)
	}
	after := analyse()
	for _, grids := range [][2][]study.Alternative{{before.LeaveOneOut, after.LeaveOneOut}, {before.EtaGrid, after.EtaGrid}, {before.BudgetGrid, after.BudgetGrid}} {
		for i, want := range grids[0] {
			if d := cmp.Diff(want.Ranking, grids[1][i].Ranking); d != "" {
				t.Errorf("%s (-before +renamed):\n%s", want.Choice, d)
			}
		}
	}
	if len(before.LeaveOneOut) == 0 || len(before.EtaGrid) == 0 {
		t.Error("there is nothing to compare")
	}
}
