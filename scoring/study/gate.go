package study

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"amdb/schema"
	"amdb/scoring"
)

// gateColumns are the columns of a gate table, in any order.
var gateColumns = []string{"benchmark", "task", "source", "candidate", "preserved", "reason"}

// ReadGate reads the verdicts of the preservation gate: CSV with the columns
// benchmark, task, source, candidate, preserved, reason. A candidate is its
// number or its whole name, model/cli#N.
func ReadGate(text []byte, path string) ([]scoring.GateVerdict, error) {
	bad := func(format string, args ...any) error {
		return schema.Faultf(schema.Rejected, path, "a gate table has the columns "+strings.Join(gateColumns, ","), format, args...)
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	r.TrimLeadingSpace = true
	header, err := r.Read()
	if err != nil {
		return nil, bad("is no table: %v", err)
	}
	at := make([]int, len(gateColumns))
	for i, c := range gateColumns {
		if at[i] = slices.Index(header, c); at[i] < 0 && c != "reason" {
			return nil, bad("has no column %s", c)
		}
	}
	var out []scoring.GateVerdict
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, bad("%v", err)
		}
		line, _ := r.FieldPos(0)
		field := func(i int) string {
			if at[i] < 0 {
				return ""
			}
			return strings.TrimSpace(rec[at[i]])
		}
		row := scoring.GateVerdict{TaskKey: scoring.TaskKey{Benchmark: field(0), Task: field(1)}, Source: field(2), Reason: field(5)}
		if row.Task == "" || row.Source == "" {
			return nil, bad("line %d: task and source must not be empty", line)
		}
		var ok bool
		if row.N, ok = candidateNumber(field(3), row.Source); !ok {
			return nil, bad("line %d: candidate %q is neither a number from 1 nor %s#N", line, field(3), row.Source)
		}
		if row.Preserved, err = strconv.ParseBool(strings.ToLower(field(4))); err != nil {
			return nil, bad("line %d: preserved %q is neither true nor false", line, field(4))
		}
		out = append(out, row)
	}
}

// candidateNumber reads 3, #3 or model/cli#3.
func candidateNumber(text, source string) (int, bool) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, source), "#")
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 1 && strconv.Itoa(n) == text
}
