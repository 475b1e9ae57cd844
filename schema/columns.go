// Package schema says what a run is: its columns with their types, aliases and
// rules, and how rows of any source become conformed Arrow batches. It knows
// nothing of the database.
package schema

import (
	"fmt"
	"strings"
)

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

// String is the column's name.
func (c Col) String() string { return Columns[c].Name }

// fold is a source's column name as it is compared: case and outer blanks do
// not matter.
func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// Mapping decides which column of a source fills which column of a run: by
// --map first, then by exact name, then by alias. It is kept for one file, so
// that two aliases of one column are found even in different rows.
type Mapping struct {
	explicit map[Col]string // column → source name
	sources  map[string]Col // source name → column, of explicit
	used     map[Col]string // the alias that this file uses for a column
	exact    map[Col]string // the spelling of an exact name that this file uses
}

// NewMapping checks pairs of target=source, the values of --map.
func NewMapping(pairs []string) (*Mapping, error) {
	m := &Mapping{explicit: map[Col]string{}, sources: map[string]Col{}, used: map[Col]string{}, exact: map[Col]string{}}
	for _, p := range pairs {
		target, src, ok := strings.Cut(p, "=")
		if !ok || target == "" || src == "" {
			return nil, fmt.Errorf("--map %q is not target=source", p)
		}
		c, ok := ColumnByName(target)
		if !ok {
			return nil, fmt.Errorf("--map %s: a run has no column %q", p, target)
		}
		if prev, dup := m.explicit[c]; dup {
			return nil, fmt.Errorf("--map gives %s two sources, %q and %q", target, prev, src)
		}
		if prev, dup := m.sources[src]; dup {
			return nil, fmt.Errorf("--map gives %q to two columns, %s and %s", src, prev, c)
		}
		m.explicit[c], m.sources[src] = src, c
	}
	return m, nil
}

// Fresh is the same mapping for another file.
func (m *Mapping) Fresh() *Mapping {
	return &Mapping{explicit: m.explicit, sources: m.sources, used: map[Col]string{}, exact: map[Col]string{}}
}

// Explicit lists the sources that --map names.
func (m *Mapping) Explicit() map[Col]string { return m.explicit }

// What Resolve says of a name that is no column of a run.
const (
	ToExtra Col = -1 // it goes to extra
	Derived Col = -2 // it follows from other columns and is passed over
)

// Resolve maps the names of one row or header to columns. The result is
// parallel to names: a column, ToExtra or Derived.
func (m *Mapping) Resolve(names []string) ([]Col, error) {
	out := make([]Col, len(names))
	var exact [NumColumns]string
	seen := map[string]string{}
	for i, name := range names {
		out[i] = ToExtra
		key := fold(name)
		if prev, dup := seen[key]; dup {
			if prev == name {
				return nil, fmt.Errorf("column %q stands twice", name)
			}
			return nil, fmt.Errorf("columns %q and %q differ only in case or blanks", prev, name)
		}
		seen[key] = name
		if c, ok := m.sources[name]; ok {
			out[i], exact[c] = c, name
		}
	}
	for i, name := range names {
		c, ok := byName[fold(name)]
		if out[i] >= 0 || !ok || m.explicit[c] != "" {
			continue
		}
		out[i], exact[c] = c, name
		m.exact[c] = name
	}
	for i, name := range names {
		c, ok := byAlias[fold(name)]
		if out[i] >= 0 || !ok || exact[c] != "" || m.explicit[c] != "" {
			continue
		}
		if prev := m.used[c]; prev != "" && prev != name {
			return nil, fmt.Errorf("columns %q and %q both stand for %s: choose one with --map %s=%s", prev, name, c, c, name)
		}
		m.used[c] = name
		out[i] = c
	}
	if exact[RunID] != "" {
		for i, name := range names {
			if out[i] == ToExtra && derived[name] {
				out[i] = Derived
			}
		}
	}
	return out, nil
}

// MissingColumns names the required columns that the mapped columns lack.
func MissingColumns(mapped []Col) []string {
	var have [NumColumns]bool
	for _, c := range mapped {
		if c >= 0 {
			have[c] = true
		}
	}
	var out []string
	for c, col := range Columns {
		if col.Required && !have[c] {
			out = append(out, col.Name)
		}
	}
	return out
}
