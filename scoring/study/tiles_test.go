package study

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"amdb/scoring"
	"amdb/sql"
	"amdb/sql/ingest"
)

// joined is a database with holes and more configurations, in which an alias
// joins the first model and the last, so that rows of a panel come from distant
// numbers.
func joined(t *testing.T) *sql.DB {
	t.Helper()
	ctx, db := t.Context(), holed(t)
	runs := must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden", "attempts.runs.jsonl")))
	for i := range 3 {
		more := runs
		for _, field := range []string{"run_id", "model"} {
			more = bytes.ReplaceAll(more, fmt.Appendf(nil, `"%s": "`, field), fmt.Appendf(nil, `"%s": "%d-`, field, i))
		}
		path := filepath.Join(t.TempDir(), "more.jsonl")
		if err := os.WriteFile(path, more, 0o600); err != nil {
			t.Fatal(err)
		}
		must(ingest.Load(ctx, db, ingest.Options{Paths: []string{path}, Format: "auto", Now: time.Unix(1, 0)}))
	}
	keys := must(db.Keys(ctx))
	first, last := keys.Configs[0], keys.Configs[len(keys.Configs)-1]
	if err := ingest.SetAliases(ctx, db, []ingest.Alias{{Kind: "model", Raw: last[0], Name: first[0]}}); err != nil {
		t.Fatal(err)
	}
	return db
}

// grown is joined with so many runs that several workers count them, every cell
// in several ranges.
func grown(t *testing.T) *sql.DB {
	t.Helper()
	ctx, db := t.Context(), joined(t)
	if err := db.Exec(ctx, `INSERT INTO stored_runs SELECT s.* REPLACE (
		run_id || '/' || i AS run_id, 99 AS load_id, row_number() OVER (ORDER BY i, run_id) AS source_row)
		FROM stored_runs AS s, range(500) AS r(i)`); err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(ctx, `INSERT INTO loads SELECT * REPLACE (99 AS load_id, (SELECT count(*) FROM stored_runs WHERE load_id = 99) AS read) FROM loads LIMIT 1`); err != nil {
		t.Fatal(err)
	}
	return db
}

// withTiles runs f with so much room for a tile.
func withTiles(bytes int64, f func()) {
	room := tileBytes
	tileBytes = bytes
	defer func() { tileBytes = room }()
	f()
}

// Cells counted tile by tile are those counted at once, and so is a calibration,
// by one worker and by several.
func TestTilesGiveTheSameBits(t *testing.T) {
	for of, make := range map[string]func(*testing.T) *sql.DB{"a few runs": joined, "many runs": grown} {
		t.Run(of, func(t *testing.T) {
			ctx, db := t.Context(), make(t)
			o := keptOptions()
			o.Calibration = "main"
			s, _, err := openScope(ctx, db, o.choice())
			if err != nil {
				t.Fatal(err)
			}
			read := func() (map[string]*scoring.Panel, *scoring.Calibration) {
				return must(s.panels(ctx, db)), must(compute(ctx, db, CalibrateOptions{Tasks: "all", Rules: holedRules("zero"), Now: time.Unix(3, 0)}))
			}
			want, wantCal := read()
			if len(want) < 3 || len(want[scoring.Original].Configs) < 5 {
				t.Fatalf("%d descriptions, %d configurations: the runs show nothing", len(want), len(want[scoring.Original].Configs))
			}
			for _, bytes := range []int64{1, 300_000} {
				withTiles(bytes, func() {
					got, cal := read()
					if !reflect.DeepEqual(got, want) {
						t.Errorf("in tiles of %d bytes the panels differ", bytes)
					}
					if cal.Digest != wantCal.Digest || cal.Digest == "" {
						t.Errorf("in tiles of %d bytes the calibration is %s, not %s", bytes, cal.Digest, wantCal.Digest)
					}
				})
			}
		})
	}
}

// Every number is in one tile, numbers of one place have one row, the condition
// holds for all of them, and no tile takes more room than it may.
func TestTilesPartTheConfigurations(t *testing.T) {
	ctx, db := t.Context(), joined(t)
	place := []int32{2, 0, 1, 3, 0, 4, 2} // 4 is like 1, and 6 like 0
	runs := must(db.RunsByConfig(ctx))
	const most, size = 150, unsafe.Sizeof(scoring.Tally{})
	few := 40_000 * int64(db.Threads())
	for _, bytes := range []int64{1, few, few * 3 / 2, 1 << 30} {
		withTiles(bytes, func() {
			parts := must(tiles(ctx, db, place, most, size))
			if bytes == 1 && len(parts) != 5 || bytes == 1<<30 && len(parts) != 1 || bytes == few && (len(parts) < 2 || len(parts) > 4) {
				t.Errorf("%d bytes: %d tiles", bytes, len(parts))
			}
			seen := map[int32]bool{}
			for _, now := range parts {
				var took int64
				for row, at := range now.place {
					if seen[at] {
						t.Errorf("%d bytes: place %d stands twice", bytes, at)
					}
					seen[at] = true
					var cells int64
					for number, p := range place {
						if (now.row[number] == int32(row)) != (p == at) {
							t.Errorf("%d bytes: number %d of place %d is in row %d, %d is in row %d", bytes, number, p, now.row[number], at, row)
						}
						var in bool
						if err := db.Row(ctx, fmt.Sprintf("SELECT %s FROM (SELECT %d AS config_key)", now.where, number), nil, &in); err != nil || p == at && !in {
							t.Errorf("%d bytes: %q leaves out number %d (%v)", bytes, now.where, number, err)
						}
						if p == at {
							cells += runs[int32(number)]
						}
					}
					took += min(cells, most)*int64(size) + most*slotBytes
				}
				if took > bytes/int64(db.Threads()) && len(now.place) > 1 {
					t.Errorf("a tile of %d bytes takes %d", bytes, took)
				}
			}
			if len(seen) != 5 {
				t.Errorf("%d bytes: %d places", bytes, len(seen))
			}
		})
	}
}
