package scoring

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"amdb/scoring/stat"
)

func quick(draws int) BootstrapOptions { return BootstrapOptions{Draws: draws, Seed: 7, Level: .95} }

func mustBootstrap(t testing.TB, p *Panel, o BootstrapOptions) Uncertainty {
	t.Helper()
	u, err := Bootstrap(p, .5, o)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func randomPanel(configs, perStratum int, seed uint64) *Panel {
	r := rand.New(rand.NewPCG(seed, 1))
	return gridPanel(configs, perStratum, func(c, _ int) Cell {
		reward := float64(r.IntN(4)) / 3 * (.6 + .4*float64(c)/float64(configs))
		f := 0.0
		if reward == 0 && r.IntN(3) == 0 {
			f = 1
		}
		return one(reward, reward*float64(r.IntN(11))/10, f)
	})
}

// Case e11: an interval depends on its own cells and the seed alone.
func TestAnIntervalDoesNotDependOnOtherConfigurationsOrWorkers(t *testing.T) {
	p := randomPanel(9, 6, 3)
	all := mustBootstrap(t, p, quick(1000))
	for _, workers := range []int{1, 2, 5} {
		o := quick(1000)
		o.Workers = workers
		got := mustBootstrap(t, p, o)
		got.Workers = 0
		if d := cmp.Diff(all, got); d != "" {
			t.Errorf("%d workers: %s", workers, d)
		}
	}
	for c, name := range p.Configs {
		alone := mustBootstrap(t, p.Filter(func(i int) bool { return i == c }), quick(1000)).Configs[0]
		both := all.Configs[c]
		if *alone.AMSLo != *both.AMSLo || *alone.AMSHi != *both.AMSHi || alone.AMS != both.AMS {
			t.Errorf("%s alone [%v, %v], with others [%v, %v]", name, *alone.AMSLo, *alone.AMSHi, *both.AMSLo, *both.AMSHi)
		}
		if alone.PBest != nil || alone.RankLo != nil || alone.Reason == "" {
			t.Errorf("one configuration has a rank to vary: %+v", alone)
		}
	}
	o := quick(1000)
	o.Seed = 8
	if other := mustBootstrap(t, p, o); *other.Configs[0].AMSLo == *all.Configs[0].AMSLo {
		t.Error("another seed gives the same draws")
	}
}

// Case e10: certainty is not what a degenerate bootstrap shows.
func TestADegenerateBootstrapIsNoCertainty(t *testing.T) {
	level := []float64{1, 0, .5}
	p := gridPanel(3, 4, func(c, _ int) Cell { return one(level[c], level[c], 0) })
	u := mustBootstrap(t, p, quick(200))
	one, zero, half := u.Configs[0], u.Configs[1], u.Configs[2]
	if !one.Degenerate || one.Method != ByWilson || *one.AMSHi != 1 || !(*one.AMSLo < .8) {
		t.Errorf("all right: %+v", one)
	}
	if !zero.Degenerate || *zero.AMSLo != 0 || !(*zero.AMSHi > .2) {
		t.Errorf("all wrong: %+v", zero)
	}
	if !half.Degenerate || half.Method != "" || half.AMSLo != nil || half.Reason == "" {
		t.Errorf("all one half: %+v", half)
	}
	// Twelve tasks to none: separated by the sign test, though every draw agrees.
	if one.Tier != 1 || zero.Tier == 1 || zero.BehindLo != nil {
		t.Errorf("tiers %d, %d: %+v", one.Tier, zero.Tier, zero)
	}
	few := gridPanel(2, 1, func(c, _ int) Cell { return Cell{Runs: 1, Reward: level[c], Masked: level[c]} })
	if u := mustBootstrap(t, few, quick(200)); u.Configs[1].Tier != 1 || len(u.Warnings) != 3 {
		t.Errorf("three tasks separate: %+v", u)
	}
}

// Case e20: three configurations that differ by one task of thirty share a tier.
func TestNoiseIsOneTier(t *testing.T) {
	p := gridPanel(4, 10, func(c, task int) Cell {
		passes := []int{20, 19, 18, 2}[c]
		if (task*7)%30 < passes {
			return one(1, 1, 0)
		}
		return one(0, 0, 0)
	})
	u := mustBootstrap(t, p, quick(2000))
	for c, want := range []int{1, 1, 1, 2} {
		if got := u.Configs[c].Tier; got != want {
			t.Errorf("%s is in tier %d, want %d", u.Configs[c].Config, got, want)
		}
	}
	if a, c := u.Configs[0], u.Configs[2]; *a.RankHi < *c.RankLo {
		t.Errorf("rank intervals do not overlap: [%d,%d], [%d,%d]", *a.RankLo, *a.RankHi, *c.RankLo, *c.RankHi)
	}
	sum := 0.0
	for _, c := range u.Configs {
		sum += *c.PBest
	}
	near(t, "sum of P(best)", sum, 1)
}

func TestTiersGoOnBelowTheLeader(t *testing.T) {
	p := gridPanel(4, 10, func(c, task int) Cell {
		r := []float64{.9, .5, .49, .2}[c] - .05*float64((task*7+3*c)%4)
		return one(r, r, 0)
	})
	for c, u := range mustBootstrap(t, p, quick(1000)).Configs {
		if want := []int{1, 2, 2, 3}[c]; u.Tier != want {
			t.Errorf("%s is in tier %d, want %d", u.Config, u.Tier, want)
		}
	}
}

// Of n tasks n − 1 are drawn, so that the draws spread as the mean of n tasks
// does: their variance is s²/n, not (n−1)/n of it.
func TestDrawsSpreadAsTheMeanDoes(t *testing.T) {
	p := gridPanel(1, 4, func(_, task int) Cell { r := math.Pow(float64(task)/12, 2); return one(r, r, 0) })
	tasks, err := p.strataTasks()
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for _, s := range Strata {
		var rewards [][]float64
		for _, i := range tasks[s] {
			rewards = append(rewards, []float64{p.At(0, i).Reward})
		}
		_, se, _ := stat.ClusterSE(rewards)
		want += se * se / 9
	}
	draws := p.resample(tasks, .5, quick(40_000)).of(0)
	mean, _ := stat.Mean(draws)
	got := 0.0
	for _, d := range draws {
		got += (d - mean) * (d - mean) / float64(len(draws))
	}
	if math.Abs(got/want-1) > .03 {
		t.Errorf("variance of the draws %v, of the mean %v", got, want)
	}
}

func TestIdenticalConfigurationsShareEverything(t *testing.T) {
	base := randomPanel(1, 5, 4)
	p := gridPanel(3, 5, func(_, task int) Cell { return *base.At(0, task) })
	for _, c := range mustBootstrap(t, p, quick(300)).Configs {
		near(t, c.Config+" P(best)", *c.PBest, 1./3)
		if c.Tier != 1 || *c.RankLo != 1 || *c.RankHi != 1 {
			t.Errorf("%+v", c)
		}
	}
}

func TestSelectionIsQuantile7(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 5), 1, 60).Draw(t, "values")
		for i := range values {
			if rapid.Bool().Draw(t, "coarse") {
				values[i] = math.Round(values[i])
			}
		}
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		want, _ := stat.Quantile7(values, p)
		if got := quantileSelect(slices.Clone(values), p); math.Abs(got-want) > 1e-12 {
			t.Fatalf("quantileSelect = %v, Quantile7 = %v", got, want)
		}
	})
}

// A rank is one more than the number of scores that are higher at 12 decimals.
func TestRanksAreTheirDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		r := newRanking(n)
		for range 3 {
			scores := make([]float64, 2*n)
			for i, v := range rapid.SliceOfN(rapid.IntRange(0, 5), n, n).Draw(t, "scores") {
				// The least noise must not break a tie, and what lies between is not looked at.
				scores[2*i], scores[2*i+1] = float64(v)+rapid.SampledFrom([]float64{0, 1e-14, 1e-9}).Draw(t, "noise"), 99
			}
			want, alone := make([]int, n), make([]float64, n)
			for i := range want {
				alone[i], want[i] = scores[2*i], 1
				for j := range n {
					if math.Round(scores[2*j]*1e12) > math.Round(scores[2*i]*1e12) {
						want[i]++
					}
				}
			}
			if got := r.of(scores, 2); !slices.Equal(got, want) {
				t.Fatalf("%v: %v, want %v", alone, got, want)
			}
			if got := Ranks(alone); !slices.Equal(got, want) {
				t.Fatalf("%v: %v, want %v", alone, got, want)
			}
		}
	})
}

// Truth here is the population of tasks: strata of endless tasks from which
// each world draws its own, everything else being fixed. Of 1,000 worlds with
// ten tasks a stratum, an interval that covers 95 % would cover 950 ± 14 at two
// standard errors; the test allows three, plus the little that a percentile
// interval of a skewed score from few tasks is known to lack.
func TestIntervalsCoverTheTruth(t *testing.T) {
	worlds := 1000
	if testing.Short() || raceEnabled {
		worlds = 300
	}
	for _, perStratum := range []int{10, 27} {
		covered := coverage(t, worlds, perStratum)
		se := math.Sqrt(.95 * .05 / float64(worlds))
		t.Logf("%d tasks a stratum: %.1f %% of %d worlds covered (one standard error: %.1f points)", perStratum, 100*covered, worlds, 100*se)
		if covered < .95-3*se-.01 || covered > .95+3*se+.01 {
			t.Errorf("%d tasks a stratum: coverage %.3f is not about .95 (SE %.3f)", perStratum, covered, se)
		}
	}
}

// drawTask is one task of a stratum's population: graded, half of it binary,
// with cost and failures that go with difficulty.
func drawTask(r *rand.Rand, s Stratum) Cell {
	ease := math.Pow(r.Float64(), .6+.5*float64(s))
	reward := 0.0
	switch {
	case r.Float64() < ease:
		reward = 1
	case r.Float64() < .4:
		reward = math.Round(r.Float64()*10) / 10
	}
	c := one(reward, reward*math.Round(10*ease)/10, 0)
	if reward == 0 && r.Float64() < .25 {
		c.Failure = 1
	}
	return c
}

func coverage(t *testing.T, worlds, perStratum int) float64 {
	var strata [3]StratumScore
	r := rand.New(rand.NewPCG(99, 1))
	for _, s := range Strata {
		row := make([]Cell, 200_000)
		at := make([]int, len(row))
		for i := range row {
			row[i], at[i] = drawTask(r, s), i
		}
		strata[s] = scoreStratum(row, at, .5)
	}
	truth := CombineStrata(strata).AMS
	covered := 0
	for w := range worlds {
		r := rand.New(rand.NewPCG(uint64(w), 2))
		p := gridPanel(1, perStratum, func(_, task int) Cell { return drawTask(r, Stratum(task%3)) })
		u := mustBootstrap(t, p, quick(600)).Configs[0]
		if *u.AMSLo <= truth && truth <= *u.AMSHi {
			covered++
		}
	}
	return float64(covered) / float64(worlds)
}

// The draws alone, without ranks and tiers.
func BenchmarkResamplePaper(b *testing.B) {
	p := randomPanel(28, 10, 5)
	tasks, _ := p.strataTasks()
	o := DefaultBootstrap()
	b.ReportAllocs()
	for b.Loop() {
		p.resample(tasks, .5, o)
	}
}

func BenchmarkScorePaper(b *testing.B) {
	p := randomPanel(28, 27, 5)
	core := p.Subset(func(k TaskKey) bool { return k.Task < "t030" })
	for name, p := range map[string]*Panel{"28x81": p, "28x30": core} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Score(p, .5); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestBootstrapRefusesWhatIsNoInterval(t *testing.T) {
	p := randomPanel(2, 2, 1)
	for _, o := range []BootstrapOptions{{Draws: 99, Level: .95}, {Draws: 1_000_001, Level: .95}, {Draws: 100, Level: 1}, {Draws: 100, Level: math.NaN()}} {
		if _, err := Bootstrap(p, .5, o); err == nil {
			t.Errorf("%+v is no error", o)
		}
	}
	if err := DefaultBootstrap().Validate(); err != nil {
		t.Error(err)
	}
	if _, err := Bootstrap(p.Subset(func(k TaskKey) bool { return k.Task == "t000" }), .5, quick(100)); err == nil {
		t.Error("an empty stratum is no error")
	}
	none, err := Bootstrap(p.Filter(func(int) bool { return false }), .5, quick(100))
	if err != nil || len(none.Configs) != 0 {
		t.Errorf("no configuration: %+v, %v", none, err)
	}
}
