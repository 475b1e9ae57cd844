package schema

import (
	"strconv"
	"time"
)

// Row is one run as a source gave it: text per column, not yet checked, so that
// every source's values meet the same rules in one place. A column that is not
// set is NULL.
type Row struct {
	Number int64 // 1 = first record of its file; header not counted
	File   string
	text   [NumColumns]string
	has    [NumColumns]bool
	// Extra is what fits no column. Credentials and configuration are taken
	// out when the row is conformed; values are what encoding/json decodes to,
	// with json.Number for numbers.
	Extra map[string]any
}

// Set gives column c its text. The empty string is a value; leave a column
// unset for NULL.
func (r *Row) Set(c Col, text string) { r.text[c], r.has[c] = text, true }

// SetIf gives column c its text unless that is empty.
func (r *Row) SetIf(c Col, text string) {
	if text != "" {
		r.Set(c, text)
	}
}

// SetFloat gives column c a number.
func (r *Row) SetFloat(c Col, v float64) { r.Set(c, strconv.FormatFloat(v, 'g', -1, 64)) }

// SetInt gives column c a whole number.
func (r *Row) SetInt(c Col, v int64) { r.Set(c, strconv.FormatInt(v, 10)) }

// SetTime gives column c an instant.
func (r *Row) SetTime(c Col, t time.Time) { r.Set(c, t.UTC().Format(time.RFC3339Nano)) }

// Get is the text of column c, and whether it is set.
func (r *Row) Get(c Col) (string, bool) { return r.text[c], r.has[c] }

// AddExtra keeps a value that fits no column.
func (r *Row) AddExtra(key string, value any) {
	if r.Extra == nil {
		r.Extra = map[string]any{}
	}
	r.Extra[key] = value
}

// Reject is a row that broke a rule, and the first rule that it broke.
type Reject struct {
	File   string `json:"file"`
	Row    int64  `json:"row"` // 1 = first record; 0 = the whole file
	Column string `json:"column"`
	Value  string `json:"value"`
	Reason string `json:"reason"`
}

// Note is something about a source that is no run and no reject but must not
// be lost: a planned trial that never wrote a result, a mismatch with the
// harness's own counts.
type Note struct {
	File    string `json:"file"`
	Kind    string `json:"kind"` // planned, mismatch, flag, …
	Message string `json:"message"`
}
