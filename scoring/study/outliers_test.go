package study_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amdb/scoring/study"
	"amdb/sql"
	"amdb/sql/ingest"
)

// figured is a run as a source writes it, for the tests of what is doubtful.
type figured struct {
	ID        string   `json:"run_id"`
	Benchmark string   `json:"benchmark"`
	Task      string   `json:"task"`
	Model     string   `json:"model"`
	CLI       string   `json:"cli"`
	Attempt   int      `json:"attempt"`
	Reward    *float64 `json:"reward"`
	Cost      *float64 `json:"cost_usd"`
	Tokens    *int64   `json:"total_tokens"`
	Steps     *int64   `json:"steps"`
}

// doubtful are runs in many groups of sizes around 20, odd and even, with values
// about as far out as counts, and runs that stand twice.
func doubtful() []figured {
	rng := rand.New(rand.NewPCG(7, 8))
	var out []figured
	for group := range 400 {
		for i := range 16 + group%9 {
			r := figured{
				ID: fmt.Sprintf("r-%02d-%03d", group, i), Benchmark: fmt.Sprintf("b%d", group%3), Task: fmt.Sprintf("t%d", i%3),
				Model: fmt.Sprintf("m%d", group/2), CLI: fmt.Sprintf("c%d", group%2), Attempt: i + 1,
			}
			reward := float64(rng.IntN(2))
			r.Reward = &reward
			cost := math.Exp(rng.NormFloat64() / 4)
			if rng.IntN(8) == 0 {
				cost *= math.Exp(6*rng.Float64() - 3)
			}
			if rng.IntN(12) > 0 {
				r.Cost = &cost
			}
			if group%4 < 2 { // the others are known by their costs alone
				tokens, steps := int64(1000+rng.IntN(500)), int64(1+rng.IntN(40))
				r.Tokens, r.Steps = &tokens, &steps
			}
			out = append(out, r)
			if rng.IntN(6) == 0 {
				twin := r
				twin.ID, twin.Attempt = r.ID+"-again", i+100
				out = append(out, twin)
			}
		}
	}
	return out
}

// middle is the median of whole numbers, times two.
func middle(xs []int64) int64 {
	slices.Sort(xs)
	return xs[(len(xs)-1)/2] + xs[len(xs)/2]
}

// outliers says from its definition what run_outliers must find.
func outliers(runs []figured) []string {
	type point struct {
		id, kind string
		x        int64
	}
	groups := map[string][]point{}
	twins := map[string][]string{}
	add := func(group, id, kind string, v float64) {
		groups[group] = append(groups[group], point{id, kind, int64(math.Round(1024 * math.Log(v)))})
	}
	for _, r := range runs {
		r.Model = strings.TrimPrefix(r.Model, "other-")
		config := r.Model + "/" + r.CLI
		switch {
		case r.Cost != nil && r.Tokens != nil:
			add("model "+r.Model, r.ID, "cost_outlier", *r.Cost/float64(*r.Tokens))
		case r.Cost != nil:
			add("suite "+config+" "+r.Benchmark, r.ID, "cost_outlier", *r.Cost)
		}
		if r.Tokens != nil {
			add("steps "+config, r.ID, "tokens_per_step_outlier", float64(*r.Tokens)/float64(*r.Steps))
		}
		if r.Cost != nil || r.Tokens != nil {
			id := r.ID
			r.ID, r.Attempt = "", 0
			text, _ := json.Marshal(r)
			twins[string(text)] = append(twins[string(text)], id)
		}
	}
	var out []string
	for _, points := range groups {
		if len(points) < 20 {
			continue
		}
		var xs, offs []int64
		for _, p := range points {
			xs = append(xs, p.x)
		}
		m := middle(xs)
		for _, p := range points {
			offs = append(offs, max(2*p.x-m, m-2*p.x))
		}
		mad := float64(middle(slices.Clone(offs))) / 4 / 1024
		for i, p := range points {
			off := float64(offs[i]) / 2 / 1024
			if off > math.Log(4) && 0.6745*off > 6*mad {
				out = append(out, p.kind+" "+p.id)
			}
		}
	}
	for _, ids := range twins {
		slices.Sort(ids)
		for _, id := range ids[1:] {
			out = append(out, "duplicate_run "+id)
		}
	}
	slices.Sort(out)
	return out
}

// The view that finds medians by counting and twins by a hash says what its
// definition says, also where an alias joins two spellings; and amdb check, which
// counts part by part, says what the view quality_issues says in one query.
func TestWhatIsFarOutOrTwice(t *testing.T) {
	ctx := context.Background()
	runs := doubtful()
	for i := range runs {
		if i%2 == 0 {
			runs[i].Model = "other-" + runs[i].Model
		}
	}
	var text strings.Builder
	for _, r := range runs {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "runs.jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open(ctx, filepath.Join(dir, "t.duckdb"), sql.Options{Mode: sql.Make})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := ingest.Load(ctx, db, ingest.Options{Paths: []string{path}, Format: "auto", OnConflict: ingest.ConflictError, Now: now, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	var aliases []ingest.Alias
	for m := range 200 {
		aliases = append(aliases, ingest.Alias{Kind: "model", Raw: fmt.Sprintf("other-m%d", m), Name: fmt.Sprintf("m%d", m)})
	}
	if err := ingest.SetAliases(ctx, db, aliases); err != nil {
		t.Fatal(err)
	}
	got := sortedRows(t, db, "SELECT kind || ' ' || run_id FROM run_outliers")
	want := outliers(runs)
	kinds := map[string]int{}
	for _, l := range want {
		kinds[strings.Fields(l)[0]]++
	}
	if len(kinds) != 3 || kinds["cost_outlier"] < 100 || kinds["duplicate_run"] < 100 {
		t.Fatalf("the runs show too little: %v", kinds)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("run_outliers (-definition +view):\n%s", d)
	}
	const issues = "SELECT kind || '|' || scope || '|' || found || '|' || out_of || '|' || coalesce(example_run_id, '') FROM quality_issues"
	inOne := sortedRows(t, db, issues)
	for range 2 { // a second check sees what the first one saw
		q, err := study.Check(ctx, db, study.CheckOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var staged []string
		for _, f := range q.Findings {
			example := ""
			if f.ExampleRunID != nil {
				example = *f.ExampleRunID
			}
			staged = append(staged, fmt.Sprintf("%s|%s|%d|%d|%s", f.Kind, f.Scope, f.Found, f.OutOf, example))
		}
		slices.Sort(staged)
		if d := cmp.Diff(inOne, staged); d != "" {
			t.Errorf("findings (-in one query +part by part):\n%s", d)
		}
	}
}

// sortedRows are the rows of a query of one column, sorted.
func sortedRows(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.Rows(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}
