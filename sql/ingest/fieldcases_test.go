package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"amdb/sql"
	"amdb/sql/ingest"
)

// open makes an empty database.
func open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open(context.Background(), filepath.Join(t.TempDir(), "t.duckdb"), sql.Options{Mode: sql.Make})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// load loads files, given by name and content.
func load(t *testing.T, db *sql.DB, files ...[2]string) (*ingest.Result, error) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		p := filepath.Join(dir, f[0])
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(f[1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return ingest.Load(context.Background(), db, ingest.Options{
		Paths: []string{dir}, Format: "auto", OnConflict: ingest.ConflictError, Now: time.Unix(1e9, 0), Version: "test",
	})
}

// one is the one row of a query, as text.
func one(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	var s string
	if err := db.Row(context.Background(), "SELECT CAST(("+query+") AS VARCHAR)", nil, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// many are JSON Lines of one kind, then last.
func many(n int, line, last string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"task":"t%d","model":"m","cli":"c",%s}`+"\n", i, line)
	}
	b.WriteString(`{"task":"last","model":"m","cli":"c",` + last + "}\n")
	return b.String()
}

func mustLoad(t *testing.T, db *sql.DB, files ...[2]string) *ingest.Result {
	t.Helper()
	res, err := load(t, db, files...)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestFieldCaseB01NoTypeIsGuessedFromTheFirstRows(t *testing.T) {
	db := open(t)
	mustLoad(t, db, [2]string{"a.jsonl", many(20480, `"reward":1,"cost":7`, `"reward":0.5,"cost":0.5`)})
	if got := one(t, db, "SELECT reward || ' ' || cost_usd FROM runs WHERE task = 'last'"); got != "0.5 0.5" {
		t.Errorf("got %s", got)
	}
	db = open(t)
	mustLoad(t, db, [2]string{"a.jsonl", many(20480, `"reward":0.5`, `"reward":true`)})
	if got := one(t, db, "SELECT reward FROM runs WHERE task = 'last'"); got != "1.0" { // by the documented rule
		t.Errorf("got %s", got)
	}
	if _, err := load(t, open(t), [2]string{"a.jsonl", many(20480, `"reward":1,"cost":1.5`, `"reward":1,"cost":true`)}); err == nil {
		t.Error("true was taken for a cost")
	}
}

func TestFieldCaseB02AKeyThatComesLateIsKept(t *testing.T) {
	db := open(t)
	mustLoad(t, db, [2]string{"a.jsonl", many(20480, `"reward":1`, `"reward":1,"exception":"x","steps":3`)})
	if got := one(t, db, "SELECT extra || steps FROM runs WHERE task = 'last'"); got != `{"exception":"x"}3` {
		t.Errorf("got %s", got)
	}
}

func TestFieldCaseB03ManyFilesOfOneObject(t *testing.T) {
	db := open(t)
	var files [][2]string
	for i := range 40 {
		rest := `"reward":1,"cost":null`
		if i >= 35 {
			rest = `"reward":0.5,"cost":0.12,"exception":{"type":"E"}`
		}
		files = append(files, [2]string{fmt.Sprintf("%03d.json", i), fmt.Sprintf(`{"task":"t%d","model":"m","cli":"c",%s}`, i, rest)})
	}
	mustLoad(t, db, files...)
	if got := one(t, db, "SELECT sum(reward) || ' ' || round(sum(cost_usd), 12) || ' ' || count(extra) FROM runs"); got != "37.5 0.6 5" {
		t.Errorf("got %s", got)
	}
}

func TestFieldCaseB04AndB09TextStaysText(t *testing.T) {
	db := open(t)
	mustLoad(t, db,
		[2]string{"m=007/a.jsonl", `{"task":"007","model":"2.10","cli":"30","reward":1,"n":"0012"}`},
		[2]string{"m=abc/b.csv", "task,model,cli,reward,n\n0012,1e3,TRUE,1,0012\n"})
	if got := one(t, db, "SELECT string_agg(task || ' ' || model || ' ' || cli || ' ' || extra, ', ' ORDER BY task) FROM runs"); got !=
		`0012 1e3 TRUE {"n":"0012"}, 007 2.10 30 {"n":"0012"}` {
		t.Errorf("got %s", got)
	}
}

func TestFieldCaseB05IntegersBeyond64Bits(t *testing.T) {
	db := open(t)
	mustLoad(t, db, [2]string{"a.jsonl", many(0, "", `"reward":1,"seed":18446744073709551615`)})
	if got := one(t, db, "SELECT extra FROM runs"); got != `{"seed":18446744073709551615}` {
		t.Errorf("got %s", got)
	}
	_, err := load(t, open(t), [2]string{"a.jsonl", many(0, "", `"reward":1,"steps":18446744073709551615`)})
	var rejected *ingest.RejectedError
	if !errors.As(err, &rejected) || rejected.First[0].Column != "steps" {
		t.Errorf("got %v", err)
	}
}

func TestFieldCaseB06FilesOfOneFolderHaveTheirOwnTypes(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	src := open(t)
	for name, query := range map[string]string{
		"v1.parquet": "SELECT 't1' AS task, 'm' AS model, 'c' AS cli, CAST(1 AS INTEGER) AS reward",
		"v2.parquet": "SELECT 't2' AS task, 'm' AS model, 'c' AS cli, CAST(0.5 AS DOUBLE) AS reward",
	} {
		if err := src.CopyParquet(ctx, query, filepath.Join(dir, name), map[string]string{"made_by": "test"}); err != nil {
			t.Fatal(err)
		}
	}
	db := open(t)
	if _, err := ingest.Load(ctx, db, ingest.Options{Paths: []string{dir}, Format: "auto", OnConflict: ingest.ConflictError, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	if got := one(t, db, "SELECT sum(reward) FROM runs"); got != "1.5" {
		t.Errorf("got %s", got)
	}
}

func TestFieldCaseA38ABareNaNIsRejectedByNameAndTheRestIsWhole(t *testing.T) {
	dir := t.TempDir()
	p := filepath.Join(dir, "a.json")
	if err := os.WriteFile(p, []byte(`[{"task":"t1","model":"m","cli":"c","reward":NaN},{"task":"t2","model":"m","cli":"c","reward":1.0}]`), 0o644); err != nil {
		t.Fatal(err)
	}
	db := open(t)
	res, err := ingest.Load(context.Background(), db, ingest.Options{Paths: []string{p}, Format: "auto", OnConflict: ingest.ConflictError, AllowRejects: true, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Rejects) != 1 || res.Rejects[0].Reason != "is not finite" || one(t, db, "SELECT avg(reward) || ' ' || count(reward) FROM runs") != "1.0 1" {
		t.Errorf("%+v", res)
	}
}
