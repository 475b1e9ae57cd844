package scoring

import (
	"fmt"
	"slices"

	"amdb/scoring/stat"
)

// BootstrapOptions say how tasks are resampled.
type BootstrapOptions struct {
	Draws   int     `json:"draws"`
	Seed    uint64  `json:"seed"`
	Level   float64 `json:"level"` // of the two-sided intervals
	Workers int     `json:"-"`     // 0: one a processor; changes no figure
}

// DefaultBootstrap are the defaults [ours].
func DefaultBootstrap() BootstrapOptions {
	return BootstrapOptions{Draws: 10_000, Seed: 1, Level: 0.95}
}

// Validate says what is wrong with the options.
func (o BootstrapOptions) Validate() error {
	switch {
	case o.Draws < 100 || o.Draws > 1_000_000: // all draws of all configurations are held
		return fmt.Errorf("%d bootstrap draws: an interval needs 100 to 1,000,000", o.Draws)
	case !(o.Level > 0 && o.Level < 1):
		return fmt.Errorf("level %v is outside (0,1)", o.Level)
	}
	return nil
}

// tails are the two quantile levels of the interval.
func (o BootstrapOptions) tails() (lo, hi float64) { return (1 - o.Level) / 2, (1 + o.Level) / 2 }

// resamples is the scores of every configuration under every draw of tasks:
// ams[c·draws+b]. All configurations share the draws.
type resamples struct {
	draws int
	ams   []float64
}

func (r resamples) of(c int) []float64 { return r.ams[c*r.draws : (c+1)*r.draws] }

// resample draws tasks within strata, the calibration and the strata's sizes
// being fixed. From a stratum of n tasks it draws n − 1 [ours: the rescaling
// bootstrap of survey sampling], because n draws understate the variance of a
// mean by (n−1)/n, which is 10 % at the ten tasks of a stratum of a core set.
// A stratum of one task does not vary.
func (p *Panel) resample(tasks [3][]int, alpha float64, o BootstrapOptions) resamples {
	configs := len(p.Configs)
	cells := newSumRows(len(p.Tasks), configs)
	for c := range configs {
		for t := range p.Tasks {
			cells.set(t, c, p.At(c, t))
		}
	}
	out := resamples{o.Draws, make([]float64, configs*o.Draws)}
	draws := newDrawStream("bootstrap", o.Seed, p.Tasks)
	forBlocks(o.Draws, blockSize, o.Workers, func() func(int, int, int) {
		acc := make([]float64, cells.width)
		score := make([]float64, configs)
		return func(block, from, to int) {
			r := draws.block(block)
			for b := from; b < to; b++ {
				clear(score)
				for _, s := range Strata {
					clear(acc)
					n := max(1, len(tasks[s])-1)
					for range n {
						cells.addTo(acc, tasks[s][r.IntN(len(tasks[s]))])
					}
					addScores(score, acc, float64(n), alpha)
				}
				for c, v := range score {
					out.ams[c*o.Draws+b] = v / 3
				}
			}
		}
	})
	return out
}

// interval is the two type-7 quantiles of values, which it reorders.
func interval(values []float64, o BootstrapOptions) (lo, hi float64) {
	pl, ph := o.tails()
	return quantileSelect(values, pl), quantileSelect(values, ph)
}

// quantileSelect is Quantile7 by selection, in linear time. It reorders values.
func quantileSelect(values []float64, p float64) float64 {
	place, share := stat.QuantilePlace(int64(len(values)), p)
	k := int(place)
	nth(values, k)
	if k == len(values)-1 {
		return values[k]
	}
	return stat.Between(values[k], slices.Min(values[k+1:]), share)
}

// nth puts the k-th smallest value at position k, none greater before it and
// none less after it.
func nth(v []float64, k int) {
	for lo, hi := 0, len(v)-1; lo < hi; {
		// The median of three as pivot: draws come in no order, and sorted or
		// constant input stays linear.
		a, b, c := v[lo], v[lo+(hi-lo)/2], v[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
}
