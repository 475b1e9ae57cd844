package scoring

import (
	"errors"
	"fmt"
	"slices"

	"amdb/scoring/stat"
)

// The conditions of section 4.
const (
	Original = "original"
	Generic  = "generic"
	Self     = "self"
	Cross    = "cross"
	Pooled   = "pooled"
)

// Conditions lists the conditions in the order in which they are reported.
var Conditions = []string{Original, Generic, Self, Cross, Pooled}

// DescriptionPanels is what every target did under every wording: one panel each, all
// over the same targets and tasks. Sources are the configurations that wrote a
// source-conditioned description.
type DescriptionPanels struct {
	Original *Panel
	Generic  *Panel            // nil: no generic description was run
	Sources  map[string]*Panel // by the source's name
}

// SourceNames are the sources, sorted.
func (w DescriptionPanels) SourceNames() []string {
	names := make([]string, 0, len(w.Sources))
	for n := range w.Sources {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Validate says what keeps the panels from being compared.
func (w DescriptionPanels) Validate() error {
	if w.Original == nil {
		return errors.New("descriptions need the runs under the original description")
	}
	if len(w.Sources) == 0 {
		return errors.New("descriptions need at least one source-conditioned description")
	}
	same := func(name string, p *Panel) error {
		if p == nil || !slices.Equal(p.Configs, w.Original.Configs) || !slices.Equal(p.Tasks, w.Original.Tasks) {
			return fmt.Errorf("description %q is not over the same targets and tasks as the original", name)
		}
		return nil
	}
	if w.Generic != nil {
		if err := same(Generic, w.Generic); err != nil {
			return err
		}
	}
	for _, name := range w.SourceNames() {
		if err := same(name, w.Sources[name]); err != nil {
			return err
		}
	}
	return nil
}

// ConditionConfig is one target under one condition. A nil figure is
// undefined, and Reason says why.
type ConditionConfig struct {
	Config       string                  `json:"config"`
	Rank         *int                    `json:"rank"`
	AMS          *float64                `json:"ams"`
	TQ           *float64                `json:"tq"`
	AUBQC        *float64                `json:"aubqc"`
	EFR          *float64                `json:"efr"`
	Strata       map[string]StratumScore `json:"strata,omitempty"`
	MeanReward   *float64                `json:"mean_reward"`
	TotalCostUSD *float64                `json:"total_cost_usd"` // every execution of the condition
	MeanCostUSD  *float64                `json:"mean_cost_usd"`  // attempts, descriptions, tasks: comparable between conditions
	Runs         int                     `json:"runs"`
	Reason       string                  `json:"reason,omitempty"`

	components Components
}

// Condition is every target under one condition, in the order of the panels.
// The macro means are over the ranked targets.
type Condition struct {
	Condition       string            `json:"condition"`
	MacroAMS        *float64          `json:"macro_ams"`
	MacroMeanReward *float64          `json:"macro_mean_reward"`
	TotalCostUSD    *float64          `json:"total_cost_usd"`
	Ranked          int               `json:"ranked"`
	Leader          []string          `json:"leader"`
	Configs         []ConditionConfig `json:"configs"`
	Reason          string            `json:"reason,omitempty"`
}

// panelsOf are the panels that a condition averages for a target; none where
// the condition does not exist for it.
func (w DescriptionPanels) panelsOf(condition, target string) (panels []*Panel, reason string) {
	switch condition {
	case Original:
		return []*Panel{w.Original}, ""
	case Generic:
		if w.Generic == nil {
			return nil, "no generic description was run"
		}
		return []*Panel{w.Generic}, ""
	case Self:
		if p, ok := w.Sources[target]; ok {
			return []*Panel{p}, ""
		}
		return nil, "the target is not a source"
	}
	for _, name := range w.SourceNames() {
		if condition == Pooled || name != target {
			panels = append(panels, w.Sources[name])
		}
	}
	if len(panels) == 0 {
		return nil, "the target's own description is the only source"
	}
	return panels, ""
}

// pooledCells is row c of the panels, averaged with equal weights per task. It
// reports false where a cell is missing in one of them.
func pooledCells(panels []*Panel, c int) ([]Cell, bool) {
	n := float64(len(panels))
	out := make([]Cell, len(panels[0].Tasks))
	for t := range out {
		for _, p := range panels {
			cell := p.At(c, t)
			if cell.Runs == 0 {
				return nil, false
			}
			out[t].Runs += cell.Runs
			out[t].Reward += cell.Reward
			out[t].Masked += cell.Masked
			out[t].Failure += cell.Failure
			out[t].Totals.add(cell.Totals)
		}
		out[t].Reward, out[t].Masked, out[t].Failure = out[t].Reward/n, out[t].Masked/n, out[t].Failure/n
	}
	return out, true
}

// cellCost is the mean cost in USD of a cell's executions, nil where one is
// unknown.
func cellCost(c *Cell) *float64 {
	return ratio(c.Totals.CostUSD, c.Totals.Runs, c.Totals.MissingCost)
}

// meanCost averages costs as rewards are averaged: attempts, descriptions,
// tasks.
func meanCost(panels []*Panel, c int) *float64 {
	sum := 0.0
	for t := range panels[0].Tasks {
		for _, p := range panels {
			cost := cellCost(p.At(c, t))
			if cost == nil {
				return nil
			}
			sum += *cost / float64(len(panels))
		}
	}
	return ratio(sum, len(panels[0].Tasks), 0)
}

// scoreCondition scores every target under one condition.
func (w DescriptionPanels) scoreCondition(condition string, tasks [3][]int, alpha float64) Condition {
	out := Condition{Condition: condition, Leader: []string{}}
	for c, target := range w.Original.Configs {
		out.Configs = append(out.Configs, w.scoreTarget(condition, c, target, tasks, alpha))
	}
	var at []int
	var names []string
	var scores, rewards []float64
	total, known := 0.0, true
	for i, r := range out.Configs {
		if r.AMS == nil {
			continue
		}
		at, names = append(at, i), append(names, r.Config)
		scores, rewards = append(scores, *r.AMS), append(rewards, *r.MeanReward)
		if known = known && r.TotalCostUSD != nil; known {
			total += *r.TotalCostUSD
		}
	}
	out.Ranked = len(at)
	ranks := Ranks(scores)
	for k, i := range at {
		out.Configs[i].Rank = &ranks[k]
	}
	out.Leader = Leaders(names, ranks)
	if m, ok := stat.Mean(scores); ok {
		r, _ := stat.Mean(rewards)
		out.MacroAMS, out.MacroMeanReward = &m, &r
		if known {
			out.TotalCostUSD = &total
		}
	}
	switch {
	case out.Ranked == 0:
		out.Reason = "no target is scored under this condition"
		if len(out.Configs) > 0 {
			out.Reason += ": " + out.Configs[0].Reason
		}
	case out.Ranked < len(out.Configs):
		out.Reason = fmt.Sprintf("macro means are over %d of %d targets", out.Ranked, len(out.Configs))
	}
	return out
}

func (w DescriptionPanels) scoreTarget(condition string, c int, target string, tasks [3][]int, alpha float64) ConditionConfig {
	out := ConditionConfig{Config: target}
	panels, reason := w.panelsOf(condition, target)
	if panels == nil {
		out.Reason = reason
		return out
	}
	row, complete := pooledCells(panels, c)
	if !complete {
		out.Reason = "a cell of the condition has no run"
		return out
	}
	var strata [3]StratumScore
	out.Strata = map[string]StratumScore{}
	for _, s := range Strata {
		strata[s] = scoreStratum(row, tasks[s], alpha)
		out.Strata[s.String()] = strata[s]
	}
	out.components = CombineStrata(strata)
	k := out.components
	f := FiguresOf(row)
	out.AMS, out.TQ, out.AUBQC, out.EFR = &k.AMS, &k.TQ, &k.AUBQC, &k.EFR
	out.MeanReward, out.TotalCostUSD, out.Runs = &f.MeanReward, f.TotalCostUSD, f.Runs
	out.MeanCostUSD = meanCost(panels, c)
	return out
}
