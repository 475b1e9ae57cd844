package ingest

import (
	"context"
	"errors"
	"io"
	"slices"

	"amdb/schema"
	"amdb/schema/source"
	"amdb/schema/source/reader"
)

// Explained says how one source would be read.
type Explained struct {
	Path    string            `json:"path"`
	Format  string            `json:"format"`
	Reader  string            `json:"reader"` // what it recognises
	Files   int               `json:"files"`
	Sampled int64             `json:"sampled"` // runs looked at
	Columns []ExplainedColumn `json:"columns"`
	Missing []string          `json:"missing"` // columns of a run that nothing fills
	Lacking []string          `json:"lacking"` // of these, those without which it does not load
	Rejects []schema.Reject   `json:"rejects,omitempty"`
	Notes   []schema.Note     `json:"notes,omitempty"`
	Error   string            `json:"error,omitempty"` // why it cannot be read at all
}

// ExplainedColumn is what fills a column of a run, or what becomes of a
// source's column.
type ExplainedColumn struct {
	Source string   `json:"source"` // the source's column; "" where a reader or a constant fills it
	Target string   `json:"target"` // a column of a run; extra; dropped
	By     string   `json:"by"`     // map, name, alias, constant, default, reader, derived, input + output
	Filled int64    `json:"filled"` // of the sampled runs
	Values []string `json:"values"` // the first few, credentials out
}

// maxSampled and maxValues bound what an explanation looks at and shows.
const (
	maxSampled = 10_000
	maxValues  = 3
	maxValue   = 60
)

// Explain says how sources would be read and stores nothing. A source that
// could not be read is explained all the same.
func Explain(ctx context.Context, o Options) ([]Explained, error) {
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
	out := make([]Explained, len(inputs))
	for i := range inputs {
		e := &explainer{in: &inputs[i], m: mapping.Lenient(), o: o, out: &out[i]}
		if err := e.run(ctx); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// explainer looks at the beginning of one source.
type explainer struct {
	in   *source.Input
	m    *schema.Mapping
	o    Options
	out  *Explained
	runs [schema.NumColumns]ExplainedColumn
	rest map[string]*ExplainedColumn // columns that fit nothing
}

func (e *explainer) run(ctx context.Context) error {
	*e.out = Explained{
		Path: e.in.Name, Format: e.in.Format, Reader: e.in.Doc(), Files: max(1, len(e.in.Files)),
		Columns: []ExplainedColumn{}, Missing: []string{}, Lacking: []string{},
	}
	e.rest = map[string]*ExplainedColumn{}
	err := e.sample(ctx)
	var file *reader.FileError
	var missing *source.NotFoundError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &file), errors.As(err, &missing):
		e.out.Error = err.Error()
	case err != nil:
		return inputFault(err)
	}
	e.finish()
	return nil
}

// sample reads the first runs, as a load would.
func (e *explainer) sample(ctx context.Context) (err error) {
	s, err := e.in.Open(e.m, e.o.Source, func(n schema.Note) {
		if len(e.out.Notes) < maxListed {
			e.out.Notes = append(e.out.Notes, n)
		}
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	c := schema.Conformer{File: e.in.Name, Keys: &schema.Keys{}, Constants: e.m.Constants(), Rewards: e.o.Rewards}
	for e.out.Sampled < maxSampled {
		b, err := s.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		e.out.Sampled += int64(b.Rows)
		e.look(b)
		rec, rejects, err := c.Conform(ctx, b)
		b.Release()
		if err != nil {
			return err
		}
		rec.Release()
		e.out.Rejects = append(e.out.Rejects, rejects[:min(len(rejects), maxListed-len(e.out.Rejects))]...)
	}
	return nil
}

// look takes values of a batch.
func (e *explainer) look(b *schema.Batch) {
	for c := range schema.NumColumns {
		if b.Columns[c] != nil {
			take(&e.runs[c], schema.Samples(c.String(), b.Columns[c]))
		}
	}
	for _, o := range b.Others {
		if e.rest[o.Name] == nil {
			e.rest[o.Name] = &ExplainedColumn{}
		}
		take(e.rest[o.Name], schema.Samples(o.Name, o.Values))
	}
}

// take counts the values and keeps the first different ones.
func take(c *ExplainedColumn, values []string) {
	c.Filled += int64(len(values))
	for _, v := range values {
		if len(c.Values) == maxValues {
			return
		}
		if r := []rune(v); len(r) > maxValue {
			v = string(r[:maxValue-1]) + "…"
		}
		if !slices.Contains(c.Values, v) {
			c.Values = append(c.Values, v)
		}
	}
}

// finish puts the columns in order: those of a run, then the others.
func (e *explainer) finish() {
	of := map[schema.Col]schema.Mapped{}
	var others []schema.Mapped
	for _, s := range e.m.Seen() {
		if s.Col >= 0 {
			of[s.Col] = s
		} else {
			others = append(others, s)
		}
	}
	constants := e.m.Constants()
	for c := range schema.NumColumns {
		col := e.runs[c]
		col.Target = c.String()
		s, seen := of[c]
		k, declared := constants[c]
		switch {
		case declared && !k.Default:
			col.By, col.Values, col.Filled = "constant", []string{k.Value}, e.out.Sampled
		case seen:
			col.Source, col.By = s.Name, s.By
		case declared:
			col.By = "default"
		case col.Filled > 0:
			col.By = "reader"
		}
		if declared && k.Default && col.Filled < e.out.Sampled {
			col.Values = append(col.Values, "else "+k.Value)
		}
		if c == schema.TotalTokens && col.Filled == 0 && e.runs[schema.InputTokens].Filled > 0 && e.runs[schema.OutputTokens].Filled > 0 {
			col.By = "input + output"
		}
		if col.By == "" || c != schema.Extra && c != schema.TotalTokens && !declared && col.Filled == 0 && e.out.Sampled > 0 {
			e.out.Missing = append(e.out.Missing, c.String())
			if required := schema.Columns[c].Required && (col.By == "" || schema.Columns[c].NotEmpty); required {
				e.out.Lacking = append(e.out.Lacking, c.String())
			}
		}
		if col.By != "" {
			e.out.Columns = append(e.out.Columns, col)
		}
	}
	for _, s := range others {
		e.out.Columns = append(e.out.Columns, e.other(s))
	}
}

// other is a source's column that fills none of a run.
func (e *explainer) other(s schema.Mapped) ExplainedColumn {
	col := ExplainedColumn{Source: s.Name, Target: "extra"}
	if r := e.rest[s.Name]; r != nil {
		col.Filled, col.Values = r.Filled, r.Values
	}
	switch {
	case s.Col == schema.Derived:
		col.Target, col.By = "passed over", "derived"
	case schema.Secret(s.Name):
		col.Target, col.By, col.Values = "dropped", "credential or configuration", nil
	}
	return col
}
