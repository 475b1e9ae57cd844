// Package sample makes up runs: a grid of configurations and tasks with skills,
// difficulties, prices and luck, all from a seed. The demo, the benchmarks and
// the tests use it. Nothing in it is measured, and its names say so nowhere but
// in the demo's own words; never mix it with real runs.
package sample

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// Grid is a made-up world.
type Grid struct {
	Seed     uint64
	Models   []string
	CLIs     []string
	Tasks    []Task
	Attempts int
}

// Task is a made-up task.
type Task struct{ Benchmark, ID string }

// Run is one made-up run.
type Run struct {
	RunID, Benchmark, Task, Model, CLI, Description, Status string
	Attempt                                                 int32
	Reward, Cost                                            float64
	Input, Cached, Output, Steps                            int64
	Started, Finished                                       int64 // microseconds since 1970
}

// models and clis are the paper's grid of 7 × 4, by name.
var (
	models = []string{"glm-5.1", "gemini-3.5-flash", "qwen3.6-plus", "kimi-k2.5", "deepseek-v4", "minimax-m3", "gpt-5.3-codex"}
	clis   = []string{"codex-cli", "qwen-code", "kimi-code-cli", "claude-code"}
)

// Paper is the shape of the paper's grid: 28 configurations, 80 tasks of three
// suites.
func Paper(seed uint64) Grid {
	g := Grid{Seed: seed, Models: models, CLIs: clis, Attempts: 1}
	for _, suite := range []struct {
		name string
		n    int
	}{{"skillsbench", 30}, {"terminal-bench", 30}, {"da-code", 20}} {
		for i := range suite.n {
			g.Tasks = append(g.Tasks, Task{suite.name, fmt.Sprintf("%s-%03d", suite.name, i+1)})
		}
	}
	return g
}

// Wide is a grid of any size, for benchmarks.
func Wide(seed uint64, configs, tasks, attempts int) Grid {
	g := Grid{Seed: seed, Attempts: attempts}
	nc := min(configs, 10)
	for i := range (configs + nc - 1) / nc {
		g.Models = append(g.Models, fmt.Sprintf("provider/model-%03d", i+1))
	}
	for i := range nc {
		g.CLIs = append(g.CLIs, fmt.Sprintf("agent-%02d", i+1))
	}
	for i := range tasks {
		suite := [...]string{"skillsbench", "terminal-bench", "da-code"}[i%3]
		g.Tasks = append(g.Tasks, Task{suite, fmt.Sprintf("%s-%05d", suite, i+1)})
	}
	return g
}

// rng is a generator for one part of the world, whatever else is drawn.
func (g *Grid) rng(parts ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintln(h, parts...)
	return rand.New(rand.NewPCG(g.Seed, h.Sum64()))
}

// trait is a fixed normal quantity of something by name.
func (g *Grid) trait(kind, name string) float64 { return g.rng(kind, name).NormFloat64() }

// World draws runs of a grid.
type World struct {
	g            Grid
	skill, price map[string]float64
	difficulty   map[Task]float64
	size, match  map[string]float64
	firstMicros  int64 // when the first run began
	drawn        int
}

// NewWorld fixes the skills, prices and difficulties.
func NewWorld(g Grid) *World {
	w := &World{
		g: g, skill: map[string]float64{}, price: map[string]float64{}, difficulty: map[Task]float64{},
		size: map[string]float64{}, match: map[string]float64{}, firstMicros: 1767225600_000000, // 2026-01-01
	}
	for _, m := range g.Models {
		w.skill[m] = 0.7 * g.trait("skill", m)
		w.price[m] = exponential(0.6 * g.trait("price", m))
		for _, c := range g.CLIs {
			w.match[m+"/"+c] = 0.8 * g.trait("match", m+"/"+c)
		}
	}
	for _, t := range g.Tasks {
		w.difficulty[t] = 1.3 * g.trait("difficulty", t.ID)
		w.size[t.ID] = 60_000 * exponential(float64(0.6*g.trait("size", t.ID))+float64(0.35*w.difficulty[t]))
	}
	return w
}

// Draw is one run. boost shifts the chance of success, as a better description
// does.
func (w *World) Draw(r *rand.Rand, t Task, model, cli string, boost float64) Run {
	fit := w.skill[model] + w.match[model+"/"+cli] + boost - w.difficulty[t]
	p := 1 / (1 + exponential(-fit-0.3))
	run := Run{Benchmark: t.Benchmark, Task: t.ID, Model: model, CLI: cli, Description: "original", Attempt: 1, Status: "completed"}
	length := exponential(float64(0.35*r.NormFloat64()) - float64(0.15*fit))
	switch u := r.Float64(); {
	case u < p:
		run.Reward = 1
	case u < p+0.15:
		run.Reward = math.Round(r.Float64()*1000) / 1000
	default:
		length *= 1.5
		if r.Float64() < 0.2 {
			run.Status = "AgentTimeoutError"
			length *= 1.4
		}
	}
	run.Input = int64(w.size[t.ID] * length)
	run.Cached = int64(float64(run.Input) * (0.3 + float64(0.5*r.Float64())))
	run.Output = int64(float64(run.Input) * (0.03 + float64(0.05*r.Float64())))
	run.Steps = 2 + int64(12*length*exponential(0.2*w.difficulty[t]))
	usd := w.price[model] * (float64(float64(run.Input-run.Cached)*0.4) + float64(float64(run.Cached)*0.04) + float64(float64(run.Output)*2)) / 1e6
	run.Cost = math.Round(usd*1e6) / 1e6
	// A run a minute, within half a year: none begins in the future, however many.
	const minute, halfYear = 60_000_000, 180 * 24 * 60
	w.drawn++
	run.Started = w.firstMicros + int64(w.drawn%halfYear)*minute
	run.Finished = run.Started + int64(float64(run.Steps)*(4+float64(6*r.Float64())))*1_000_000
	return run
}

// Demo is the demo's runs: the 28 configurations on the core tasks, 16 of them
// on all 80; and, on 16 tasks, four targets under a generic description and
// under those of four sources. It names the core tasks too.
func Demo(seed uint64) (runs []Run, core []Task) {
	g := Paper(seed)
	w := NewWorld(g)
	inCore := map[Task]bool{}
	for i, t := range g.Tasks {
		if i%8 < 3 {
			core, inCore[t] = append(core, t), true
		}
	}
	r := g.rng("demo")
	for m, model := range g.Models {
		for c, cli := range g.CLIs {
			for _, t := range g.Tasks {
				run := w.Draw(r, t, model, cli, 0)
				if complete := (m*len(g.CLIs)+c)%7 < 4; complete || inCore[t] {
					runs = append(runs, run)
				}
			}
		}
	}
	targets := [][2]string{{"glm-5.1", "qwen-code"}, {"qwen3.6-plus", "kimi-code-cli"}, {"gemini-3.5-flash", "codex-cli"}, {"kimi-k2.5", "claude-code"}}
	for i, t := range core {
		if i%2 == 1 && i != 1 {
			continue
		}
		for _, target := range targets {
			run := w.Draw(r, t, target[0], target[1], 0.1)
			run.Description = "generic"
			runs = append(runs, run)
			for _, source := range targets {
				boost := 0.7
				if source == target {
					boost = 1
				}
				run := w.Draw(r, t, target[0], target[1], boost)
				run.Description = source[0] + "/" + source[1]
				runs = append(runs, run)
			}
		}
	}
	for i := range runs {
		runs[i].RunID = fmt.Sprintf("demo-%05d", i+1)
	}
	return runs, core
}

// schemaOf is a run file's columns, with the names that SPEC gives them.
var schemaOf = arrow.NewSchema([]arrow.Field{
	{Name: "run_id", Type: arrow.BinaryTypes.String},
	{Name: "benchmark", Type: arrow.BinaryTypes.String},
	{Name: "task", Type: arrow.BinaryTypes.String},
	{Name: "model", Type: arrow.BinaryTypes.String},
	{Name: "cli", Type: arrow.BinaryTypes.String},
	{Name: "description", Type: arrow.BinaryTypes.String},
	{Name: "attempt", Type: arrow.PrimitiveTypes.Int32},
	{Name: "reward", Type: arrow.PrimitiveTypes.Float64},
	{Name: "cost_usd", Type: arrow.PrimitiveTypes.Float64},
	{Name: "input_tokens", Type: arrow.PrimitiveTypes.Int64},
	{Name: "cached_input_tokens", Type: arrow.PrimitiveTypes.Int64},
	{Name: "output_tokens", Type: arrow.PrimitiveTypes.Int64},
	{Name: "steps", Type: arrow.PrimitiveTypes.Int64},
	{Name: "started_at", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}},
	{Name: "finished_at", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}},
	{Name: "status", Type: arrow.BinaryTypes.String},
}, nil)

// groupRows is how many runs a row group holds.
const groupRows = 120 << 10

// WriteParquet writes the runs that next gives, until it says false.
func WriteParquet(out io.Writer, next func() (Run, bool)) (rows int64, err error) {
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryDefault(true))
	pw, err := pqarrow.NewFileWriter(schemaOf, struct{ io.Writer }{out}, props, pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	if err != nil {
		return 0, err
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, schemaOf)
	defer b.Release()
	flush := func() error {
		rec := b.NewRecordBatch()
		defer rec.Release()
		return pw.Write(rec)
	}
	pending := 0
	for {
		run, ok := next()
		if !ok {
			break
		}
		run.append(b)
		rows++
		if pending++; pending == groupRows {
			if err := flush(); err != nil {
				return rows, err
			}
			pending = 0
		}
	}
	if pending > 0 {
		if err := flush(); err != nil {
			return rows, err
		}
	}
	return rows, pw.Close()
}

func (r *Run) append(b *array.RecordBuilder) {
	for i, s := range []string{r.RunID, r.Benchmark, r.Task, r.Model, r.CLI, r.Description} {
		b.Field(i).(*array.StringBuilder).Append(s)
	}
	b.Field(6).(*array.Int32Builder).Append(r.Attempt)
	b.Field(7).(*array.Float64Builder).Append(r.Reward)
	b.Field(8).(*array.Float64Builder).Append(r.Cost)
	for i, v := range []int64{r.Input, r.Cached, r.Output, r.Steps} {
		b.Field(9 + i).(*array.Int64Builder).Append(v)
	}
	b.Field(13).(*array.TimestampBuilder).Append(arrow.Timestamp(r.Started))
	b.Field(14).(*array.TimestampBuilder).Append(arrow.Timestamp(r.Finished))
	b.Field(15).(*array.StringBuilder).Append(r.Status)
}

// Runs gives every attempt of every configuration at every task of the grid,
// one after another, for WriteParquet.
func (g Grid) Runs() func() (Run, bool) {
	w := NewWorld(g)
	r := g.rng("runs")
	m, c, t, a, n := 0, 0, 0, 0, 0
	return func() (Run, bool) {
		if m == len(g.Models) {
			return Run{}, false
		}
		run := w.Draw(r, g.Tasks[t], g.Models[m], g.CLIs[c], 0)
		n++
		run.Attempt, run.RunID = int32(a+1), fmt.Sprintf("run-%09d", n)
		// The next attempt, task, agent, model.
		if a++; a == g.Attempts {
			a = 0
			if t++; t == len(g.Tasks) {
				t = 0
				if c++; c == len(g.CLIs) {
					c = 0
					m++
				}
			}
		}
		return run, true
	}
}
