package scoring

import (
	"math"
	"math/bits"
)

// Counting is what decides how an execution counts (section 3): the fixed
// figures of a calibration and the policies for what is missing.
type Counting struct {
	Budgets       [3][]float64 // by stratum, ascending
	Eta           [3]*float64  // by stratum; nil: no threshold
	ZeroReward    bool         // a missing reward counts as 0
	Unaffordable  bool         // a missing cost is within no budget; else the execution does not count
	PassThreshold float64
}

// Execution is one run as it is counted.
type Execution struct {
	Reward, Cost                  float64
	Tokens                        int64
	HasReward, HasCost, HasTokens bool
}

// Tally is the exact sums over a cell's executions, in any order: rewards and
// costs are added as whole numbers of 2⁻⁶⁰ and rounded once, at the end. The
// view cell_sums says the same in SQL, to the last bit.
type Tally struct {
	runs, counted, failures                            uint32
	noReward, noCost, noTokens                         uint32
	passes, passNoCost, passNoTokens, passFree         uint32
	reward, masked, cost, passCost, tokens, passTokens wide
}

// unit is the number of units of an exact sum in 1.
const unit = 1 << 60

// Add counts one execution of a task of stratum s.
func (t *Tally) Add(c *Counting, s Stratum, e Execution) {
	t.runs++
	counts := true
	if !e.HasReward {
		t.noReward++
		e.Reward, counts = 0, c.ZeroReward
	}
	if !e.HasCost {
		t.noCost++
		counts = counts && c.Unaffordable
	} else {
		t.cost.addUnits(e.Cost)
	}
	if e.HasTokens {
		t.tokens.add(0, uint64(e.Tokens))
	} else {
		t.noTokens++
	}
	if e.HasReward && Passed(e.Reward, c.PassThreshold) {
		t.pass(e)
	}
	if !counts {
		return
	}
	t.counted++
	if e.Reward > 0 {
		units := uint64(math.RoundToEven(e.Reward * unit))
		t.reward.add(0, units)
		if e.HasCost {
			t.masked.add(bits.Mul64(units, uint64(BudgetLevel(e.Cost, c.Budgets[s]))))
		}
	} else if e.HasCost && ExpensiveFailure(e.Reward, e.Cost, c.Eta[s]) {
		t.failures++
	}
}

// pass counts an execution that passed.
func (t *Tally) pass(e Execution) {
	t.passes++
	switch {
	case !e.HasCost:
		t.passNoCost++
	case e.Cost == 0:
		t.passFree++
	default:
		t.passCost.addUnits(e.Cost)
	}
	if e.HasTokens {
		t.passTokens.add(0, uint64(e.Tokens))
	} else {
		t.passNoTokens++
	}
}

// Merge adds the executions of another tally of the same cell.
func (t *Tally) Merge(o *Tally) {
	t.runs += o.runs
	t.counted += o.counted
	t.failures += o.failures
	t.noReward += o.noReward
	t.noCost += o.noCost
	t.noTokens += o.noTokens
	t.passes += o.passes
	t.passNoCost += o.passNoCost
	t.passNoTokens += o.passNoTokens
	t.passFree += o.passFree
	t.reward.add(o.reward.hi, o.reward.lo)
	t.masked.add(o.masked.hi, o.masked.lo)
	t.cost.add(o.cost.hi, o.cost.lo)
	t.passCost.add(o.passCost.hi, o.passCost.lo)
	t.tokens.add(o.tokens.hi, o.tokens.lo)
	t.passTokens.add(o.passTokens.hi, o.passTokens.lo)
}

// Cell is the tally as means and totals; levels is how many budgets the task's
// stratum has.
func (t *Tally) Cell(levels int) Cell {
	c := Cell{Runs: int(t.counted), Totals: Totals{
		Runs: int(t.runs), Passes: int(t.passes),
		MissingReward: int(t.noReward), MissingCost: int(t.noCost), MissingTokens: int(t.noTokens),
		CostUSD: t.cost.float() / unit, Tokens: t.tokens.float(),
		PassCostUSD: t.passCost.float() / unit, PassTokens: t.passTokens.float(),
		PassNoCost: int(t.passNoCost), PassNoTokens: int(t.passNoTokens), PassZeroCost: int(t.passFree),
	}}
	if n := float64(t.counted); n > 0 {
		c.Reward = t.reward.float() / unit / n
		c.Masked = t.masked.float() / unit / float64(levels) / n
		c.Failure = float64(t.failures) / n
	}
	return c
}

// wide is a whole number of 128 bits, at least 0.
type wide struct{ hi, lo uint64 }

func (w *wide) add(hi, lo uint64) {
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, lo, 0)
	w.hi, _ = bits.Add64(w.hi, hi, carry)
}

// addUnits adds x ≥ 0 as a whole number of units, halves to even. x is below
// 2⁶⁰, which the rules for costs see to.
func (w *wide) addUnits(x float64) {
	scaled := x * unit // exact: a power of two
	if scaled < 1<<53 {
		w.add(0, uint64(math.RoundToEven(scaled)))
		return
	}
	if scaled < 1<<63 { // whole already
		w.add(0, uint64(scaled))
		return
	}
	mantissa, exponent := math.Frexp(scaled)
	m, shift := uint64(math.Ldexp(mantissa, 53)), uint(exponent-53)
	if shift >= 64 {
		w.add(m<<(shift-64), 0)
		return
	}
	w.add(m>>(64-shift), m<<shift)
}

// float rounds as DuckDB does when it casts a HUGEINT to a DOUBLE, so that
// views and scores agree to the last bit.
func (w wide) float() float64 { return float64(w.lo) + float64(w.hi)*(1<<64) }
