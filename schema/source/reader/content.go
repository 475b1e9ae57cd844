package reader

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// wholeFile is up to what size a file is read in one piece: most results are a
// few KB, and no second buffer is worth having for them.
const wholeFile = 1 << 20

// Content is a file that may be read more than once: in memory where it is
// small, else from its start again.
type Content struct {
	File
	whole []byte // nil: too large, empty or compressed
}

// Content reads a small file.
func (f File) Content() (Content, error) {
	r, err := f.FS.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return Content{}, err
	}
	if err != nil {
		return Content{}, &FileError{File: f.Name, Reason: "cannot be opened: " + PlainReason(err)}
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil || info.Size() > wholeFile {
		return Content{File: f}, nil //nolint:nilerr // then it is read as a stream
	}
	b := make([]byte, info.Size()+1)
	n, err := io.ReadFull(r, b)
	switch {
	case err == nil: // it grew since
		return Content{File: f}, nil
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return Content{}, &FileError{File: f.Name, Reason: PlainReason(err)}
	}
	b = bytes.TrimPrefix(b[:n], []byte("\xef\xbb\xbf"))
	if len(b) == 0 || bytes.HasPrefix(b, gzipMagic) || bytes.HasPrefix(b, zstdMagic) {
		return Content{File: f}, nil
	}
	return Content{File: f, whole: b}, nil
}

// Head is the first bytes.
func (c Content) Head() []byte {
	if c.whole == nil {
		return c.File.Head()
	}
	return c.whole[:min(len(c.whole), HeadSize)]
}

// ReadJSON decodes the one JSON value of a file. Names are matched without
// regard to case, so that a repeated key, in whatever case, is an error and no
// choice between two values. Bare NaN is read as text. lossy says that invalid
// UTF-8 was replaced, which the text of a model's answer may well hold.
func ReadJSON[T any](f File) (v *T, lossy bool, err error) {
	c, err := f.Content()
	if err != nil {
		return nil, false, err
	}
	return DecodeJSON[T](c)
}

func DecodeJSON[T any](c Content) (v *T, lossy bool, err error) {
	opts := []jsonv2.Options{jsonv2.MatchCaseInsensitiveNames(true), jsonv1.MatchCaseSensitiveDelimiter(true)}
	if c.whole != nil { // nearly every file: no filter, no second buffer
		v = new(T)
		if jsonv2.Unmarshal(c.whole, v, opts...) == nil {
			return v, false, nil
		}
	}
	v, first := streamJSON[T](c, opts)
	var se *jsontext.SyntacticError
	if first == nil || !errors.As(first, &se) {
		return v, false, c.jsonError(first)
	}
	if v, err = streamJSON[T](c, append(opts, jsontext.AllowInvalidUTF8(true))); err == nil {
		return v, true, nil
	}
	return nil, false, c.jsonError(first)
}

func streamJSON[T any](c Content, opts []jsonv2.Options) (*T, error) {
	var r io.Reader = bytes.NewReader(c.whole)
	if c.whole == nil {
		f, err := c.Open()
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	v := new(T)
	return v, jsonv2.UnmarshalRead(QuoteNonFinite(r), v, opts...)
}

// jsonError says what is wrong with a file in few words.
func (f File) jsonError(err error) error {
	var se *jsontext.SyntacticError
	var me *jsonv2.SemanticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && len(bytes.TrimSpace(f.Head())) == 0:
		return &FileError{File: f.Name, Reason: "is empty"}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &FileError{File: f.Name, Reason: "is cut off: the JSON does not end"}
	case errors.Is(err, jsontext.ErrDuplicateName):
		return &FileError{File: f.Name, Reason: "gives a key twice: " + strings.TrimPrefix(err.Error(), "jsontext: ")}
	case errors.As(err, &se):
		return &FileError{File: f.Name, Column: pointer(se.JSONPointer), Reason: fmt.Sprintf("is not valid JSON: %v", se.Err)}
	case errors.As(err, &me):
		return &FileError{File: f.Name, Column: pointer(me.JSONPointer), Reason: fmt.Sprintf("is of a kind that the format does not have here (%c)", me.JSONKind)}
	}
	return &FileError{File: f.Name, Reason: err.Error()}
}

// pointer is a JSON pointer as a.b.c.
func pointer(p jsontext.Pointer) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(p), "/"), "/", ".")
}

// Beside is a file's neighbour by its name relative to the file's folder.
func (f File) Beside(name string) File {
	shown := f.Name
	if rest, ok := strings.CutSuffix(f.Name, path.Base(f.Path)); ok {
		shown = rest + name
	}
	return File{FS: f.FS, Path: path.Join(path.Dir(f.Path), name), Name: shown}
}

// ReadHead is the file's first bytes, decompressed, as Claims wants them.
func (f File) ReadHead() ([]byte, error) { return ReadHead(f.FS, f.Path) }

// Head is the file's first bytes, nil where it cannot be read.
func (f File) Head() []byte {
	b, err := f.ReadHead()
	if err != nil {
		return nil
	}
	return b
}

// EachLine decodes a JSON Lines file line by line. A broken line makes the
// file broken: what it said of its instance is lost.
func EachLine[T any](ctx context.Context, f File, each func(number int64, v *T) error) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 64<<10), MaxHarnessFile)
	for n := int64(1); sc.Scan(); n++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		line := bytes.TrimSpace(sc.Bytes())
		if len(line) == 0 {
			continue
		}
		v := new(T)
		err := jsonv2.UnmarshalRead(QuoteNonFinite(bytes.NewReader(line)), v, jsontext.AllowInvalidUTF8(true), jsonv2.MatchCaseInsensitiveNames(true))
		if err != nil {
			fe := f.jsonError(err)
			var e *FileError
			if errors.As(fe, &e) {
				e.Reason = fmt.Sprintf("line %d: %s", n, e.Reason)
			}
			return fe
		}
		if err := each(n, v); err != nil {
			return &FileError{File: f.Name, Reason: err.Error()}
		}
	}
	if err := sc.Err(); err != nil && !errors.Is(err, io.EOF) {
		return &FileError{File: f.Name, Reason: err.Error()}
	}
	return nil
}
