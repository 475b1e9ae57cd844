package source_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"amdb/schema"
	"amdb/schema/source"
	"amdb/schema/source/reader"
)

// found is what the readers made of a tree.
type found struct {
	rows    []*schema.Row
	notes   []schema.Note
	rejects []*reader.FileError
	claimed map[string]string // path → harness
}

func (f *found) Run(r *schema.Row) error { f.rows = append(f.rows, r); return nil }
func (f *found) Note(n schema.Note)      { f.notes = append(f.notes, n) }

// read offers every file of a tree to the readers, in path order.
func read(t testing.TB, fsys fs.FS, o reader.Options) *found {
	t.Helper()
	out := &found{claimed: map[string]string{}}
	harnesses := source.Harnesses(o)
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f := reader.File{FS: fsys, Path: p, Name: p}
		head, err := f.ReadHead()
		if err != nil {
			return err
		}
		for _, h := range harnesses {
			if !h.Claims(f, head) {
				continue
			}
			out.claimed[p] = h.Name()
			err := h.Read(t.Context(), f, out)
			var fe *reader.FileError
			if errors.As(err, &fe) {
				out.rejects = append(out.rejects, fe)
				return nil
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range harnesses {
		if f, ok := h.(reader.Finisher); ok {
			if err := f.Finish(context.Background(), out); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// testdata is a folder of the project's test data.
func testdata(name string) fs.FS { return os.DirFS("../../testdata/" + name) }

// tree is a file system of small files.
func tree(files map[string]string) fs.FS {
	m := fstest.MapFS{}
	for p, s := range files {
		m[p] = &fstest.MapFile{Data: []byte(s)}
	}
	return m
}

// cells are a row's columns as text; "-" is NULL.
func cells(r *schema.Row, columns ...schema.Col) string {
	var out []string
	for _, c := range columns {
		s, ok := r.Get(c)
		if !ok {
			s = "-"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// lines are the rows as text, sorted.
func (f *found) lines(columns ...schema.Col) []string {
	var out []string
	for _, r := range f.rows {
		out = append(out, cells(r, columns...))
	}
	slices.Sort(out)
	return out
}

// notesOf are the notes of one kind.
func (f *found) notesOf(kind string) []string {
	var out []string
	for _, n := range f.notes {
		if n.Kind == kind {
			out = append(out, path.Base(n.File)+": "+n.Message)
		}
	}
	return out
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// money and usage are the columns that most tests look at.
var usage = []schema.Col{schema.CostUSD, schema.InputTokens, schema.CachedInputTokens, schema.OutputTokens, schema.Steps}

func withUsage(columns ...schema.Col) []schema.Col { return append(columns, usage...) }

func (f *found) dump() string {
	var b strings.Builder
	for _, r := range f.rows {
		fmt.Fprintf(&b, "%s#%d:", r.File, r.Number)
		for c := range schema.NumColumns {
			if s, ok := r.Get(c); ok {
				fmt.Fprintf(&b, " %s=%s", c, s)
			}
		}
		fmt.Fprintf(&b, " extra=%v\n", r.Extra)
	}
	for _, n := range f.notes {
		fmt.Fprintf(&b, "note %s %s: %s\n", n.Kind, n.File, n.Message)
	}
	for _, e := range f.rejects {
		fmt.Fprintf(&b, "reject %v\n", e)
	}
	return b.String()
}
