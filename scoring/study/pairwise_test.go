package study_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amdb/scoring"
	"amdb/scoring/study"
)

// duel is a row of the view pairwise; p is NaN where it has none.
type duel struct {
	tasks, winsA, winsB, ties int
	difference                float64
	binary                    bool
	p                         float64
}

// Every pair of configurations that share a task has a row, and no other; cells
// that one lacks do not count. Held to the definition, task by task.
func TestPairwiseIsItsDefinition(t *testing.T) {
	ctx := context.Background()
	type config map[string]float64 // reward by task
	configs := map[string]config{"r/one": {}, "r/two": {}, "gaps/a": {}, "gaps/b": {}, "left/c": {}, "right/c": {}, "half/c": {}}
	for i := range 9 {
		task := fmt.Sprintf("t%d", i)
		configs["r/one"][task] = float64(min(i, 1))
		configs["r/two"][task] = float64(i % 3 / 2)
		configs["half/c"][task] = float64(i%5/2) / 2 // not only 0 and 1, where left/c has no cell
		if i < 5 {
			configs["half/c"][task] = float64(i % 2)
		}
		if i%3 != 0 {
			configs["gaps/a"][task] = float64((i + 1) % 2)
		}
		if i%4 != 1 {
			configs["gaps/b"][task] = 1 - float64(i%2)
		}
		side := "left/c"
		if i > 4 {
			side = "right/c" // which share no task
		}
		configs[side][task] = 1
	}
	configs["gaps/b"]["t2"] = 1 - 1e-14 // equal to 1 at 12 decimals, but not binary
	var runs [][]byte
	for name, c := range configs {
		for task, reward := range c {
			runs = append(runs, run(name, task, "original", reward, 1))
		}
	}
	// A second attempt: the cell is a mean of two, whatever it is.
	runs = append(runs, bytes.Replace(run("right/c", "t8", "original", 1, 1), []byte(`"run_id":"`), []byte(`"run_id":"x`), 1))
	db := database(t, [][][]byte{runs}, 0)
	if _, err := study.Calibrate(ctx, db, study.CalibrateOptions{Name: "main", Tasks: "all", Rules: scoring.DefaultRules(), Reference: []string{"r/one", "r/two"}, Now: now}); err != nil {
		t.Fatal(err)
	}
	if _, err := study.SetScope(ctx, db, "main", "all", study.DefaultPolicies()); err != nil {
		t.Fatal(err)
	}
	want := map[string]duel{}
	for a := range configs {
		for b := range configs {
			if a >= b {
				continue
			}
			d := duel{binary: true, p: math.NaN()}
			for i := range 9 {
				task := fmt.Sprintf("t%d", i)
				x, inA := configs[a][task]
				y, inB := configs[b][task]
				if !inA || !inB {
					continue
				}
				d.tasks++
				d.difference += x - y
				switch {
				case math.Abs(x-y) < 1e-12:
					d.ties++
				case x > y:
					d.winsA++
				default:
					d.winsB++
				}
				twice := task == "t8" && (a == "right/c" || b == "right/c")
				d.binary = d.binary && (x == 0 || x == 1) && (y == 0 || y == 1) && !twice
			}
			if d.tasks == 0 {
				continue
			}
			d.difference /= float64(d.tasks)
			if n, k := d.winsA+d.winsB, min(d.winsA, d.winsB); d.binary && n > 0 {
				d.p = 0
				for i := range k + 1 { // two tails of a fair coin
					d.p += math.Exp2(1-float64(n)) * binomial(n, i)
				}
				d.p = min(1, d.p)
			}
			want[a+" "+b] = d
		}
	}
	rows, err := db.Rows(ctx, "SELECT config_a, config_b, shared_tasks, wins_a, wins_b, ties, reward_difference, one_binary, coalesce(p, 'nan'::DOUBLE) FROM pairwise")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var seen []string
	for rows.Next() {
		var a, b string
		var g duel
		if err := rows.Scan(&a, &b, &g.tasks, &g.winsA, &g.winsB, &g.ties, &g.difference, &g.binary, &g.p); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, a+" "+b)
		w, ok := want[a+" "+b]
		near(t, a+" "+b+" difference", g.difference, w.difference)
		if math.IsNaN(w.p) != math.IsNaN(g.p) || !math.IsNaN(w.p) && math.Abs(w.p-g.p) > 1e-12 {
			t.Errorf("%s, %s: p = %v, want %v", a, b, g.p, w.p)
		}
		g.difference, g.p = w.difference, w.p
		if !ok || fmt.Sprint(g) != fmt.Sprint(w) {
			t.Errorf("%s, %s: %+v, want %+v", a, b, g, w)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(seen)
	if len(slices.Compact(seen)) != len(want) || len(want) != 20 {
		t.Errorf("%d pairs, want %d, of 21 all but one that shares no task", len(seen), len(want))
	}
}

// binomial is n over k.
func binomial(n, k int) float64 {
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return c
}

// Pairs that are counted beforehand, a part of the configurations after another,
// are those of the one query; and p_holm, one pass over the sorted family, is
// the function holm.
func TestPairsCountedBeforehandAreTheSame(t *testing.T) {
	ctx := context.Background()
	var runs [][]byte
	for c := range 120 { // three parts
		for i := range 30 {
			for d, description := range []string{"original", "other"} {
				if (c+i+d)%11 > 0 && (d == 0 || c < 60) {
					runs = append(runs, run(fmt.Sprintf("m%03d/cli", c), fmt.Sprintf("t%d", i), description, float64(((c*c+7*i+d)%10+c%10)/10), 1))
				}
			}
		}
	}
	for i := range 30 {
		runs = append(runs, run("reference/cli", fmt.Sprintf("t%d", i), "original", 1, float64(i+1)))
	}
	db := database(t, [][][]byte{runs}, 0)
	if _, err := study.Calibrate(ctx, db, study.CalibrateOptions{Name: "main", Tasks: "all", Rules: scoring.DefaultRules(), Reference: []string{"reference/cli"}, Now: now}); err != nil {
		t.Fatal(err)
	}
	scope := func() {
		t.Helper()
		if _, err := study.SetScope(ctx, db, "main", "all", study.DefaultPolicies()); err != nil {
			t.Fatal(err)
		}
	}
	shown := func() []string { return sortedRows(t, db, "SELECT CAST(r AS VARCHAR) FROM pairwise AS r") }
	scope()
	once := shown()
	if want := 121*120/2 + 60*59/2; len(once) != want {
		t.Fatalf("%d pairs, want %d", len(once), want)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	// One that was stopped half-way, and one too many, change nothing.
	if err := db.Exec(ctx, "CREATE TEMP TABLE counted_pair_cells AS SELECT * FROM pair_cells LIMIT 0; CREATE OR REPLACE TEMP VIEW pair_cells AS SELECT * FROM counted_pair_cells"); err != nil {
		t.Fatal(err)
	}
	if err := db.StagePairs(stopped); err == nil {
		t.Error("a stopped count is none")
	}
	for range 2 {
		if err := db.StagePairs(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(once, shown()); d != "" {
		t.Errorf("pairs counted beforehand (-each time +beforehand):\n%s", d)
	}
	var ps, below, without, wrong int
	if err := db.Row(ctx, `WITH f AS (SELECT description, list(p) AS family FROM pairwise WHERE p IS NOT NULL GROUP BY description)
		SELECT count(w.p), count(*) FILTER (WHERE w.p_holm < 1), count(*) FILTER (WHERE w.p IS NULL), count(*) FILTER (WHERE w.p_holm IS DISTINCT FROM holm(w.p, f.family))
		FROM (SELECT DISTINCT description, p, p_holm FROM pairwise) AS w JOIN f ON f.description = w.description`, nil, &ps, &below, &without, &wrong); err != nil {
		t.Fatal(err)
	}
	if wrong > 0 || below < 10 || ps == below || without != 2 {
		t.Errorf("%d of %d p_holm are not the function's, %d of them less than 1; without p: %d, one a description", wrong, ps, below, without)
	}
	if err := db.Exec(ctx, "UPDATE stored_runs SET reward = 1 - reward"); err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(once, shown()) {
		t.Error("the runs are read again, so nothing was counted beforehand")
	}
	scope()
	changed := shown()
	if cmp.Equal(once, changed) {
		t.Error("another scope shows the pairs counted before it")
	}
	err := errors.Join(db.StagePairs(ctx), db.Exec(ctx, "UPDATE stored_runs SET reward = 1 - reward"))
	if err != nil || !cmp.Equal(changed, shown()) {
		t.Errorf("under another scope nothing is counted beforehand: %v", err)
	}
}
