package table

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// maxJSONLine bounds one line of JSON Lines.
const maxJSONLine = 64 << 20

// jsonRows reads objects as runs. Keys may differ from object to object, so
// each object is mapped by its own keys.
type jsonRows struct {
	name    string
	m       *schema.Mapping
	keys    []string // of the object before
	columns []schema.Col
	seen    [schema.NumColumns]bool
	unknown map[string]bool
	number  int64
	objects int64 // of the number, those that could be read
}

// openJSON reads JSON Lines (lines true: a broken line is rejected, the rest
// is read), a JSON list of objects, or objects one after another. path names
// the list inside a wrapping object, as a.b.c.
func openJSON(f io.Reader, name string, lines bool, path string, m *schema.Mapping) (Stream, error) {
	body, err := reader.Decompress(f)
	if err != nil {
		return nil, reader.ReadError(name, err)
	}
	r := &jsonRows{name: name, m: m, unknown: map[string]bool{}}
	var next func(*schema.Row) error
	if lines {
		next = r.lines(body)
	} else {
		dec := jsontext.NewDecoder(reader.QuoteNonFinite(bufio.NewReaderSize(body, 256<<10)))
		if path != "" {
			if err := r.descend(dec, strings.Split(path, ".")); err != nil {
				return nil, err
			}
		}
		next = r.values(dec)
	}
	return &rowStream{next: r.checked(next), close: body.Close}, nil
}

// checked says at the end what the whole file lacked.
func (r *jsonRows) checked(next func(*schema.Row) error) func(*schema.Row) error {
	return func(row *schema.Row) error {
		err := next(row)
		if !errors.Is(err, io.EOF) {
			return err
		}
		if r.number == 0 {
			return ErrEmpty(r.name)
		}
		if r.objects == 0 {
			return io.EOF // every row is rejected already, each with its own reason
		}
		var mapped []schema.Col
		var names []string
		for c, seen := range r.seen {
			if seen {
				mapped, names = append(mapped, schema.Col(c)), append(names, schema.Col(c).String())
			}
		}
		for k := range r.unknown {
			mapped, names = append(mapped, -1), append(names, k)
		}
		if err := requireColumns(r.name, r.m, mapped, names); err != nil {
			return err
		}
		return io.EOF
	}
}

// lines reads one object a line.
func (r *jsonRows) lines(body io.Reader) func(*schema.Row) error {
	sc := bufio.NewScanner(body)
	sc.Buffer(make([]byte, 256<<10), maxJSONLine)
	return func(row *schema.Row) error {
		for sc.Scan() {
			line := bytes.TrimSpace(sc.Bytes())
			if r.number == 0 {
				line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			}
			if len(line) == 0 {
				continue
			}
			r.number++
			v, err := jsonLine(line)
			if err != nil {
				return r.reject(err)
			}
			return r.object(v, row)
		}
		if err := sc.Err(); err != nil {
			if errors.Is(err, bufio.ErrTooLong) {
				return &reader.FileError{File: r.name, Reason: fmt.Sprintf("line %d is longer than %d MiB", r.number+1, maxJSONLine>>20)}
			}
			return reader.ReadError(r.name, err)
		}
		return io.EOF
	}
}

// jsonLine is the one value of a line; a bare NaN is read as the text "NaN".
func jsonLine(line []byte) (jsontext.Value, error) {
	v := jsontext.Value(line)
	if v.IsValid() {
		return v, nil
	}
	dec := jsontext.NewDecoder(reader.QuoteNonFinite(bytes.NewReader(line)))
	v, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	v = v.Clone()
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value on the line")
	}
	return v, nil
}

// descend moves into the wrapped list that path names.
func (r *jsonRows) descend(dec *jsontext.Decoder, path []string) error {
	for _, want := range path {
		tok, err := dec.ReadToken()
		if err != nil || tok.Kind() != '{' {
			return &reader.FileError{File: r.name, Reason: fmt.Sprintf("has no object that holds %q", want)}
		}
		for {
			tok, err := dec.ReadToken()
			if err != nil {
				return reader.ReadError(r.name, err)
			}
			if tok.Kind() == '}' {
				return &reader.FileError{File: r.name, Reason: fmt.Sprintf("has no key %q", want)}
			}
			if tok.String() == want {
				break
			}
			if err := dec.SkipValue(); err != nil {
				return reader.ReadError(r.name, err)
			}
		}
	}
	if dec.PeekKind() != '[' {
		return &reader.FileError{File: r.name, Reason: fmt.Sprintf("%s is no list", strings.Join(path, "."))}
	}
	return nil
}

// values reads objects one after another, or those of a list.
func (r *jsonRows) values(dec *jsontext.Decoder) func(*schema.Row) error {
	depth := dec.StackDepth()
	inList, done := false, false
	return func(row *schema.Row) error {
		for !done {
			switch dec.PeekKind() {
			case '[':
				if inList || r.number > 0 {
					return &reader.FileError{File: r.name, Reason: "holds a list inside the list of runs"}
				}
				if _, err := dec.ReadToken(); err != nil {
					return r.broken(err)
				}
				inList = true
			case ']':
				if _, err := dec.ReadToken(); err != nil {
					return r.broken(err)
				}
				inList = false
				done = depth > 0 // what follows a wrapped list is not ours
			default:
				v, err := dec.ReadValue()
				if errors.Is(err, io.EOF) {
					return io.EOF
				}
				if err != nil {
					return r.broken(err)
				}
				r.number++
				return r.object(v, row)
			}
		}
		return io.EOF
	}
}

func (r *jsonRows) broken(err error) error {
	return &reader.FileError{File: r.name, Reason: fmt.Sprintf("is broken behind run %d: %v", r.number, jsonReason(err))}
}

func (r *jsonRows) reject(err error) error {
	return &rejected{schema.Reject{File: r.name, Row: r.number, Reason: jsonReason(err).Error()}}
}

// jsonReason is a syntax error in few words.
func jsonReason(err error) error {
	var se *jsontext.SyntacticError
	if errors.As(err, &se) && se.Err != nil {
		if p := string(se.JSONPointer); p != "" {
			return fmt.Errorf("is not valid JSON at %s: %w", p, se.Err)
		}
		return fmt.Errorf("is not valid JSON: %w", se.Err)
	}
	return err
}

// object fills row from one object.
func (r *jsonRows) object(v jsontext.Value, row *schema.Row) error {
	row.Number = r.number
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return &rejected{schema.Reject{File: r.name, Row: r.number, Reason: "is not an object"}}
	}
	var keys []string
	var values []jsontext.Value
	for dec.PeekKind() != '}' {
		k, err := dec.ReadToken()
		if err != nil {
			return r.reject(err)
		}
		keys = append(keys, k.String())
		val, err := dec.ReadValue()
		if err != nil {
			return r.reject(err)
		}
		values = append(values, val.Clone())
	}
	if !slices.Equal(keys, r.keys) {
		columns, err := r.m.Resolve(keys)
		if err != nil {
			return &reader.FileError{File: r.name, Reason: fmt.Sprintf("row %d: %v", r.number, err)}
		}
		r.keys, r.columns = keys, columns
		for i, c := range columns {
			if c >= 0 {
				r.seen[c] = true
			} else {
				r.unknown[keys[i]] = true
			}
		}
	}
	r.objects++
	for i, val := range values {
		switch c := r.columns[i]; {
		case c >= 0:
			setJSON(row, c, val)
		case c == schema.Derived, val.Kind() == 'n':
		default:
			row.AddExtra(keys[i], decodeValue(val))
		}
	}
	return nil
}

// setJSON gives a column the text of a JSON value; null leaves it unset.
func setJSON(row *schema.Row, c schema.Col, v jsontext.Value) {
	switch v.Kind() {
	case 'n':
	case '"':
		var s string
		if json.Unmarshal(v, &s) == nil {
			row.Set(c, s)
		}
	default:
		row.Set(c, string(v))
	}
}

// decodeValue is a JSON value as a tree, numbers kept as they are written.
func decodeValue(v jsontext.Value) any {
	dec := json.NewDecoder(bytes.NewReader(v))
	dec.UseNumber()
	var out any
	_ = dec.Decode(&out) // v is valid: the decoder that gave it checked it
	return out
}
