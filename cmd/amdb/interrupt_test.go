package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"amdb/sql"
	"amdb/sql/ingest"
)

// runIn runs the program in-process on a database.
func runIn(t *testing.T, ctx context.Context, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(ctx, args, stdin, &out, &errs)
	return code, out.String(), errs.String()
}

func TestInterruptInALoadLeavesTheDatabaseAsItWas(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "amdb.duckdb")
	golden := filepath.Join("..", "..", "testdata", "golden", "ties.runs.jsonl")
	if code, _, errs := runIn(t, t.Context(), nil, "--db", file, "load", golden); code != 0 {
		t.Fatal(errs)
	}

	// While standard input still waits.
	ctx, cancel := context.WithCancel(t.Context())
	waiting, _ := io.Pipe()
	time.AfterFunc(50*time.Millisecond, cancel)
	code, _, errs := runIn(t, ctx, waiting, "--db", file, "load", "-")
	if code != 130 || !strings.HasPrefix(errs, "amdb: interrupted") {
		t.Errorf("exit code %d, want 130; stderr: %s", code, errs)
	}

	// In the middle of the rows.
	big := filepath.Join(dir, "big.csv")
	var text strings.Builder
	text.WriteString("run_id,task,model,cli,reward\n")
	for i := range 200_000 {
		text.WriteString("x" + strings.Repeat("y", i%7) + string(rune('a'+i%26)) + time.Duration(i).String() + ",t,m,c,1\n")
	}
	if err := os.WriteFile(big, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open(t.Context(), file, sql.Options{Mode: sql.Write})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx, cancel = context.WithCancel(t.Context())
	began := time.Time{}
	_, err = ingest.Load(ctx, db, ingest.Options{
		Paths: []string{big}, Format: "auto", OnConflict: ingest.ConflictError,
		Progress: func(string, int64) {
			if began.IsZero() {
				began = time.Now()
			}
			cancel()
		},
	})
	if err == nil {
		t.Fatal("an interrupted load succeeded")
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("the load went on for %v", d)
	}
	var runs, loads int
	if err := db.Row(t.Context(), "SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM loads)", nil, &runs, &loads); err != nil {
		t.Fatal(err)
	}
	if runs != 211 || loads != 1 {
		t.Errorf("%d runs of %d loads are left, want 211 of 1", runs, loads)
	}
}
