package scoring

import (
	"errors"
	"math"
	"math/bits"
	"slices"
)

// QuantileSearch finds quantiles of groups of values that are too many to hold.
// It asks for passes over the values, in any order and by any number of
// workers: while those that it may need are too many, a pass counts them by
// intervals, of which it keeps the few that hold a quantile; the last pass
// gathers what is left. The result is that of Quantile7, to the bit.
type QuantileSearch struct {
	groups    []searchGroup
	intervals []span // disjoint, ascending within a group
	hold      int64
	gather    bool // the pass under way gathers values; else it counts them
	parts     uint // into how many parts, as a power of 2, counting divides an interval
}

// searchGroup is the values of one group: how many, which quantiles are wanted,
// and what is known of their order.
type searchGroup struct {
	n           int64
	ps          []float64
	found       map[int64]float64 // values by their place in ascending order
	first, last int               // its intervals
}

// span is an interval of values, as the bits of a double, which ascend as the
// values do, and the wanted places within.
type span struct {
	group  int
	from   uint64
	shift  uint  // it has 2^shift values
	before int64 // values of the group below from
	count  int64
	places []int64
}

// SearchQuantiles begins a search in groups of counts[g] values, each at least
// 0, for the quantiles ps[g], holding at most hold values at a time.
func SearchQuantiles(counts []int64, ps [][]float64, hold int) *QuantileSearch {
	q := &QuantileSearch{hold: int64(hold)}
	for g, n := range counts {
		s := searchGroup{n: n, ps: ps[g], found: map[int64]float64{}}
		var places []int64
		for _, p := range ps[g] {
			if n == 0 {
				break
			}
			lo, share := quantilePlace(n, p)
			places = append(places, lo)
			if share > 0 {
				places = append(places, lo+1)
			}
		}
		slices.Sort(places)
		if places = slices.Compact(places); len(places) > 0 {
			q.intervals = append(q.intervals, span{group: g, shift: 63, count: n, places: places})
		}
		q.groups = append(q.groups, s)
	}
	q.plan()
	return q
}

// More says whether another pass is needed.
func (q *QuantileSearch) More() bool { return len(q.intervals) > 0 }

// plan decides what the next pass does.
func (q *QuantileSearch) plan() {
	var left int64
	for g := range q.groups {
		q.groups[g].first, q.groups[g].last = 0, 0
	}
	for i, v := range q.intervals {
		left += v.count
		g := &q.groups[v.group]
		if g.last == 0 {
			g.first = i
		}
		g.last = i + 1
	}
	q.gather = left <= q.hold
	// The counters of a worker take no more room than the values that may be
	// held, and some megabytes at most.
	room := q.hold / int64(max(1, len(q.intervals)))
	q.parts = uint(min(max(bits.Len64(uint64(room))-1, 8), 18))
}

// split is into how many parts, as a power of 2, a counting pass divides an
// interval.
func (q *QuantileSearch) split(v *span) uint { return min(q.parts, v.shift) }

// QuantilePass is one worker's part of a pass.
type QuantilePass struct {
	q      *QuantileSearch
	counts [][]int64   // by interval: counting
	values [][]float64 // by interval: gathering
}

// Pass begins a worker's part of the next pass.
func (q *QuantileSearch) Pass() *QuantilePass {
	p := &QuantilePass{q: q}
	if q.gather {
		p.values = make([][]float64, len(q.intervals))
		return p
	}
	p.counts = make([][]int64, len(q.intervals))
	for i := range q.intervals {
		p.counts[i] = make([]int64, 1<<q.split(&q.intervals[i]))
	}
	return p
}

// Add takes a value of a group.
func (p *QuantilePass) Add(group int, value float64) {
	at := math.Float64bits(value + 0) // −0 is 0
	g := &p.q.groups[group]
	// The last interval that begins at or below the value.
	lo, hi := g.first, g.last
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if p.q.intervals[mid].from <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	if lo == hi {
		return
	}
	v := &p.q.intervals[lo]
	if at < v.from || (at-v.from)>>v.shift > 0 {
		return
	}
	if p.values != nil {
		p.values[lo] = append(p.values[lo], value+0)
		return
	}
	p.counts[lo][(at-v.from)>>(v.shift-p.q.split(v))]++
}

// errOtherValues says that two passes saw different values.
var errOtherValues = errors.New("the runs changed while they were read")

// End closes a pass with the parts of all workers.
func (q *QuantileSearch) End(parts []*QuantilePass) error {
	end := q.counted
	if q.gather {
		end = q.gathered
	}
	var next []span
	for i, v := range q.intervals {
		narrower, err := end(i, v, parts)
		if err != nil {
			return err
		}
		next = append(next, narrower...)
	}
	q.intervals = next
	q.plan()
	return nil
}

// gathered finds the values at an interval's places.
func (q *QuantileSearch) gathered(i int, v span, parts []*QuantilePass) ([]span, error) {
	var values []float64
	for _, p := range parts {
		values = append(values, p.values[i]...)
	}
	if int64(len(values)) != v.count {
		return nil, errOtherValues
	}
	slices.Sort(values)
	for _, place := range v.places {
		q.groups[v.group].found[place] = values[place-v.before]
	}
	return nil, nil
}

// counted keeps the parts of an interval that hold a wanted place.
func (q *QuantileSearch) counted(i int, v span, parts []*QuantilePass) ([]span, error) {
	var out []span
	shift := v.shift - q.split(&v)
	before, places := v.before, v.places
	for b := range parts[0].counts[i] {
		var n int64
		for _, p := range parts {
			n += p.counts[i][b]
		}
		in := 0
		for in < len(places) && places[in] < before+n {
			in++
		}
		from := v.from + uint64(b)<<shift
		switch {
		case in > 0 && shift == 0: // one value, however often
			for _, place := range places[:in] {
				q.groups[v.group].found[place] = math.Float64frombits(from)
			}
		case in > 0:
			out = append(out, span{group: v.group, from: from, shift: shift, before: before, count: n, places: places[:in]})
		}
		before, places = before+n, places[in:]
	}
	if before != v.before+v.count {
		return nil, errOtherValues
	}
	return out, nil
}

// Quantiles are the quantiles of a group in the order asked for; nil where it
// has no values.
func (q *QuantileSearch) Quantiles(group int) []float64 {
	g := q.groups[group]
	if g.n == 0 {
		return nil
	}
	out := make([]float64, len(g.ps))
	for i, p := range g.ps {
		lo, share := quantilePlace(g.n, p)
		out[i] = g.found[lo]
		if share > 0 {
			out[i] = between(g.found[lo], g.found[lo+1], share)
		}
	}
	return out
}
