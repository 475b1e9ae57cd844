package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"amdb/schema"
)

// value is one JSON value as it is written: readers pass it on unparsed, so
// that schema's rules see what the source said.
type value = jsontext.Value

// wholeFile is up to what size a file is read in one piece: most results are a
// few KB, and no second buffer is worth having for them.
const wholeFile = 1 << 20

// content is a file that may be read more than once: in memory where it is
// small, else from its start again.
type content struct {
	File
	whole []byte // nil: too large, empty or compressed
}

// content reads a small file.
func (f File) content() (content, error) {
	r, err := f.FS.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return content{}, err
	}
	if err != nil {
		return content{}, &FileError{File: f.Name, Reason: "cannot be opened: " + plainReason(err)}
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil || info.Size() > wholeFile {
		return content{File: f}, nil //nolint:nilerr // then it is read as a stream
	}
	b := make([]byte, info.Size()+1)
	n, err := io.ReadFull(r, b)
	switch {
	case err == nil: // it grew since
		return content{File: f}, nil
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return content{}, &FileError{File: f.Name, Reason: plainReason(err)}
	}
	b = bytes.TrimPrefix(b[:n], []byte("\xef\xbb\xbf"))
	if len(b) == 0 || bytes.HasPrefix(b, gzipMagic) || bytes.HasPrefix(b, zstdMagic) {
		return content{File: f}, nil
	}
	return content{File: f, whole: b}, nil
}

// head is the first bytes.
func (c content) head() []byte {
	if c.whole == nil {
		return c.File.head()
	}
	return c.whole[:min(len(c.whole), HeadSize)]
}

// readJSON decodes the one JSON value of a file. Names are matched without
// regard to case, so that a repeated key, in whatever case, is an error and no
// choice between two values. Bare NaN is read as text. lossy says that invalid
// UTF-8 was replaced, which the text of a model's answer may well hold.
func readJSON[T any](f File) (v *T, lossy bool, err error) {
	c, err := f.content()
	if err != nil {
		return nil, false, err
	}
	return decodeJSON[T](c)
}

func decodeJSON[T any](c content) (v *T, lossy bool, err error) {
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

func streamJSON[T any](c content, opts []jsonv2.Options) (*T, error) {
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
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && len(bytes.TrimSpace(f.head())) == 0:
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

// headFields finds the named top-level members in the first bytes of a file
// that begins with a JSON object. The value of one that the head cuts off is
// nil, but it is in the map. nil: no object.
func headFields(head []byte, names ...string) map[string]value {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if bytes.Contains(head, []byte("NaN")) || bytes.Contains(head, []byte("Infinity")) {
		head, _ = io.ReadAll(QuoteNonFinite(bytes.NewReader(head)))
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(head), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil
	}
	out := map[string]value{}
	for len(out) < len(names) && dec.PeekKind() == '"' {
		tok, err := dec.ReadToken()
		if err != nil {
			return out
		}
		key := tok.String()
		wanted := false
		for _, n := range names {
			wanted = wanted || n == key
		}
		if !wanted {
			if dec.SkipValue() != nil {
				return out
			}
			continue
		}
		v, err := dec.ReadValue()
		if err != nil {
			out[key] = nil
			return out
		}
		out[key] = v.Clone()
	}
	return out
}

// hasAll says whether all members are there.
func hasAll(fields map[string]value, names ...string) bool {
	for _, n := range names {
		if _, ok := fields[n]; !ok {
			return false
		}
	}
	return fields != nil
}

// given says whether a value is there and not null.
func given(v value) bool { return len(v) > 0 && v.Kind() != 'n' }

// text is a string value, or "". Bytes that are no UTF-8 stay, for the rules to
// reject.
func text(v value) string {
	if len(v) < 2 || v.Kind() != '"' {
		return ""
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return string(v[1 : len(v)-1])
	}
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil && len(s) == 0 {
		return ""
	}
	return string(s)
}

// set gives a column a value as it is written; null leaves it unset.
func set(row *schema.Row, c schema.Col, v value) {
	switch {
	case !given(v):
	case v.Kind() == '"':
		row.Set(c, text(v))
	default:
		row.Set(c, string(v))
	}
}

// setNew is set for a column that no better source has filled.
func setNew(row *schema.Row, c schema.Col, v value) {
	if _, has := row.Get(c); !has {
		set(row, c, v)
	}
}

// keep puts a value into a row's extra; null is not kept.
func keep(row *schema.Row, key string, v value) {
	if given(v) {
		row.AddExtra(key, tree(v))
	}
}

// tree is a value as encoding/json decodes it, numbers as they are written.
func tree(v value) any {
	if len(v) > 0 && v.Kind() == '"' {
		return text(v)
	}
	dec := json.NewDecoder(bytes.NewReader(v))
	dec.UseNumber()
	var out any
	if dec.Decode(&out) != nil {
		return nil // only valid values get here
	}
	return out
}

// number is a finite number's value.
func number(v value) (float64, bool) {
	if len(v) == 0 || v.Kind() != '0' {
		return 0, false
	}
	var x float64
	return x, json.Unmarshal(v, &x) == nil
}

// integer is a whole number's value.
func integer(v value) (int64, bool) {
	if len(v) == 0 || v.Kind() != '0' {
		return 0, false
	}
	var x int64
	return x, json.Unmarshal(v, &x) == nil
}

// maxMessage bounds an error message in extra; these can hold whole logs.
const maxMessage = 1000

// message is an error's text, short, a cut marked.
func message(s string) string {
	if len(s) <= maxMessage {
		return s
	}
	return strings.ToValidUTF8(s[:maxMessage], "") + " …[cut]"
}

// beside is a file's neighbour by its name relative to the file's folder.
func (f File) beside(name string) File {
	shown := f.Name
	if rest, ok := strings.CutSuffix(f.Name, path.Base(f.Path)); ok {
		shown = rest + name
	}
	return File{FS: f.FS, Path: path.Join(path.Dir(f.Path), name), Name: shown}
}

// Head is the file's first bytes, decompressed, as Claims wants them.
func (f File) Head() ([]byte, error) { return readHead(f.FS, f.Path) }

// head is Head; nil where there is no such file.
func (f File) head() []byte {
	b, err := f.Head()
	if err != nil {
		return nil
	}
	return b
}

// eachOf reads a list of objects one by one; null is an empty list.
func eachOf[T any](dec *jsontext.Decoder, each func(*T) error) error {
	switch dec.PeekKind() {
	case 'n':
		return dec.SkipValue()
	case '[':
	default:
		return &jsonv2.SemanticError{JSONKind: dec.PeekKind(), JSONPointer: dec.StackPointer()}
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		var v T
		if err := jsonv2.UnmarshalDecode(dec, &v); err != nil {
			return err
		}
		if err := each(&v); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// maxRuns bounds the runs of one harness file: none comes near, a bomb must
// not either.
const maxRuns = 1 << 20

func tooMany(n int) error {
	if n > maxRuns {
		return fmt.Errorf("holds more than %d runs", maxRuns)
	}
	return nil
}

// eachMember reads an object of objects member by member.
func eachMember[T any](dec *jsontext.Decoder, each func(name string, v *T) error) error {
	if k := dec.PeekKind(); k != '{' {
		return &jsonv2.SemanticError{JSONKind: k, JSONPointer: dec.StackPointer()}
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		var v T
		if err := jsonv2.UnmarshalDecode(dec, &v); err != nil {
			return err
		}
		if err := each(key, &v); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// firstMember is the first member's value of an object; nil where there is none.
func firstMember(head []byte) value {
	dec := jsontext.NewDecoder(bytes.NewBuffer(head), jsontext.AllowInvalidUTF8(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' || dec.PeekKind() != '"' {
		return nil
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	v, err := dec.ReadValue()
	if err != nil {
		return nil
	}
	return v.Clone()
}
