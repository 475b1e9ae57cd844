package scoring

import (
	"fmt"
	"slices"
)

// Cell is what one configuration did at one task under one condition: means
// over its attempts, then over the condition's descriptions.
type Cell struct {
	Runs    uint32  // executions that count under the policies; 0 = the cell is missing
	Reward  float64 // mean R
	Masked  float64 // mean M
	Failure float64 // mean F
	Totals  Totals
}

// Totals are plain sums over a cell's executions, for the conventional figures.
// Unknown is counted, never summed as 0. The counts have 32 bits, for there are as
// many of them as cells; sql.DB.ScanRuns refuses more runs.
type Totals struct {
	Runs          uint32  `json:"runs"`           // all executions, rewarded or not, priced or not
	MissingReward uint32  `json:"missing_reward"` // executions without a reward
	MissingCost   uint32  `json:"missing_cost"`   // executions without a cost
	MissingTokens uint32  `json:"missing_tokens"` // executions without a token count
	Passes        uint32  `json:"passes"`         // executions that passed
	CostUSD       float64 `json:"known_cost_usd"` // over the executions whose cost is known
	Tokens        float64 `json:"known_tokens"`   // over the executions whose tokens are known
	PassCostUSD   float64 `json:"-"`              // over passed executions whose cost is known
	PassTokens    float64 `json:"-"`              // over passed executions whose tokens are known
	PassNoCost    uint32  `json:"-"`              // passed executions without a cost
	PassNoTokens  uint32  `json:"-"`              // passed executions without tokens
	PassZeroCost  uint32  `json:"-"`              // passed executions at a cost of 0
}

func (t *Totals) add(o Totals) {
	t.Runs += o.Runs
	t.MissingReward += o.MissingReward
	t.MissingCost += o.MissingCost
	t.MissingTokens += o.MissingTokens
	t.Passes += o.Passes
	t.CostUSD += o.CostUSD
	t.Tokens += o.Tokens
	t.PassCostUSD += o.PassCostUSD
	t.PassTokens += o.PassTokens
	t.PassNoCost += o.PassNoCost
	t.PassNoTokens += o.PassNoTokens
	t.PassZeroCost += o.PassZeroCost
}

// PanelTask is a task of a panel with its stratum under the calibration.
type PanelTask struct {
	Key     TaskKey
	Stratum Stratum
}

// Panel is the dense grid configurations × tasks of one condition under one
// calibration: the input of every figure from section 3 on. Configs and Tasks
// are sorted by name and key, so that sums are taken in one order always.
type Panel struct {
	Configs []string
	Tasks   []PanelTask
	Rows    [][]Cell // Rows[c][t]
}

// NewPanel makes an empty panel; configs and tasks are copied and sorted.
func NewPanel(configs []string, tasks []PanelTask) *Panel {
	p := &Panel{Configs: slices.Clone(configs), Tasks: slices.Clone(tasks)}
	slices.Sort(p.Configs)
	slices.SortFunc(p.Tasks, func(a, b PanelTask) int { return a.Key.Compare(b.Key) })
	for range p.Configs {
		p.Rows = append(p.Rows, make([]Cell, len(p.Tasks)))
	}
	return p
}

// At is the cell of configuration c at task t, by position.
func (p *Panel) At(c, t int) *Cell { return &p.Rows[c][t] }

// Row is the cells of configuration c, in the order of Tasks.
func (p *Panel) Row(c int) []Cell { return p.Rows[c] }

// Missing counts the cells of configuration c without an execution that counts.
func (p *Panel) Missing(c int) int {
	n := 0
	for _, cell := range p.Row(c) {
		if cell.Runs == 0 {
			n++
		}
	}
	return n
}

// StratumTasks are the positions of the tasks of stratum s, ascending.
func (p *Panel) StratumTasks(s Stratum) []int {
	var out []int
	for i, t := range p.Tasks {
		if t.Stratum == s {
			out = append(out, i)
		}
	}
	return out
}

// Filter is the panel of the configurations that keep says true for; p itself
// where these are all. Panels are not changed once they are made.
func (p *Panel) Filter(keep func(c int) bool) *Panel {
	var kept []bool
	for c := range p.Configs {
		kept = append(kept, keep(c))
	}
	if !slices.Contains(kept, false) {
		return p
	}
	out := &Panel{Tasks: p.Tasks}
	for c, name := range p.Configs {
		if kept[c] {
			out.Configs = append(out.Configs, name)
			out.Rows = append(out.Rows, p.Row(c))
		}
	}
	return out
}

// Complete is the panel of the configurations with no missing cell.
func (p *Panel) Complete() *Panel {
	return p.Filter(func(c int) bool { return p.Missing(c) == 0 })
}

// Subset is the panel of the tasks that keep says true for.
func (p *Panel) Subset(keep func(TaskKey) bool) *Panel {
	out := &Panel{Configs: p.Configs}
	var cols []int
	for i, t := range p.Tasks {
		if keep(t.Key) {
			out.Tasks = append(out.Tasks, t)
			cols = append(cols, i)
		}
	}
	for _, row := range p.Rows {
		own := make([]Cell, len(cols))
		for t, i := range cols {
			own[t] = row[i]
		}
		out.Rows = append(out.Rows, own)
	}
	return out
}

// EmptyStratumError says that the task set has no task in a stratum, so that
// the mean over strata is undefined.
type EmptyStratumError struct{ Stratum Stratum }

func (e *EmptyStratumError) Error() string {
	return fmt.Sprintf("stratum %s has no task in the task set", e.Stratum)
}
