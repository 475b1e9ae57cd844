package scoring

import (
	"cmp"
	"fmt"
	"slices"
)

// Seat is how many tasks of a benchmark and stratum there are, and how many of
// them a subset takes.
type Seat struct {
	Benchmark string  `json:"benchmark"`
	Stratum   Stratum `json:"stratum"`
	Of        int     `json:"of"`
	Chosen    int     `json:"chosen"`
}

// LargestRemainder divides k seats in proportion to sizes: the floor of each
// quota, then one more to the largest remainders, equal ones in order. It is
// exact in integers.
func LargestRemainder(sizes []int, k int) []int {
	total := 0
	for _, n := range sizes {
		total += n
	}
	seats, order := make([]int, len(sizes)), make([]int, len(sizes))
	if total == 0 {
		return seats
	}
	left := k
	for i, n := range sizes {
		seats[i], order[i] = k*n/total, i
		left -= seats[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(k*sizes[b]%total, k*sizes[a]%total) })
	for _, i := range order[:left] {
		seats[i]++
	}
	return seats
}

// apportion divides k seats over benchmark × stratum so that the shares of the
// strata, then those of the benchmarks, are those of the whole by largest
// remainder: the floors of the joint quotas first, then seats by largest joint
// remainder where both margins still have room; what cannot meet both margins
// meets the stratum's.
func apportion(tasks []PanelTask, k int) ([]Seat, error) {
	if k < len(Strata) || k > len(tasks) {
		return nil, fmt.Errorf("a subset of %d tasks: it needs one of each stratum and at most all %d", k, len(tasks))
	}
	counts, strata, suites := map[Seat]int{}, [3]int{}, map[string]int{}
	for _, t := range tasks {
		counts[Seat{Benchmark: t.Key.Benchmark, Stratum: t.Stratum}]++
		strata[t.Stratum]++
		suites[t.Key.Benchmark]++
	}
	var seats []Seat
	for s, n := range counts {
		s.Of = n
		seats = append(seats, s)
	}
	slices.SortFunc(seats, func(a, b Seat) int {
		return cmp.Or(cmp.Compare(a.Benchmark, b.Benchmark), cmp.Compare(a.Stratum, b.Stratum))
	})
	for _, s := range Strata {
		if strata[s] == 0 {
			return nil, &EmptyStratumError{s}
		}
	}
	stratumRoom := atLeastOne(LargestRemainder(strata[:], k))
	suiteRoom := map[string]int{}
	names, sizes := []string{}, []int{}
	for _, s := range seats {
		if len(names) == 0 || names[len(names)-1] != s.Benchmark {
			names, sizes = append(names, s.Benchmark), append(sizes, suites[s.Benchmark])
		}
	}
	for i, n := range LargestRemainder(sizes, k) {
		suiteRoom[names[i]] = n
	}
	take := func(s *Seat, n int) {
		s.Chosen += n
		stratumRoom[s.Stratum] -= n
		suiteRoom[s.Benchmark] -= n
	}
	for i := range seats {
		s := &seats[i]
		take(s, max(0, min(k*s.Of/len(tasks), stratumRoom[s.Stratum])))
	}
	byRemainder := make([]*Seat, len(seats))
	for i := range seats {
		byRemainder[i] = &seats[i]
	}
	slices.SortStableFunc(byRemainder, func(a, b *Seat) int {
		return cmp.Compare(k*b.Of%len(tasks), k*a.Of%len(tasks))
	})
	for _, strict := range []bool{true, false} {
		for again := true; again; {
			again = false
			for _, s := range byRemainder {
				if s.Chosen < s.Of && stratumRoom[s.Stratum] > 0 && (!strict || suiteRoom[s.Benchmark] > 0) {
					take(s, 1)
					again = true
				}
			}
		}
	}
	return seats, nil
}

// atLeastOne moves a seat from the largest stratum to each that has none: a
// score needs a task of every stratum.
func atLeastOne(seats []int) []int {
	for i := range seats {
		if seats[i] == 0 {
			seats[slices.Index(seats, slices.Max(seats))]--
			seats[i] = 1
		}
	}
	return seats
}
