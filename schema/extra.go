package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// decodeJSON reads one JSON value, numbers kept as they are written.
func decodeJSON(s string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("is more than one JSON value")
	}
	return v, nil
}

// encodeExtra writes an object compactly, keys sorted: equal extras are equal
// texts.
func encodeExtra(m map[string]any) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		// Only values that JSON cannot hold get here; none of our readers
		// makes one, and an extra must never fail a load.
		return `{}`
	}
	return strings.TrimSpace(buf.String())
}

// parseExtra reads the text of the column extra: an object as it is, any other
// value under the key "extra", so that nothing is lost.
func parseExtra(s string) map[string]any {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	v, err := decodeJSON(s)
	if err != nil {
		return map[string]any{"extra": s}
	}
	switch v := v.(type) {
	case map[string]any:
		return v
	case nil:
		return nil
	}
	return map[string]any{"extra": v}
}

// mergeExtra puts fields over an extra's own.
func mergeExtra(text string, has bool, fields map[string]any) string {
	if !has {
		return encodeExtra(fields)
	}
	m := parseExtra(text)
	if m == nil {
		m = map[string]any{}
	}
	for k, v := range fields {
		m[k] = v
	}
	return encodeExtra(m)
}

// extraOf is row i's extra: its own extra column and the columns that fit
// nothing, without credentials and configuration; "" for none.
func extraOf(clean *cleaner, own arrow.Array, others []Other, i int) string {
	var m map[string]any
	if own != nil && own.IsValid(i) {
		m = parseExtra(own.ValueStr(i))
	}
	for _, o := range others {
		if !o.Values.IsValid(i) {
			continue
		}
		if m == nil {
			m = map[string]any{}
		}
		m[o.Name] = jsonValue(o.Values, i)
	}
	if len(m) == 0 {
		return ""
	}
	clean.tree(m)
	if len(m) == 0 {
		return ""
	}
	return encodeExtra(m)
}

// jsonValue is an array's value as encoding/json would decode it.
func jsonValue(a arrow.Array, i int) any {
	switch a := a.(type) {
	case *array.String:
		return strings.Clone(a.Value(i))
	case *array.Boolean:
		return a.Value(i)
	}
	b, err := json.Marshal(a.GetOneForMarshal(i))
	if err != nil {
		return a.ValueStr(i) // NaN and the like keep their spelling
	}
	v, err := decodeJSON(string(b))
	if err != nil {
		return a.ValueStr(i)
	}
	return v
}
