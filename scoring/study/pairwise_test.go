package study_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

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
