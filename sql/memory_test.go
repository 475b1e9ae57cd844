//go:build duckdb_arrow

package sql

import (
	"path/filepath"
	"testing"
)

func TestSizesAsDuckDBWritesThem(t *testing.T) {
	for size, want := range map[string]float64{"0 bytes": 0, "512.0 KiB": 1 << 19, "18.5 GiB": 18.5 * (1 << 30), "1.2 TiB": 1.2 * (1 << 40)} {
		if got, ok := parseBytes(size); !ok || got != want {
			t.Errorf("%s: %v, %v", size, got, ok)
		}
	}
	for _, size := range []string{"", "much", "5", "4 GB of it"} {
		if got, ok := parseBytes(size); ok {
			t.Errorf("%q: %v", size, got)
		}
	}
}

// A database that nobody gave a limit takes the usual one at most, on a machine of
// any size; one that somebody chose stands.
func TestMemoryIsBounded(t *testing.T) {
	for limit, most := range map[string]float64{"": usualMemory, "300MiB": 300 << 20, "6GiB": 6 << 30} {
		db, err := Open(t.Context(), filepath.Join(t.TempDir(), "t.duckdb"), Options{Mode: Make, MemoryLimit: limit})
		if err != nil {
			t.Fatal(err)
		}
		var set string
		if err := db.Row(t.Context(), "SELECT current_setting('memory_limit')", nil, &set); err != nil {
			t.Fatal(err)
		}
		got, ok := parseBytes(set)
		if !ok || got > most || limit != "" && got != most {
			t.Errorf("limit %q: %s", limit, set)
		}
		r, err := db.reader() // it must find the open database still
		if err != nil {
			t.Fatal(err)
		}
		r.close()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What the program takes for itself the database gives, but at most half of what
// it has, and it gets it back when less is taken.
func TestMemoryIsSpared(t *testing.T) {
	ctx := t.Context()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "t.duckdb"), Options{Mode: Make, MemoryLimit: "400MiB"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, c := range []struct{ taken, left int64 }{{100, 300}, {150, 250}, {300, 200}, {50, 350}, {0, 400}} {
		if err := db.Spare(ctx, c.taken<<20); err != nil {
			t.Fatal(err)
		}
		var set string
		if err := db.Row(ctx, "SELECT current_setting('memory_limit')", nil, &set); err != nil {
			t.Fatal(err)
		}
		if got, ok := parseBytes(set); !ok || int64(got) != c.left<<20 {
			t.Errorf("%d MiB taken: %s left, not %d MiB", c.taken, set, c.left)
		}
		r, err := db.reader() // it must find the open database still
		if err != nil {
			t.Fatal(err)
		}
		r.close()
	}
}
