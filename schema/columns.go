// Package schema says what a run is: its columns with their types, aliases and
// rules, and how rows of any source become conformed Arrow batches. It knows
// nothing of the database.
package schema

import "strings"

// Kind is the type of a run's column.
type Kind int

// The kinds of column.
const (
	Text    Kind = iota // UTF-8
	Number              // finite double
	Integer             // whole number in 64 bits
	Time                // instant, microseconds, UTC
	JSON                // an object
)

// String is the kind in a user's words.
func (k Kind) String() string {
	return [...]string{"text", "number", "whole number", "time", "JSON object"}[k]
}

// Col is a column's position in Columns.
type Col int

// The columns of a run, in their order.
const (
	RunID Col = iota
	Benchmark
	Task
	Model
	CLI
	CLIVersion
	Description
	Attempt
	Reward
	CostUSD
	CostSource
	InputTokens
	CachedInputTokens
	OutputTokens
	TotalTokens
	Steps
	StartedAt
	FinishedAt
	Status
	Extra
	NumColumns
)

// Column describes one column of a run (docs/schema.md is made from it).
type Column struct {
	Name     string
	Kind     Kind
	Required bool // a file without this column cannot be loaded
	NotEmpty bool // a row with NULL or "" here is rejected
	Min, Max *float64
	Aliases  []string // names that other tools give it
	Doc      string
}

// Columns is the one table of what a run holds: the Arrow schema, the rules,
// the aliases and the documentation all come from it.
var Columns = [NumColumns]Column{
	RunID: {
		Name: "run_id", Kind: Text, Aliases: []string{"trial_id", "run", "uuid"},
		Doc: "Identity. Where the source gives none: a hash of benchmark, task, model, cli, description and attempt.",
	},
	Benchmark: {
		Name: "benchmark", Kind: Text, Aliases: []string{"source", "suite", "dataset"},
		Doc: "The suite that the task comes from. A task's key is (benchmark, task). Default: empty.",
	},
	Task: {
		Name: "task", Kind: Text, Required: true, NotEmpty: true, Aliases: []string{"task_id", "task_name", "instance_id"},
		Doc: "The task's id within its suite.",
	},
	Model: {
		Name: "model", Kind: Text, Required: true, NotEmpty: true, Aliases: []string{"model_name", "model_id", "llm"},
		Doc: "The language model, as recorded.",
	},
	CLI: {
		Name: "cli", Kind: Text, Required: true, NotEmpty: true, Aliases: []string{"agent", "agent_name", "harness", "scaffold"},
		Doc: "The command-line agent. Holds no slash: a configuration is model/cli.",
	},
	CLIVersion: {
		Name: "cli_version", Kind: Text, Aliases: []string{"agent_version"},
		Doc: "The agent's version, as recorded.",
	},
	Description: {
		Name: "description", Kind: Text, Aliases: []string{"variant", "wording", "prompt_variant"},
		Doc: "The wording that was run: original (default), generic, or a source configuration model/cli; a candidate is model/cli#N.",
	},
	Attempt: {
		Name: "attempt", Kind: Integer, Min: f(1), Max: f(1<<31 - 1), Aliases: []string{"trial", "repeat", "epoch", "attempt_number"},
		Doc: "Number of the attempt within its cell, from 1. Default: numbered by run_id.",
	},
	Reward: {
		Name: "reward", Kind: Number, Required: true, Min: f(0), Max: f(1), Aliases: []string{"score"},
		Doc: "The evaluator's verdict in [0,1]; true is 1 and false is 0. NULL: the evaluator gave none.",
	},
	CostUSD: {
		Name: "cost_usd", Kind: Number, Min: f(0), Max: f(1e12), Aliases: []string{"cost", "total_cost_usd", "total_cost"},
		Doc: "Billable cost in US dollars. NULL: unknown, which is not 0.",
	},
	CostSource: {
		Name: "cost_source", Kind: Text,
		Doc: "reported (by the source) or priced (from tokens by a price table).",
	},
	InputTokens: {
		Name: "input_tokens", Kind: Integer, Min: f(0), Aliases: []string{"prompt_tokens", "n_input_tokens"},
		Doc: "Input tokens, cached ones included.",
	},
	CachedInputTokens: {
		Name: "cached_input_tokens", Kind: Integer, Min: f(0), Aliases: []string{"cache_tokens", "cached_tokens", "n_cache_tokens"},
		Doc: "Input tokens that were read from a cache.",
	},
	OutputTokens: {
		Name: "output_tokens", Kind: Integer, Min: f(0), Aliases: []string{"completion_tokens", "n_output_tokens"},
		Doc: "Output tokens.",
	},
	TotalTokens: {
		Name: "total_tokens", Kind: Integer, Min: f(0), Aliases: []string{"tokens"},
		Doc: "Input and output tokens; their sum where the source gives no total.",
	},
	Steps: {
		Name: "steps", Kind: Integer, Min: f(0), Aliases: []string{"turns", "num_turns", "n_steps"},
		Doc: "Turns of the trajectory.",
	},
	StartedAt: {
		Name: "started_at", Kind: Time, Aliases: []string{"start_time", "started"},
		Doc: "When the run began. A time without a zone is UTC.",
	},
	FinishedAt: {
		Name: "finished_at", Kind: Time, Aliases: []string{"ended_at", "end_time", "finished"},
		Doc: "When the run ended.",
	},
	Status: {
		Name: "status", Kind: Text, Aliases: []string{"outcome", "failure_mode"},
		Doc: "The harness's own word: completed, AgentTimeoutError, … It never changes a reward.",
	},
	Extra: {
		Name: "extra", Kind: JSON,
		Doc: "What else the source had, credentials and configuration excluded.",
	},
}

func f(x float64) *float64 { return &x }

// byName finds a column by its exact name, byAlias by one of its aliases.
var byName, byAlias = func() (map[string]Col, map[string]Col) {
	names, aliases := map[string]Col{}, map[string]Col{}
	for c, col := range Columns {
		names[col.Name] = Col(c)
		for _, a := range col.Aliases {
			aliases[a] = Col(c)
		}
	}
	return names, aliases
}()

// derived are columns of the view runs that follow from the others: a file that
// amdb exported loads again without them.
var derived = map[string]bool{
	"config": true, "load_id": true, "reported_cost_usd": true, "priced_cost_usd": true,
	"raw_task": true, "raw_model": true, "raw_cli": true,
}

// ColumnByName finds a column by its exact name.
func ColumnByName(name string) (Col, bool) {
	c, ok := byName[name]
	return c, ok
}

// LikelyColumn is the column that a source's name stands for on its face; -1
// for none. It decides how a file is best read, never what it means.
func LikelyColumn(name string) Col {
	if c, ok := byName[fold(name)]; ok {
		return c
	}
	if c, ok := byAlias[fold(name)]; ok {
		return c
	}
	return ToExtra
}

// String is the column's name.
func (c Col) String() string { return Columns[c].Name }

// fold is a source's column name as it is compared: case and outer blanks do
// not matter.
func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }
