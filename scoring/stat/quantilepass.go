package stat

import (
	"errors"
	"maps"
	"math"
	"slices"
)

// QuantilePass is one worker's part of a pass.
type QuantilePass struct {
	q      *QuantileSearch
	counts [][]uint32   // by span: by class, then by part: counting
	values [][][]uint64 // by span and class, as bits: gathering
}

// Pass begins a worker's part of the next pass.
func (q *QuantileSearch) Pass() *QuantilePass {
	p := &QuantilePass{q: q}
	for i := range q.spans {
		v := &q.spans[i]
		if q.gather {
			p.values = append(p.values, make([][]uint64, len(v.classes)))
		} else {
			p.counts = append(p.counts, make([]uint32, len(v.classes)<<q.split(v)))
		}
	}
	return p
}

// Add takes a value, which is in each of some classes.
func (p *QuantilePass) Add(value float64, classes ...int32) {
	at := math.Float64bits(value + 0) // −0 is 0
	// The last span that begins at or below the value.
	lo, hi := 0, len(p.q.spans)
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if p.q.spans[mid].from <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	v := &p.q.spans[lo]
	if at < v.from || (at-v.from)>>v.shift > 0 {
		return
	}
	if p.values != nil {
		for _, c := range classes {
			if s := v.slot[c]; s >= 0 {
				p.values[lo][s] = append(p.values[lo][s], at)
			}
		}
		return
	}
	split := p.q.split(v)
	part := (at - v.from) >> (v.shift - split)
	for _, c := range classes {
		if s := v.slot[c]; s >= 0 {
			p.counts[lo][uint64(s)<<split+part]++
		}
	}
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
	for i := range q.spans {
		narrower, err := end(i, parts)
		if err != nil {
			return err
		}
		next = append(next, narrower...)
	}
	q.spans = next
	q.plan()
	return nil
}

// gathered finds the values at a span's places.
func (q *QuantileSearch) gathered(i int, parts []*QuantilePass) ([]span, error) {
	v := &q.spans[i]
	values := make([][]uint64, len(v.classes))
	for s := range values {
		for _, p := range parts {
			values[s] = append(values[s], p.values[i][s]...)
		}
		if int64(len(values[s])) != v.counts[s] {
			return nil, errOtherValues
		}
		slices.Sort(values[s])
	}
	for _, w := range v.wanted {
		of := &q.groups[w.group]
		below := func(x uint64) (n int64) { // how many values of the group
			for _, c := range of.Plus {
				in, _ := slices.BinarySearch(values[v.slot[c]], x)
				n += int64(in)
			}
			for _, c := range of.Minus {
				in, _ := slices.BinarySearch(values[v.slot[c]], x)
				n -= int64(in)
			}
			return n
		}
		for _, place := range w.places {
			// The largest number that has no more values below it than the place.
			at := v.from
			for bit := uint64(1) << v.shift >> 1; bit > 0; bit >>= 1 {
				if below(at+bit) <= place-w.before {
					at += bit
				}
			}
			q.found[w.group][place] = math.Float64frombits(at)
		}
	}
	return nil, nil
}

// counted keeps the parts of a span that hold a wanted place.
func (q *QuantileSearch) counted(i int, parts []*QuantilePass) ([]span, error) {
	v, sums := &q.spans[i], parts[0].counts[i]
	for _, p := range parts[1:] {
		for k, n := range p.counts[i] {
			sums[k] += n
		}
	}
	split := q.split(v)
	shift := v.shift - split
	of := func(class int32) []uint32 { return sums[int(v.slot[class])<<split:][:1<<split] }
	within := make([]int64, 1<<split) // by part: values of a group
	next := map[int][]wanted{}        // by part: what is left to look for
	for _, w := range v.wanted {
		clear(within)
		for _, c := range q.groups[w.group].Plus {
			for b, n := range of(c) {
				within[b] += int64(n)
			}
		}
		for _, c := range q.groups[w.group].Minus {
			for b, n := range of(c) {
				within[b] -= int64(n)
			}
		}
		before, places := w.before, w.places
		for b, n := range within {
			in := 0
			for in < len(places) && places[in] < before+n {
				in++
			}
			switch {
			case in > 0 && shift == 0: // one value, however often
				for _, place := range places[:in] {
					q.found[w.group][place] = math.Float64frombits(v.from + uint64(b))
				}
			case in > 0:
				next[b] = append(next[b], wanted{group: w.group, before: before, count: n, places: places[:in]})
			}
			before, places = before+n, places[in:]
		}
		if before != w.before+w.count {
			return nil, errOtherValues
		}
	}
	var out []span
	for _, b := range slices.Sorted(maps.Keys(next)) {
		s := span{from: v.from + uint64(b)<<shift, shift: shift, wanted: next[b]}
		q.settle(&s, len(v.slot), func(c int32) int64 { return int64(of(c)[b]) })
		out = append(out, s)
	}
	return out, nil
}
