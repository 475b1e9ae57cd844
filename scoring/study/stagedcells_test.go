package study_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amdb/scoring/study"
)

// Views over cells that are counted beforehand show what they show without, and
// another scope afterwards is seen.
func TestCellsCountedBeforehandAreTheSame(t *testing.T) {
	ctx := context.Background()
	db := database(t, [][][]byte{lines(t, "attempts")}, 2)
	calibrate(t, db)
	scope := func(rewards string) {
		t.Helper()
		p := study.DefaultPolicies()
		p.PassThreshold = .5
		p.MissingReward = rewards
		if _, err := study.SetScope(ctx, db, "", "all", p); err != nil {
			t.Fatal(err)
		}
	}
	shown := func() (out []string) {
		t.Helper()
		for _, view := range []string{"cells", "stratum_scores", "scores"} {
			out = append(out, sortedRows(t, db, "SELECT CAST(r AS VARCHAR) FROM "+view+" AS r")...)
		}
		return out
	}
	if err := db.Exec(ctx, "UPDATE stored_runs SET reward = NULL WHERE run_id LIKE '%7'"); err != nil {
		t.Fatal(err)
	}
	scope("zero")
	zero := shown()
	scope("exclude")
	exclude := shown()
	if cmp.Equal(zero, exclude) {
		t.Fatal("the policies make no difference: the runs show nothing")
	}
	if err := db.StageCells(ctx); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(exclude, shown()); d != "" {
		t.Errorf("cells counted beforehand (-each time +once):\n%s", d)
	}
	if err := db.Exec(ctx, "UPDATE stored_runs SET reward = 0"); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(exclude, shown()); d != "" {
		t.Errorf("the runs are read again, so nothing was counted beforehand:\n%s", d)
	}
	scope("zero")
	if got := shown(); cmp.Equal(exclude, got) || cmp.Equal(zero, got) {
		t.Error("another scope shows the cells counted before it")
	}
}
