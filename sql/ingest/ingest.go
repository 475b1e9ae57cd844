// Package ingest loads runs: it reads sources as Arrow batches that hold the
// rules of package schema, and stores them in one transaction. Either all of a
// load is stored or none of it.
package ingest

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"amdb/schema"
	"amdb/schema/source"
	"amdb/schema/source/reader"
	"amdb/sql"
)

// OnConflict says what happens to a run whose run_id is there with other
// values.
type OnConflict string

// The choices for a conflict.
const (
	ConflictError   OnConflict = "error"
	ConflictSkip    OnConflict = "skip"    // keep what is there
	ConflictReplace OnConflict = "replace" // take what comes
)

// Options are the choices of one load.
type Options struct {
	Paths        []string
	Format       string // auto, or an input format
	Map          []string
	Source       reader.Options
	Rewards      *schema.Range // declared scale of the rewards; nil: [0,1]
	AllowRejects bool
	OnConflict   OnConflict
	DryRun       bool
	Prices       []Price // a price table to add first
	Stdin        io.Reader
	Version      string    // of amdb, for provenance
	Now          time.Time // of the load, for provenance
	Progress     func(file string, rows int64)
}

// FileResult counts what became of one source's runs.
type FileResult struct {
	Path      string `json:"path"`
	Format    string `json:"format"`
	SHA256    string `json:"sha256"`
	Read      int64  `json:"read"`
	Inserted  int64  `json:"inserted"`
	Unchanged int64  `json:"unchanged"`
	Replaced  int64  `json:"replaced"`
	Skipped   int64  `json:"skipped"`
	Rejected  int64  `json:"rejected"`
}

// Result counts what became of a load's runs.
type Result struct {
	Files     []FileResult `json:"files"`
	Read      int64        `json:"read"`
	Inserted  int64        `json:"inserted"`
	Unchanged int64        `json:"unchanged"`
	Replaced  int64        `json:"replaced"`
	Skipped   int64        `json:"skipped"`
	Rejected  int64        `json:"rejected"`
	DryRun    bool         `json:"dry_run"`
	// Priced counts the runs without a reported cost that the price table
	// priced; Unpriced those that stay without a cost.
	Priced   int64           `json:"priced"`
	Unpriced int64           `json:"unpriced"`
	Rejects  []schema.Reject `json:"rejects,omitempty"`
	// RejectedBy counts the rejects by the rule that they broke, most first.
	RejectedBy []RejectCount `json:"rejected_by,omitempty"`
	Notes      []schema.Note `json:"notes,omitempty"`
	Warnings   []string      `json:"warnings"`
}

// RejectCount is how many rows broke one rule.
type RejectCount struct {
	Column string `json:"column"`
	Reason string `json:"reason"`
	Rows   int64  `json:"rows"`
}

// Load reads every source and stores its runs. On any error the database is as
// it was.
func Load(ctx context.Context, db *sql.DB, o Options) (*Result, error) {
	mapping, err := schema.NewMapping(o.Map)
	if err != nil {
		return nil, &schema.Fault{Class: schema.Usage, Err: err, Hint: "as --map reward=score"}
	}
	inputs, err := source.Discover(ctx, o.Paths, o.Format, o.Source, o.Stdin)
	defer func() {
		for i := range inputs {
			inputs[i].Close()
		}
	}()
	if err != nil {
		return nil, inputFault(err)
	}
	l := &loader{db: db, o: o, inputs: inputs, mapping: mapping}
	if err := l.seed(ctx); err != nil {
		return nil, err
	}
	return l.run(ctx)
}

// described says how the sources were read, as JSON for the table loads; nil
// where nothing was declared.
func (l *loader) described() any {
	var d struct {
		Map     []string `json:"map,omitempty"`
		Rewards string   `json:"reward_range,omitempty"`
	}
	d.Map = l.mapping.Declared()
	if l.o.Rewards != nil {
		d.Rewards = l.o.Rewards.String()
	}
	if d.Map == nil && d.Rewards == "" {
		return nil
	}
	b, err := json.Marshal(d)
	if err != nil {
		return nil // texts always marshal
	}
	return string(b)
}
