package sql

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Every run is in exactly one range, even one of a load that nobody wrote down
// or with a row number beyond what its load says.
func TestEveryRunIsInOneRange(t *testing.T) {
	ctx := t.Context()
	db, err := Open(ctx, t.TempDir()+"/a.duckdb", Options{Mode: Make})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r := rand.New(rand.NewPCG(1, 1))
	for round := range 40 {
		var loads []loadSize
		for id := int32(1); len(loads) < round%9; id += 1 + r.Int32N(2) {
			loads = append(loads, loadSize{id, r.Int64N(30)})
		}
		union := "SELECT 0 AS load_id, 0 AS source_row WHERE false"
		for _, q := range cut(loads, 10) {
			union += fmt.Sprintf("\nUNION ALL SELECT load_id, source_row FROM rows WHERE %s", q)
		}
		var wrong int
		err := db.Row(ctx, `WITH rows AS (SELECT l.range AS load_id, r.range AS source_row FROM range(-3, 25) AS l, range(-2, 45) AS r)
			SELECT count(*) FROM (
				SELECT load_id, source_row FROM rows EXCEPT ALL (`+union+`)
				UNION ALL
				((`+union+`) EXCEPT ALL SELECT load_id, source_row FROM rows))`, nil, &wrong)
		if err != nil || wrong > 0 {
			t.Errorf("loads %v: %d rows not in exactly one of %q (%v)", loads, wrong, cut(loads, 10), err)
		}
	}
}

// A range of a large database is a small part of it.
func TestRangesAreSmall(t *testing.T) {
	loads := []loadSize{{1, 35}, {2, 3}, {3, 3}, {4, 3}, {5, 3}, {6, 100}}
	if got := len(cut(loads, 10)); got != 1+4+2+10+1 {
		t.Errorf("%d ranges: %q", got, cut(loads, 10))
	}
}

// Rows that were read often are not runs; only too many runs are refused.
func TestRowsReadAgainAreNotRuns(t *testing.T) {
	ctx := t.Context()
	db, err := Open(ctx, t.TempDir()+"/a.duckdb", Options{Mode: Make})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.countable(ctx, 5_000_000_000); err != nil {
		t.Errorf("no run is refused: %v", err)
	}
	if err := db.Exec(ctx, "CREATE TEMP VIEW stored_runs AS SELECT 1 FROM range(4294967295)"); err != nil {
		t.Fatal(err)
	}
	if err := db.countable(ctx, 5_000_000_000); err != nil {
		t.Errorf("as many as can be counted are refused: %v", err)
	}
	if err := db.Exec(ctx, "CREATE OR REPLACE TEMP VIEW stored_runs AS SELECT 1 FROM range(4294967296)"); err != nil {
		t.Fatal(err)
	}
	if err := db.countable(ctx, 5_000_000_000); err == nil {
		t.Error("one more is not refused")
	}
	if err := db.countable(ctx, 4_294_967_295); err != nil {
		t.Errorf("few rows are counted: %v", err)
	}
}
