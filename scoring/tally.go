package scoring

import (
	"math"
	"math/bits"

	"amdb/scoring/stat"
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
	reward, cost, passCost, tokens, passTokens stat.WholeSum
	Masked
}

// Masked is the part of a tally that hangs on the calibration: the sums of M
// and F (section 3). Alternative calibrations need no more.
type Masked struct {
	masked   stat.WholeSum
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
	t.cost.Add(costHi, costLo)
	t.tokens.Add(0, uint64(e.Tokens))
	passed := bit(Passed(e.Reward, c.PassThreshold))
	t.passes += uint32(passed)
	t.passFree += uint32(passed & bit(e.Cost == 0))
	t.passCost.Add(costHi&-passed, costLo&-passed)
	t.passTokens.Add(0, uint64(e.Tokens)&-passed)
	if !counts {
		return
	}
	t.counted++
	reward := fewUnits(e.Reward)
	t.reward.Add(0, reward)
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
	m.masked.Add(bits.Mul64(reward, uint64(level)))
	m.failures += uint32(bit(failure))
}

// Merge adds the executions of another part of the same cell.
func (m *Masked) Merge(o *Masked) {
	m.masked.Add(o.masked.High, o.masked.Low)
	m.failures += o.failures
}

// Into gives a cell of executions that are counted already its means; levels is
// how many budgets the task's stratum has.
func (m *Masked) Into(c *Cell, levels int) {
	if n := float64(c.Runs); n > 0 {
		c.Masked = m.masked.Float() / unit / float64(levels) / n
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
	t.reward.Add(o.reward.High, o.reward.Low)
	t.cost.Add(o.cost.High, o.cost.Low)
	t.passCost.Add(o.passCost.High, o.passCost.Low)
	t.tokens.Add(o.tokens.High, o.tokens.Low)
	t.passTokens.Add(o.passTokens.High, o.passTokens.Low)
}

// Cell is the tally as means and totals; levels is how many budgets the task's
// stratum has.
func (t *Tally) Cell(levels int) Cell {
	c := Cell{Runs: t.counted, Totals: Totals{
		Runs: t.runs, Passes: t.passes,
		MissingReward: t.noReward, MissingCost: t.noCost, MissingTokens: t.noTokens,
		CostUSD: t.cost.Float() / unit, Tokens: t.tokens.Float(),
		PassCostUSD: t.passCost.Float() / unit, PassTokens: t.passTokens.Float(),
		PassNoCost: t.passNoCost, PassNoTokens: t.passNoTokens, PassZeroCost: t.passFree,
	}}
	if n := float64(t.counted); n > 0 {
		c.Reward = t.reward.Float() / unit / n
	}
	t.Into(&c, levels)
	return c
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
