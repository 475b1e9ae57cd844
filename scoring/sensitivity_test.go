package scoring

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAlphaBreakpointsAreWhereLinesCross(t *testing.T) {
	// AMS: a = .2 + .6α, b = .5 + .1α, c = .1 + .1α. a meets b at α = .6.
	names := []string{"a", "b", "c"}
	comps := []Components{flat(.8, .2, 0), flat(.6, .5, 0), flat(.2, .1, 0)}
	got := SweepAlpha(names, comps, .5)
	if len(got.Breakpoints) != 1 || len(got.Intervals) != 2 {
		t.Fatalf("%+v", got)
	}
	b := got.Breakpoints[0]
	near(t, "breakpoint", b.Alpha, .6)
	if b.Pairs[0] != [2]string{"b", "a"} || !b.ChangesLeader {
		t.Errorf("%+v", b)
	}
	near(t, "share", *got.LeaderShare, .6)
	if *got.StableFrom != 0 || *got.StableTo != b.Alpha || got.Leader[0] != "b" || !slices.Equal(got.Intervals[1].Order, names) {
		t.Errorf("%+v", got)
	}
}

func TestATieAtTheEndIsABreakpointThere(t *testing.T) {
	got := SweepAlpha([]string{"a", "b"}, []Components{flat(.8, .2, 0), flat(.6, .2, 0)}, 0)
	if len(got.Breakpoints) != 1 || got.Breakpoints[0].Alpha != 0 || !got.Breakpoints[0].ChangesLeader || len(got.Intervals) != 1 {
		t.Errorf("%+v", got)
	}
	if len(got.Leader) != 2 || *got.LeaderShare != 0 {
		t.Errorf("leader at 0: %v for %v", got.Leader, *got.LeaderShare)
	}
	if got.StableFrom != nil || got.Reason == "" {
		t.Errorf("a ranking that holds at a point alone is stable: %+v", got)
	}
	// The same line twice never crosses itself, nor does its float noise.
	same := SweepAlpha([]string{"a", "b"}, []Components{flat(.3, .2, 0), flat(.1+.2, .2, 0)}, .5)
	if len(same.Breakpoints) != 0 || len(same.Leader) != 2 || *same.LeaderShare != 1 {
		t.Errorf("%+v", same)
	}
}

func TestRankingsBetweenBreakpointsHoldOnAGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		var names []string
		var comps []Components
		for i := range n {
			var strata [3]StratumScore
			for s := range strata {
				unit := func(what string) float64 { return float64(rapid.IntRange(0, 6).Draw(t, what)) / 6 }
				strata[s] = StratumScore{Tasks: 1, TQ: unit("tq"), AUBQC: unit("aubqc"), EFR: unit("efr")}
			}
			names, comps = append(names, string(rune('a'+i))), append(comps, CombineStrata(strata))
		}
		sweep := SweepAlpha(names, comps, .5)
		if sweep.Intervals[0].From != 0 || sweep.Intervals[len(sweep.Intervals)-1].To != 1 {
			t.Fatalf("intervals do not span [0,1]: %+v", sweep.Intervals)
		}
		for i, in := range sweep.Intervals {
			if i > 0 && in.From != sweep.Intervals[i-1].To {
				t.Fatalf("a gap at %v", in.From)
			}
			for _, w := range []float64{.01, .3, .5, .99} {
				alpha := in.From + w*(in.To-in.From)
				scores := rescore(comps, func(s StratumScore) float64 { return AMS(s.TQ, s.AUBQC, s.EFR, alpha) })
				ranks := Ranks(scores)
				if !slices.Equal(Leaders(names, ranks), in.Leader) {
					t.Fatalf("at %v %v lead, the interval says %v", alpha, Leaders(names, ranks), in.Leader)
				}
				for k, name := range in.Order {
					if got := ranks[slices.Index(names, name)]; got != in.Ranks[k] {
						t.Fatalf("at %v %s ranks %d, the interval says %d", alpha, name, got, in.Ranks[k])
					}
				}
			}
			if i > 0 && slices.Equal(in.Ranks, sweep.Intervals[i-1].Ranks) && slices.Equal(in.Order, sweep.Intervals[i-1].Order) {
				t.Fatalf("nothing changes at %v", in.From)
			}
		}
		for _, b := range sweep.Breakpoints {
			sides := [2][]string{}
			for i := range sides { // the point itself where it has no side
				scores := rescore(comps, func(s StratumScore) float64 { return AMS(s.TQ, s.AUBQC, s.EFR, b.Alpha) })
				sides[i] = Leaders(names, Ranks(scores))
			}
			for _, in := range sweep.Intervals {
				if in.To == b.Alpha {
					sides[0] = in.Leader
				}
				if in.From == b.Alpha {
					sides[1] = in.Leader
				}
			}
			if b.ChangesLeader == slices.Equal(sides[0], sides[1]) {
				t.Fatalf("at %v the leaders go from %v to %v, the breakpoint says %v", b.Alpha, sides[0], sides[1], b.ChangesLeader)
			}
		}
	})
}

// Of many configurations the rankings between all breakpoints are not listed, and
// the sweep says so; leaders and breakpoints are.
func TestManyRankingsAreNotListed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var names []string
	var comps []Components
	for i := range 250 {
		var strata [3]StratumScore
		for s := range strata {
			strata[s] = StratumScore{Tasks: 1, TQ: r.Float64(), AUBQC: r.Float64(), EFR: r.Float64() / 4}
		}
		names, comps = append(names, fmt.Sprintf("c%03d", i)), append(comps, CombineStrata(strata))
	}
	few, many := SweepAlpha(names[:20], comps[:20], .5), SweepAlpha(names, comps, .5)
	if few.NoOrders != "" || len(few.Intervals[0].Order) != 20 {
		t.Errorf("few rankings are not listed: %q", few.NoOrders)
	}
	want := fmt.Sprintf("%d rankings of 250 configurations", len(many.Intervals))
	if !strings.HasPrefix(many.NoOrders, want) || len(many.Intervals)*250 <= listedPlaces {
		t.Errorf("%d intervals: %q", len(many.Intervals), many.NoOrders)
	}
	changes := 0
	for i, in := range many.Intervals {
		ranks := Ranks(scoresAt(lines(comps), in.From+(in.To-in.From)/2))
		if in.Order != nil || in.Ranks != nil || !slices.Equal(in.Leader, Leaders(names, ranks)) {
			t.Fatalf("interval from %v: %v lead, %d places listed", in.From, in.Leader, len(in.Order))
		}
		if i > 0 && !slices.Equal(in.Leader, many.Intervals[i-1].Leader) {
			changes++
		}
	}
	for _, b := range many.Breakpoints {
		if b.ChangesLeader {
			changes--
		}
	}
	if changes != 0 || len(many.Breakpoints) < 1000 {
		t.Errorf("%d breakpoints; %d more changes of the leader than they say", len(many.Breakpoints), changes)
	}
}

func TestCalibrationDiffNamesWhatMoved(t *testing.T) {
	task := func(name string, s Stratum) TaskEffort { return TaskEffort{Benchmark: "x", Task: name, Stratum: s} }
	eta := 3.0
	a := Calibration{
		Name: "a", Tasks: []TaskEffort{task("t1", Easy), task("t2", Medium), task("t3", Hard), task("t4", Hard)},
		Strata: map[Stratum]StratumRules{Easy: {Budgets: []float64{1, 2}}, Medium: {Budgets: []float64{0, 4}, EtaUSD: &eta}, Hard: {Budgets: []float64{5, 5}}},
	}
	b := Calibration{
		Name: "b", Tasks: []TaskEffort{task("t1", Easy), task("t2", Hard), task("t3", Medium), task("t5", Hard)},
		Strata: map[Stratum]StratumRules{Easy: {Budgets: []float64{1.5, 2}}, Medium: {Budgets: []float64{0, 5}}, Hard: {Budgets: []float64{5, 4}}},
	}
	d := DiffCalibrations(a, b)
	if len(d.Changed) != 2 || d.Changed[0].Task != "t2" || d.Changed[0].To != Hard || d.Tasks != 3 || d.OnlyIn != [2]int{1, 1} {
		t.Errorf("%+v", d)
	}
	if d.Largest.Stratum != Easy || d.Largest.Level != 1 || *d.Largest.Relative != .5 || *d.Budgets[2].Relative != -.2 {
		t.Errorf("%+v of %+v", d.Largest, d.Budgets)
	}
	if d.Eta[1].ToUSD != nil || d.Eta[1].Relative != nil || *d.Eta[1].FromUSD != 3 {
		t.Errorf("%+v", d.Eta)
	}
	if _, err := json.Marshal(d); err != nil {
		t.Error(err)
	}
	b.Strata[Easy] = StratumRules{Budgets: []float64{1}}
	if d := DiffCalibrations(a, b); len(d.Budgets) != 2 || !strings.Contains(d.Reason, "numbers of budget levels") {
		t.Errorf("%+v", d)
	}
}

func TestDiffRankingsIsOverTheCommonConfigurations(t *testing.T) {
	d := DiffRankings([]string{"a", "b", "c", "gone"}, []float64{.9, .5, .4, 1}, []string{"c", "b", "a", "new"}, []float64{.9, .8, .7, 1})
	if d.Configs != 3 || d.Leader[0] != "a" || d.Winner[0] != "c" || d.Same || *d.MaxRankShift != 2 {
		t.Errorf("%+v", d)
	}
	if len(d.Moves) != 2 || d.Moves[0] != (RankChange{"a", 1, 3}) || d.Moves[1] != (RankChange{"c", 3, 1}) {
		t.Errorf("%+v", d.Moves)
	}
	if s := ShareSame([]string{"a"}, [][]string{{"a"}, {"a", "b"}, {"b"}, {"a"}}); math.Abs(*s-.5) > 0 {
		t.Errorf("share %v", *s)
	}
	if ShareSame(nil, nil) != nil {
		t.Error("the share of nothing is defined")
	}
}
