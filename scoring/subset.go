package scoring

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"amdb/scoring/stat"
)

// Sizes of the search and of its check [ours].
const (
	subsetStarts  = 6   // random starts of the search
	subsetSplits  = 10  // halves of the configurations for cross-validation
	subsetRandoms = 200 // random subsets to compare with
	minHeldOut    = 3   // configurations in a half, for a rank correlation
	maxSwaps      = 10_000
)

// SubsetProposal is a set of tasks that stands for the whole (section 5).
type SubsetProposal struct {
	K         int        `json:"k"`
	Of        int        `json:"of"`
	Seed      uint64     `json:"seed"`
	Tasks     []TaskKey  `json:"tasks"`  // in key order
	Shares    []Seat     `json:"shares"` // by benchmark and stratum
	Agreement Comparison `json:"agreement"`
	HeldOut   *Agreement `json:"held_out"` // on configurations not used to choose
	Random    *Agreement `json:"random"`   // of random subsets, on the same configurations
	AsGood    *float64   `json:"random_as_good"`
	Configs   int        `json:"configs"`
	Reason    string     `json:"reason,omitempty"`
}

// Agreement is a mean agreement with the full ranking, over the splits in
// which it is defined.
type Agreement struct {
	Spearman *float64 `json:"spearman"`
	Kendall  *float64 `json:"kendall"`
	MAE      *float64 `json:"mae"`
	Subsets  int      `json:"subsets"`
}

// ProposeSubset chooses k tasks of a panel of complete configurations. Shares
// of benchmarks and strata are those of the whole; within them a seeded search
// swaps tasks while that raises Spearman's ρ with the full ranking, or keeps it
// and lowers the mean absolute difference of AMS.
//
// Agreement on the configurations that chose the subset flatters it. HeldOut
// therefore repeats the whole search on random halves of the configurations
// and measures the other half; Random does so for stratified subsets drawn
// blindly, and AsGood is the share of those whose ρ is at least the search's.
func ProposeSubset(p *Panel, k int, alpha float64, seed uint64) (SubsetProposal, error) {
	out := SubsetProposal{K: k, Of: len(p.Tasks), Seed: seed, Configs: len(p.Configs)}
	seats, err := apportion(p.Tasks, k)
	if err != nil {
		return out, err
	}
	out.Shares = seats
	s, err := newSubsetSearch(p, seats, alpha)
	if err != nil {
		return out, err
	}
	everyone := make([]int, len(p.Configs))
	for c := range everyone {
		everyone[c] = c
	}
	r := newDrawStream("subset", seed, p.Tasks).block(0)
	chosen := s.search(everyone, r)
	for t, in := range chosen {
		if in {
			out.Tasks = append(out.Tasks, p.Tasks[t].Key)
		}
	}
	out.Agreement = Compare(p.Configs, s.full, s.scores(chosen))
	out.crossValidate(s, newDrawStream("subset-splits", seed, p.Tasks).block(0))
	return out, nil
}

// crossValidate fills in HeldOut, Random and AsGood.
func (out *SubsetProposal) crossValidate(s *subsetSearch, r *rand.Rand) {
	n := len(s.full)
	if n < 2*minHeldOut {
		out.Reason = fmt.Sprintf("%d configurations: agreement on held-out ones needs at least %d", n, 2*minHeldOut)
		return
	}
	var searched, random []Comparison
	asGood, compared := 0, 0
	for range subsetSplits {
		split := r.Perm(n)
		chosen := s.compare(s.search(split[:n/2], r), split[n/2:])
		searched = append(searched, chosen)
		for range subsetRandoms / subsetSplits {
			blind := s.compare(s.draw(r), split[n/2:])
			random = append(random, blind)
			if blind.Spearman != nil && chosen.Spearman != nil {
				compared++
				if round12(*blind.Spearman) >= round12(*chosen.Spearman) {
					asGood++
				}
			}
		}
	}
	out.HeldOut, out.Random = meanAgreement(searched), meanAgreement(random)
	out.AsGood = ratio(float64(asGood), compared, 0)
}

func meanAgreement(all []Comparison) *Agreement {
	mean := func(of func(Comparison) *float64) *float64 {
		var values []float64
		for _, c := range all {
			if v := of(c); v != nil {
				values = append(values, *v)
			}
		}
		if m, ok := stat.Mean(values); ok {
			return &m
		}
		return nil
	}
	return &Agreement{
		Spearman: mean(func(c Comparison) *float64 { return c.Spearman }),
		Kendall:  mean(func(c Comparison) *float64 { return c.Kendall }),
		MAE:      mean(func(c Comparison) *float64 { return c.MAE }),
		Subsets:  len(all),
	}
}

// subsetSearch scores subsets of a panel's tasks quickly.
type subsetSearch struct {
	panel  *Panel
	alpha  float64
	full   []float64 // AMS on the whole
	groups [][]int   // positions of tasks by benchmark and stratum
	take   []int     // of each group
	size   [3]float64
}

func newSubsetSearch(p *Panel, seats []Seat, alpha float64) (*subsetSearch, error) {
	comps, err := Score(p, alpha)
	if err != nil {
		return nil, err
	}
	s := &subsetSearch{panel: p, alpha: alpha, full: AMSOf(comps)}
	for _, seat := range seats {
		var group []int
		for t, task := range p.Tasks {
			if task.Key.Benchmark == seat.Benchmark && task.Stratum == seat.Stratum {
				group = append(group, t)
			}
		}
		s.groups, s.take = append(s.groups, group), append(s.take, seat.Chosen)
		s.size[seat.Stratum] += float64(seat.Chosen)
	}
	return s, nil
}

// draw is a random subset with the right shares, as a flag for each task.
func (s *subsetSearch) draw(r *rand.Rand) []bool {
	chosen := make([]bool, len(s.panel.Tasks))
	for g, group := range s.groups {
		for _, i := range r.Perm(len(group))[:s.take[g]] {
			chosen[group[i]] = true
		}
	}
	return chosen
}

// sumsOf are the configurations' sums over the chosen tasks, by stratum.
func (s *subsetSearch) sumsOf(chosen []bool) [][3]sums {
	out := make([][3]sums, len(s.full))
	for c := range out {
		for t, in := range chosen {
			if in {
				cell := s.panel.At(c, t)
				out[c][s.panel.Tasks[t].Stratum].add(sums{cell.Reward, cell.Masked, cell.Failure})
			}
		}
	}
	return out
}

func (s *subsetSearch) score(of [3]sums) float64 {
	ams := 0.0
	for _, stratum := range Strata {
		ams += of[stratum].stratumScore(s.size[stratum], s.alpha)
	}
	return ams / 3
}

func (s *subsetSearch) scores(chosen []bool) []float64 {
	out := make([]float64, len(s.full))
	for c, of := range s.sumsOf(chosen) {
		out[c] = s.score(of)
	}
	return out
}

// compare is the agreement of a subset with the whole over some configurations.
func (s *subsetSearch) compare(chosen []bool, configs []int) Comparison {
	scores := s.scores(chosen)
	var names []string
	var a, b []float64
	for _, c := range slices.Sorted(slices.Values(configs)) {
		names, a, b = append(names, s.panel.Configs[c]), append(a, s.full[c]), append(b, scores[c])
	}
	return Compare(names, a, b)
}

// merit is what the search maximises: ρ, then less error. Rounded, so that
// float noise does not steer it.
type merit struct{ rho, lessError float64 }

func (m merit) above(o merit) bool {
	return m.rho > o.rho || m.rho == o.rho && m.lessError > o.lessError+1e-9
}

// search swaps tasks within their group, starting from random subsets, until
// no swap helps; the best of all starts.
func (s *subsetSearch) search(configs []int, r *rand.Rand) []bool {
	var best []bool
	var top merit
	for range subsetStarts {
		chosen := s.draw(r)
		if m := s.climb(chosen, configs); best == nil || m.above(top) {
			best, top = chosen, m
		}
	}
	return best
}

// climb improves chosen in place by the first swap that helps, over and over.
func (s *subsetSearch) climb(chosen []bool, configs []int) merit {
	full, scores := make([]float64, len(configs)), make([]float64, len(configs))
	for i, c := range configs {
		full[i] = round12(s.full[c])
	}
	state := s.sumsOf(chosen)
	// measure is the merit after task out gives way to task in (-1: neither).
	measure := func(out, in int) merit {
		err := 0.0
		for i, c := range configs {
			of := state[c]
			if out >= 0 {
				of[s.panel.Tasks[out].Stratum].add(cellSums(s.panel.At(c, out), -1))
				of[s.panel.Tasks[in].Stratum].add(cellSums(s.panel.At(c, in), 1))
			}
			scores[i] = round12(s.score(of))
			err += max(scores[i]-full[i], full[i]-scores[i])
		}
		rho, _ := stat.Spearman(full, scores)
		return merit{round12(rho), -round12(err)}
	}
	now := measure(-1, -1)
	// A climb ends long before the bound, which is there so that a tie that
	// float noise breaks one way and then the other cannot turn in a circle.
	swaps := 0
	for better := true; better; {
		better = false
		for _, group := range s.groups {
			for _, in := range group {
				for _, out := range group {
					if chosen[in] || !chosen[out] {
						continue
					}
					if m := measure(out, in); m.above(now) && swaps < maxSwaps {
						swaps++
						chosen[in], chosen[out] = true, false
						state = s.sumsOf(chosen) // afresh: no drift from subtracting
						now, better = m, true
					}
				}
			}
		}
	}
	return now
}

// cellSums is a cell's summands times sign.
func cellSums(c *Cell, sign float64) sums {
	return sums{sign * c.Reward, sign * c.Masked, sign * c.Failure}
}
