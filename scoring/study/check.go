package study

import (
	"context"
	"slices"

	"amdb/schema"
	"amdb/sql"
)

// Finding is a kind of fault in one scope (view quality_issues).
type Finding struct {
	Kind         string  `json:"kind"`
	Severity     string  `json:"severity"` // error, warning, note
	ScopeType    string  `json:"scope_type"`
	Scope        string  `json:"scope"`
	Found        int64   `json:"found"`
	OutOf        int64   `json:"out_of"`
	ExampleRunID *string `json:"example_run_id"`
	Message      string  `json:"message"`
	Effect       string  `json:"effect"`
}

// FindingKind is a kind of fault over all scopes that show it.
type FindingKind struct {
	Kind     string `json:"kind"`
	Severity string `json:"severity"`
	Found    int64  `json:"found"`
	OutOf    int64  `json:"out_of"` // in the scopes that show it
	Scopes   int    `json:"scopes"`
	Says     string `json:"says"`
	Effect   string `json:"effect"`
}

// Quality is what is doubtful in a database (docs/json.md).
type Quality struct {
	Runs     int64         `json:"runs"`
	Errors   int           `json:"errors"` // findings of each severity
	Warnings int           `json:"warnings"`
	Notes    int           `json:"notes"`
	Kinds    []FindingKind `json:"kinds"`
	Findings []Finding     `json:"findings"`
	Grid     *Grid         `json:"grid,omitempty"`
}

// CheckOptions are the choices of one check.
type CheckOptions struct {
	Kinds []string // only these; empty: all
	Grid  bool     // the coverage holes as a grid, too
}

// Check lists what is doubtful in the data.
func Check(ctx context.Context, db *sql.DB, o CheckOptions) (*Quality, error) {
	q := &Quality{Kinds: []FindingKind{}, Findings: []Finding{}}
	if err := db.Row(ctx, "SELECT count(*) FROM stored_runs", nil, &q.Runs); err != nil {
		return nil, err
	}
	meanings, err := kindMeanings(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, k := range o.Kinds {
		if _, ok := meanings[k]; !ok {
			return nil, schema.Faultf(schema.Usage, "--kind "+k, `amdb sql "SELECT * FROM issue_kinds" lists them`, "there is no such kind of finding")
		}
	}
	if err := db.StageIssues(ctx); err != nil {
		return nil, err
	}
	rows, err := db.Rows(ctx, sql.Query("findings"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f Finding
		if err := rows.Scan(&f.Kind, &f.Severity, &f.ScopeType, &f.Scope, &f.Found, &f.OutOf, &f.ExampleRunID, &f.Message, &f.Effect); err != nil {
			return nil, err
		}
		if len(o.Kinds) == 0 || slices.Contains(o.Kinds, f.Kind) {
			q.add(f, meanings[f.Kind])
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if o.Grid {
		q.Grid, err = ReadGrid(ctx, db)
	}
	return q, err
}

// add takes a finding; those of one kind come one after another.
func (q *Quality) add(f Finding, says string) {
	switch f.Severity {
	case "error":
		q.Errors++
	case "warning":
		q.Warnings++
	default:
		q.Notes++
	}
	q.Findings = append(q.Findings, f)
	if n := len(q.Kinds); n == 0 || q.Kinds[n-1].Kind != f.Kind {
		q.Kinds = append(q.Kinds, FindingKind{Kind: f.Kind, Severity: f.Severity, Says: says, Effect: f.Effect})
	}
	k := &q.Kinds[len(q.Kinds)-1]
	k.Found += f.Found
	k.OutOf += f.OutOf
	k.Scopes++
}

// Fails says whether the findings reach a severity.
func (q *Quality) Fails(severity string) bool {
	return q.Errors > 0 || severity == "warning" && q.Warnings > 0
}

func kindMeanings(ctx context.Context, db *sql.DB) (map[string]string, error) {
	rows, err := db.Rows(ctx, sql.Query("kinds"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var kind, severity, says, effect string
		if err := rows.Scan(&kind, &severity, &says, &effect); err != nil {
			return nil, err
		}
		out[kind] = says
	}
	return out, rows.Err()
}

// Grid is the tasks that some configuration lacks, by every configuration.
type Grid struct {
	Configs []string   `json:"configs"`
	Tasks   []GridTask `json:"tasks"`
}

// GridTask is one line of a grid.
type GridTask struct {
	Benchmark string  `json:"benchmark"`
	Task      string  `json:"task"`
	Missing   int     `json:"missing"`     // configurations without a scored run
	Runs      []int64 `json:"runs"`        // by configuration
	Scored    []int64 `json:"scored_runs"` // those with a reward
}

// ReadGrid reads the coverage holes under the description original.
func ReadGrid(ctx context.Context, db *sql.DB) (*Grid, error) {
	g := &Grid{Configs: []string{}, Tasks: []GridTask{}}
	rows, err := db.Rows(ctx, sql.Query("coverage_grid"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var benchmark, task, config string
		var runs, scored int64
		if err := rows.Scan(&benchmark, &task, &config, &runs, &scored); err != nil {
			return nil, err
		}
		if n := len(g.Tasks); n == 0 || g.Tasks[n-1].Benchmark != benchmark || g.Tasks[n-1].Task != task {
			g.Tasks = append(g.Tasks, GridTask{Benchmark: benchmark, Task: task})
		}
		if len(g.Tasks) == 1 {
			g.Configs = append(g.Configs, config)
		}
		t := &g.Tasks[len(g.Tasks)-1]
		t.Runs, t.Scored = append(t.Runs, runs), append(t.Scored, scored)
		if scored == 0 {
			t.Missing++
		}
	}
	return g, rows.Err()
}
