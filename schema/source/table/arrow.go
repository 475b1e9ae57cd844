package table

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// columnar is a source that already comes as Arrow batches.
type columnar struct {
	name    string
	next    func() (arrow.RecordBatch, error) // io.EOF at the end; valid until the next call
	close   func() error
	columns []schema.Col
	names   []string
	first   int64
}

// newColumnar maps the fields of an Arrow schema to the columns of a run.
func newColumnar(name string, s *arrow.Schema, m *schema.Mapping) (*columnar, error) {
	c := &columnar{name: name, first: 1}
	for _, f := range s.Fields() {
		c.names = append(c.names, f.Name)
	}
	var err error
	if c.columns, err = m.Resolve(c.names); err != nil {
		return nil, &reader.FileError{File: name, Reason: err.Error()}
	}
	return c, requireColumns(name, m, c.columns, c.names)
}

func (c *columnar) Next(ctx context.Context) (*schema.Batch, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	rec, err := c.next()
	if errors.Is(err, io.EOF) {
		if c.first == 1 {
			return nil, ErrEmpty(c.name)
		}
		return nil, io.EOF
	}
	if err != nil {
		return nil, reader.ReadError(c.name, err)
	}
	b := &schema.Batch{Rows: int(rec.NumRows()), First: c.first}
	c.first += rec.NumRows()
	for i, col := range c.columns {
		values := asText(rec.Column(i))
		switch {
		case col >= 0:
			b.Columns[col] = values
		case col == schema.Derived:
			values.Release()
		default:
			b.Others = append(b.Others, schema.Other{Name: c.names[i], Values: values})
		}
	}
	return b, nil
}

// asText reads bytes that no one marked as text as text: older writers of
// Parquet mark none, and the rules check that they are UTF-8. The caller
// releases the result.
func asText(a arrow.Array) arrow.Array {
	if a.DataType().ID() != arrow.BINARY {
		a.Retain()
		return a
	}
	d := a.Data()
	data := array.NewData(arrow.BinaryTypes.String, d.Len(), d.Buffers(), nil, d.NullN(), d.Offset())
	defer data.Release()
	return array.NewStringData(data)
}

func (c *columnar) Close() error { return c.close() }

// parquetRows is how many rows a batch of Parquet holds: a row group of DuckDB.
const parquetRows = 120 << 10

func openParquet(f *os.File, name string, m *schema.Mapping) (s Stream, err error) {
	defer recovered(name, &err)
	pf, err := file.NewParquetReader(f)
	if err != nil {
		return nil, reader.ReadError(name, err)
	}
	props := pqarrow.ArrowReadProperties{Parallel: true, BatchSize: parquetRows}
	// Names repeat: as dictionaries, each is read and checked once a batch.
	leaves := pf.MetaData().Schema
	for i := range leaves.NumColumns() {
		if leaf := leaves.Column(i); leaf.PhysicalType() == parquet.Types.ByteArray && repeats(leaf.Path()) {
			props.SetReadDict(i, true)
		}
	}
	fr, err := pqarrow.NewFileReader(pf, props, memory.DefaultAllocator)
	if err != nil {
		return nil, reader.ReadError(name, err)
	}
	as, err := fr.Schema()
	if err != nil {
		return nil, reader.ReadError(name, err)
	}
	c, err := newColumnar(name, as, m)
	if err != nil {
		return nil, err
	}
	rr, err := fr.GetRecordReader(context.Background(), nil, nil)
	if err != nil {
		return nil, reader.ReadError(name, err)
	}
	c.next = func() (rec arrow.RecordBatch, err error) {
		defer recovered(name, &err)
		return rr.Read()
	}
	c.close = func() error { rr.Release(); return nil }
	return c, nil
}

// repeats says whether a column holds few texts many times over, by its name.
func repeats(name string) bool {
	switch c := schema.LikelyColumn(name); c {
	case schema.Benchmark, schema.Task, schema.Model, schema.CLI, schema.CLIVersion, schema.Description, schema.Status, schema.CostSource:
		return true
	}
	return false
}

func openArrow(f *os.File, name string, m *schema.Mapping) (s Stream, err error) {
	defer recovered(name, &err)
	body, err := reader.Decompress(f)
	if err != nil {
		return nil, reader.ReadError(name, err)
	}
	br := bufio.NewReaderSize(body, 1<<20)
	head, _ := br.Peek(6)
	if bytes.Equal(head, []byte("ARROW1")) {
		return openArrowFile(f, body, br, name, m)
	}
	r, err := ipc.NewReader(br, ipc.WithAllocator(memory.DefaultAllocator))
	if err != nil {
		return nil, reader.ReadError(name, err)
	}
	c, err := newColumnar(name, r.Schema(), m)
	if err != nil {
		return nil, err
	}
	c.next = func() (rec arrow.RecordBatch, err error) {
		defer recovered(name, &err)
		return r.Read()
	}
	c.close = func() error { r.Release(); return body.Close() }
	return c, nil
}

// openArrowFile reads the Arrow file format, whose directory is at its end; a
// compressed one is unpacked into memory first.
func openArrowFile(f *os.File, body io.Closer, unpacked io.Reader, name string, m *schema.Mapping) (Stream, error) {
	var at ipc.ReadAtSeeker = f
	var magic [6]byte
	if _, err := f.ReadAt(magic[:], 0); err != nil || string(magic[:]) != "ARROW1" {
		all, err := io.ReadAll(io.LimitReader(unpacked, reader.MaxHarnessFile+1))
		if err != nil {
			return nil, reader.ReadError(name, err)
		}
		if len(all) > reader.MaxHarnessFile {
			return nil, &reader.FileError{File: name, Reason: fmt.Sprintf("is larger than %d MiB when decompressed: decompress it first", reader.MaxHarnessFile>>20)}
		}
		at = bytes.NewReader(all)
	}
	r, err := ipc.NewFileReader(at, ipc.WithAllocator(memory.DefaultAllocator))
	if err != nil {
		return nil, reader.ReadError(name, err)
	}
	c, err := newColumnar(name, r.Schema(), m)
	if err != nil {
		return nil, err
	}
	c.next = func() (rec arrow.RecordBatch, err error) {
		defer recovered(name, &err)
		return r.Read()
	}
	c.close = func() error { return errors.Join(r.Close(), body.Close()) }
	return c, nil
}

// recovered turns a panic of a decoder over a damaged file into an error.
func recovered(name string, err *error) {
	if p := recover(); p != nil {
		*err = &reader.FileError{File: name, Reason: fmt.Sprintf("is damaged: %v", p)}
	}
}
