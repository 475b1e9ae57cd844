package scoring

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"amdb/scoring/stat"
)

// A goldenRun is a line of testdata/golden/NAME.runs.jsonl.
type goldenRun struct {
	Source, Task, Model, CLI, Description string
	Reward                                float64
	CostUSD                               float64 `json:"cost_usd"`
	TotalTokens                           float64 `json:"total_tokens"`
	Steps                                 float64
}

func (r goldenRun) config() string { return r.Model + "/" + r.CLI }
func (r goldenRun) key() TaskKey   { return TaskKey{r.Source, r.Task} }

type goldenScore struct {
	AMS, TQ, AUBQC, EFR float64
	Strata              map[string]struct{ AMS, TQ, AUBQC, EFR float64 }
}

type goldenComparison struct {
	Spearman, Kendall, MAE float64
	MaxRankShift           int `json:"max_rank_shift"`
	Winner                 []string
}

// goldenExpected is what the independent program computed.
type goldenExpected struct {
	Calibration struct {
		Alpha   float64
		Effort  map[string]float64
		Stratum map[string]string
		Budgets map[string][]float64
		Eta     map[string]float64
		Stats   map[string]struct {
			MedianTokens float64 `json:"median_tokens"`
			MedianSteps  float64 `json:"median_steps"`
			ZeroRate     float64 `json:"zero_rate"`
		}
	}
	Leaderboard       map[string]goldenScore
	Ranks             map[string]int
	Ablation          map[string]goldenComparison
	Fidelity          *goldenComparison
	Descriptions      map[string]map[string]goldenScore
	DescriptionsMacro map[string]float64 `json:"descriptions_macro"`
}

const goldenDir = "../testdata/golden"

func goldenRuns(t testing.TB, set string) []goldenRun {
	t.Helper()
	f, err := os.Open(filepath.Join(goldenDir, set+".runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var runs []goldenRun
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r goldenRun
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	return runs
}

func goldenCore(t testing.TB, set string) func(TaskKey) bool {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(goldenDir, set+".core.txt"))
	if err != nil {
		t.Fatal(err)
	}
	core := strings.Fields(string(b))
	return func(k TaskKey) bool { return slices.Contains(core, k.Task) }
}

// cellRuns are the executions of one cell, found by looking at every run.
func cellRuns(runs []goldenRun, config string, key TaskKey, description string) []goldenRun {
	var out []goldenRun
	for _, r := range runs {
		if r.config() == config && r.key() == key && r.Description == description {
			out = append(out, r)
		}
	}
	return out
}

func meanOf(runs []goldenRun, value func(goldenRun) float64) float64 {
	sum := 0.0
	for _, r := range runs {
		sum += value(r)
	}
	return sum / float64(len(runs))
}

// distinct is the sorted configurations and tasks of the runs of a description.
func distinct(runs []goldenRun, description string) (configs []string, tasks []TaskKey) {
	for _, r := range runs {
		if r.Description == description {
			configs, tasks = append(configs, r.config()), append(tasks, r.key())
		}
	}
	slices.Sort(configs)
	slices.SortFunc(tasks, TaskKey.Compare)
	return slices.Compact(configs), slices.Compact(tasks)
}

// goldenCalibration calibrates over all tasks with the complete configurations.
func goldenCalibration(t testing.TB, runs []goldenRun) Calibration {
	t.Helper()
	configs, tasks := distinct(runs, "original")
	var reference []string
	for _, c := range configs {
		complete := true
		for _, k := range tasks {
			complete = complete && len(cellRuns(runs, c, k, "original")) > 0
		}
		if complete {
			reference = append(reference, c)
		}
	}
	var stats []TaskStats
	for _, k := range tasks {
		var tokens, steps, zero []float64
		for _, c := range reference {
			cell := cellRuns(runs, c, k, "original")
			tokens = append(tokens, meanOf(cell, func(r goldenRun) float64 { return r.TotalTokens }))
			steps = append(steps, meanOf(cell, func(r goldenRun) float64 { return r.Steps }))
			zero = append(zero, meanOf(cell, func(r goldenRun) float64 {
				if r.Reward == 0 {
					return 1
				}
				return 0
			}))
		}
		mt, _ := stat.Median(tokens)
		ms, _ := stat.Median(steps)
		zr := exactMean(zero) // the set holds a tie, 7/9 three times, whose doubles differ: see docs/method.md, 2.2
		stats = append(stats, TaskStats{Key: k, MedianTokens: &mt, MedianSteps: &ms, ZeroRate: zr})
	}
	draft, err := Calibrate(DefaultRules(), "", reference, stats, nil)
	if err != nil {
		t.Fatal(err)
	}
	var costs heldCosts
	for _, r := range runs {
		if r.Description == "original" && slices.Contains(reference, r.config()) {
			costs.add(draft.Strata[r.key()], r.Reward, r.CostUSD)
		}
	}
	cal, err := draft.Fix(costs.quantiles(draft.Need))
	if err != nil {
		t.Fatal(err)
	}
	return *cal
}

// heldCosts are costs by stratum, of executions without and with a reward.
type heldCosts [3][2][]float64

func (h *heldCosts) add(s Stratum, reward, cost float64) {
	kind := 0
	if reward > 0 {
		kind = 1
	}
	h[s][kind] = append(h[s][kind], cost)
}

func (h *heldCosts) quantiles(need CostQuantiles) map[Stratum]ReferenceCosts {
	of := func(costs, ps []float64) (out []float64) {
		for _, p := range ps {
			if q, ok := stat.Quantile7(costs, p); ok {
				out = append(out, q)
			}
		}
		return out
	}
	out := map[Stratum]ReferenceCosts{}
	for _, s := range Strata {
		out[s] = ReferenceCosts{Rewarded: of(h[s][1], need.Rewarded), Zero: of(h[s][0], need.Zero)}
	}
	return out
}

// goldenPanel is the cells of one description over its own configurations and
// the tasks that keep says true for.
func goldenPanel(runs []goldenRun, cal Calibration, description string, keep func(TaskKey) bool) *Panel {
	configs, keys := distinct(runs, description)
	strata := cal.Stratify()
	var tasks []PanelTask
	for _, k := range keys {
		if keep(k) {
			tasks = append(tasks, PanelTask{k, strata[k]})
		}
	}
	p := NewPanel(configs, tasks)
	for c, config := range p.Configs {
		for i, task := range p.Tasks {
			cell := cellRuns(runs, config, task.Key, description)
			if len(cell) == 0 {
				continue
			}
			rules := cal.Strata[task.Stratum]
			out := Cell{Runs: uint32(len(cell)), Totals: Totals{Runs: uint32(len(cell))}}
			out.Reward = meanOf(cell, func(r goldenRun) float64 { return r.Reward })
			out.Masked = meanOf(cell, func(r goldenRun) float64 { m, _ := MaskedReward(r.Reward, r.CostUSD, rules.Budgets); return m })
			out.Failure = meanOf(cell, func(r goldenRun) float64 {
				if ExpensiveFailure(r.Reward, r.CostUSD, rules.EtaUSD) {
					return 1
				}
				return 0
			})
			for _, r := range cell {
				out.Totals.CostUSD += r.CostUSD
				out.Totals.Tokens += r.TotalTokens
				if Passed(r.Reward, DefaultPassThreshold) {
					out.Totals.Passes++
					out.Totals.PassCostUSD += r.CostUSD
					out.Totals.PassTokens += r.TotalTokens
				}
			}
			*p.At(c, i) = out
		}
	}
	return p
}

func allTasks(TaskKey) bool { return true }

// goldenWordings is the panels of the descriptions: the tasks and targets are
// those that ran under a source-conditioned one.
func goldenWordings(runs []goldenRun, cal Calibration) DescriptionPanels {
	sources, tasks := map[string]*Panel{}, []TaskKey(nil)
	var targets []string
	for _, r := range runs {
		if r.Description != Original && r.Description != Generic && sources[r.Description] == nil {
			sources[r.Description] = goldenPanel(runs, cal, r.Description, allTasks)
			targets, tasks = distinct(runs, r.Description)
		}
	}
	keep := func(k TaskKey) bool { return slices.Contains(tasks, k) }
	original := goldenPanel(runs, cal, Original, keep)
	return DescriptionPanels{
		Original: original.Filter(func(c int) bool { return slices.Contains(targets, original.Configs[c]) }),
		Generic:  goldenPanel(runs, cal, Generic, keep),
		Sources:  sources,
	}
}
