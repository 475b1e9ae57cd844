package stat

import (
	"math/bits"
	"slices"
)

// QuantileSearch finds quantiles of groups of values that are too many to hold.
// It asks for passes over the values, in any order and by any number of
// workers: while those that it may need are too many, a pass counts them by
// intervals, of which it keeps the few that hold a quantile; the last pass
// gathers what is left. The result is that of Quantile7, to the bit.
//
// Values come in classes, and a group is what classes hold less what others
// hold: a thousand groups that have nearly all values in common are counted by
// that and by where they differ, not a thousand times.
type QuantileSearch struct {
	groups []QuantileGroup
	found  []map[int64]float64 // by group: values by their place in ascending order
	counts []int64             // by group
	spans  []span              // disjoint, ascending
	hold   int64
	gather bool // the pass under way gathers values; else it counts them
	parts  uint // into how many parts, as a power of 2, counting divides a span
}

// QuantileGroup is which values a group has, and the quantiles wanted of them.
// The values of Minus are also among those of Plus, and are not in the group.
type QuantileGroup struct {
	Plus, Minus []int32 // classes
	Quantiles   []float64
}

// span is an interval of values, as the bits of a double, which ascend as the
// values do.
type span struct {
	from    uint64
	shift   uint     // it has 2^shift values
	wanted  []wanted // what is looked for within
	classes []int32  // that the groups wanted are made of, ascending
	counts  []int64  // how many values of each are within
	slot    []int32  // by class: its place among classes; -1: none
}

// wanted is the places of a group that lie in a span.
type wanted struct {
	group         int
	before, count int64 // values of the group below the span and within
	places        []int64
}

// SearchQuantiles begins a search in values of which class c has counts[c],
// holding at most hold of them at a time.
func SearchQuantiles(counts []int64, groups []QuantileGroup, hold int) *QuantileSearch {
	q := &QuantileSearch{groups: groups, hold: int64(hold)}
	all := span{shift: 63}
	for g, of := range groups {
		var n int64
		for _, c := range of.Plus {
			n += counts[c]
		}
		for _, c := range of.Minus {
			n -= counts[c]
		}
		q.counts, q.found = append(q.counts, n), append(q.found, map[int64]float64{})
		var places []int64
		for _, p := range of.Quantiles {
			if n == 0 {
				break
			}
			lo, share := QuantilePlace(n, p)
			places = append(places, lo)
			if share > 0 {
				places = append(places, lo+1)
			}
		}
		slices.Sort(places)
		if places = slices.Compact(places); len(places) > 0 {
			all.wanted = append(all.wanted, wanted{group: g, count: n, places: places})
		}
	}
	if len(all.wanted) > 0 {
		q.settle(&all, len(counts), func(c int32) int64 { return counts[c] })
		q.spans = []span{all}
	}
	q.plan()
	return q
}

// settle finds the classes that a span needs and how many values of each it has.
func (q *QuantileSearch) settle(v *span, classes int, count func(class int32) int64) {
	v.slot = make([]int32, classes)
	for _, w := range v.wanted {
		of := &q.groups[w.group]
		for _, c := range of.Plus {
			v.slot[c] = 1
		}
		for _, c := range of.Minus {
			v.slot[c] = 1
		}
	}
	for c, needed := range v.slot {
		v.slot[c] = -1
		if needed == 1 {
			v.slot[c] = int32(len(v.classes))
			v.classes = append(v.classes, int32(c))
			v.counts = append(v.counts, count(int32(c)))
		}
	}
}

// More says whether another pass is needed.
func (q *QuantileSearch) More() bool { return len(q.spans) > 0 }

// plan decides what the next pass does.
func (q *QuantileSearch) plan() {
	var left, counters int64
	for i := range q.spans {
		counters += int64(len(q.spans[i].classes))
		for _, n := range q.spans[i].counts {
			left += n
		}
	}
	q.gather = left <= q.hold
	// The counters of a worker take no more room than the values that may be
	// held, and some megabytes at most.
	room := 2 * q.hold / max(1, counters)
	q.parts = uint(min(max(bits.Len64(uint64(room))-1, 4), 18))
}

// split is into how many parts, as a power of 2, a counting pass divides a span.
func (q *QuantileSearch) split(v *span) uint { return min(q.parts, v.shift) }

// Quantiles are the quantiles of a group in the order asked for; nil where it
// has no values.
func (q *QuantileSearch) Quantiles(group int) []float64 {
	n, found := q.counts[group], q.found[group]
	if n == 0 {
		return nil
	}
	out := make([]float64, len(q.groups[group].Quantiles))
	for i, p := range q.groups[group].Quantiles {
		lo, share := QuantilePlace(n, p)
		out[i] = found[lo]
		if share > 0 {
			out[i] = Between(found[lo], found[lo+1], share)
		}
	}
	return out
}
