// Package table reads plain tables of runs: Parquet, Arrow, CSV, TSV, JSON, JSON
// Lines and workbooks.
package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// Stream gives the runs of one file in batches. Next returns io.EOF at the
// end. It is for one goroutine.
type Stream interface {
	Next(ctx context.Context) (*schema.Batch, error)
	Close() error
}

// BatchRows is how many rows a batch of text holds: enough to make the step
// into the database cheap, little enough to stay in a cache.
const BatchRows = 16 << 10

// Formats are the formats of plain tables, by the word for --input-format.
var Formats = []string{"parquet", "arrow", "csv", "tsv", "json", "jsonl", "xlsx"}

// Open opens a file of one of Formats. m is for this file alone.
func Open(format string, f *os.File, name string, m *schema.Mapping, o reader.Options) (Stream, error) {
	switch format {
	case "parquet":
		return openParquet(f, name, m)
	case "arrow":
		return openArrow(f, name, m)
	case "csv":
		return openCSV(f, name, delimiter(o, ','), m)
	case "tsv":
		return openCSV(f, name, delimiter(o, '\t'), m)
	case "xlsx":
		return openXLSX(f, name, o.Sheet, m)
	case "json", "jsonl":
		return openJSON(f, name, format == "jsonl", o.JSONPath, m)
	}
	return nil, fmt.Errorf("input format %q is not one of %s", format, strings.Join(Formats, ", "))
}

// delimiter is what separates the fields of a text table.
func delimiter(o reader.Options, usual rune) rune {
	if o.Delimiter != 0 {
		return o.Delimiter
	}
	return usual
}

// requireColumns says which required columns a file lacks, what it has instead
// and how to help.
func requireColumns(name string, m *schema.Mapping, mapped []schema.Col, names []string) error {
	missing := m.Missing(mapped)
	if len(missing) == 0 {
		return nil
	}
	var near []string
	for i, c := range mapped {
		if c == schema.ToExtra {
			near = append(near, names[i])
		}
	}
	slices.Sort(near)
	reason := fmt.Sprintf("has no column %s", strings.Join(missing, ", "))
	if len(near) > 0 {
		reason += fmt.Sprintf("; unmatched columns: %s", strings.Join(near[:min(len(near), 12)], ", "))
	}
	if len(names) == 1 && strings.ContainsAny(names[0], ";|\t") {
		reason += " (is the field separator another? --delimiter ';')"
	}
	return &MissingColumnsError{reader.FileError{File: name, Reason: reason}, missing}
}

// MissingColumnsError says which required columns a file lacks.
type MissingColumnsError struct {
	reader.FileError
	Missing []string
}

// ErrEmpty is a file that holds no run at all.
func ErrEmpty(name string) error { return &reader.FileError{File: name, Reason: "holds no runs"} }

// readAllRows is a Stream over rows that a function gives one by one.
type rowStream struct {
	next  func(row *schema.Row) error // fills row; io.EOF at the end; *schema.Reject via reject
	close func() error
	rows  *schema.RowBatch
}

// rejected is a row that next could not read; the stream goes on behind it.
type rejected struct{ schema.Reject }

func (r *rejected) Error() string { return r.Reason }

func (s *rowStream) Next(ctx context.Context) (*schema.Batch, error) {
	if s.rows == nil {
		s.rows = schema.NewRowBatch()
	}
	for s.rows.Len() < BatchRows {
		if s.rows.Len()%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var row schema.Row
		var bad *rejected
		err := s.next(&row)
		switch {
		case err == nil:
			s.rows.Append(&row)
		case errors.As(err, &bad):
			s.rows.Reject(bad.Reject)
		case errors.Is(err, io.EOF) && s.rows.Len() > 0:
			return s.rows.Flush(), nil
		default:
			return nil, err
		}
	}
	return s.rows.Flush(), nil
}

func (s *rowStream) Close() error { return s.close() }
