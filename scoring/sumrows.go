package scoring

import "gonum.org/v1/gonum/floats"

// sumRows are the summands of cells, a row a task (or a task and description),
// in it reward, masked reward and failure of each configuration side by side: a
// row is added to another in one call, which is what resampling does most.
type sumRows struct {
	width  int // 3 numbers a configuration
	values []float64
}

func newSumRows(rows, configs int) sumRows {
	return sumRows{3 * configs, make([]float64, 3*configs*rows)}
}

func (s sumRows) row(i int) []float64 { return s.values[i*s.width : (i+1)*s.width] }

func (s sumRows) set(i, config int, c *Cell) {
	copy(s.row(i)[3*config:], []float64{c.Reward, c.Masked, c.Failure})
}

// addTo adds row i to a row of sums.
func (s sumRows) addTo(acc []float64, i int) { floats.Add(acc, s.row(i)) }

// addScores adds to score each configuration's AMS in a stratum whose n tasks
// sum to acc.
func addScores(score, acc []float64, n, alpha float64) {
	for c := range score {
		score[c] += sums{acc[3*c], acc[3*c+1], acc[3*c+2]}.stratumScore(n, alpha)
	}
}
