package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"amdb/schema/sample"
	"amdb/sql/ingest"
)

// held is what a process holds.
type held struct {
	goroutines, files int
	rssMB             float64
}

func holds(t *testing.T) held {
	t.Helper()
	debug.FreeOSMemory()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var total, resident int
	if _, err := fmt.Sscan(string(statm), &total, &resident); err != nil {
		t.Fatal(err)
	}
	return held{runtime.NumGoroutine(), len(open), float64(resident*os.Getpagesize()) / 1e6}
}

// A process may load a thousand times: runs that are new, that are there, that
// are refused, and loads that are stopped. None leaves a goroutine, an open file
// or its runs behind. Two things are not ours to mend and are bounded here: DuckDB
// never gives back the schema of an Arrow stream, 25 kB a load, and after about
// one interrupted statement in a thousand it keeps its two files and a thread.
// One batch of the Parquet file is 0.3 MB: a load that kept one would show.
func TestAThousandLoadsLeaveNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand loads take a minute")
	}
	dir := t.TempDir()
	parquet := filepath.Join(dir, "runs.parquet")
	f, err := os.Create(parquet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sample.WriteParquet(f, sample.Wide(1, 10, 100, 2).Runs()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var good strings.Builder
	for i := range 500 {
		fmt.Fprintf(&good, `{"run_id":"j-%d","benchmark":"b","task":"t%d","model":"m","cli":"c","reward":%d}`+"\n", i, i%50, i%2)
	}
	jsonl, bad := filepath.Join(dir, "runs.jsonl"), filepath.Join(dir, "bad.csv")
	for path, text := range map[string]string{
		jsonl: good.String(),
		bad:   "run_id,benchmark,task,model,cli,reward\nx,b,t,m,c,7\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const loads, warm, each = 1000, 200, 40
	var before held
	for i := 0; i < loads; i += each {
		if i == warm {
			before = holds(t)
		}
		db := openIn(t, t.TempDir())
		for k := range each {
			switch k % 4 {
			case 0, 1:
				path := []string{parquet, jsonl}[k%2]
				if res, err := loadInto(db, ingest.ConflictError, path); err != nil || res.Inserted+res.Unchanged != res.Read || res.Read == 0 {
					t.Fatal(res, err)
				}
			case 2:
				if _, err := loadInto(db, ingest.ConflictError, parquet, bad); err == nil {
					t.Fatal("a reward of 7 was stored")
				}
			case 3:
				ctx, cancel := context.WithCancel(context.Background())
				_, err := ingest.Load(ctx, db, ingest.Options{
					Paths: []string{parquet}, Format: "auto", OnConflict: ingest.ConflictReplace, Version: "test",
					Progress: func(string, int64) { cancel() },
				})
				cancel()
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	after := holds(t)
	const kept = 3 // databases that DuckDB keeps after an interrupt
	for end := time.Now().Add(5 * time.Second); after.goroutines > before.goroutines && time.Now().Before(end); after = holds(t) {
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("after %d loads %+v, after %d %+v", warm, before, loads, after)
	if after.goroutines > before.goroutines+kept || after.files > before.files+2*kept {
		stacks := make([]byte, 1<<16)
		stacks = stacks[:runtime.Stack(stacks, true)]
		links, _ := filepath.Glob("/proc/self/fd/*")
		for i, l := range links {
			links[i], _ = os.Readlink(l)
		}
		t.Errorf("goroutines or files are left: %+v after %d loads, %+v after %d\n%s\n%s", before, warm, after, loads, links, stacks)
	}
	if grown := after.rssMB - before.rssMB; grown > 50 {
		t.Errorf("memory grew by %.0f MB in %d loads", grown, loads-warm)
	}
}
