// Package export writes results for people and other programs: tables as CSV,
// JSON and Markdown, Parquet files, workbooks and pages. It computes nothing:
// what it shows comes ready from below.
package export

import (
	stdsql "database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

// Kind is what a column of a table holds.
type Kind int

// The kinds of column.
const (
	Text Kind = iota
	Number
	Integer
	Bool
	Time
	Nested // lists, structs, maps: shown as JSON
)

// Column is one column of a table.
type Column struct {
	Name string
	Kind Kind
	Bar  bool // a share in [0,1] that a terminal may draw
}

// Table is rows under columns. Next gives one row after another, nil and no
// error at the end. A value is nil (NULL), string, float64, int64, json.Number,
// bool, or, for Nested, anything that encoding/json takes. Times are strings in
// RFC 3339, UTC.
type Table struct {
	Columns []Column
	Next    func() ([]any, error)
	// Brief is how many columns a terminal shows at most; 0 = all that fit.
	Brief int
}

// NewTable is a table of rows in memory.
func NewTable(columns []Column, rows [][]any) *Table {
	i := 0
	return &Table{Columns: columns, Next: func() ([]any, error) {
		if i >= len(rows) {
			return nil, nil
		}
		i++
		return rows[i-1], nil
	}}
}

// FromRows is a table of a query's result. fault makes an error readable.
func FromRows(rows *stdsql.Rows, fault func(error) error) (*Table, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, fault(err)
	}
	t := &Table{}
	names := make([]string, len(types))
	for i, ct := range types {
		names[i] = ct.DatabaseTypeName()
		t.Columns = append(t.Columns, Column{Name: ct.Name(), Kind: kindOf(names[i])})
	}
	t.Next = func() ([]any, error) {
		if !rows.Next() {
			return nil, fault(rows.Err())
		}
		values := make([]any, len(types))
		into := make([]any, len(types))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, fault(err)
		}
		for i, v := range values {
			values[i] = plain(v, names[i])
		}
		return values, nil
	}
	return t, nil
}

// kindOf is the kind of a DuckDB type.
func kindOf(dbType string) Kind {
	switch dbType {
	case "DOUBLE", "FLOAT":
		return Number
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT":
		return Integer
	case "BOOLEAN":
		return Bool
	case "DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS":
		return Time
	}
	switch {
	case len(dbType) >= 7 && dbType[:7] == "DECIMAL":
		return Number
	case len(dbType) > 2 && dbType[len(dbType)-2:] == "[]", len(dbType) >= 4 && (dbType[:4] == "LIST" || dbType[:3] == "MAP"),
		len(dbType) >= 6 && dbType[:6] == "STRUCT", len(dbType) >= 5 && (dbType[:5] == "UNION" || dbType[:5] == "ARRAY"):
		return Nested
	}
	return Text
}

// plain is a value as DuckDB's driver gives it, as a value of a table.
func plain(v any, dbType string) any {
	switch v := v.(type) {
	case nil, string, bool, int64:
		return v
	case float64:
		return finite(v)
	case float32:
		return finite(float64(v))
	case int8:
		return int64(v)
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case uint8:
		return int64(v)
	case uint16:
		return int64(v)
	case uint32:
		return int64(v)
	case uint64:
		return json.Number(fmt.Sprint(v))
	case *big.Int:
		if v.IsInt64() {
			return v.Int64()
		}
		return json.Number(v.String())
	case duckdb.Decimal:
		return json.Number(v.String())
	case duckdb.UUID:
		return v.String()
	case []byte:
		if dbType == "UUID" && len(v) == 16 {
			return fmt.Sprintf("%x-%x-%x-%x-%x", v[:4], v[4:6], v[6:8], v[8:10], v[10:])
		}
		return hex.EncodeToString(v)
	case time.Time:
		return timeText(v, dbType)
	case duckdb.Interval:
		return fmt.Sprintf("%d months %d days %d µs", v.Months, v.Days, v.Micros)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = plain(x, "")
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = plain(x, "")
		}
		return out
	case duckdb.Map:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[fmt.Sprint(plain(k, ""))] = plain(x, "")
		}
		return out
	}
	return fmt.Sprint(v)
}

// finite is a number, or NULL where it is none: there is one sign for missing.
func finite(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

func timeText(t time.Time, dbType string) string {
	t = t.UTC()
	switch dbType {
	case "DATE":
		return t.Format(time.DateOnly)
	case "TIME":
		return t.Format("15:04:05.999999")
	case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS":
		return t.Format("2006-01-02T15:04:05.999999999")
	}
	return t.Format(time.RFC3339Nano)
}
