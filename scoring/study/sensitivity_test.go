package study_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

// Leaving a configuration out of the reference set is what calibrating without
// it gives, and the present choice is on the grid unchanged.
func TestSensitivityRecomputesCalibrations(t *testing.T) {
	ctx := context.Background()
	db := database(t, [][][]byte{lines(t, "attempts")}, 0)
	cal := calibrate(t, db)
	s, err := study.Analyse(ctx, db, study.SensitivityOptions{ScoreOptions: options("all"), EtaQuantiles: []float64{.75}, BudgetLevels: []int{10, 4}})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range s.Warnings {
		t.Log(w)
	}
	if s.EtaGrid[0].Digest != cal.Digest || s.BudgetGrid[0].Digest != cal.Digest || s.BudgetGrid[1].Digest == cal.Digest {
		t.Error("the present choice on the grid is not the calibration in force")
	}
	if r := s.EtaGrid[0].Ranking; !r.Same || len(r.Moves) > 0 || *r.MaxRankShift != 0 {
		t.Errorf("the present choice changes the ranking: %+v", r)
	}
	if len(s.LeaveOneOut) != len(cal.Reference) {
		t.Fatalf("%d left out, want %d", len(s.LeaveOneOut), len(cal.Reference))
	}
	for i, name := range cal.Reference {
		alone, err := study.Calibrate(ctx, db, study.CalibrateOptions{
			Name: "without " + name, Tasks: "all", Rules: scoring.DefaultRules(), Now: now,
			Reference: slices.Delete(slices.Clone(cal.Reference), i, i+1),
		})
		if err != nil {
			t.Fatal(err)
		}
		out := s.LeaveOneOut[i]
		if out.Choice != name || out.Digest != alone.Digest {
			t.Errorf("without %s: digest %s, want %s", name, out.Digest, alone.Digest)
		}
		moved, err := study.Compare(ctx, db, "main", alone.Name, options("all"), scoring.DefaultBootstrap())
		if err != nil {
			t.Fatal(err)
		}
		if c := moved.Calibrations; len(c.Moved.Changed) != len(out.Moved.Changed) || *c.Ranking.MAE != *out.Ranking.MAE {
			t.Errorf("without %s: compare says %d tasks, %v; sensitivity %d, %v", name, len(c.Moved.Changed), *c.Ranking.MAE, len(out.Moved.Changed), *out.Ranking.MAE)
		}
	}
}

// A reference set without any reward in a stratum has no budgets: the
// alternative is undefined, with its reason, and counts for no share.
func TestAnAlternativeWithoutBudgetsIsUndefined(t *testing.T) {
	var runs [][]byte
	for i, task := range []string{"t1", "t2", "t3"} {
		runs = append(runs, run("m/a", task, "original", 1, float64(i+1)), run("m/b", task, "original", 0, float64(i+1)))
	}
	db := database(t, [][][]byte{runs}, 0)
	calibrate(t, db)
	s, err := study.Analyse(context.Background(), db, study.SensitivityOptions{ScoreOptions: options("all")})
	if err != nil {
		t.Fatal(err)
	}
	a, b := s.LeaveOneOut[0], s.LeaveOneOut[1]
	if a.Choice != "m/a" || a.Ranking != nil || a.Moved != nil || a.Reason == "" {
		t.Errorf("%+v", a)
	}
	if b.Ranking == nil || *s.LeaderStays[study.ByOneOut] != 1 {
		t.Errorf("%+v, leader stays %v", b, s.LeaderStays)
	}
	if s.LeaderStays[study.ByEta] != nil {
		t.Error("an empty grid has no share")
	}
}

func TestIntervalsLeaveScoresAsTheyAreAndDoNotDependOnOthers(t *testing.T) {
	ctx := context.Background()
	runs := lines(t, "paper")
	intervals := func(db *sql.DB) map[string]study.Certainty {
		o := options(coreFile("paper"))
		plain, err := study.Score(ctx, db, o)
		if err != nil {
			t.Fatal(err)
		}
		o.CI = &scoring.BootstrapOptions{Draws: 500, Seed: 3, Level: .95}
		o.PassK = []int{1, 2}
		got, err := study.Score(ctx, db, o)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]study.Certainty{}
		for i, s := range got.Leaderboard {
			if s.AMS != plain.Leaderboard[i].AMS || s.Rank != plain.Leaderboard[i].Rank {
				t.Errorf("%s: --ci changes its score", s.Config)
			}
			if !(*s.AMSLo <= s.AMS && s.AMS <= *s.AMSHi) {
				t.Errorf("%s: %v is outside [%v, %v]", s.Config, s.AMS, *s.AMSLo, *s.AMSHi)
			}
			if one, two := s.PassK[0], s.PassK[1]; *one.PassAtK != *s.PassRate || two.PassAtK != nil || two.TooFew != 30 || two.Reason == "" {
				t.Errorf("%s: pass@1 %v, pass rate %v; pass@2 %+v", s.Config, *one.PassAtK, *s.PassRate, two)
			}
			out[s.Config] = *s.Certainty
		}
		return out
	}
	all := database(t, [][][]byte{runs}, 0)
	cal := calibrate(t, all)
	want := intervals(all)

	rest := slices.DeleteFunc(slices.Clone(runs), func(b []byte) bool {
		var r struct{ Model, CLI string }
		_ = json.Unmarshal(b, &r)
		return r.Model == "gpt-5.3-codex" && r.CLI == "codex-cli"
	})
	slices.Reverse(rest)
	fewer := database(t, [][][]byte{rest}, 1)
	doc, err := json.Marshal(cal)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := study.ImportCalibration(ctx, fewer, doc, "", "test", now); err != nil {
		t.Fatal(err)
	}
	got := intervals(fewer)
	if len(got) != len(want)-1 {
		t.Fatalf("%d configurations, want %d", len(got), len(want)-1)
	}
	for config, g := range got {
		if w := want[config]; *g.AMSLo != *w.AMSLo || *g.AMSHi != *w.AMSHi {
			t.Errorf("%s: [%v, %v] without another configuration, [%v, %v] with it", config, *g.AMSLo, *g.AMSHi, *w.AMSLo, *w.AMSHi)
		}
	}
}
