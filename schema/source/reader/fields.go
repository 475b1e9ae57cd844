package reader

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
)

// Value is one JSON value as it is written: readers pass it on unparsed, so
// that schema's rules see what the source said.
type Value = jsontext.Value

// HeadFields finds the named top-level members in the first bytes of a file
// that begins with a JSON object. The value of one that the head cuts off is
// nil, but it is in the map. nil: no object.
func HeadFields(head []byte, names ...string) map[string]Value {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if bytes.Contains(head, []byte("NaN")) || bytes.Contains(head, []byte("Infinity")) {
		head, _ = io.ReadAll(QuoteNonFinite(bytes.NewReader(head)))
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(head), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil
	}
	out := map[string]Value{}
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

// HasAll says whether all members are there.
func HasAll(fields map[string]Value, names ...string) bool {
	for _, n := range names {
		if _, ok := fields[n]; !ok {
			return false
		}
	}
	return fields != nil
}

// Given says whether a value is there and not null.
func Given(v Value) bool { return len(v) > 0 && v.Kind() != 'n' }

// Text is a string value, or "". Bytes that are no UTF-8 stay, for the rules to
// reject.
func Text(v Value) string {
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

// Set gives a column a value as it is written; null leaves it unset.
func Set(row *schema.Row, c schema.Col, v Value) {
	switch {
	case !Given(v):
	case v.Kind() == '"':
		row.Set(c, Text(v))
	default:
		row.Set(c, string(v))
	}
}

// SetNew is set for a column that no better source has filled.
func SetNew(row *schema.Row, c schema.Col, v Value) {
	if _, has := row.Get(c); !has {
		Set(row, c, v)
	}
}

// Keep puts a value into a row's extra; null is not kept.
func Keep(row *schema.Row, key string, v Value) {
	if Given(v) {
		row.AddExtra(key, Tree(v))
	}
}

// Tree is a value as encoding/json decodes it, numbers as they are written.
func Tree(v Value) any {
	if len(v) > 0 && v.Kind() == '"' {
		return Text(v)
	}
	dec := json.NewDecoder(bytes.NewReader(v))
	dec.UseNumber()
	var out any
	if dec.Decode(&out) != nil {
		return nil // only valid values get here
	}
	return out
}

// Number is a finite number's value.
func Number(v Value) (float64, bool) {
	if len(v) == 0 || v.Kind() != '0' {
		return 0, false
	}
	var x float64
	return x, json.Unmarshal(v, &x) == nil
}

// Integer is a whole number's value.
func Integer(v Value) (int64, bool) {
	if len(v) == 0 || v.Kind() != '0' {
		return 0, false
	}
	var x int64
	return x, json.Unmarshal(v, &x) == nil
}

// maxMessage bounds an error message in extra; these can hold whole logs.
const maxMessage = 1000

// Message is an error's text, short, a cut marked.
func Message(s string) string {
	if len(s) <= maxMessage {
		return s
	}
	return strings.ToValidUTF8(s[:maxMessage], "") + " …[cut]"
}

// EachOf reads a list of objects one by one; null is an empty list.
func EachOf[T any](dec *jsontext.Decoder, each func(*T) error) error {
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

func TooMany(n int) error {
	if n > maxRuns {
		return fmt.Errorf("holds more than %d runs", maxRuns)
	}
	return nil
}

// EachMember reads an object of objects member by member.
func EachMember[T any](dec *jsontext.Decoder, each func(name string, v *T) error) error {
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

// FirstMember is the first member's value of an object; nil where there is none.
func FirstMember(head []byte) Value {
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

// Spelled is a string or number as text.
func Spelled(v Value) string {
	if s := Text(v); s != "" {
		return s
	}
	return string(v)
}

// NoteLossyText tells that a file's text was repaired.
func NoteLossyText(f File, out Sink) {
	out.Note(schema.Note{File: f.Name, Kind: "flag", Message: "holds invalid UTF-8, which is read as U+FFFD"})
}

// SetTaskFromFileName takes the file's name for the task, where the file has none inside:
// both agents name a trajectory by its task.
func SetTaskFromFileName(row *schema.Row, p, ext string) {
	if _, has := row.Get(schema.Task); !has {
		row.SetIf(schema.Task, strings.TrimSuffix(path.Base(StripCompression(p)), ext))
	}
}
