package scoring

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func checkScore(t *testing.T, what string, got Components, want goldenScore) {
	t.Helper()
	near(t, what+" ams", got.AMS, want.AMS)
	near(t, what+" tq", got.TQ, want.TQ)
	near(t, what+" aubqc", got.AUBQC, want.AUBQC)
	near(t, what+" efr", got.EFR, want.EFR)
	for _, s := range Strata {
		g, w := got.Strata[s], want.Strata[s.String()]
		near(t, what+" "+s.String()+" ams", g.AMS, w.AMS)
		near(t, what+" "+s.String()+" tq", g.TQ, w.TQ)
		near(t, what+" "+s.String()+" aubqc", g.AUBQC, w.AUBQC)
		near(t, what+" "+s.String()+" efr", g.EFR, w.EFR)
	}
}

func checkComparison(t *testing.T, what string, got Comparison, want goldenComparison) {
	t.Helper()
	near(t, what+" spearman", *got.Spearman, want.Spearman)
	near(t, what+" kendall", *got.Kendall, want.Kendall)
	near(t, what+" mae", *got.MAE, want.MAE)
	if *got.MaxRankShift != want.MaxRankShift || !slices.Equal(got.Winner, want.Winner) {
		t.Errorf("%s: shift %d, winner %v; want %d, %v", what, *got.MaxRankShift, got.Winner, want.MaxRankShift, want.Winner)
	}
}

func checkCalibration(t *testing.T, cal Calibration, want goldenExpected) {
	t.Helper()
	if len(cal.Tasks) != len(want.Calibration.Effort) {
		t.Fatalf("%d tasks, want %d", len(cal.Tasks), len(want.Calibration.Effort))
	}
	for _, task := range cal.Tasks {
		stats := want.Calibration.Stats[task.Task]
		near(t, task.Task+" effort", task.Effort, want.Calibration.Effort[task.Task])
		near(t, task.Task+" median_tokens", *task.MedianTokens, stats.MedianTokens)
		near(t, task.Task+" median_steps", *task.MedianSteps, stats.MedianSteps)
		near(t, task.Task+" zero_rate", task.ZeroRate, stats.ZeroRate)
		if got := task.Stratum.String(); got != want.Calibration.Stratum[task.Task] {
			t.Errorf("%s is %s, want %s", task.Task, got, want.Calibration.Stratum[task.Task])
		}
	}
	for _, s := range Strata {
		budgets := want.Calibration.Budgets[s.String()]
		if len(budgets) != len(cal.Strata[s].Budgets) {
			t.Fatalf("%s: %d budgets, want %d", s, len(cal.Strata[s].Budgets), len(budgets))
		}
		for i, b := range budgets {
			near(t, s.String()+" budget", cal.Strata[s].Budgets[i], b)
		}
		near(t, s.String()+" eta", *cal.Strata[s].EtaUSD, want.Calibration.Eta[s.String()])
	}
}

func checkDescriptions(t *testing.T, runs []goldenRun, cal Calibration, want goldenExpected) {
	t.Helper()
	got, err := Describe(goldenWordings(runs, cal), cal.Alpha)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Descriptions) != len(got.Conditions) || len(want.DescriptionsMacro) != len(got.Conditions) {
		t.Fatalf("%d conditions, want %d", len(got.Conditions), len(want.Descriptions))
	}
	for _, c := range got.Conditions {
		near(t, c.Condition+" macro", *c.MacroAMS, want.DescriptionsMacro[c.Condition])
		if len(c.Configs) != len(want.Descriptions[c.Condition]) {
			t.Fatalf("%s: %d targets, want %d", c.Condition, len(c.Configs), len(want.Descriptions[c.Condition]))
		}
		for _, r := range c.Configs {
			checkScore(t, c.Condition+" "+r.Config, r.components, want.Descriptions[c.Condition][r.Config])
			near(t, c.Condition+" "+r.Config+" reported ams", *r.AMS, want.Descriptions[c.Condition][r.Config].AMS)
		}
	}
}

func TestGolden(t *testing.T) {
	for _, set := range []string{"ties", "attempts", "paper"} {
		runs := goldenRuns(t, set)
		cal := goldenCalibration(t, runs)
		for suffix, keep := range map[string]func(TaskKey) bool{"expected": goldenCore(t, set), "expected-all": allTasks} {
			t.Run(set+"."+suffix, func(t *testing.T) {
				var want goldenExpected
				b, err := os.ReadFile(filepath.Join(goldenDir, set+"."+suffix+".json"))
				if err == nil {
					err = json.Unmarshal(b, &want)
				}
				if err != nil {
					t.Fatal(err)
				}
				checkCalibration(t, cal, want)

				panel := goldenPanel(runs, cal, "original", keep)
				ranked := panel.Complete()
				comps, err := Score(ranked, cal.Alpha)
				if err != nil {
					t.Fatal(err)
				}
				if len(comps) != len(want.Leaderboard) || len(comps) != len(want.Ranks) {
					t.Fatalf("%d configurations ranked, want %d", len(comps), len(want.Leaderboard))
				}
				ranks := Ranks(AMSOf(comps))
				for i, name := range ranked.Configs {
					checkScore(t, name, comps[i], want.Leaderboard[name])
					if ranks[i] != want.Ranks[name] {
						t.Errorf("%s ranks %d, want %d", name, ranks[i], want.Ranks[name])
					}
				}
				for _, v := range Ablate(ranked.Configs, comps, cal.Alpha) {
					checkComparison(t, v.Name, v.Comparison, want.Ablation[v.Name])
				}
				checkDescriptions(t, runs, cal, want)
				if want.Fidelity != nil {
					whole := goldenPanel(runs, cal, "original", allTasks)
					f, err := CompareSubset("core", "all", panel, whole, cal.Alpha)
					if err != nil {
						t.Fatal(err)
					}
					checkComparison(t, "fidelity", f.Comparison, *want.Fidelity)
				}
			})
		}
	}
}

// The sampled control lies within its own sampling error of the exact one.
func TestGoldenAdaptedIsExactWithinSamplingError(t *testing.T) {
	for _, set := range []string{"ties", "attempts", "paper"} {
		if set == "paper" && (raceEnabled || testing.Short()) {
			continue // 4^16 assignments: seconds
		}
		runs := goldenRuns(t, set)
		cal := goldenCalibration(t, runs)
		w := goldenWordings(runs, cal)
		exact, err := ExactAdapted1(w, cal.Alpha, 0)
		if err != nil || exact.Reason != "" {
			t.Fatal(set, err, exact.Reason)
		}
		sampled, err := SampleAdapted1(w, cal.Alpha, DefaultAssignments, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		share, sum := map[string]float64{}, 0.0
		for _, l := range exact.Leaders {
			share[l.Config], sum = l.Share, sum+l.Share
		}
		near(t, set+" exact shares", sum, 1)
		bound := func(p float64) float64 { return 4*math.Sqrt(p*(1-p)/DefaultAssignments) + 1e-12 }
		for _, l := range sampled.Leaders {
			if math.Abs(l.Share-share[l.Config]) > bound(share[l.Config]) {
				t.Errorf("%s: %s leads %v sampled, %v exactly", set, l.Config, l.Share, share[l.Config])
			}
		}
		if p := *exact.SameOrderAsPooled; math.Abs(*sampled.SameOrderAsPooled-p) > bound(p) {
			t.Errorf("%s: order of pooled %v sampled, %v exactly", set, *sampled.SameOrderAsPooled, p)
		}
		t.Logf("%s: %d assignments, leaders %v, order of pooled %.4f", set, exact.Assignments, exact.Leaders, *exact.SameOrderAsPooled)
	}
}
