package report_test

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"amdb/export/report"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
	"amdb/sql/ingest"
)

// reportRun is a run of a made-up data set; a nil figure is left out.
type reportRun struct {
	Source string   `json:"source"`
	Task   string   `json:"task"`
	Model  string   `json:"model"`
	CLI    string   `json:"cli"`
	ID     string   `json:"run_id,omitempty"`
	Status string   `json:"status,omitempty"`
	Reward float64  `json:"reward"`
	Cost   *float64 `json:"cost_usd,omitempty"`
	Tokens int      `json:"total_tokens"`
	Steps  int      `json:"steps"`
}

// madeUp is one run of each configuration at each of n tasks.
func madeUp(configs, n int, seed uint64) []reportRun {
	r := rand.New(rand.NewPCG(seed, 1))
	var out []reportRun
	for c := range configs {
		for t := range n {
			cost := float64(1+r.IntN(9000)) / 1e4
			reward := 0.0
			if t%3 == c%3 || r.IntN(10) < 6 {
				reward = float64(1+r.IntN(4)) / 4
			}
			out = append(out, reportRun{
				Source: "suite", Task: fmt.Sprintf("task-%04d", t), Model: fmt.Sprintf("model-%02d", c), CLI: "agent",
				Reward: reward, Cost: &cost, Tokens: 100 + 10*t + r.IntN(50), Steps: 1 + t%40,
			})
		}
	}
	return out
}

// reportDatabase loads runs in the order given and calibrates them.
func reportDatabase(t testing.TB, runs []reportRun, rules scoring.Rules) *sql.DB {
	t.Helper()
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	for _, r := range runs {
		if err := enc.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "runs.jsonl")
	if err := os.WriteFile(path, body.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return reportLoaded(t, path, rules)
}

func reportLoaded(t testing.TB, path string, rules scoring.Rules) *sql.DB {
	t.Helper()
	ctx := context.Background()
	db, err := sql.Open(ctx, filepath.Join(t.TempDir(), "t.duckdb"), sql.Options{Mode: sql.Make})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	now := time.Now() // must not reach the page
	if _, err := ingest.Load(ctx, db, ingest.Options{Paths: []string{path}, Format: "auto", OnConflict: ingest.ConflictError, Now: now, Version: "1.2.3"}); err != nil {
		t.Fatal(err)
	}
	if _, err := study.Calibrate(ctx, db, study.CalibrateOptions{Name: "main", Tasks: "all", Rules: rules, Now: now}); err != nil {
		t.Fatal(err)
	}
	return db
}

func reportOptions() report.Options {
	return report.Options{Version: "1.2.3", Bootstrap: scoring.BootstrapOptions{Draws: 200, Seed: 1, Level: 0.95}}
}

// reported writes a report and gives its text.
func reported(t testing.TB, db *sql.DB, policies study.Policies, o report.Options) string {
	t.Helper()
	ctx := context.Background()
	res, err := study.Score(ctx, db, study.ScoreOptions{Tasks: "all", Condition: "original", Policies: policies, Views: true})
	if err != nil {
		t.Fatal(err)
	}
	return writtenReport(t, db, res, o)
}

// writtenReport writes a report of scores and gives its text.
func writtenReport(t testing.TB, db *sql.DB, res *study.Scores, o report.Options) string {
	t.Helper()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "out.html")
	if err := report.Write(ctx, db, res, path, o); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("REPORT_DIR"); dir != "" { // to look at with scripts/check_report
		if err := os.WriteFile(filepath.Join(dir, t.Name()+".html"), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return string(b)
}

var scriptElement = regexp.MustCompile(`(?s)<script([^>]*)>(.*?)</script>`)

// reportScripts are the page's script elements: attributes and content.
func reportScripts(t testing.TB, page string) [][]string {
	t.Helper()
	found := scriptElement.FindAllStringSubmatch(page, -1)
	if len(found) != 4 {
		t.Fatalf("%d script elements, want 4: data, packed data, library, own", len(found))
	}
	return found
}

// unpacked is the page's packed data.
func unpacked(t testing.TB, page string) map[string]any {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(reportScripts(t, page)[1][2])
	if err != nil {
		t.Fatal(err)
	}
	doc, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(doc, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
