package scoring

import (
	"math/bits"
	"slices"
)

// MaskedUnder counts executions of one stratum under several calibrations at
// once. Whatever an execution costs, it fits as many budgets of each as the next
// higher budget of any does, so that a search among all budgets finds the levels
// under all calibrations.
type MaskedUnder struct {
	budgets []float64  // of all calibrations, ascending, each once
	levels  []uint16   // of a cost up to each budget, and above the last: calibration by calibration
	eta     []*float64 // by calibration
}

// NewMaskedUnder makes ready to count under calibrations, which differ in budgets
// and thresholds alone.
func NewMaskedUnder(calibrations []*Counting, s Stratum) *MaskedUnder {
	m := &MaskedUnder{}
	for _, c := range calibrations {
		m.budgets = append(m.budgets, c.Budgets[s]...)
		m.eta = append(m.eta, c.Eta[s])
	}
	slices.Sort(m.budgets)
	m.budgets = slices.Compact(m.budgets)
	for _, cost := range m.budgets {
		for _, c := range calibrations {
			m.levels = append(m.levels, uint16(BudgetLevel(cost, c.Budgets[s])))
		}
	}
	m.levels = append(m.levels, make([]uint16, len(calibrations))...)
	return m
}

// Add counts one execution with a cost that counts, under each calibration in its
// place among sums.
func (m *MaskedUnder) Add(sums []Masked, reward, cost float64) {
	if reward == 0 { // it adds nothing within any budget
		for i, eta := range m.eta {
			sums[i].failures += uint32(bit(ExpensiveFailure(reward, cost, eta)))
		}
		return
	}
	units := fewUnits(reward)
	at, _ := slices.BinarySearch(m.budgets, cost)
	levels := m.levels[at*len(m.eta):][:len(m.eta)]
	sums = sums[:len(levels)]
	for i, level := range levels { // only without a reward is it a failure
		sums[i].masked.Add(bits.Mul64(units, uint64(level)))
	}
}
