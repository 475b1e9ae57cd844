// Package udf puts the pure functions of package scoring into DuckDB as SQL
// functions, so that views call the method's own code and a person can try a
// formula by hand. Functions live per process; the file never needs them.
package udf

import (
	stdsql "database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"
)

// kind is the SQL type of an argument or a result.
type kind string

const (
	double  kind = "DOUBLE"
	integer kind = "BIGINT"
	text    kind = "VARCHAR"
	boolean kind = "BOOLEAN"
	doubles kind = "DOUBLE[]"
)

func (k kind) info() (duckdb.TypeInfo, error) {
	switch k {
	case integer:
		return duckdb.NewTypeInfo(duckdb.TYPE_BIGINT)
	case text:
		return duckdb.NewTypeInfo(duckdb.TYPE_VARCHAR)
	case boolean:
		return duckdb.NewTypeInfo(duckdb.TYPE_BOOLEAN)
	}
	info, err := duckdb.NewTypeInfo(duckdb.TYPE_DOUBLE)
	if err != nil || k == double {
		return info, err
	}
	return duckdb.NewListInfo(info)
}

// arg is one parameter of a function.
type arg struct {
	name string
	kind kind
}

// Function is one SQL function. A NULL argument gives NULL; call returns nil
// for a figure that is undefined.
type Function struct {
	Name   string
	args   []arg
	result kind
	Doc    string
	call   func(v values) (any, error)
}

// Signature is the function as a person writes it.
func (f *Function) Signature() string {
	s := f.Name + "("
	for i, a := range f.args {
		if i > 0 {
			s += ", "
		}
		s += a.name + " " + string(a.kind)
	}
	return s + ") → " + string(f.result)
}

// values are the arguments of one call, none of them NULL.
type values []driver.Value

func (v values) number(i int) float64 { return v[i].(float64) }
func (v values) integer(i int) int    { return int(v[i].(int64)) }
func (v values) text(i int) string    { return v[i].(string) }

// numbers is a list argument; NULLs inside it are left out, for an unknown
// value has no place in a ranking or a mean.
func (v values) numbers(i int) []float64 {
	list := v[i].([]any)
	out := make([]float64, 0, len(list))
	for _, x := range list {
		if x != nil {
			out = append(out, x.(float64))
		}
	}
	return out
}

// pairs is two list arguments of one length; a pair with a NULL is left out of
// both.
func (v values) pairs(i, j int) (x, y []float64, err error) {
	a, b := v[i].([]any), v[j].([]any)
	if len(a) != len(b) {
		return nil, nil, fmt.Errorf("the lists have %d and %d values: they must be pairs", len(a), len(b))
	}
	for k := range a {
		if a[k] != nil && b[k] != nil {
			x, y = append(x, a[k].(float64)), append(y, b[k].(float64))
		}
	}
	return x, y, nil
}

// Config implements duckdb.ScalarFunc.
func (f *Function) Config() duckdb.ScalarFuncConfig {
	var c duckdb.ScalarFuncConfig
	for _, a := range f.args {
		info, err := a.kind.info()
		if err != nil {
			panic(err) // a kind of ours that DuckDB does not know: Register's test finds it
		}
		c.InputTypeInfos = append(c.InputTypeInfos, info)
	}
	info, err := f.result.info()
	if err != nil {
		panic(err)
	}
	c.ResultTypeInfo = info
	return c
}

// Executor implements duckdb.ScalarFunc. This is the one place where a panic
// in any function becomes an error of the query: DuckDB's callback would
// otherwise end the process.
func (f *Function) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowExecutor: func(v []driver.Value) (result any, err error) {
		defer func() {
			if p := recover(); p != nil {
				result, err = nil, fmt.Errorf("%s: internal error: %v", f.Name, p)
			}
		}()
		return f.call(v)
	}}
}

// Register puts every function of All on a connection's database.
func Register(conn *stdsql.Conn) error {
	for i := range All {
		if err := duckdb.RegisterScalarUDF(conn, All[i].Name, &All[i]); err != nil {
			return fmt.Errorf("%s: %w", All[i].Name, err)
		}
	}
	return nil
}
