// Package reader is what all readers of harness files share: the interface that
// they implement, the files that they are offered, and helpers for JSON.
// A reader says what a file holds and does not judge it. Rules, defaults and
// identity are in package schema.
package reader

import (
	"context"
	"io"
	"io/fs"

	"amdb/schema"
)

// Harness reads the files of one agent harness. One file holds no, one or many
// runs; the files of a tree are offered one by one, in path order.
type Harness interface {
	// Name is the word for --input-format, such as "harbor".
	Name() string
	// Doc is one line that says what is recognised, for help and docs.
	Doc() string
	// Claims says whether a file is this harness's own, from its first bytes
	// (up to HeadSize; decompressed) and, where these say too little, from its
	// neighbours. Names alone prove nothing.
	Claims(f File, head []byte) bool
	// Read gives the runs of one claimed file. An error that is about the
	// file's content is a *FileError; the file is then rejected as a whole.
	Read(ctx context.Context, f File, out Sink) error
}

// Finisher is a harness that knows more once all files of a tree are read, such
// as which trials were planned. Finish is called once, behind the last Read.
type Finisher interface {
	Finish(ctx context.Context, out Sink) error
}

// HeadSize is how much of a file Claims may see.
const HeadSize = 64 << 10

// File is one file of a tree. Harness files may look at their neighbours
// through FS, never outside it.
type File struct {
	FS   fs.FS
	Path string // within FS, slash-separated
	Name string // as shown to people: the path that they gave, joined with Path
}

// Open opens the file, decompressed by its content (.gz, .zst) and bounded.
func (f File) Open() (io.ReadCloser, error) { return openBounded(f.FS, f.Path) }

// Sink takes what a reader finds.
type Sink interface {
	// Run takes one run. The row is the sink's after the call.
	Run(row *schema.Row) error
	// Note takes something that is no run but must not be lost.
	Note(n schema.Note)
}

// FileError says why a whole file could not be read.
type FileError struct {
	File   string
	Column string // the field, where one is to blame
	Value  string
	Reason string
}

func (e *FileError) Error() string {
	s := e.File + ": "
	if e.Column != "" {
		s += e.Column + ": "
	}
	return s + e.Reason
}

// Options are what a person may say about how to read a source. The zero value
// is right for most.
type Options struct {
	Scorer    string // of an Inspect log with several scorers
	Sheet     string // of a workbook; "": its first
	JSONPath  string // a.b.c to the list of runs inside a wrapping object
	Delimiter rune   // of a text table; 0: the format's usual one
}
