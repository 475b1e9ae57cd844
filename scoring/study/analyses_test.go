package study_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

// comparison is one comparison of rankings by the independent program.
type comparison struct {
	Spearman, Kendall, MAE float64
	MaxRankShift           int `json:"max_rank_shift"`
	Winner                 []string
}

// analyses are the figures of sections 4 and 5 by the independent program.
type analyses struct {
	Ablation     map[string]comparison
	Fidelity     *comparison
	Descriptions map[string]map[string]struct {
		AMS, TQ, AUBQC, EFR float64
		Strata              map[string]scoring.StratumScore
	}
	DescriptionsMacro map[string]float64 `json:"descriptions_macro"`
}

func goldenAnalyses(t testing.TB, name string) (a analyses) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "golden", name+".json"))
	if err == nil {
		err = json.Unmarshal(b, &a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func coreFile(set string) string {
	return "@" + filepath.Join("..", "..", "testdata", "golden", set+".core.txt")
}

func options(tasks string) study.ScoreOptions {
	return study.ScoreOptions{Tasks: tasks, Condition: "original", Policies: study.DefaultPolicies()}
}

func checkComparison(t *testing.T, what string, got scoring.Comparison, want comparison) {
	t.Helper()
	near(t, what+" spearman", *got.Spearman, want.Spearman)
	near(t, what+" kendall", *got.Kendall, want.Kendall)
	near(t, what+" mae", *got.MAE, want.MAE)
	if *got.MaxRankShift != want.MaxRankShift || !slices.Equal(got.Winner, want.Winner) {
		t.Errorf("%s: shift %d, winner %v; want %d, %v", what, *got.MaxRankShift, got.Winner, want.MaxRankShift, want.Winner)
	}
}

func TestGoldenAnalysesThroughTheDatabase(t *testing.T) {
	ctx := context.Background()
	for _, set := range []string{"paper", "attempts", "ties"} {
		t.Run(set, func(t *testing.T) {
			db := database(t, [][][]byte{lines(t, set)}, 0)
			calibrate(t, db)
			for tasks, name := range map[string]string{"all": set + ".expected-all", coreFile(set): set + ".expected"} {
				want := goldenAnalyses(t, name)
				ablation, err := study.Ablate(ctx, db, options(tasks))
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range ablation.Variants {
					checkComparison(t, v.Name, v.Comparison, want.Ablation[v.Name])
				}
				if len(ablation.Variants) != len(want.Ablation) {
					t.Errorf("%d variants, want %d", len(ablation.Variants), len(want.Ablation))
				}
				if want.Fidelity != nil {
					f, err := study.CompareSubset(ctx, db, options(tasks), "all")
					if err != nil {
						t.Fatal(err)
					}
					checkComparison(t, "fidelity", f.Comparison, *want.Fidelity)
				}
				checkConditions(t, db, want) // these figures are over all tasks that have the descriptions
			}
		})
	}
}

// checkConditions holds descriptions, and score --condition, to the golden
// figures.
func checkConditions(t *testing.T, db *sql.DB, want analyses) {
	t.Helper()
	ctx := context.Background()
	got, err := study.Describe(ctx, db, study.DescribeOptions{ScoreOptions: options("all"), Assignments: 100, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Conditions) != len(want.Descriptions) {
		t.Fatalf("%d conditions, want %d", len(got.Conditions), len(want.Descriptions))
	}
	for _, c := range got.Conditions {
		near(t, c.Condition+" macro", *c.MacroAMS, want.DescriptionsMacro[c.Condition])
		if len(c.Configs) != len(want.Descriptions[c.Condition]) {
			t.Errorf("%s: %d targets, want %d", c.Condition, len(c.Configs), len(want.Descriptions[c.Condition]))
		}
		byConfig := map[string]scoring.ConditionConfig{}
		for _, r := range c.Configs {
			w := want.Descriptions[c.Condition][r.Config]
			byConfig[r.Config] = r
			near(t, c.Condition+" "+r.Config+" ams", *r.AMS, w.AMS)
			near(t, c.Condition+" "+r.Config+" tq", *r.TQ, w.TQ)
			near(t, c.Condition+" "+r.Config+" aubqc", *r.AUBQC, w.AUBQC)
			near(t, c.Condition+" "+r.Config+" efr", *r.EFR, w.EFR)
			for name, s := range r.Strata {
				near(t, c.Condition+" "+r.Config+" "+name, s.AMS, w.Strata[name].AMS)
			}
		}
		if c.Condition == scoring.Original {
			continue // there score ranks every configuration and task
		}
		o := options("all")
		o.Condition = c.Condition
		scores, err := study.Score(ctx, db, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(scores.Leaderboard) != len(c.Configs) || scores.Tasks != got.Tasks {
			t.Errorf("score --condition %s: %d targets on %d tasks, want %d on %d", c.Condition, len(scores.Leaderboard), scores.Tasks, len(c.Configs), got.Tasks)
		}
		for _, s := range scores.Leaderboard {
			r := byConfig[s.Config]
			if s.AMS != *r.AMS || s.Rank != *r.Rank || s.MeanReward != *r.MeanReward {
				t.Errorf("score --condition %s: %s has %v, rank %d; descriptions say %v, rank %d", c.Condition, s.Config, s.AMS, s.Rank, *r.AMS, *r.Rank)
			}
		}
	}
}

// What SQL shows and what the commands print are the same bits.
func TestAnalysisViewsAgreeWithTheCommands(t *testing.T) {
	ctx := context.Background()
	for _, set := range []string{"paper", "attempts", "ties"} {
		t.Run(set, func(t *testing.T) {
			db := database(t, [][][]byte{lines(t, set)}, 0)
			calibrate(t, db)
			p := study.DefaultPolicies()
			if _, err := study.SetScope(ctx, db, "main", "all", p); err != nil {
				t.Fatal(err)
			}
			ablation, err := study.Ablate(ctx, db, options("all"))
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range ablation.Variants {
				var rho, tau, mae float64
				var shift int
				var winner string
				if err := db.Row(ctx, "SELECT spearman, kendall, mae, max_rank_shift, array_to_string(winner, ',') FROM ablation WHERE description = 'original' AND variant = ?",
					[]any{v.Name}, &rho, &tau, &mae, &shift, &winner); err != nil {
					t.Fatal(err)
				}
				if rho != *v.Spearman || tau != *v.Kendall || mae != *v.MAE || shift != *v.MaxRankShift || winner != v.Winner[0] {
					t.Errorf("%s: view %v %v %v %d %s, command %v %v %v %d %v", v.Name, rho, tau, mae, shift, winner, *v.Spearman, *v.Kendall, *v.MAE, *v.MaxRankShift, v.Winner)
				}
			}
			s, err := study.Analyse(ctx, db, study.SensitivityOptions{ScoreOptions: options("all")})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := study.SetScope(ctx, db, "main", "all", p); err != nil {
				t.Fatal(err)
			}
			pairs := 0
			for _, b := range s.AlphaSweep.Breakpoints {
				for _, pair := range b.Pairs {
					pairs++
					var alpha float64
					if err := db.Row(ctx, "SELECT alpha FROM alpha_breakpoints WHERE description = 'original' AND ahead_below = ? AND ahead_above = ?",
						[]any{pair[0], pair[1]}, &alpha); err != nil {
						t.Fatal(pair, err)
					}
					near(t, "alpha of "+pair[0]+" and "+pair[1], alpha, b.Alpha)
				}
			}
			var n int
			if err := db.Row(ctx, "SELECT count(*) FROM alpha_breakpoints WHERE description = 'original'", nil, &n); err != nil || n != pairs {
				t.Errorf("the view has %d pairs, the command %d: %v", n, pairs, err)
			}
			checkPairwise(t, db)
		})
	}
}

// checkPairwise holds one row of pairwise to compare.
func checkPairwise(t *testing.T, db *sql.DB) {
	t.Helper()
	ctx := context.Background()
	var a, b string
	var tasks, wins, losses, ties int
	var difference float64
	if err := db.Row(ctx, `SELECT config_a, config_b, shared_tasks, wins_a, wins_b, ties, reward_difference FROM pairwise
		WHERE description = 'original' ORDER BY config_a, config_b LIMIT 1`, nil, &a, &b, &tasks, &wins, &losses, &ties, &difference); err != nil {
		t.Fatal(err)
	}
	c, err := study.Compare(ctx, db, a, b, options("all"), scoring.BootstrapOptions{Draws: 100, Seed: 1, Level: .95})
	if err != nil {
		t.Fatal(err)
	}
	got := c.Configs
	if got.Tasks != tasks || got.Wins != wins || got.Losses != losses || got.Ties != ties || *got.RewardDifference != difference {
		t.Errorf("%s, %s: view %d %d %d %d %v, command %d %d %d %d %v", a, b, tasks, wins, losses, ties, difference,
			got.Tasks, got.Wins, got.Losses, got.Ties, *got.RewardDifference)
	}
}

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
