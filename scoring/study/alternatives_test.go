package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"amdb/scoring"
	"amdb/scoring/stat"
	"amdb/sql"
	"amdb/sql/ingest"
)

// holed is a database of the golden runs with several attempts and descriptions,
// some of which lack their reward or their cost.
func holed(t *testing.T) *sql.DB {
	t.Helper()
	var out bytes.Buffer
	for i, line := range bytes.Split(bytes.TrimSpace(must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden", "attempts.runs.jsonl")))), []byte("\n")) {
		var run map[string]any
		if err := json.Unmarshal(line, &run); err != nil {
			t.Fatal(err)
		}
		if i%7 == 3 {
			delete(run, "reward")
		}
		if i%5 == 1 {
			delete(run, "cost_usd")
		}
		out.Write(append(must(json.Marshal(run)), '\n'))
	}
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AMDB_CACHE", "off")
	db := must(sql.Open(t.Context(), filepath.Join(t.TempDir(), "t.duckdb"), sql.Options{Mode: sql.Make}))
	t.Cleanup(func() { _ = db.Close() })
	must(ingest.Load(t.Context(), db, ingest.Options{Paths: []string{path}, Format: "auto", Now: time.Unix(1, 0)}))
	rules := holedRules("zero")
	for name, budgets := range map[string]map[scoring.Stratum][]float64{
		"main": nil,
		"hand": {scoring.Easy: {.1, .5}, scoring.Medium: {.2, .4, .6, .8}, scoring.Hard: {1}},
	} {
		must(Calibrate(t.Context(), db, CalibrateOptions{Name: name, Tasks: "all", Rules: rules, Budgets: budgets, Now: time.Unix(2, 0)}))
	}
	return db
}

// holedRules calibrate in spite of what lacks.
func holedRules(missingReward string) scoring.Rules {
	rules := scoring.DefaultRules()
	rules.MissingReward, rules.MissingCost = missingReward, "exclude"
	return rules
}

// Under --missing-reward zero the costs of reference runs without a reward count
// among those of the runs with reward 0, of which η is a quantile; under exclude
// they do not (section 2.6).
func TestAMissingRewardOfZeroCountsForTheThreshold(t *testing.T) {
	ctx, db := t.Context(), holed(t)
	must(Calibrate(ctx, db, CalibrateOptions{Name: "less", Tasks: "all", Rules: holedRules("exclude"), Now: time.Unix(2, 0)}))
	differ := 0
	for _, s := range scoring.Strata {
		var etas []float64
		for name, zero := range map[string]string{"main": "coalesce(reward, 0) = 0", "less": "reward = 0"} {
			cal, _, err := ReadCalibration(ctx, db, name)
			if err != nil {
				t.Fatal(err)
			}
			rows := must(db.Rows(ctx, `SELECT r.model || '/' || r.cli, r.cost_usd FROM runs AS r JOIN calibration_tasks AS c USING (benchmark, task)
				WHERE c.calibration = ? AND c.stratum = ? AND r.description = 'original' AND r.cost_usd IS NOT NULL AND `+zero, name, s.String()))
			var costs []float64
			for rows.Next() {
				var config string
				var cost float64
				if err := rows.Scan(&config, &cost); err != nil {
					t.Fatal(err)
				}
				if slices.Contains(cal.Reference, config) {
					costs = append(costs, cost)
				}
			}
			if err := errors.Join(rows.Err(), rows.Close()); err != nil {
				t.Fatal(err)
			}
			want, ok := stat.Quantile7(costs, cal.EtaQuantile)
			eta := cal.Strata[s].EtaUSD
			if !ok || eta == nil || *eta != want {
				t.Fatalf("%s, stratum %s: η over %d costs is %v, want %v", name, s, len(costs), eta, want)
			}
			etas = append(etas, *eta)
		}
		if etas[0] != etas[1] {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the two policies give equal thresholds: the runs show nothing")
	}
}

// apart computes one variant by itself, as calibrating and scoring do.
func apart(ctx context.Context, t *testing.T, db *sql.DB, a *alternatives, v variant) Alternative {
	t.Helper()
	v.o.Tasks = "all"
	cal := must(compute(ctx, db, v.o))
	cal.Name = v.choice
	c := a.o.choice()
	c.cal = cal
	res, err := scoreUnder(ctx, db, a.o.Condition, c)
	if err != nil {
		return Alternative{Choice: v.choice, Reason: must(undefined(err))}
	}
	moved, ranking := scoring.DiffCalibrations(*a.base.Cal, *cal), a.base.diff(res)
	return Alternative{Choice: v.choice, Digest: cal.Digest, Moved: &moved, Ranking: &ranking}
}

// Alternatives that read the runs together, in one pass or in many, are those
// that are calibrated and scored one by one.
func TestAlternativesTogetherAreThoseApart(t *testing.T) {
	t.Run("holes", func(t *testing.T) {
		if none := togetherAndApart(t, holed(t), scoring.Original, scoring.Generic, scoring.Pooled); none == 0 {
			t.Error("no alternative is undefined: some should be")
		}
	})
	t.Run("an alias", func(t *testing.T) { togetherAndApart(t, joined(t), scoring.Original, scoring.Pooled) })
	t.Run("many runs", func(t *testing.T) { togetherAndApart(t, grown(t), scoring.Generic) })
}

func togetherAndApart(t *testing.T, db *sql.DB, conditions ...string) (none int) {
	ctx := t.Context()
	tasks, ranks := 0, 0
	room, held, atOnce := tileBytes, heldCosts, draftTasks
	for _, condition := range conditions {
		for _, under := range [][3]string{{"main", "zero", "unaffordable"}, {"main", "exclude", "exclude"}, {"hand", "zero", "exclude"}} {
			o := SensitivityOptions{ScoreOptions: keptOptions(), EtaQuantiles: []float64{.3, .9}, BudgetLevels: []int{4, 25}}
			o.Condition, o.Policies.Incomplete = condition, "zero"
			o.Calibration, o.Policies.MissingReward, o.Policies.MissingCost = under[0], under[1], under[2]
			a := must(openAlternatives(ctx, db, o))
			variants := a.leaveOneOut(nil)
			variants = append(append(variants, must(a.etaGrid())...), must(a.levelsGrid(map[string]string{}))...)
			var want []string
			for _, v := range variants {
				one := apart(ctx, t, db, a, v)
				if one.Ranking == nil {
					none++
				} else {
					tasks, ranks = tasks+len(one.Moved.Changed), ranks+len(one.Ranking.Moves)
				}
				want = append(want, string(must(json.Marshal(one))))
			}
			for _, passes := range []struct {
				what         string
				room         int64
				held, atOnce int
			}{
				{"in one pass", room, held, atOnce},
				{"one alternative and configuration a pass", 1, held, atOnce},
				{"in a few tiles", 200_000, held, atOnce},
				{"six costs held", room, 6, atOnce},
				{"three alternatives at a time", room, held, 3 * len(a.tasks)},
			} {
				tileBytes, heldCosts, draftTasks = passes.room, passes.held, passes.atOnce
				all, err := a.compute(ctx, variants)
				tileBytes, heldCosts, draftTasks = room, held, atOnce
				if err != nil {
					t.Fatal(err)
				}
				for i := range all {
					if got := string(must(json.Marshal(all[i]))); got != want[i] {
						t.Errorf("%s under %v, %s, %s:\n got %s\nwant %s", condition, under, passes.what, variants[i].choice, shortened(got), shortened(want[i]))
					}
				}
			}
		}
	}
	if tasks == 0 || ranks == 0 {
		t.Errorf("%d tasks and %d ranks move: both should", tasks, ranks)
	}
	return none
}

func shortened(s string) string { return strings.ToValidUTF8(s[:min(len(s), 300)], "") }
