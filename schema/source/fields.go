package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
)

// value is one JSON value as it is written: readers pass it on unparsed, so
// that schema's rules see what the source said.
type value = jsontext.Value

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
