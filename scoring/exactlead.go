package scoring

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"sync"
)

// Bounds of countLeads, so that it ends in seconds.
const (
	maxPairs    = 1 << 26 // pairs of states that are ranked one by one
	maxLeadWork = 1 << 33 // words that the bit sets read
	maxLeadBits = 1 << 24 // words that the bit sets hold
)

// countLeads counts, over all pairs of a state of rest and one of largest, who
// ranks first, and how many pairs rank all targets as in pooled. Few pairs are
// ranked one by one; many are counted with bit sets. reason says that both are
// out of bounds.
func countLeads(rest, largest states, pooled []int, workers int) (firsts firstCounts, same uint64, reason string) {
	t := rest.targets
	if rest.len()*largest.len()*t <= maxPairs {
		firsts, same = countLeadsOneByOne(rest, largest, pooled, workers)
		return firsts, same, ""
	}
	largest = largest.unmerged()
	words, pairs := (largest.len()+63)/64, t*(t-1)/2
	if pairs*words*(largest.len()/prefixStep+1) > maxLeadBits || rest.len()*words*pairs*3 > maxLeadWork {
		return nil, 0, fmt.Sprintf("shares are not computed: %d targets and %d × %d states are beyond the bound", t, rest.len(), largest.len())
	}
	firsts, same = countLeadsByBits(rest, largest, pooled, workers)
	return firsts, same, ""
}

// leadCounts are the sums of one worker.
type leadCounts struct {
	firsts firstCounts
	same   uint64
}

// countOver runs count for every state of rest, split over workers; the counts
// are integers, so their sum does not depend on the split.
func countOver(rest states, workers int, start func(out *leadCounts) (count func(i int))) (firstCounts, uint64) {
	var mu sync.Mutex
	var all []*leadCounts
	forBlocks(rest.len(), 1024, workers, func() func(int, int, int) {
		out := &leadCounts{firsts: newFirstCounts(rest.targets)}
		mu.Lock()
		all = append(all, out)
		mu.Unlock()
		count := start(out)
		return func(_, from, to int) {
			for i := from; i < to; i++ {
				count(i)
			}
		}
	})
	total := &leadCounts{firsts: newFirstCounts(rest.targets)}
	for _, c := range all {
		total.firsts.merge(c.firsts)
		total.same += c.same
	}
	return total.firsts, total.same
}

func countLeadsOneByOne(rest, largest states, pooled []int, workers int) (firstCounts, uint64) {
	return countOver(rest, workers, func(out *leadCounts) func(int) {
		ranks := make([]int, rest.targets)
		return func(i int) {
			for j := range largest.len() {
				out.rank(rest.vector(i), largest.vector(j), rest.weight[i]*largest.weight[j], pooled, ranks)
			}
		}
	})
}

// rank counts one pair of states, weight times. ranks is scratch space.
func (l *leadCounts) rank(a, b []int64, weight uint64, pooled, ranks []int) {
	for c := range ranks {
		ranks[c] = 1
		for o := range ranks {
			if a[o]+b[o] > a[c]+b[c]+tieUnits {
				ranks[c]++
			}
		}
	}
	l.firsts.add(ranks, weight)
	if slices.Equal(ranks, pooled) {
		l.same += weight
	}
}

// unmerged repeats every state as often as it weighs.
func (s states) unmerged() states {
	out := states{targets: s.targets}
	for i, w := range s.weight {
		for range w {
			out.scores, out.weight = append(out.scores, s.vector(i)...), append(out.weight, 1)
		}
	}
	return out
}

// prefixStep is how many states lie between two stored prefixes.
const prefixStep = 128

// pairOrder orders states by how far target a is above target b. The states in
// which a is ahead by more than some margin are a prefix of that order.
type pairOrder struct {
	a, b   int
	lead   []int64 // descending
	states []int   // in that order
	prefix [][]uint64
}

func newPairOrder(s states, a, b int) pairOrder {
	p := pairOrder{a: a, b: b, states: make([]int, s.len()), lead: make([]int64, s.len())}
	lead := func(i int) int64 { return s.vector(i)[a] - s.vector(i)[b] }
	for i := range p.states {
		p.states[i] = i
	}
	slices.SortStableFunc(p.states, func(i, j int) int {
		switch x, y := lead(i), lead(j); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	set := make([]uint64, (s.len()+63)/64)
	for n, i := range p.states {
		if n%prefixStep == 0 {
			p.prefix = append(p.prefix, slices.Clone(set))
		}
		p.lead[n] = lead(i)
		set[i/64] |= 1 << (i % 64)
	}
	return p
}

// above is how many states have a lead of more than margin.
func (p *pairOrder) above(margin int64) int {
	return sort.Search(len(p.lead), func(n int) bool { return p.lead[n] <= margin })
}

// fill makes set the first n states of the order.
func (p *pairOrder) fill(set []uint64, n int) {
	block := min(n/prefixStep, len(p.prefix)-1)
	copy(set, p.prefix[block])
	for _, i := range p.states[block*prefixStep : n] {
		set[i/64] |= 1 << (i % 64)
	}
}

// countLeadsByBits asks, for each state of rest, which states of largest put a
// target strictly before each other one: a prefix or a suffix of the pair's
// order, as a bit set. Their intersection is counted 64 states at a time.
// States with a tie between any two targets are ranked one by one instead.
// largest is unmerged.
func countLeadsByBits(rest, largest states, pooled []int, workers int) (firstCounts, uint64) {
	t, words := rest.targets, (largest.len()+63)/64
	var orders []pairOrder
	for a := range t {
		for b := a + 1; b < t; b++ {
			orders = append(orders, newPairOrder(largest, a, b))
		}
	}
	chain := strictChain(pooled)
	return countOver(rest, workers, func(out *leadCounts) func(int) {
		ahead := make([][]uint64, t*t) // ahead[a·t+b]: a strictly before b
		for i := range ahead {
			ahead[i] = make([]uint64, words)
		}
		// Whose sets all hold: those in which a target is first, and those in
		// which the pooled order stands.
		first, inChain := make([][][]uint64, t), [][]uint64{}
		for a := range t {
			for b := range t {
				if b != a {
					first[a] = append(first[a], ahead[a*t+b])
				}
			}
		}
		for k := 1; k < len(chain); k++ {
			inChain = append(inChain, ahead[chain[k-1]*t+chain[k]])
		}
		acc, tied := make([]uint64, words), make([]uint64, words)
		ranks := make([]int, t)
		return func(i int) {
			v, weight := rest.vector(i), rest.weight[i]
			clear(tied)
			anyTied := false
			for k := range orders {
				p := &orders[k]
				delta := v[p.a] - v[p.b]
				wins, notLost := p.above(tieUnits-delta), p.above(-tieUnits-1-delta)
				up, down := ahead[p.a*t+p.b], ahead[p.b*t+p.a]
				p.fill(up, wins)
				complement(down, up, largest.len()) // with the tied states, which leave the count below
				for _, state := range p.states[wins:notLost] {
					tied[state/64] |= 1 << (state % 64)
				}
				anyTied = anyTied || wins < notLost
			}
			if anyTied { // then rank those alone, and take them out of the sets
				for w, word := range tied {
					for ; word != 0; word &= word - 1 {
						j := w*64 + bits.TrailingZeros64(word)
						out.rank(v, largest.vector(j), weight, pooled, ranks)
					}
				}
			}
			for a := range t {
				out.firsts[a][1] += weight * intersect(acc, tied, first[a], largest.len())
			}
			if chain != nil {
				out.same += weight * intersect(acc, tied, inChain, largest.len())
			}
		}
	})
}

// strictChain is the targets in rank order, nil where two of them tie.
func strictChain(ranks []int) []int {
	chain := make([]int, len(ranks))
	for i := range chain {
		chain[i] = -1
	}
	for c, r := range ranks {
		if chain[r-1] >= 0 {
			return nil
		}
		chain[r-1] = c
	}
	return chain
}

// complement makes out the n states that are not in set.
func complement(out, set []uint64, n int) {
	for w, word := range set {
		out[w] = ^word
	}
	if n%64 != 0 {
		out[len(out)-1] &= 1<<(n%64) - 1
	}
}

// intersect counts the states that are in all sets and not in except. acc is
// scratch space.
func intersect(acc, except []uint64, sets [][]uint64, n int) uint64 {
	complement(acc, except, n)
	for _, set := range sets {
		for w := range acc {
			acc[w] &= set[w]
		}
	}
	count := 0
	for _, word := range acc {
		count += bits.OnesCount64(word)
	}
	return uint64(count)
}
