package scoring

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func usd(v float64) *float64 { return &v }

func TestSelectChoosesByRewardThenCostThenN(t *testing.T) {
	key := TaskKey{"suite", "t"}
	row := func(n int, reward float64, cost *float64) SourceRun {
		return SourceRun{key, "m/cli", n, &reward, cost}
	}
	for _, tc := range []struct {
		name      string
		runs      []SourceRun
		preserved []int
		want      string
		reason    string
	}{
		{"reward first", []SourceRun{row(0, .5, usd(1)), row(1, .6, usd(9)), row(2, .7, usd(99))}, []int{1, 2}, "m/cli#2", "improves"},
		{"then cost", []SourceRun{row(0, .5, usd(1)), row(1, .7, usd(3)), row(2, .7, usd(2))}, []int{1, 2}, "m/cli#2", "improves"},
		{"then N", []SourceRun{row(0, .5, usd(1)), row(10, .7, usd(2)), row(9, .7, usd(2))}, []int{9, 10}, "m/cli#9", "improves"},
		{"unknown cost is not lower", []SourceRun{row(0, .5, usd(1)), row(1, .7, nil), row(2, .7, usd(2))}, []int{1, 2}, "m/cli#2", "improves"},
		{"keeps at lower cost", []SourceRun{row(0, .5, usd(1)), row(1, .5, usd(.9))}, []int{1}, "m/cli#1", "lower cost"},
		{"keeps at equal cost", []SourceRun{row(0, .5, usd(1)), row(1, .5, usd(1))}, []int{1}, Original, "neither"},
		{"keeps at unknown cost", []SourceRun{row(0, .5, usd(1)), row(1, .5, nil)}, []int{1}, Original, "unknown"},
		{"float noise improves nothing", []SourceRun{row(0, .3, usd(1)), row(1, .1+.2, usd(2))}, []int{1}, Original, "neither"},
		{"gate", []SourceRun{row(0, .5, usd(1)), row(1, .9, usd(1)), row(2, .6, usd(1))}, []int{2}, "m/cli#2", "improves"},
		{"nothing preserved", []SourceRun{row(0, .5, usd(1)), row(1, .9, usd(1))}, nil, Original, "gate"},
		{"no reward", []SourceRun{row(0, .5, usd(1)), {key, "m/cli", 1, nil, usd(1)}}, []int{1}, Original, "reward"},
	} {
		var gate []GateVerdict
		for _, n := range tc.preserved {
			gate = append(gate, GateVerdict{key, "m/cli", n, true, ""})
		}
		got, err := Select(tc.runs, gate)
		if err != nil || len(got.Choices) != 1 {
			t.Fatalf("%s: %+v, %v", tc.name, got, err)
		}
		if c := got.Choices[0]; c.Selected != tc.want || !strings.Contains(c.Reason, tc.reason) {
			t.Errorf("%s: %s because %q, want %s", tc.name, c.Selected, c.Reason, tc.want)
		}
	}
}

func TestSelectionIsFrozenByItsDigest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var runs []SourceRun
	var gate []GateVerdict
	for _, task := range []string{"t1", "t2", "t3"} {
		for _, source := range []string{"a/cli", "b/cli"} {
			for n := range 4 {
				runs = append(runs, SourceRun{TaskKey{"s", task}, source, n, usd(float64(r.IntN(4)) / 3), usd(r.Float64())})
				if n > 0 {
					gate = append(gate, GateVerdict{TaskKey{"s", task}, source, n, r.IntN(3) > 0, ""})
				}
			}
		}
	}
	want, err := Select(runs, gate)
	if err != nil || len(want.Choices) != 6 || want.Selected+want.Fallbacks != 6 {
		t.Fatalf("%+v, %v", want, err)
	}
	for range 5 {
		r.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		r.Shuffle(len(gate), func(i, j int) { gate[i], gate[j] = gate[j], gate[i] })
		if got, err := Select(runs, gate); err != nil || got.Digest != want.Digest {
			t.Errorf("digest %s, want %s, %v", got.Digest, want.Digest, err)
		}
	}
}

func TestSelectRefusesWhatItCannotCompare(t *testing.T) {
	key := TaskKey{"s", "t"}
	if _, err := Select([]SourceRun{{key, "m/cli", 1, usd(1), nil}}, nil); err == nil {
		t.Error("a candidate without an original is no error")
	}
	two := []GateVerdict{{key, "m/cli", 1, true, ""}, {key, "m/cli", 1, false, ""}}
	if _, err := Select(nil, two); err == nil {
		t.Error("contradicting gate rows are no error")
	}
	got, err := Select([]SourceRun{{key, "m/cli", 0, usd(1), nil}, {key, "m/cli", 1, usd(1), nil}}, []GateVerdict{{key, "m/cli", 2, true, ""}})
	if err != nil || len(got.Warnings) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCandidateNamesRoundTrip(t *testing.T) {
	if s, n, ok := ParseCandidate(CandidateName("org/m#1/cli", 12)); s != "org/m#1/cli" || n != 12 || !ok {
		t.Errorf("%s %d %v", s, n, ok)
	}
	for _, bad := range []string{"m/cli", "m/cli#", "m/cli#0", "m/cli#01", "m/cli#-1", "#1", "m/cli#1x"} {
		if _, _, ok := ParseCandidate(bad); ok {
			t.Errorf("%q is a candidate", bad)
		}
	}
}
