package scoring

import (
	"math"
	"os"
	"regexp"
	"slices"
	"testing"

	"amdb/scoring/stat"
)

// The worked examples of docs/method.md, one a test, under the name that the
// page gives it.

func TestMethodPercentileRank(t *testing.T) {
	for convention, want := range map[Percentile]float64{Mid: .5, Weak: .75, Strict: .25} {
		got, _ := PercentileRank(.5, []float64{.2, .5, .5, .9}, convention)
		near(t, string(convention), got, want)
	}
}

func TestMethodQuantile(t *testing.T) {
	for p, want := range map[float64]float64{.25: 1.75, .75: 4.75, .9: 7.9} {
		got, _ := stat.Quantile7([]float64{1, 2, 3, 10}, p)
		near(t, "quantile", got, want)
	}
}

// methodRun is an execution of the example of sections 2 and 3.
type methodRun struct {
	config, task                string
	reward, cost, tokens, steps float64
}

var methodRuns = []methodRun{
	{"X/cli", "a", 1, 1, 10, 1},
	{"X/cli", "b", 1, 4, 20, 2},
	{"X/cli", "c", 0, 9, 30, 3},
	{"Y/cli", "a", 1, 3, 10, 1},
	{"Y/cli", "b", 0, 2, 20, 2},
	{"Y/cli", "c", .5, 5, 30, 3},
}

func methodCalibration(t testing.TB) Calibration {
	t.Helper()
	var stats []TaskStats
	for _, task := range []string{"a", "b", "c"} {
		var tokens, steps, zero []float64
		for _, r := range methodRuns {
			if r.task == task {
				tokens, steps = append(tokens, r.tokens), append(steps, r.steps)
				zero = append(zero, map[bool]float64{true: 1}[r.reward == 0])
			}
		}
		mt, _ := stat.Median(tokens)
		ms, _ := stat.Median(steps)
		zr := exactMean(zero)
		stats = append(stats, TaskStats{TaskKey{"", task}, &mt, &ms, zr})
	}
	rules := DefaultRules()
	rules.BudgetLevels = 2
	draft, err := Calibrate(rules, "", []string{"X/cli", "Y/cli"}, stats, nil)
	if err != nil {
		t.Fatal(err)
	}
	var costs heldCosts
	for _, r := range methodRuns {
		costs.add(draft.Strata[TaskKey{"", r.task}], r.reward, r.cost)
	}
	cal, err := draft.Fix(costs.quantiles(draft.Need))
	if err != nil {
		t.Fatal(err)
	}
	return *cal
}

func TestMethodCalibration(t *testing.T) {
	cal := methodCalibration(t)
	for i, want := range []struct {
		task    string
		effort  float64
		budgets []float64
		eta     *float64
	}{{"a", 1. / 6, []float64{2, 3}, nil}, {"b", 5. / 9, []float64{4, 4}, ptr(2.)}, {"c", 7. / 9, []float64{5, 5}, ptr(9.)}} {
		got, rules := cal.Tasks[i], cal.Strata[Strata[i]]
		near(t, "effort of "+want.task, got.Effort, want.effort)
		if got.Task != want.task || got.Stratum != Strata[i] || !slices.Equal(rules.Budgets, want.budgets) {
			t.Errorf("%+v, %+v", got, rules)
		}
		if (rules.EtaUSD == nil) != (want.eta == nil) || want.eta != nil && *rules.EtaUSD != *want.eta {
			t.Errorf("eta of %s", Strata[i])
		}
	}
}

func TestMethodScore(t *testing.T) {
	cal := methodCalibration(t)
	p := NewPanel([]string{"X/cli", "Y/cli"}, []PanelTask{{TaskKey{"", "a"}, Easy}, {TaskKey{"", "b"}, Medium}, {TaskKey{"", "c"}, Hard}})
	for _, r := range methodRuns {
		c, i := slices.Index(p.Configs, r.config), slices.IndexFunc(p.Tasks, func(t PanelTask) bool { return t.Key.Task == r.task })
		rules := cal.Strata[p.Tasks[i].Stratum]
		masked, _ := MaskedReward(r.reward, r.cost, rules.Budgets)
		failure := 0.0
		if ExpensiveFailure(r.reward, r.cost, rules.EtaUSD) {
			failure = 1
		}
		*p.At(c, i) = one(r.reward, masked, failure)
	}
	got, err := Score(p, cal.Alpha)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "X", got[0].AMS, 2./3)
	near(t, "Y", got[1].AMS, 1.25/3)
}

func TestMethodRanks(t *testing.T) {
	if got := Ranks([]float64{.1, .9, .15000000000000002, .15}); !slices.Equal(got, []int{4, 1, 2, 2}) {
		t.Errorf("ranks %v", got)
	}
}

func TestMethodPareto(t *testing.T) { // case e16
	c := func(v float64) *float64 { return &v }
	got := Pareto([]Point{{c(1), .6}, {c(1), .7}, {c(2), .7}, {c(3), .8}, {c(3), .8}, {nil, .95}, {c(.5), .4}})
	if !slices.Equal(got, []bool{false, true, false, true, true, false, true}) {
		t.Errorf("front %v", got)
	}
}

// methodWordings is the example of section 4: three tasks, one a stratum; A
// and B are sources and targets. Under A's wording A earns 1 and B 0, under
// B's both earn a half.
func methodWordings() DescriptionPanels {
	w := worldOf(2, 2, [3]int{1, 1, 1}, func() Cell { return one(.5, .5, 0) })
	for t := range w.Original.Tasks {
		*w.Original.At(0, t), *w.Original.At(1, t) = one(.5, .5, 0), one(0, 0, 0)
		*w.Sources["m0/cli"].At(0, t), *w.Sources["m0/cli"].At(1, t) = one(1, 1, 0), one(0, 0, 0)
	}
	return w
}

func TestMethodConditions(t *testing.T) {
	r, err := Describe(methodWordings(), .5)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]float64{Original: {.5, 0}, Self: {1, .5}, Cross: {.5, 0}, Pooled: {.75, .25}} {
		c := r.Condition(name)
		near(t, name+" A", *c.Configs[0].AMS, want[0])
		near(t, name+" B", *c.Configs[1].AMS, want[1])
	}
	if r.CrossCells.Of != 6 || r.CrossCells.ImprovedOrCheaper != 0 {
		t.Errorf("%+v", r.CrossCells)
	}
}

func TestMethodAdapted1(t *testing.T) {
	r, err := ExactAdapted1(methodWordings(), .5, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Assignments != 8 {
		t.Errorf("%d assignments", r.Assignments)
	}
	near(t, "A leads", r.Leaders[0].Share, 15./16)
	near(t, "B leads", r.Leaders[1].Share, 1./16)
	near(t, "order of pooled", *r.SameOrderAsPooled, 7./8)
	near(t, "mean of A", r.MeanAMS["m0/cli"], .75)
}

func TestMethodSelection(t *testing.T) {
	key := TaskKey{"suite", "t"}
	runs := []SourceRun{{key, "m/cli", 0, usd(.5), usd(1)}, {key, "m/cli", 1, usd(.9), usd(1)}, {key, "m/cli", 2, usd(.7), usd(3)}, {key, "m/cli", 3, usd(.7), usd(2)}}
	gate := []GateVerdict{{key, "m/cli", 1, false, "drops a requirement"}, {key, "m/cli", 2, true, ""}, {key, "m/cli", 3, true, ""}}
	got, err := Select(runs, gate)
	if err != nil || got.Choices[0].Selected != "m/cli#3" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestMethodCorrelation(t *testing.T) { // case e08
	x, y := []float64{.6, .6, .6, .8, .9}, []float64{3, 1, 2, 4, 4}
	rho, _ := stat.Spearman(x, y)
	tau, _ := stat.KendallTauB(x, y)
	roughly(t, "rho", rho, .8603)
	near(t, "tau-b", tau, 6/math.Sqrt(63))
}

func TestMethodAblation(t *testing.T) {
	got := Ablate([]string{"a", "b"}, []Components{flat(.9, .1, 0), flat(.5, .4, 0)}, .5)
	if v := got[1]; v.Name != NoTQ || v.Winner[0] != "b" || *v.MaxRankShift != 1 || *v.Spearman != -1 {
		t.Errorf("%+v", v)
	}
	near(t, "mae", *got[1].MAE, .225)
}

func TestMethodFidelity(t *testing.T) {
	whole := gridPanel(3, 2, func(c, task int) Cell {
		reward := [3][2]float64{{1, 1}, {.5, .9}, {.8, 0}}[c][task/3]
		return one(reward, reward, 0)
	})
	f, err := CompareSubset("core", "all", whole.Subset(func(k TaskKey) bool { return k.Task < "t003" }), whole, .5)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "rho", *f.Spearman, .5)
	near(t, "mae", *f.MAE, .2)
	if !*f.Top1Same || *f.MaxRankShift != 1 {
		t.Errorf("%+v", f)
	}
}

func TestMethodBootstrap(t *testing.T) {
	p := gridPanel(1, 2, func(_, task int) Cell { r := float64(task / 3); return one(r, r, 0) })
	o := quick(10_000)
	o.Level = .5
	u := mustBootstrap(t, p, o).Configs[0]
	near(t, "lo", *u.AMSLo, 1./3)
	near(t, "hi", *u.AMSHi, 2./3)
}

func TestMethodWilson(t *testing.T) {
	lo, hi, _ := stat.Wilson(3, 3, .95)
	roughly(t, "lo", lo, .4385)
	near(t, "hi", hi, 1)
}

func TestMethodPaired(t *testing.T) { // cases e12, e17
	p, _ := stat.McNemarExact(6, 1)
	near(t, "p", p, .125)
	_, se, _ := stat.ClusterSE([][]float64{{1, 1, 1}, {0, 0, 0}, {1, 1, 0}, {0, 0, 1}})
	roughly(t, "se", se, .2152)
}

func TestMethodPassK(t *testing.T) { // case e21
	at, _ := PassAtK(5, 3, 2)
	hat, _ := PassHatK(5, 3, 2)
	near(t, "pass@2", at, .9)
	near(t, "pass^2", hat, .3)
}

func TestMethodAlphaBreakpoints(t *testing.T) {
	s := SweepAlpha([]string{"a", "b"}, []Components{flat(.8, .2, 0), flat(.6, .5, 0)}, .5)
	near(t, "breakpoint", s.Breakpoints[0].Alpha, .6)
	near(t, "share of b", *s.LeaderShare, .6)
}

func TestMethodCalibrationDiff(t *testing.T) {
	with := func(b float64) Calibration {
		return Calibration{Strata: map[Stratum]StratumRules{Easy: {Budgets: []float64{b, 2}}}}
	}
	d := DiffCalibrations(with(1), with(1.5))
	if d.Largest.Level != 1 || *d.Largest.Relative != .5 {
		t.Errorf("%+v", d.Largest)
	}
}

func TestMethodApportionment(t *testing.T) {
	if got := LargestRemainder([]int{40, 25, 15}, 30); !slices.Equal(got, []int{15, 9, 6}) {
		t.Errorf("seats %v", got)
	}
}

func TestMethodCriteria(t *testing.T) {
	figures := []Figures{{Passes: 3, USDPerPass: usd(1)}, {Passes: 5, USDPerPass: usd(2)}, {Passes: 0}}
	got := RankByCriteria([]string{"a", "b", "c"}, []Components{flat(.9, .9, 0), flat(.5, .5, 0), flat(.1, .1, 0)}, figures)
	near(t, "rho with passes", *got.Criteria[1].Spearman, .5)
	if c := got.Criteria[3]; c.Criterion != ByUSDPerPass || c.Configs != 2 || c.Leader[0] != "a" {
		t.Errorf("%+v", c)
	}
}

// The page names every worked example, and every example is on the page.
func TestThePageAndItsExamplesAgree(t *testing.T) {
	names := func(file, pattern string) []string {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(b), -1) {
			out = append(out, m[1])
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	page := names("../docs/method.md", `(TestMethod\w+)`)
	code := names("method_test.go", `(?m)^func (TestMethod\w+)\(`)
	if !slices.Equal(page, code) {
		t.Errorf("docs/method.md names\n%v\nthe tests are\n%v", page, code)
	}
}
