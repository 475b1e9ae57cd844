package scoring

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"amdb/scoring/stat"
)

// DefaultAssignments is how many assignments the equal-size control samples.
const DefaultAssignments = 10_000

// LeaderShare is how often a target ranks first; a tie for first is shared
// equally. SE is the sampling error of the share, nil where it is exact.
type LeaderShare struct {
	Config string   `json:"config"`
	Share  float64  `json:"share"`
	SE     *float64 `json:"se,omitempty"`
}

// Quantiles are type-7 quantiles of a distribution.
type Quantiles struct {
	Q025 float64 `json:"q025"`
	Q25  float64 `json:"q25"`
	Q50  float64 `json:"q50"`
	Q75  float64 `json:"q75"`
	Q975 float64 `json:"q975"`
}

// quantileLevels are the levels of Quantiles, in its order.
var quantileLevels = [5]float64{.025, .25, .5, .75, .975}

// Adapted1 is the equal-size control of section 4: for each task one source is
// drawn uniformly and its description given to every target.
type Adapted1 struct {
	Assignments       int                  `json:"assignments"`
	Seed              uint64               `json:"seed"`
	Leaders           []LeaderShare        `json:"leaders"` // largest share first
	SameOrderAsPooled *float64             `json:"same_order_as_pooled"`
	AMSQuantiles      map[string]Quantiles `json:"ams_quantiles"` // by target
	MeanAMS           map[string]float64   `json:"mean_ams"`      // by target
	Excluded          []string             `json:"excluded,omitempty"`
}

// completeSources keeps the targets that have every cell of every source, and
// names the others.
func (w DescriptionPanels) completeSources() (kept DescriptionPanels, excluded []string, err error) {
	if err := w.Validate(); err != nil {
		return w, nil, err
	}
	keep := make([]bool, len(w.Original.Configs))
	left := 0
	for c, target := range w.Original.Configs {
		keep[c] = true
		for _, p := range w.Sources {
			keep[c] = keep[c] && p.Missing(c) == 0
		}
		if keep[c] {
			left++
		} else {
			excluded = append(excluded, target)
		}
	}
	if left == 0 {
		return w, excluded, errors.New("no target has a run under every source's description of every task")
	}
	filter := func(p *Panel) *Panel { return p.Filter(func(c int) bool { return keep[c] }) }
	kept = DescriptionPanels{Original: filter(w.Original), Sources: map[string]*Panel{}}
	for name, p := range w.Sources {
		kept.Sources[name] = filter(p)
	}
	return kept, excluded, nil
}

// pooledRanks are the ranks of complete targets under the pooled condition.
func (w DescriptionPanels) pooledRanks(tasks [3][]int, alpha float64) []int {
	c := w.scoreCondition(Pooled, tasks, alpha)
	ranks := make([]int, len(c.Configs))
	for i, r := range c.Configs {
		ranks[i] = *r.Rank
	}
	return ranks
}

// sums is a cell's three summands, side by side so that one pass over a row
// adds them all.
type sums struct{ reward, masked, failure float64 }

func (s *sums) add(o sums) {
	s.reward += o.reward
	s.masked += o.masked
	s.failure += o.failure
}

// stratumScore is the AMS of a stratum from sums over n tasks.
func (s sums) stratumScore(n, alpha float64) float64 {
	return AMS(s.reward/n, s.masked/n, s.failure/n, alpha)
}

// SampleAdapted1 samples n assignments. Equal seeds, tasks and sources give
// equal bits with any number of workers (0: one a processor). Targets without
// a run in one of the cells are left out and named.
func SampleAdapted1(w DescriptionPanels, alpha float64, n int, seed uint64, workers int) (Adapted1, error) {
	if n < 1 {
		return Adapted1{}, fmt.Errorf("%d assignments: at least 1 is needed", n)
	}
	w, excluded, err := w.completeSources()
	if err != nil {
		return Adapted1{}, err
	}
	tasks, err := w.Original.strataTasks()
	if err != nil {
		return Adapted1{}, err
	}
	scores := w.sampleScores(tasks, alpha, n, seed, workers)
	targets := w.Original.Configs
	out := Adapted1{
		Assignments: n, Seed: seed, Excluded: excluded,
		AMSQuantiles: map[string]Quantiles{}, MeanAMS: map[string]float64{},
	}
	pooled := w.pooledRanks(tasks, alpha)
	same := 0
	firsts := newFirstCounts(len(targets))
	ranking := newRanking(len(targets))
	for at := 0; at < len(scores); at += len(targets) {
		ranks := ranking.of(scores[at:], 1)
		if slices.Equal(ranks, pooled) {
			same++
		}
		firsts.add(ranks, 1)
	}
	out.SameOrderAsPooled = ratio(float64(same), n, 0)
	column := make([]float64, n)
	for c, target := range targets {
		for i := range column {
			column[i] = scores[i*len(targets)+c]
		}
		out.MeanAMS[target], _ = stat.Mean(column)
		slices.Sort(column)
		out.AMSQuantiles[target] = quantilesOf(func(p float64) float64 { return stat.QuantileSorted(column, p) })
	}
	out.Leaders = leaderShares(targets, firsts, float64(n))
	for i := range out.Leaders {
		p := out.Leaders[i].Share
		out.Leaders[i].SE = ptr(math.Sqrt(p * (1 - p) / float64(n)))
	}
	return out, nil
}

func quantilesOf(at func(p float64) float64) Quantiles {
	var v [5]float64
	for i, p := range quantileLevels {
		v[i] = at(p)
	}
	return Quantiles{v[0], v[1], v[2], v[3], v[4]}
}

// sampleScores is every target's AMS under every assignment, one assignment
// after the other.
func (w DescriptionPanels) sampleScores(tasks [3][]int, alpha float64, n int, seed uint64, workers int) []float64 {
	targets, sources := len(w.Original.Configs), w.SourceNames()
	// Row t·sources+k is task t under source k.
	cells := newSumRows(len(w.Original.Tasks)*len(sources), targets)
	for k, name := range sources {
		p := w.Sources[name]
		for t := range p.Tasks {
			for c := range targets {
				cells.set(t*len(sources)+k, c, p.At(c, t))
			}
		}
	}
	draws := newDrawStream("adapted-1", seed, w.Original.Tasks)
	scores := make([]float64, n*targets)
	forBlocks(n, blockSize, workers, func() func(int, int, int) {
		acc := make([]float64, cells.width)
		return func(block, from, to int) {
			r := draws.block(block)
			for i := from; i < to; i++ {
				out := scores[i*targets : (i+1)*targets]
				for _, s := range Strata {
					clear(acc)
					for _, t := range tasks[s] {
						cells.addTo(acc, t*len(sources)+r.IntN(len(sources)))
					}
					addScores(out, acc, float64(len(tasks[s])), alpha)
				}
				for c := range out {
					out[c] /= 3
				}
			}
		}
	})
	return scores
}

// firstCounts counts first places by the number of those who shared them, as
// integers, so that the share does not depend on the order of counting:
// counts[c][k] is how often c was one of k in first place.
type firstCounts [][]uint64

func newFirstCounts(targets int) firstCounts {
	counts := make(firstCounts, targets)
	for c := range counts {
		counts[c] = make([]uint64, targets+1)
	}
	return counts
}

// add counts one ranking, weight times.
func (f firstCounts) add(ranks []int, weight uint64) {
	shared := 0
	for _, r := range ranks {
		if r == 1 {
			shared++
		}
	}
	for c, r := range ranks {
		if r == 1 {
			f[c][shared] += weight
		}
	}
}

// merge adds the counts of other.
func (f firstCounts) merge(other firstCounts) {
	for c := range f {
		for k := range f[c] {
			f[c][k] += other[c][k]
		}
	}
}

// share is c's share of first places among total rankings.
func (f firstCounts) share(c int, total float64) float64 {
	sum := 0.0
	for shared := 1; shared < len(f[c]); shared++ {
		sum += float64(f[c][shared]) / float64(shared)
	}
	return sum / total
}

// leaderShares is the shares, largest first, equal ones by name.
func leaderShares(names []string, counts firstCounts, total float64) []LeaderShare {
	out := make([]LeaderShare, len(names))
	for i, name := range names {
		out[i] = LeaderShare{Config: name, Share: counts.share(i, total)}
	}
	slices.SortFunc(out, func(a, b LeaderShare) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Config, b.Config))
	})
	return out
}
