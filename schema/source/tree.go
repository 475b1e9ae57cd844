package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"amdb/schema"
	"amdb/schema/source/reader"
	"amdb/schema/source/table"
)

// Open starts reading an input. m is for this input alone; notes takes what is
// no run.
func (in *Input) Open(m *schema.Mapping, o reader.Options, notes func(schema.Note)) (table.Stream, error) {
	if in.reader != nil {
		in.sayPassed(notes)
		return newTreeStream(in, notes), nil
	}
	f, err := os.Open(in.Path)
	if err != nil {
		return nil, &NotFoundError{in.Name, reader.PlainReason(err)}
	}
	s, err := table.Open(in.Format, f, in.Name, m, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &closeAfter{s, f}, nil
}

// Doc says in one line what reads the input.
func (in *Input) Doc() string {
	if in.reader != nil {
		return in.reader.Doc()
	}
	return "a table: columns by name, then by alias"
}

// sayPassed notes the tables of a folder that were not read, because it holds a
// harness's results and an agent's work may hold tables too.
func (in *Input) sayPassed(notes func(schema.Note)) {
	n := len(in.passed)
	if n == 0 {
		return
	}
	names := strings.Join(in.passed[:min(n, 5)], ", ")
	if n > 5 {
		names += fmt.Sprintf(" and %d more", n-5)
	}
	notes(schema.Note{File: in.Name, Kind: "unread", Message: fmt.Sprintf(
		"%d files beside the results of %s were not read; name them to load them: %s", n, in.Format, names)})
}

// closeAfter closes a file behind its stream.
type closeAfter struct {
	table.Stream
	f *os.File
}

func (c *closeAfter) Close() error { return errors.Join(c.Stream.Close(), c.f.Close()) }

// SHA256 is the digest of an input: of the file's bytes, or of the paths and
// bytes of a harness's files.
func (in *Input) SHA256(ctx context.Context) (string, error) {
	h, buf := sha256.New(), make([]byte, 128<<10) // one for all: a folder has many small files
	if in.reader == nil {
		f, err := os.Open(in.Path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		if err := copyUntil(ctx, h, f, buf); err != nil {
			return "", err
		}
		return hex.EncodeToString(h.Sum(nil)), nil
	}
	for _, file := range in.Files {
		f, err := file.FS.Open(file.Path)
		if err != nil {
			return "", err
		}
		one := sha256.New()
		err = errors.Join(copyUntil(ctx, one, f, buf), f.Close())
		if err != nil {
			return "", err
		}
		h.Write([]byte(file.Path + "\x00"))
		h.Write(one.Sum(nil))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// copyUntil copies until the end or until ctx is done.
func copyUntil(ctx context.Context, w io.Writer, r io.Reader, buf []byte) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err := r.Read(buf)
		if n > 0 {
			if _, werr := w.Write(buf[:n]); werr != nil {
				return werr
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// treeStream reads the files of a harness one after another. A file that
// cannot be read is one reject, and the others are read all the same.
type treeStream struct {
	in       *Input
	notes    func(schema.Note)
	next     int
	rows     *schema.RowBatch
	any      bool
	finished bool
}

func newTreeStream(in *Input, notes func(schema.Note)) *treeStream {
	return &treeStream{in: in, notes: notes, rows: schema.NewRowBatch()}
}

// Next implements Stream.
func (t *treeStream) Next(ctx context.Context) (*schema.Batch, error) {
	for t.next < len(t.in.Files) && t.rows.Len() < table.BatchRows {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		f := t.in.Files[t.next]
		t.next++
		err := t.in.reader.Read(ctx, f, t)
		var fe *reader.FileError
		switch {
		case err == nil:
		case errors.As(err, &fe):
			t.rows.Reject(schema.Reject{File: fe.File, Column: fe.Column, Value: fe.Value, Reason: fe.Reason})
		default:
			return nil, err
		}
	}
	if f, ok := t.in.reader.(reader.Finisher); ok && t.next == len(t.in.Files) && !t.finished {
		t.finished = true
		if err := f.Finish(ctx, t); err != nil {
			return nil, err
		}
	}
	if t.rows.Len() > 0 {
		t.any = true
		return t.rows.Flush(), nil
	}
	if !t.any {
		return nil, table.ErrEmpty(t.in.Name)
	}
	return nil, io.EOF
}

// Run implements Sink.
func (t *treeStream) Run(row *schema.Row) error {
	t.rows.Append(row)
	return nil
}

// Note implements Sink.
func (t *treeStream) Note(n schema.Note) { t.notes(n) }

// Close implements Stream.
func (t *treeStream) Close() error { return nil }
