package sql_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"amdb/scoring"
	"amdb/sql"
)

func open(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open(context.Background(), filepath.Join(t.TempDir(), "t.duckdb"), sql.Options{Mode: sql.Make})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// The budget mask and the failure mark stand twice, for speed: as SQL that
// SetScope writes, and as functions of package scoring that SQL can call.
func TestHotPathEqualsTheMethod(t *testing.T) {
	db := open(t)
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		// Few distinct values, so that costs meet budgets exactly.
		usd := rapid.SampledFrom([]float64{0, 1e-7, 0.005811800000000001, 0.1, 0.30000000000000004, 0.3, 1, 2.5, 1e6, math.Nextafter(0.1, 1)})
		var s sql.Scope
		for i := range 3 {
			s.Budgets[i] = rapid.SliceOfN(usd, 1, 23).Draw(t, "budgets")
			slices.Sort(s.Budgets[i])
			if rapid.Bool().Draw(t, "has eta") {
				eta := usd.Draw(t, "eta")
				s.Eta[i] = &eta
			}
		}
		s.Calibration, s.PassThreshold = "c", scoring.DefaultPassThreshold
		s.MissingReward = rapid.SampledFrom([]string{"error", "zero", "exclude"}).Draw(t, "missing reward")
		s.MissingCost = rapid.SampledFrom([]string{"error", "exclude", "unaffordable"}).Draw(t, "missing cost")
		if err := db.SetScope(ctx, &s); err != nil {
			t.Fatal(err)
		}
		stratum := rapid.IntRange(0, 2).Draw(t, "stratum")
		cost := usd.Draw(t, "cost")
		reward := rapid.SampledFrom([]float64{0, 0.1, 0.5, 1 - 1e-6, 1}).Draw(t, "reward")
		list := make([]string, len(s.Budgets[stratum]))
		for i, b := range s.Budgets[stratum] {
			list[i] = strconv.FormatFloat(b, 'e', -1, 64)
		}
		var level, levels, function int
		var fails, counts, passes bool
		err := db.Row(ctx, fmt.Sprintf(`SELECT stratum_budget_level(%[1]d, c), stratum_budgets(%[1]d), budget_level(c, [%[2]s]),
			stratum_expensive_failure(%[1]d, r, c), run_counts(r, c), run_passes(r) FROM (SELECT ?::DOUBLE AS r, ?::DOUBLE AS c)`,
			stratum, strings.Join(list, ", ")), []any{reward, cost}, &level, &levels, &function, &fails, &counts, &passes)
		if err != nil {
			t.Fatal(err)
		}
		if want := scoring.BudgetLevel(cost, s.Budgets[stratum]); level != want || function != want || levels != len(s.Budgets[stratum]) {
			t.Errorf("level of %v in %v: SQL %d of %d, function %d, method %d", cost, s.Budgets[stratum], level, levels, function, want)
		}
		if want := scoring.ExpensiveFailure(reward, cost, s.Eta[stratum]); fails != want {
			t.Errorf("failure of reward %v at %v over %v: SQL %v, method %v", reward, cost, s.Eta[stratum], fails, want)
		}
		if want := scoring.Passed(reward, s.PassThreshold); passes != want || !counts {
			t.Errorf("pass of %v: SQL %v, method %v; counts %v", reward, passes, want, counts)
		}
		// What is missing.
		err = db.Row(ctx, fmt.Sprintf(`SELECT stratum_budget_level(%[1]d, NULL), stratum_expensive_failure(%[1]d, 0, NULL),
			run_counts(1, NULL), run_counts(NULL, 1), run_passes(NULL) FROM (SELECT 1)`, stratum), nil, &level, &fails, &counts, &passes, new(bool))
		if err != nil {
			t.Fatal(err)
		}
		if level != 0 || fails || counts != (s.MissingCost == "unaffordable") || passes != (s.MissingReward == "zero") {
			t.Errorf("unknown cost: level %d, fails %v, counts %v; unknown reward counts %v (%s, %s)", level, fails, counts, passes, s.MissingReward, s.MissingCost)
		}
	})
}

func TestEveryViewDocumentsItsColumns(t *testing.T) {
	db := open(t)
	ctx := context.Background()
	if err := db.SetScope(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if err := db.AnalysisViews(ctx); err != nil {
		t.Fatal(err)
	}
	views, err := sql.Views()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range views {
		rows, err := db.Rows(ctx, "SELECT * FROM "+v.Name+" LIMIT 0")
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
			continue
		}
		names, err := rows.Columns()
		rows.Close()
		if err != nil {
			t.Fatal(err)
		}
		var documented []string
		for _, c := range v.Columns {
			documented = append(documented, c.Name)
		}
		if !slices.Equal(names, documented) {
			t.Errorf("%s has the columns %v and documents %v", v.Name, names, documented)
		}
		if v.Doc == "" || !strings.Contains(v.Doc, "Key:") {
			t.Errorf("%s does not say its grain and key", v.Name)
		}
	}
}
