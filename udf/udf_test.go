package udf

import (
	"context"
	stdsql "database/sql"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2" // the driver
)

func connect(t *testing.T) *stdsql.Conn {
	t.Helper()
	db, err := stdsql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(); db.Close() })
	return conn
}

func TestFunctionsGiveTheMethodsValues(t *testing.T) {
	conn := connect(t)
	if err := Register(conn); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]any{
		"ams(0.5, 0.4, 0.1, 0.5)":                              0.405,
		"percentile_rank(0.5, [0.2, 0.5, 0.5, 0.9], 'mid')":    0.5,
		"percentile_rank(0.5, [0.2, 0.5, 0.5, 0.9], 'weak')":   0.75,
		"percentile_rank(0.5, [0.2, 0.5, 0.5, 0.9], 'strict')": 0.25,
		"percentile_rank(0.5, [0.2, 0.5, NULL], 'weak')":       1.0,
		"effort([0.5, NULL, 1])":                               0.75,
		"quantile7([1, 2, 3, 10], 0.25)":                       1.75,
		"quantile7([10, 3, 2, 1], 0.75)":                       4.75,
		"budget_level(2, [1, 2, 3])":                           int64(2),
		"masked_reward(0.5, 2, [1, 2, 3])":                     1.0 / 3,
		"expensive_failure(0, 2, 1.5)":                         true,
		"expensive_failure(0, 1.5, 1.5)":                       false,
		"mean_in_order([1, 2])":                                1.5,
		// NULL in, NULL out; undefined is NULL too.
		"ams(NULL, 0.4, 0.1, 0.5)":                nil,
		"expensive_failure(0, 2, NULL)":           nil,
		"quantile7([]::DOUBLE[], 0.5)":            nil,
		"quantile7([1], 2)":                       nil,
		"mean_in_order([NULL]::DOUBLE[])":         nil,
		"percentile_rank(1, []::DOUBLE[], 'mid')": nil,
		"masked_reward(1, 1, []::DOUBLE[])":       nil,
	} {
		var got any
		if err := conn.QueryRowContext(t.Context(), "SELECT "+query).Scan(&got); err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if f, ok := got.(float64); ok {
			if w, ok := want.(float64); !ok || f < w-1e-15 || f > w+1e-15 {
				t.Errorf("%s = %v, want %v", query, got, want)
			}
		} else if got != want {
			t.Errorf("%s = %v, want %v", query, got, want)
		}
	}
}

func TestAPanicIsAnErrorOfTheQuery(t *testing.T) {
	conn := connect(t)
	All = append(All, Function{
		Name: "panics", args: []arg{{"x", double}}, result: double,
		call: func(values) (any, error) { panic("as it must not") },
	})
	defer func() { All = All[:len(All)-1] }()
	if err := Register(conn); err != nil {
		t.Fatal(err)
	}
	var x any
	err := conn.QueryRowContext(t.Context(), "SELECT panics(range) FROM range(5000)").Scan(&x)
	if err == nil || !strings.Contains(err.Error(), "panics: internal error: as it must not") {
		t.Errorf("a panic gave %v", err)
	}
	if err := conn.QueryRowContext(t.Context(), "SELECT ams(1, 1, 0, 0.5)").Scan(&x); err != nil || x != 1.0 {
		t.Errorf("after a panic: %v, %v", x, err)
	}
}

func TestNoFunctionShadowsABuiltin(t *testing.T) {
	conn := connect(t)
	for i := range All {
		var n int
		if err := conn.QueryRowContext(t.Context(), "SELECT count(*) FROM duckdb_functions() WHERE function_name = ?", All[i].Name).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			t.Errorf("%s is a function of DuckDB", All[i].Name)
		}
	}
}
