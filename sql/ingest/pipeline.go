package ingest

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"amdb/schema"
	"amdb/schema/source"
	"amdb/schema/source/reader"
	"amdb/schema/source/table"
)

// streamed is the schema in which runs enter the database: the conformed
// columns and the load that they belong to.
var streamed = arrow.NewSchema(append(append([]arrow.Field{}, schema.Conformed.Fields()...),
	arrow.Field{Name: "load_id", Type: arrow.PrimitiveTypes.Int32}), nil)

// pipeline reads, checks and hands over the batches of all sources. Reading
// and checking run ahead of the database, each in its own goroutine.
type pipeline struct {
	l      *loader
	ctx    context.Context
	cancel context.CancelFunc
	raw    chan rawBatch
	ready  chan arrow.RecordBatch
	wg     sync.WaitGroup

	mu      sync.Mutex
	failure error

	current arrow.RecordBatch
}

// rawBatch is a batch with the position of its source.
type rawBatch struct {
	input int
	batch *schema.Batch
}

func (l *loader) start(ctx context.Context) *pipeline {
	p := &pipeline{l: l, raw: make(chan rawBatch, 1), ready: make(chan arrow.RecordBatch, 1)}
	p.ctx, p.cancel = context.WithCancel(ctx)
	p.wg.Add(3)
	go func() { defer p.wg.Done(); p.hash() }()
	go func() { defer p.wg.Done(); defer close(p.raw); p.read() }()
	go func() { defer p.wg.Done(); defer close(p.ready); p.check() }()
	return p
}

// stop ends the goroutines and says what went wrong in them.
func (p *pipeline) stop() error {
	p.cancel()
	for b := range p.ready {
		b.Release()
	}
	p.wg.Wait()
	return p.err()
}

// finish waits until everything is read and says what went wrong.
func (p *pipeline) finish() error {
	p.wg.Wait()
	return p.err()
}

func (p *pipeline) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure == nil {
		p.failure = err
	}
	p.cancel()
}

func (p *pipeline) err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failure
}

// hash computes the digests for provenance beside the reading.
func (p *pipeline) hash() {
	for i := range p.l.inputs {
		sum, err := p.l.inputs[i].SHA256(p.ctx)
		if err != nil {
			p.fail(inputFault(err))
			return
		}
		p.l.files[i].SHA256 = sum
	}
}

// read reads the sources one after another.
func (p *pipeline) read() {
	for i := range p.l.inputs {
		if err := p.readInput(i); err != nil {
			p.fail(inputFault(err))
			return
		}
	}
}

func (p *pipeline) readInput(i int) (err error) {
	in := &p.l.inputs[i]
	s, err := in.Open(p.l.mapping.Fresh(), p.l.o.Source, func(n schema.Note) { p.l.note(i, n) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for {
		b, err := s.Next(p.ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case p.raw <- rawBatch{i, b}:
		case <-p.ctx.Done():
			b.Release()
			return context.Cause(p.ctx)
		}
	}
}

// check holds batches against the rules.
func (p *pipeline) check() {
	for rb := range p.raw {
		if p.ctx.Err() != nil {
			rb.batch.Release()
			continue
		}
		c := &p.l.conformers[rb.input]
		rows := int64(rb.batch.Rows + len(rb.batch.Rejects))
		rec, rejects, err := c.Conform(p.ctx, rb.batch)
		rb.batch.Release()
		if err != nil {
			p.fail(err)
			continue
		}
		f := &p.l.files[rb.input]
		f.Read += rows
		f.Rejected += int64(len(rejects))
		p.l.keep(rb.input, rejects)
		if p.l.o.Progress != nil {
			p.l.o.Progress(f.Path, rows)
		}
		p.l.order[rb.input].add(rec)
		if rec.NumRows() == 0 || p.l.doomed() {
			rec.Release()
			continue
		}
		select {
		case p.ready <- withLoad(rec, p.l.firstLoad+int32(rb.input)):
		case <-p.ctx.Done():
			rec.Release()
		}
	}
}

// withLoad adds the column load_id.
func withLoad(rec arrow.RecordBatch, load int32) arrow.RecordBatch {
	b := array.NewInt32Builder(memory.DefaultAllocator)
	b.Reserve(int(rec.NumRows()))
	for range rec.NumRows() {
		b.UnsafeAppend(load)
	}
	out := array.NewRecordBatch(streamed, append(append([]arrow.Array{}, rec.Columns()...), b.NewArray()), rec.NumRows())
	rec.Release()
	return out
}

// The pipeline is the array.RecordReader that the database pulls from.

func (p *pipeline) Retain()               {}
func (p *pipeline) Release()              {}
func (p *pipeline) Schema() *arrow.Schema { return streamed }

// Next waits for the next batch.
func (p *pipeline) Next() bool {
	if p.current != nil {
		p.current.Release()
		p.current = nil
	}
	select {
	case b, ok := <-p.ready:
		p.current = b
		return ok && b != nil
	case <-p.ctx.Done():
		return false
	}
}

// RecordBatch is the batch that Next found.
func (p *pipeline) RecordBatch() arrow.RecordBatch { return p.current }

// Record is RecordBatch under its older name.
func (p *pipeline) Record() arrow.RecordBatch { return p.current }

// Err ends the statement that reads, where the pipeline failed.
func (p *pipeline) Err() error {
	if err := p.err(); err != nil {
		return err
	}
	return p.ctx.Err()
}

// inputFault makes an error of a source one for a person.
func inputFault(err error) error {
	var (
		fault   *schema.Fault
		missing *source.NotFoundError
		columns *table.MissingColumnsError
		file    *reader.FileError
	)
	switch {
	case errors.Is(err, context.Canceled), errors.As(err, &fault):
		return err
	case errors.As(err, &missing):
		return schema.Faultf(schema.Failed, missing.Path, "", "%s", missing.Reason)
	case errors.As(err, &columns):
		return schema.Faultf(schema.Rejected, columns.File, missingHint(columns.Missing[0]), "%s", columns.Reason)
	case errors.As(err, &file):
		return schema.Faultf(schema.Rejected, file.File, "see that it is whole; --format NAME reads it as another kind of file", "%s", file.Reason)
	}
	return err
}

// missingHint says how a required column is named, or declared where it may be.
func missingHint(column string) string {
	hint := "name the column that stands for it with --map " + column + "=COLUMN"
	if column == "model" || column == "cli" {
		hint += ", or declare it for the whole source with --map " + column + ":=NAME"
	}
	return hint
}
