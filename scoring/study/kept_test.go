package study

import (
	"bytes"
	"context"
	stdsql "database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // as another program writes the file

	"amdb/scoring"
	"amdb/sql"
	"amdb/sql/ingest"
)

// keptWorld is a database whose cells are kept.
type keptWorld struct {
	t           *testing.T
	path, cache string
}

func newKeptWorld(t *testing.T) *keptWorld {
	return keptWorldOf(t, filepath.Join("..", "..", "testdata", "golden", "attempts.runs.jsonl"))
}

// keptWorldOf is a database of the runs of a file, with a calibration.
func keptWorldOf(t *testing.T, runs string) *keptWorld {
	from := keepFrom
	keepFrom = 0
	t.Cleanup(func() { keepFrom = from })
	w := &keptWorld{t, filepath.Join(t.TempDir(), "t.duckdb"), filepath.Join(t.TempDir(), "cells")}
	w.write(func(ctx context.Context, db *sql.DB) error {
		if _, err := ingest.Load(ctx, db, ingest.Options{
			Paths: []string{runs}, Format: "auto", Now: time.Unix(1, 0),
		}); err != nil {
			return err
		}
		_, err := Calibrate(ctx, db, CalibrateOptions{Name: "main", Tasks: "all", Rules: scoring.DefaultRules(), Now: time.Unix(2, 0)})
		return err
	})
	return w
}

// write changes the database as a command of amdb does.
func (w *keptWorld) write(f func(ctx context.Context, db *sql.DB) error) {
	w.t.Helper()
	ctx := w.t.Context()
	db, err := sql.Open(ctx, w.path, sql.Options{Mode: sql.Make})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := f(ctx, db); err != nil {
		w.t.Fatal(err)
	}
	db.Keep()
	if err := db.Close(); err != nil {
		w.t.Fatal(err)
	}
}

// foreign changes the database as another program does.
func (w *keptWorld) foreign(statements ...string) {
	w.t.Helper()
	db, err := stdsql.Open("duckdb", w.path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			w.t.Fatalf("%s: %v", s, err)
		}
	}
}

// score is the leaderboard of a command of its own, with its cells kept in dir.
func (w *keptWorld) score(dir string, o ScoreOptions) string {
	w.t.Helper()
	w.t.Setenv("AMDB_CACHE", dir)
	ctx := w.t.Context()
	db, err := sql.Open(ctx, w.path, sql.Options{Mode: sql.Read})
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	res, err := Score(ctx, db, o)
	if err != nil {
		w.t.Fatal(err)
	}
	b, err := json.Marshal(res)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

func keptOptions() ScoreOptions {
	return ScoreOptions{Tasks: "all", Condition: "original", Policies: DefaultPolicies()}
}

// poison puts wrong cells in place of all kept ones, well formed: whoever reads
// them scores otherwise.
func (w *keptWorld) poison() {
	w.t.Helper()
	files, _ := filepath.Glob(filepath.Join(w.cache, "*"+keptEnds))
	if len(files) == 0 {
		w.t.Fatal("nothing is kept")
	}
	for _, f := range files {
		k := &kept{f}
		panels, ok := k.read()
		if !ok {
			w.t.Fatalf("%s cannot be read", f)
		}
		for _, p := range panels {
			for _, row := range p.Rows {
				for t := range row {
					row[t].Reward /= 2
				}
			}
		}
		k.write(panels)
	}
}

// Cells are kept and read again where nothing changed: they are why a score
// without any change costs next to nothing.
func TestKeptCellsAreRead(t *testing.T) {
	w := newKeptWorld(t)
	want := w.score("off", keptOptions())
	if first := w.score(w.cache, keptOptions()); first != want {
		t.Errorf("the first score differs:\n%s\n%s", first, want)
	}
	if again := w.score(w.cache, keptOptions()); again != want {
		t.Errorf("the score from kept cells differs:\n%s\n%s", again, want)
	}
	w.poison()
	if w.score(w.cache, keptOptions()) == want {
		t.Error("kept cells are not read where nothing changed: the other tests show nothing")
	}
	if w.score(w.cache, keptOptions()) == want {
		t.Error("reading the database changed its state")
	}
}

// A stale cell is never read: after any change, by amdb or by another program,
// of runs, prices, names, choices or the file itself, what was kept before does
// not come back. Everything kept is poisoned before each change, so that even a
// change that moves no number is seen.
func TestAStaleCellIsNeverRead(t *testing.T) {
	w := newKeptWorld(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	load := func(o ingest.Options) func() {
		return func() {
			w.write(func(ctx context.Context, db *sql.DB) error {
				o.Format, o.Now = "auto", time.Unix(3, 0)
				_, err := ingest.Load(ctx, db, o)
				return err
			})
		}
	}
	var first map[string]any
	line, _, _ := bytes.Cut(must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden", "attempts.runs.jsonl"))), []byte("\n"))
	if err := json.Unmarshal(line, &first); err != nil {
		t.Fatal(err)
	}
	first["reward"] = 0.123
	changed, _ := json.Marshal(first)
	first["run_id"], first["attempt"] = "another", 99
	more, _ := json.Marshal(first)
	model := fmt.Sprint(first["model"])

	for _, c := range []struct {
		what   string
		change func()
	}{
		{"a run is added", load(ingest.Options{Paths: []string{file("more.jsonl", string(more))}})},
		{"a run is replaced", load(ingest.Options{Paths: []string{file("changed.jsonl", string(changed))}, OnConflict: ingest.ConflictReplace})},
		{"nothing new is loaded", load(ingest.Options{Paths: []string{file("changed.jsonl", string(changed))}})},
		{"prices come", func() {
			w.write(func(ctx context.Context, db *sql.DB) error {
				_, _, err := ingest.LoadPrices(ctx, db, []ingest.Price{{Model: model, From: time.Unix(0, 0), Input: 1, CachedInput: 1, Output: 1}})
				return err
			})
		}},
		{"a model has another name", func() {
			w.write(func(ctx context.Context, db *sql.DB) error {
				return ingest.SetAliases(ctx, db, []ingest.Alias{{Kind: "model", Raw: model, Name: "renamed"}})
			})
		}},
		{"a result is saved", func() {
			w.write(func(ctx context.Context, db *sql.DB) error {
				res, err := Score(ctx, db, keptOptions())
				if err != nil {
					return err
				}
				return Save(ctx, db, res, "s", "test", time.Unix(4, 0))
			})
		}},
		{"another program writes a reward", func() {
			w.foreign("UPDATE stored_runs SET reward = 1 - reward WHERE rowid % 7 = 0")
		}},
		{"another program writes it back", func() {
			w.foreign("UPDATE stored_runs SET reward = 1 - reward WHERE rowid % 7 = 0")
		}},
		{"another program deletes runs and adds as many", func() {
			w.foreign("CREATE TABLE spare AS SELECT * FROM stored_runs WHERE attempt = 1", "DELETE FROM stored_runs WHERE attempt = 1",
				"UPDATE spare SET cost_source = 'other'", "INSERT INTO stored_runs SELECT * FROM spare", "DROP TABLE spare")
		}},
		{"another program's changes wait in the log", func() {
			w.foreign("PRAGMA disable_checkpoint_on_shutdown", "UPDATE stored_runs SET reward = 1 - reward WHERE rowid % 5 = 0")
			if _, err := os.Stat(w.path + ".wal"); err != nil {
				t.Fatal("no log waits: ", err)
			}
		}},
		{"the log is worked in", func() { w.foreign("CHECKPOINT") }},
	} {
		w.score(w.cache, keptOptions())
		w.poison()
		c.change()
		want := w.score("off", keptOptions())
		if got := w.score(w.cache, keptOptions()); got != want {
			t.Errorf("%s: a stale cell was read\n got %s\nwant %s", c.what, got, want)
		}
		if got := w.score(w.cache, keptOptions()); got != want {
			t.Errorf("%s: the second score differs", c.what)
		}
	}
}

// A database put in place of another of equal size, headers and time is told
// apart by what was loaded into it.
func TestAnotherFileInPlaceIsNotTakenForIt(t *testing.T) {
	w := newKeptWorld(t)
	runs := must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden", "attempts.runs.jsonl")))
	twin := filepath.Join(t.TempDir(), "attempts.runs.jsonl")
	if err := os.WriteFile(twin, bytes.ReplaceAll(runs, []byte(`"reward": 1.0`), []byte(`"reward": 0.9`)), 0o644); err != nil {
		t.Fatal(err)
	}
	other := keptWorldOf(t, twin)
	w.score(w.cache, keptOptions())
	w.poison()
	stamp := must(os.Stat(w.path)).ModTime()
	if err := os.WriteFile(w.path, must(os.ReadFile(other.path)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(w.path, stamp, stamp); err != nil {
		t.Fatal(err)
	}
	if got, want := w.score(w.cache, keptOptions()), w.score("off", keptOptions()); got != want {
		t.Errorf("cells of the file before were read\n got %s\nwant %s", got, want)
	}
}

// Cells kept under one choice do not serve another.
func TestKeptCellsBelongToTheirChoice(t *testing.T) {
	w := newKeptWorld(t)
	w.foreign("UPDATE stored_runs SET reported_cost_usd = NULL WHERE rowid % 50 = 3")
	w.write(func(ctx context.Context, db *sql.DB) error {
		rules := scoring.DefaultRules()
		rules.BudgetLevels, rules.MissingCost = 4, "exclude"
		_, err := Calibrate(ctx, db, CalibrateOptions{Name: "other", Tasks: "all", Rules: rules, Now: time.Unix(3, 0)})
		return err
	})
	base := keptOptions()
	base.Calibration, base.Policies.MissingCost = "main", "exclude"
	half := 0.25
	choices := map[string]func(o *ScoreOptions){
		"base":           func(*ScoreOptions) {},
		"calibration":    func(o *ScoreOptions) { o.Calibration = "other" },
		"missing cost":   func(o *ScoreOptions) { o.Policies.MissingCost = "unaffordable" },
		"pass threshold": func(o *ScoreOptions) { o.Policies.PassThreshold = 0.5 },
		"tasks": func(o *ScoreOptions) {
			o.Tasks = "@" + filepath.Join("..", "..", "testdata", "golden", "attempts.core.txt")
		},
		"alpha": func(o *ScoreOptions) { o.Alpha = &half },
	}
	for round := range 2 {
		for what, choose := range choices {
			o := base
			choose(&o)
			if got, want := w.score(w.cache, o), w.score("off", o); got != want {
				t.Errorf("%s, round %d: cells of another choice\n got %s\nwant %s", what, round, got, want)
			}
		}
	}
}

// What is damaged is not read, and the cache stays small and out of others'
// files.
func TestADamagedCacheIsReadAround(t *testing.T) {
	w := newKeptWorld(t)
	want := w.score("off", keptOptions())
	w.score(w.cache, keptOptions())
	files, _ := filepath.Glob(filepath.Join(w.cache, "*"+keptEnds))
	whole := must(os.ReadFile(files[0]))
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for _, damaged := range [][]byte{nil, whole[:10], whole[:len(whole)/2], whole[:len(whole)-1], flipped, append(bytes.Clone(whole), 0)} {
		if err := os.WriteFile(files[0], damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := w.score(w.cache, keptOptions()); got != want {
			t.Errorf("damaged cells of %d bytes were read", len(damaged))
		}
	}
	other := filepath.Join(w.cache, "notes.txt")
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range keptFiles + 10 {
		(&kept{filepath.Join(w.cache, fmt.Sprint(i)+keptEnds)}).write(nil)
	}
	if files, _ := filepath.Glob(filepath.Join(w.cache, "*"+keptEnds)); len(files) != keptFiles {
		t.Errorf("%d files are kept, want %d", len(files), keptFiles)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("a file of others went: ", err)
	}
	// Nowhere to keep is no error.
	if got := w.score(filepath.Join(other, "below-a-file"), keptOptions()); got != want {
		t.Error("the score differs where nothing can be kept")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
