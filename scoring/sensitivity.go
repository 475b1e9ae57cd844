package scoring

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"amdb/scoring/stat"
)

// AlphaSensitivity is the ranking for every mixing weight from 0 to 1
// (section 5). AMS is linear in α, so the weights at which two configurations
// change places are exact, by algebra.
type AlphaSensitivity struct {
	Alpha       float64         `json:"alpha"` // of the calibration
	Breakpoints []Breakpoint    `json:"breakpoints"`
	Intervals   []AlphaInterval `json:"intervals"`
	Leader      []string        `json:"leader"`       // at Alpha
	LeaderShare *float64        `json:"leader_share"` // of [0,1] in which the leaders are just these
	StableFrom  *float64        `json:"stable_from"`  // the whole ranking is the same
	StableTo    *float64        `json:"stable_to"`    // around Alpha between these
	Reason      string          `json:"reason,omitempty"`
	NoOrders    string          `json:"orders_reason,omitempty"` // why the intervals carry no order
}

// Breakpoint is a weight at which pairs of configurations tie, their order
// being another on its two sides (or, at 0 and 1, on its one side).
type Breakpoint struct {
	Alpha         float64     `json:"alpha"`
	Pairs         [][2]string `json:"pairs"` // {before, after}: who is ahead below and above it
	ChangesLeader bool        `json:"changes_leader"`
}

// listedPlaces is how many places in rankings a sweep lists at most. Of some 170
// configurations on, rankings between all breakpoints would be more: they take
// gigabytes at 1,000, and each follows from the breakpoints.
const listedPlaces = 1 << 20

// AlphaInterval is a range of weights with one ranking inside.
type AlphaInterval struct {
	From   float64  `json:"from"`
	To     float64  `json:"to"`
	Leader []string `json:"leader"`
	Order  []string `json:"order"` // by rank, equal ranks by name; nil where there are too many
	Ranks  []int    `json:"ranks"` // in the order of Order
}

// line is AMS as a function of α, by its two ends.
type line struct{ at0, at1 float64 }

func (l line) at(alpha float64) float64 { return stat.Between(l.at0, l.at1, alpha) }

// lines are the configurations' scores at α = 0 and α = 1.
func lines(components []Components) []line {
	at0 := rescore(components, func(s StratumScore) float64 { return AMS(s.TQ, s.AUBQC, s.EFR, 0) })
	at1 := rescore(components, func(s StratumScore) float64 { return AMS(s.TQ, s.AUBQC, s.EFR, 1) })
	out := make([]line, len(components))
	for i := range out {
		out[i] = line{at0[i], at1[i]}
	}
	return out
}

// crossing is the α in [0,1] at which two lines meet, if they do at one point
// only. Ends that agree to 12 decimals are equal.
func crossing(a, b line) (alpha float64, ok bool) {
	d0, d1 := a.at0-b.at0, a.at1-b.at1
	switch at0, at1 := round12(d0) == 0, round12(d1) == 0; {
	case at0 && at1:
		return 0, false
	case at0:
		return 0, true
	case at1:
		return 1, true
	case d0*d1 > 0:
		return 0, false
	}
	return d0 / (d0 - d1), true
}

// AlphaCrossing is the one α in [0,1] at which two configurations tie, from
// their scores at α = 0 and α = 1. It reports false where they tie everywhere
// or nowhere.
func AlphaCrossing(a0, a1, b0, b1 float64) (float64, bool) {
	return crossing(line{a0, a1}, line{b0, b1})
}

// SweepAlpha finds every breakpoint and the ranking between each two. names
// and components are in one order.
func SweepAlpha(names []string, components []Components, alpha float64) AlphaSensitivity {
	out := AlphaSensitivity{Alpha: alpha, Breakpoints: []Breakpoint{}, Intervals: []AlphaInterval{}, Leader: []string{}}
	if len(names) == 0 {
		out.Reason = "no configuration to rank"
		return out
	}
	ls := lines(components)
	out.Breakpoints = breakpoints(names, ls)
	cuts := []float64{0}
	for _, b := range out.Breakpoints {
		if b.Alpha > 0 && b.Alpha < 1 {
			cuts = append(cuts, b.Alpha)
		}
	}
	cuts = append(cuts, 1)
	places := (len(cuts) - 1) * len(names)
	if places > listedPlaces {
		out.NoOrders = fmt.Sprintf("%d rankings of %d configurations are too many to list; the pairs of the breakpoints say what changes", len(cuts)-1, len(names))
	}
	for i := 1; i < len(cuts); i++ {
		in := AlphaInterval{From: cuts[i-1], To: cuts[i]}
		inside := stat.Between(in.From, in.To, 0.5) // where no two lines cross
		in.Leader = leadersAt(names, ls, inside)
		if places <= listedPlaces {
			ranks := Ranks(scoresAt(ls, inside))
			for _, c := range Order(names, ranks) {
				in.Order, in.Ranks = append(in.Order, names[c]), append(in.Ranks, ranks[c])
			}
		}
		out.Intervals = append(out.Intervals, in)
	}
	out.Leader = leadersAt(names, ls, alpha)
	atBreak := slices.ContainsFunc(out.Breakpoints, func(b Breakpoint) bool { return math.Abs(b.Alpha-alpha) <= sameAlpha })
	share := 0.0
	for _, in := range out.Intervals {
		if slices.Equal(in.Leader, out.Leader) {
			share += in.To - in.From
		}
		if !atBreak && alpha >= in.From && alpha <= in.To {
			out.StableFrom, out.StableTo = ptr(in.From), ptr(in.To)
		}
	}
	out.LeaderShare = &share
	if atBreak {
		out.Reason = "alpha is itself a breakpoint"
	}
	out.markLeaders(names, ls)
	return out
}

func scoresAt(ls []line, alpha float64) []float64 {
	out := make([]float64, len(ls))
	for i, l := range ls {
		out[i] = l.at(alpha)
	}
	return out
}

// sameAlpha is how close two crossings are that are one: where three lines meet
// in a point, the three crossings differ by float noise.
const sameAlpha = 1e-9

// breakpoints are the distinct crossings, ascending.
func breakpoints(names []string, ls []line) []Breakpoint {
	type meeting struct {
		alpha float64
		pair  [2]string
	}
	var all []meeting
	for i := range ls {
		for j := range i {
			alpha, ok := crossing(ls[i], ls[j])
			if !ok {
				continue
			}
			before, after := i, j // i is ahead below the crossing
			if ls[i].at0-ls[i].at1 < ls[j].at0-ls[j].at1 {
				before, after = j, i
			}
			all = append(all, meeting{alpha, [2]string{names[before], names[after]}})
		}
	}
	slices.SortFunc(all, func(a, b meeting) int {
		return cmp.Or(cmp.Compare(a.alpha, b.alpha), slices.Compare(a.pair[:], b.pair[:]))
	})
	out := []Breakpoint{}
	for _, m := range all {
		if n := len(out); n == 0 || m.alpha-out[n-1].Alpha > sameAlpha {
			out = append(out, Breakpoint{Alpha: m.alpha})
		}
		last := &out[len(out)-1]
		last.Pairs = append(last.Pairs, m.pair)
	}
	for _, b := range out { // by name: noise must not order the pairs of one point
		slices.SortFunc(b.Pairs, func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
	}
	return out
}

// leadersAt are the leaders at a weight, as Leaders names them.
func leadersAt(names []string, ls []line, alpha float64) []string {
	best := math.Inf(-1)
	for _, l := range ls {
		best = max(best, round12(l.at(alpha)))
	}
	var out []string
	for i, l := range ls {
		if round12(l.at(alpha)) == best {
			out = append(out, names[i])
		}
	}
	slices.Sort(out)
	return out
}

// markLeaders says at which breakpoints the leaders differ between the two
// sides, or, at 0 and 1, between the point and its one side. Between two
// breakpoints there is one interval.
func (out *AlphaSensitivity) markLeaders(names []string, ls []line) {
	next := 0 // the interval above the breakpoint
	for i := range out.Breakpoints {
		b := &out.Breakpoints[i]
		at := leadersAt(names, ls, b.Alpha)
		switch b.Alpha {
		case 0:
			b.ChangesLeader = !slices.Equal(at, out.Intervals[0].Leader)
		case 1:
			b.ChangesLeader = !slices.Equal(at, out.Intervals[next].Leader)
		default:
			next++
			b.ChangesLeader = !slices.Equal(out.Intervals[next-1].Leader, out.Intervals[next].Leader)
		}
	}
}
