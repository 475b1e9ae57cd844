package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"amdb/sql"
	"amdb/sql/ingest"
)

func openIn(t interface{ Fatal(...any) }, dir string) *sql.DB {
	db, err := sql.Open(context.Background(), filepath.Join(dir, "t.duckdb"), sql.Options{Mode: sql.Make, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func loadInto(db *sql.DB, mode ingest.OnConflict, paths ...string) (*ingest.Result, error) {
	return ingest.Load(context.Background(), db, ingest.Options{Paths: paths, Format: "auto", OnConflict: mode, Version: "test"})
}

// stored is what the database holds: run_id to reward.
func stored(t interface{ Fatal(...any) }, db *sql.DB) map[string]float64 {
	rows, err := db.Rows(context.Background(), "SELECT run_id, reward FROM runs")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	out := map[string]float64{}
	for rows.Next() {
		var id string
		var reward float64
		if err := rows.Scan(&id, &reward); err != nil {
			t.Fatal(err)
		}
		if _, twice := out[id]; twice {
			t.Fatal("run_id stands twice: " + id)
		}
		out[id] = reward
	}
	return out
}

// Any sequence of loads, each in any order and with any repeats, leaves what a
// simple map would hold.
func TestLoadsKeepEachRunOnce(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		sub := filepath.Join(dir, fmt.Sprint(n))
		if err := os.Mkdir(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		db := openIn(t, sub)
		defer db.Close()
		model := map[string]float64{}
		for step := range rapid.IntRange(1, 4).Draw(t, "loads") {
			mode := rapid.SampledFrom([]ingest.OnConflict{ingest.ConflictError, ingest.ConflictSkip, ingest.ConflictReplace}).Draw(t, "mode")
			type run struct {
				id     string
				reward float64
			}
			runs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) run {
				return run{fmt.Sprintf("r%d", rapid.IntRange(0, 6).Draw(t, "id")), float64(rapid.IntRange(0, 2).Draw(t, "reward")) / 2}
			}), 1, 6).Draw(t, "runs")
			var text strings.Builder
			text.WriteString("run_id,task,model,cli,reward\n")
			for _, r := range runs {
				fmt.Fprintf(&text, "%s,t,m,c,%g\n", r.id, r.reward)
			}
			path := filepath.Join(sub, fmt.Sprintf("%d.csv", step))
			if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			// What a map makes of it.
			next, news, clash, conflict := map[string]float64{}, map[string]float64{}, false, false
			for id, r := range model {
				next[id] = r
			}
			for _, r := range runs {
				old, there := model[r.id]
				if there && old == r.reward {
					continue // the same run again
				}
				if prev, ok := news[r.id]; ok {
					clash = clash || prev != r.reward
					continue
				}
				news[r.id] = r.reward
				switch {
				case !there, mode == ingest.ConflictReplace:
					next[r.id] = r.reward
				case mode == ingest.ConflictError:
					conflict = true
				}
			}
			// Two results for one run within a load have no better claim, even
			// where one of them is what was there.
			for _, r := range runs {
				if v, ok := news[r.id]; ok && v != r.reward {
					if _, there := model[r.id]; !there {
						clash = true
					}
				}
			}
			_, err := loadInto(db, mode, path)
			var conflicts *ingest.ConflictsError
			switch {
			case clash || conflict:
				if !errors.As(err, &conflicts) {
					t.Fatalf("%s of %v into %v gave %v", mode, runs, model, err)
				}
			case err != nil:
				t.Fatalf("%s of %v into %v: %v", mode, runs, model, err)
			default:
				model = next
			}
			if got := stored(t, db); fmt.Sprint(got) != fmt.Sprint(model) {
				t.Fatalf("%s of %v gives %v, want %v (error %v)", mode, runs, got, model, err)
			}
		}
	})
}

func TestSortedIdsAreProvenAndOthersSearched(t *testing.T) {
	dir := t.TempDir()
	db := openIn(t, dir)
	defer db.Close()
	file := func(name string, ids ...string) string {
		var text strings.Builder
		text.WriteString("run_id,task,model,cli,reward\n")
		for _, id := range ids {
			text.WriteString(id + ",t,m,c,1\n")
		}
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		name      string
		paths     []string
		unchanged int64
	}{
		{"sorted", []string{file("a.csv", "b", "c", "d")}, 0},
		{"sorted, between", []string{file("b.csv", "bb", "c", "dd")}, 1},
		{"unsorted", []string{file("c.csv", "z", "y", "z")}, 1},
		{"two sorted that overlap", []string{file("d.csv", "e", "g"), file("e.csv", "f", "g")}, 1},
		{"two sorted apart", []string{file("f.csv", "h"), file("g.csv", "i")}, 0},
	} {
		res, err := loadInto(db, ingest.ConflictError, c.paths...)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if res.Unchanged != c.unchanged {
			t.Errorf("%s: %d unchanged, want %d", c.name, res.Unchanged, c.unchanged)
		}
	}
	if n := len(stored(t, db)); n != 12 {
		t.Errorf("%d runs, want 12", n)
	}
}
