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

// Counts says whether an execution counts, by what is known of it.
func (c *Counting) Counts(hasReward, hasCost bool) bool {
	return (hasReward || c.ZeroReward) && (hasCost || c.Unaffordable)
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
	runs, counted                              uint32
	noReward, noCost, noTokens                 uint32
	passes, passNoCost, passNoTokens, passFree uint32
	reward, cost, passCost, tokens, passTokens wide
	Masked
}

// Masked is the part of a tally that hangs on the calibration: the sums of M
// and F (section 3). Alternative calibrations need no more.
type Masked struct {
	masked   wide
	failures uint32
}

// unit is the number of units of an exact sum in 1.
const unit = 1 << 60

// Add counts one execution of a task of stratum s. It has few branches, for
// whether a run passed or was dear cannot be foreseen.
func (t *Tally) Add(c *Counting, s Stratum, e Execution) {
	t.runs++
	counts := true
	if !e.HasReward || !e.HasCost || !e.HasTokens {
		e, counts = t.lack(c, e)
	}
	costHi, costLo := uint64(0), fewUnits(e.Cost)
	if e.Cost >= few {
		costHi, costLo = manyUnits(e.Cost)
	}
	t.cost.add(costHi, costLo)
	t.tokens.add(0, uint64(e.Tokens))
	passed := bit(Passed(e.Reward, c.PassThreshold))
	t.passes += uint32(passed)
	t.passFree += uint32(passed & bit(e.Cost == 0))
	t.passCost.add(costHi&-passed, costLo&-passed)
	t.passTokens.add(0, uint64(e.Tokens)&-passed)
	if !counts {
		return
	}
	t.counted++
	reward := fewUnits(e.Reward)
	t.reward.add(0, reward)
	if e.HasCost {
		t.mask(reward, BudgetLevel(e.Cost, c.Budgets[s]), ExpensiveFailure(e.Reward, e.Cost, c.Eta[s]))
	}
}

// Add counts one execution with a cost that counts, of a task of stratum s.
func (m *Masked) Add(c *Counting, s Stratum, reward, cost float64) {
	m.mask(fewUnits(reward), BudgetLevel(cost, c.Budgets[s]), ExpensiveFailure(reward, cost, c.Eta[s]))
}

// mask counts one execution, its reward in units.
func (m *Masked) mask(reward uint64, level int, failure bool) {
	m.masked.add(bits.Mul64(reward, uint64(level)))
	m.failures += uint32(bit(failure))
}

// Merge adds the executions of another part of the same cell.
func (m *Masked) Merge(o *Masked) {
	m.masked.add(o.masked.hi, o.masked.lo)
	m.failures += o.failures
}

// Into gives a cell of executions that are counted already its means; levels is
// how many budgets the task's stratum has.
func (m *Masked) Into(c *Cell, levels int) {
	if n := float64(c.Runs); n > 0 {
		c.Masked = m.masked.float() / unit / float64(levels) / n
		c.Failure = float64(m.failures) / n
	}
}

// bit is 1 for true, without a branch.
func bit(b bool) (n uint64) {
	if b {
		n = 1
	}
	return n
}

// lack counts what an execution lacks, says whether it counts all the same, and
// gives it with 0 for what is missing.
func (t *Tally) lack(c *Counting, e Execution) (_ Execution, counts bool) {
	passed := uint32(bit(e.HasReward && Passed(e.Reward, c.PassThreshold)))
	if !e.HasReward {
		e.Reward = 0
		t.noReward++
	}
	if !e.HasCost {
		e.Cost = 0
		t.noCost++
		t.passNoCost += passed
		t.passFree -= passed // Add will take the 0 for a cost
	}
	if !e.HasTokens {
		e.Tokens = 0
		t.noTokens++
		t.passNoTokens += passed
	}
	return e, c.Counts(e.HasReward, e.HasCost)
}

// Merge adds the executions of another tally of the same cell.
func (t *Tally) Merge(o *Tally) {
	t.runs += o.runs
	t.counted += o.counted
	t.Masked.Merge(&o.Masked)
	t.noReward += o.noReward
	t.noCost += o.noCost
	t.noTokens += o.noTokens
	t.passes += o.passes
	t.passNoCost += o.passNoCost
	t.passNoTokens += o.passNoTokens
	t.passFree += o.passFree
	t.reward.add(o.reward.hi, o.reward.lo)
	t.cost.add(o.cost.hi, o.cost.lo)
	t.passCost.add(o.passCost.hi, o.passCost.lo)
	t.tokens.add(o.tokens.hi, o.tokens.lo)
	t.passTokens.add(o.passTokens.hi, o.passTokens.lo)
}

// Cell is the tally as means and totals; levels is how many budgets the task's
// stratum has.
func (t *Tally) Cell(levels int) Cell {
	c := Cell{Runs: t.counted, Totals: Totals{
		Runs: t.runs, Passes: t.passes,
		MissingReward: t.noReward, MissingCost: t.noCost, MissingTokens: t.noTokens,
		CostUSD: t.cost.float() / unit, Tokens: t.tokens.float(),
		PassCostUSD: t.passCost.float() / unit, PassTokens: t.passTokens.float(),
		PassNoCost: t.passNoCost, PassNoTokens: t.passNoTokens, PassZeroCost: t.passFree,
	}}
	if n := float64(t.counted); n > 0 {
		c.Reward = t.reward.float() / unit / n
	}
	t.Into(&c, levels)
	return c
}

// wide is a whole number of 128 bits, at least 0.
type wide struct{ hi, lo uint64 }

func (w *wide) add(hi, lo uint64) {
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, lo, 0)
	w.hi, _ = bits.Add64(w.hi, hi, carry)
}

// few is what fewUnits takes less than: its result is an int64.
const few = 1 << 63 / unit

// fewUnits is x as a whole number of units, halves to even. x is at least 0 and
// less than few.
func fewUnits(x float64) uint64 {
	return uint64(int64(math.RoundToEven(x * unit))) // exact but for this: a power of two
}

// manyUnits is x in units where it is at least few. It is below 2⁶⁰, which the
// rules for costs see to.
func manyUnits(x float64) (hi, lo uint64) {
	mantissa, exponent := math.Frexp(x * unit)
	m, shift := uint64(math.Ldexp(mantissa, 53)), uint(exponent-53)
	if shift >= 64 {
		return m << (shift - 64), 0
	}
	return m >> (64 - shift), m << shift
}

// float rounds as DuckDB does when it casts a HUGEINT to a DOUBLE, so that
// views and scores agree to the last bit.
func (w wide) float() float64 { return float64(w.lo) + float64(float64(w.hi)*(1<<64)) }

// less is w less o.
func (w wide) less(o wide) float64 {
	sign := 1.0
	if w.hi < o.hi || w.hi == o.hi && w.lo < o.lo {
		w, o, sign = o, w, -1
	}
	lo, borrow := bits.Sub64(w.lo, o.lo, 0)
	hi, _ := bits.Sub64(w.hi, o.hi, borrow)
	return sign * wide{hi, lo}.float()
}
