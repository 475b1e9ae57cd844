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
