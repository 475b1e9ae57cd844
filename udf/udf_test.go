package udf

import (
	"testing"

	_ "github.com/duckdb/duckdb-go/v2" // the driver
)

func TestFunctionsGiveTheMethodsValues(t *testing.T) {
	conn := connect(t, All)
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

func TestNoFunctionShadowsABuiltin(t *testing.T) {
	conn := connect(t, nil)
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
