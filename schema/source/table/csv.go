package table

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// csvStream reads a text table with a header. Every field is text until a rule
// reads it; an empty field is NULL, quoted or not.
type csvStream struct {
	name    string
	r       *csv.Reader
	body    io.Closer
	columns []schema.Col
	names   []string
	first   int64
	any     bool
}

func openCSV(f io.Reader, name string, comma rune, m *schema.Mapping) (Stream, error) {
	body, err := reader.Decompress(f)
	if err != nil {
		return nil, &reader.FileError{File: name, Reason: err.Error()}
	}
	br := bufio.NewReaderSize(body, 1<<20)
	if bom, _ := br.Peek(3); len(bom) >= 2 {
		switch {
		case len(bom) == 3 && bom[0] == 0xEF && bom[1] == 0xBB && bom[2] == 0xBF:
			_, _ = br.Discard(3)
		case bom[0] == 0xFF && bom[1] == 0xFE, bom[0] == 0xFE && bom[1] == 0xFF:
			return nil, &reader.FileError{File: name, Reason: "is UTF-16: save it as UTF-8"}
		}
	}
	r := csv.NewReader(br)
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = comma, -1, true
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, &reader.FileError{File: name, Reason: "is empty"}
	}
	if err != nil {
		return nil, csvError(name, err)
	}
	names := append([]string(nil), header...)
	columns, err := m.Resolve(names)
	if err != nil {
		return nil, &reader.FileError{File: name, Reason: err.Error()}
	}
	if err := requireColumns(name, m, columns, names); err != nil {
		return nil, err
	}
	return &csvStream{name: name, r: r, body: body, columns: columns, names: names, first: 1}, nil
}

func (s *csvStream) Next(ctx context.Context) (*schema.Batch, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	builders := make([]*array.StringBuilder, len(s.names))
	for i := range builders {
		builders[i] = array.NewStringBuilder(memory.DefaultAllocator)
	}
	b := &schema.Batch{First: s.first}
	for b.Rows < BatchRows {
		record, err := s.r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, csvError(s.name, err)
		}
		s.any = true
		number := s.first
		s.first++
		if len(record) != len(s.names) {
			b.Rejects = append(b.Rejects, schema.Reject{File: s.name, Row: number, Reason: fmt.Sprintf(
				"has %d fields where the header has %d", len(record), len(s.names))})
			continue
		}
		for i, field := range record {
			if field == "" {
				builders[i].AppendNull()
			} else {
				builders[i].Append(field)
			}
		}
		b.Number = append(b.Number, number)
		b.Rows++
	}
	if b.Rows == 0 && len(b.Rejects) == 0 {
		if !s.any {
			return nil, ErrEmpty(s.name)
		}
		return nil, io.EOF
	}
	for i, c := range s.columns {
		values := builders[i].NewArray()
		switch {
		case c >= 0:
			b.Columns[c] = values
		case c == schema.Derived:
			values.Release()
		default:
			b.Others = append(b.Others, schema.Other{Name: s.names[i], Values: values})
		}
	}
	return b, nil
}

func (s *csvStream) Close() error { return s.body.Close() }

// csvError names the line that broke the format.
func csvError(name string, err error) error {
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		return &reader.FileError{File: name, Reason: fmt.Sprintf("line %d: %v", pe.Line, pe.Err)}
	}
	return reader.ReadError(name, err)
}
