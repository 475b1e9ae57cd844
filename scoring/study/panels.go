package study

import (
	"context"

	"amdb/scoring"
	"amdb/sql"
)

// q60 is the unit of the exact sums of cell_sums: 2⁻⁶⁰.
const q60 = 1 << 60

// panels reads every cell in scope: one panel a description, each over all the
// configurations that have a run in scope under it.
func (s *scope) panels(ctx context.Context, db *sql.DB) (map[string]*scoring.Panel, error) {
	keys, err := db.Keys(ctx)
	if err != nil {
		return nil, err
	}
	names, tasks := configNames(keys), taskKeys(keys)
	type found struct {
		config string
		task   scoring.TaskKey
		cell   scoring.Cell
	}
	byDescription := map[string][]found{}
	levels := [3]float64{}
	for i, st := range scoring.Strata {
		levels[i] = float64(len(s.cal.Strata[st].Budgets))
	}
	err = db.Batches(ctx, sql.Query("cells"), func(b sql.Batch) error {
		config, task, description, stratum := b.Ints("config_key"), b.Ints("task_key"), b.Ints("description_key"), b.Ints("stratum")
		runs, counted, failures, passes := b.Longs("runs"), b.Longs("counted_runs"), b.Longs("failures"), b.Longs("passes")
		noReward, noCost, noTokens := b.Longs("missing_reward"), b.Longs("missing_cost"), b.Longs("missing_tokens")
		passNoCost, passNoTokens := b.Longs("pass_missing_cost"), b.Longs("pass_missing_tokens")
		passZeroCost := b.Longs("pass_zero_cost")
		reward, masked := b.Doubles("reward_q60"), b.Doubles("masked_q60")
		cost, tokens, passCost, passTokens := b.Doubles("cost_q60"), b.Doubles("tokens"), b.Doubles("pass_cost_q60"), b.Doubles("pass_tokens")
		for i := range config {
			c := scoring.Cell{Runs: int(counted[i]), Totals: scoring.Totals{
				Runs: int(runs[i]), Passes: int(passes[i]),
				MissingReward: int(noReward[i]), MissingCost: int(noCost[i]), MissingTokens: int(noTokens[i]),
				CostUSD: cost[i] / q60, Tokens: tokens[i],
				PassCostUSD: passCost[i] / q60, PassTokens: passTokens[i],
				PassNoCost: int(passNoCost[i]), PassNoTokens: int(passNoTokens[i]), PassZeroCost: int(passZeroCost[i]),
			}}
			if n := float64(counted[i]); n > 0 {
				// The same operations in the same order as the view cells.
				c.Reward = reward[i] / q60 / n
				c.Masked = masked[i] / q60 / levels[stratum[i]] / n
				c.Failure = float64(failures[i]) / n
			}
			d := keys.Descriptions[description[i]]
			byDescription[d] = append(byDescription[d], found{names[config[i]], tasks[task[i]], c})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := map[string]*scoring.Panel{}
	for d, cells := range byDescription {
		configs := map[string]bool{}
		for _, c := range cells {
			configs[c.config] = true
		}
		list := make([]string, 0, len(configs))
		for c := range configs {
			list = append(list, c)
		}
		p := scoring.NewPanel(list, s.tasks)
		row, col := map[string]int{}, map[scoring.TaskKey]int{}
		for i, c := range p.Configs {
			row[c] = i
		}
		for i, t := range p.Tasks {
			col[t.Key] = i
		}
		for _, c := range cells {
			*p.At(row[c.config], col[c.task]) = c.cell
		}
		out[d] = p
	}
	return out, nil
}
