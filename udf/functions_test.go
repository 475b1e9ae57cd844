package udf

import (
	"context"
	stdsql "database/sql"
	"math"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
)

// connect is a connection with our functions. Functions belong to a database,
// so a second connection of one has them, too.
func connect(t *testing.T, functions []Function) *stdsql.Conn {
	t.Helper()
	db, err := stdsql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	all := All
	All = functions
	defer func() { All = all }()
	if err := Register(conn); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestFunctionsGiveTheMethodsFiguresAndNULLWhereUndefined(t *testing.T) {
	conn := connect(t, All)
	const null = math.MaxFloat64
	for query, want := range map[string]float64{
		"spearman([.6,.6,.6,.8,.9], [3,1,2,4,4])":         .8603390191,
		"kendall_tau_b([.6,.6,.6,.8,.9], [3,1,2,4,4])":    .7559289460,
		"spearman([1,2,3], [5,5,5])":                      null, // constant
		"spearman([1], [2])":                              null, // fewer than two
		"spearman([1,2,NULL,4], [10,20,5,NULL])":          1,    // pairs with a NULL are left out
		"spearman([NULL]::DOUBLE[], [NULL]::DOUBLE[])":    null,
		"spearman(NULL, [1,2])":                           null,
		"kendall_tau_b([1,2,3], [3,2,1])":                 -1,
		"wilson_lo(3, 3, 0.95)":                           .4385,
		"wilson_hi(3, 3, 0.95)":                           1,
		"wilson_lo(0, 5, 0.95)":                           0,
		"wilson_hi(0, 5, 0.95)":                           .4345,
		"wilson_hi(0, 0, 0.95)":                           null,
		"wilson_lo(4, 3, 0.95)":                           null,
		"pass_at_k(5, 3, 2)":                              .9,
		"pass_hat_k(5, 3, 2)":                             .3,
		"pass_at_k(2, 0, 3)":                              null, // n < k
		"pass_hat_k(2, 2, 3)":                             null,
		"pass_at_k(NULL, 1, 1)":                           null,
		"quantile7([1,2,3,10], 0.9)":                      7.9,
		"quantile7([1,NULL,3], 0.5)":                      2,
		"quantile7([]::DOUBLE[], 0.5)":                    null,
		"percentile_rank(.5, [.2,.5,.5,.9], 'mid')":       .5,
		"percentile_rank(.5, [.2,.5,.5,.9,NULL], 'weak')": .75,
		"mcnemar_exact(6, 1)":                             .125,
		"mcnemar_exact(0, 0)":                             null,
		"holm(.01, [.01, .04, .03, .005])":                .03,
		"holm(.5, [.1])":                                  null,
		"alpha_crossing(.2, .8, .5, .6)":                  .6,
		"alpha_crossing(.2, .8, .1, .6)":                  null,
		"ams(.6, .4, .1, .5)":                             .45,
		"budget_level(2, [1, 2, 3])":                      2,
		"masked_reward(1, 2, []::DOUBLE[])":               null,
		"CAST(expensive_failure(0, 2, 1.5) AS INTEGER)":   1,
		"CAST(expensive_failure(0, 1.5, 1.5) AS INTEGER)": 0,
		"CAST(expensive_failure(0, 2, NULL) AS INTEGER)":  null,
		"mean_in_order([.1, NULL, .3])":                   .2,
		"effort([NULL]::DOUBLE[])":                        null,
	} {
		var got stdsql.NullFloat64
		if err := conn.QueryRowContext(context.Background(), "SELECT CAST("+query+" AS DOUBLE)").Scan(&got); err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if got.Valid != (want != null) || got.Valid && math.Abs(got.Float64-want) > 5e-5 {
			t.Errorf("%s = %v, want %v", query, got, want)
		}
	}
}

func TestMisuseIsAnErrorThatSaysSo(t *testing.T) {
	conn := connect(t, All)
	for query, want := range map[string]string{
		"spearman([1], [1, 2])":               "must be pairs",
		"percentile_rank(1, [1], 'sideways')": "sideways",
	} {
		var got any
		err := conn.QueryRowContext(context.Background(), "SELECT "+query).Scan(&got)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", query, got, err, want)
		}
	}
}

// A panic in DuckDB's callback would end the process.
func TestAPanicIsAnErrorOfTheQuery(t *testing.T) {
	conn := connect(t, []Function{{
		Name: "boom", args: []arg{{"x", double}}, result: double,
		call: func(values) (any, error) { panic("mistake of ours") },
	}})
	var got any
	err := conn.QueryRowContext(context.Background(), "SELECT boom(1)").Scan(&got)
	if err == nil || !strings.Contains(err.Error(), "boom: internal error") {
		t.Errorf("%v, %v", got, err)
	}
	if err := conn.QueryRowContext(context.Background(), "SELECT 1").Scan(&got); err != nil {
		t.Error("the connection is gone: ", err)
	}
}

func TestEveryFunctionIsDocumented(t *testing.T) {
	seen := map[string]bool{}
	for i := range All {
		f := &All[i]
		if f.Doc == "" || !strings.Contains(f.Doc, "Section ") || seen[f.Name] {
			t.Errorf("%s: documented once, with its section: %q", f.Name, f.Doc)
		}
		seen[f.Name] = true
	}
}
