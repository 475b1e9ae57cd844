package scoring

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

// Case e17 as a panel: 20 tasks, 6 passed by A alone, 1 by B alone, A 14, B 9.
func TestComparePairTestsPairedTasks(t *testing.T) {
	p := gridPanel(2, 7, func(c, task int) Cell {
		a, b := task < 14, task >= 6 && task < 15
		if task == 20 {
			return Cell{} // 21 tasks in the grid, 20 of them run
		}
		if c == 0 && a || c == 1 && b {
			return one(1, 1, 0)
		}
		return one(0, 0, 0)
	})
	got, err := ComparePair(p, "m00/cli", "m01/cli", .5, quick(2000))
	if err != nil {
		t.Fatal(err)
	}
	if got.Tasks != 20 || got.Wins != 6 || got.Losses != 1 || got.Ties != 13 {
		t.Errorf("%+v", got)
	}
	near(t, "McNemar", *got.McNemar.P, .125)
	if got.Verdict != NotSeparated && *got.Lo <= 0 {
		t.Errorf("verdict %s for [%v, %v]", got.Verdict, *got.Lo, *got.Hi)
	}
	back, _ := ComparePair(p, "m01/cli", "m00/cli", .5, quick(2000))
	near(t, "antisymmetric", *got.Difference, -*back.Difference)
	near(t, "interval", *got.Lo, -*back.Hi)
	near(t, "P(better)", *got.PBetter, 1-*back.PBetter)
	if _, err := json.Marshal(got); err != nil {
		t.Error(err)
	}
	// The interval is the one that a leaderboard of the same tasks shows.
	q := p.Subset(func(k TaskKey) bool { return k.Task != "t020" })
	u := mustBootstrap(t, q, quick(2000))
	near(t, "leaderboard's interval", *u.Configs[1].BehindLo, *got.Lo)
}

func TestComparePairSaysWhatIsUndefined(t *testing.T) {
	p := gridPanel(3, 2, func(c, task int) Cell {
		if c == 2 && task != 0 || c == 1 && task == 5 {
			return Cell{}
		}
		return Cell{Runs: 3, Reward: .5 + .1*float64(c*task), Totals: Totals{Runs: 3}}
	})
	got, err := ComparePair(p, "m00/cli", "m02/cli", .5, quick(100))
	if err != nil || got.Difference != nil || got.Tasks != 1 || got.Reasons["difference"] == "" || got.RewardDifferenceSE != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if got.McNemar != nil || !strings.Contains(got.Reasons["mcnemar"], "one attempt") {
		t.Errorf("McNemar of repeated attempts: %+v", got.McNemar)
	}
	for _, bad := range [][2]string{{"m00/cli", "nobody/cli"}, {"m00/cli", "m00/cli"}} {
		if _, err := ComparePair(p, bad[0], bad[1], .5, quick(100)); err == nil {
			t.Errorf("%v is no error", bad)
		}
	}
}

func TestRankingsOrientEveryCriterionByMerit(t *testing.T) {
	names := []string{"a", "b", "c"}
	comps := []Components{flat(.9, .9, 0), flat(.5, .5, 0), flat(.1, .1, 0)}
	cost := func(v float64) *float64 { return &v }
	figures := []Figures{
		{Passes: 3, MeanReward: .9, USDPerPass: cost(1), TokensPerPass: cost(30)},
		{Passes: 5, MeanReward: .5, USDPerPass: cost(2), TokensPerPass: cost(20)},
		{Passes: 0, MeanReward: .1},
	}
	got := RankByCriteria(names, comps, figures)
	want := map[string]struct {
		leader string
		rho    float64
		n      int
	}{ByAMS: {"a", 1, 3}, ByPasses: {"b", .5, 3}, ByMeanReward: {"a", 1, 3}, ByUSDPerPass: {"a", 1, 2}, ByTokensPerPass: {"b", -1, 2}}
	for _, c := range got.Criteria {
		w, ok := want[c.Criterion]
		if !ok {
			if c.Configs != 0 || c.Spearman != nil || c.Reason == "" {
				t.Errorf("%+v", c)
			}
			continue
		}
		if !slices.Equal(c.Leader, []string{w.leader}) || c.Configs != w.n || math.Abs(*c.Spearman-w.rho) > 1e-12 {
			t.Errorf("%+v, want %+v", c, w)
		}
	}
	if r := got.Configs[2].Ranks; r[ByUSDPerPass] != nil || *r[ByPasses] != 3 {
		t.Errorf("%+v", r)
	}
}

func TestAVerdictNamesTheOneAhead(t *testing.T) {
	p := gridPanel(2, 10, func(c, task int) Cell { r := .1*float64(c*5) + .02*float64((task*7+c)%10); return one(r, r, 0) })
	for _, tc := range []struct{ a, b, want string }{{"m00/cli", "m01/cli", AheadB}, {"m01/cli", "m00/cli", AheadA}} {
		if got, err := ComparePair(p, tc.a, tc.b, .5, quick(500)); err != nil || got.Verdict != tc.want {
			t.Errorf("%s against %s: %s, %v", tc.a, tc.b, got.Verdict, err)
		}
	}
}
