package study_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
	"amdb/sql/ingest"
)

// run is one line of a made-up file of runs.
func run(config, task, description string, reward, cost float64) []byte {
	model, cli, _ := scoring.SplitConfig(config)
	return fmt.Appendf(nil, `{"run_id":%q,"benchmark":"b","task":%q,"model":%q,"cli":%q,"description":%q,"reward":%v,"cost_usd":%v,"total_tokens":%v,"steps":1}`,
		config+task+description, task, model, cli, description, reward, cost, 10*cost)
}

// sourceSide is two configurations at three tasks, one a stratum, with their
// own candidates: m/a has three at t1, m/b one at t2.
func sourceSide() [][]byte {
	var out [][]byte
	for i, task := range []string{"t1", "t2", "t3"} {
		out = append(out, run("m/a", task, "original", .5, float64(i+1)), run("m/b", task, "original", .25, float64(i+1)))
	}
	return append(out,
		run("m/a", "t1", "m/a#1", 1, 1), run("m/a", "t1", "m/a#2", .75, 2), run("m/a", "t1", "m/a#3", .75, 1),
		run("m/b", "t2", "m/b#1", .25, 3))
}

const gateTable = `benchmark,task,source,candidate,preserved,reason
b,t1,m/a,1,false,an added requirement
b,t1,m/a,#2,true,
b,t1,m/a,m/a#3,TRUE,
b,t2,m/b,1,1,
`

func choose(db *sql.DB, gate string) (*study.Selection, error) {
	return study.Select(context.Background(), db, study.SelectOptions{
		Gate: []byte(gate), GateName: "gate.csv", MissingReward: "error", Version: "test", Now: now,
	})
}

func load(t *testing.T, db *sql.DB, runs ...[]byte) {
	t.Helper()
	path := t.TempDir() + "/more.jsonl"
	writeLines(t, path, runs)
	if _, err := ingest.Load(context.Background(), db, ingest.Options{Paths: []string{path}, Format: "auto", OnConflict: ingest.ConflictError, Now: now, Version: "test"}); err != nil {
		t.Fatal(err)
	}
}

func TestASelectionIsFrozenAndEntersScoring(t *testing.T) {
	ctx := context.Background()
	db := database(t, [][][]byte{sourceSide()}, 0)
	calibrate(t, db)
	s, err := choose(db, gateTable)
	if err != nil {
		t.Fatal(err)
	}
	if s.Selected != 1 || s.Fallbacks != 1 || s.Choices[0].Selected != "m/a#3" || s.Choices[1].Selected != "original" {
		t.Errorf("%+v", s.Choices)
	}
	kept, err := study.Selections(ctx, db)
	if err != nil || len(kept) != 1 || kept[0].Digest != s.Digest || len(kept[0].GateSHA256) != 64 {
		t.Fatalf("%+v, %v", kept, err)
	}
	if _, err := choose(db, gateTable); err == nil || !strings.Contains(err.Error(), "a selection never changes") {
		t.Errorf("selecting again: %v", err)
	}
	// m/b runs the selected wording; t2 falls back to the original runs.
	load(t, db, run("m/b", "t1", "m/a#3", 1, 1), run("m/b", "t3", "m/a", .5, 1), run("m/a", "t3", "m/a", 1, 1),
		run("m/a", "t2", "m/a", .5, 1), run("m/b", "t2", "m/a", 1, 1))
	o := options("all")
	o.Condition = "m/a"
	got, err := study.Score(ctx, db, o)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"m/a": (.75 + .5 + 1) / 3, "m/b": (1 + 1 + .5) / 3}
	if len(got.Leaderboard) != 2 {
		t.Fatalf("%+v", got)
	}
	for _, r := range got.Leaderboard {
		near(t, r.Config+" mean reward under m/a", r.MeanReward, want[r.Config])
	}
	o.Condition = "m/b"
	if got, err = study.Score(ctx, db, o); err != nil || got.Tasks != 1 {
		// t2 alone has a wording of m/b, so two strata are empty
		var fault *schema.Fault
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), "no task") {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// A choice made after the evaluation could have been made because of it.
func TestASelectionAfterTargetRunsIsRefused(t *testing.T) {
	for name, early := range map[string][]byte{
		"under the source's name":         run("m/b", "t1", "m/a", 1, 1),
		"by the source, under its name":   run("m/a", "t1", "m/a", 1, 1),
		"under a candidate of the source": run("m/b", "t1", "m/a#2", 1, 1),
	} {
		db := database(t, [][][]byte{append(sourceSide(), early)}, 0)
		if _, err := choose(db, gateTable); err == nil || !strings.Contains(err.Error(), "1 target runs came before the selection: b/t1 under m/a") {
			t.Errorf("%s: %v", name, err)
		}
		if kept, err := study.Selections(context.Background(), db); err != nil || len(kept) != 0 {
			t.Errorf("%s: %v, %v", name, kept, err)
		}
	}
}

func TestOtherTasksCanBeSelectedLater(t *testing.T) {
	db := database(t, [][][]byte{sourceSide()}, 0)
	if _, err := choose(db, gateTable); err != nil {
		t.Fatal(err)
	}
	load(t, db, run("m/b", "t1", "m/a", 1, 1), run("m/b", "t3", "m/b#1", 1, 1))
	s, err := choose(db, gateTable+"b,t3,m/b,1,true,\n")
	if err != nil || len(s.Choices) != 1 || s.Choices[0].Selected != "m/b#1" || len(s.Warnings) > 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestAChangedSelectionIsFound(t *testing.T) {
	ctx := context.Background()
	db := database(t, [][][]byte{sourceSide()}, 0)
	calibrate(t, db)
	if _, err := choose(db, gateTable); err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(ctx, "UPDATE selections SET document = replace(document, 'm/a#3', 'm/a#2')"); err != nil {
		t.Fatal(err)
	}
	if _, err := study.Score(ctx, db, options("all")); err == nil || !strings.Contains(err.Error(), "its digest is not that of its content") {
		t.Errorf("%v", err)
	}
}

func TestAGateTableIsReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		"benchmark,task,source,candidate\n": "has no column preserved",
		"":                                  "is no table",
		"benchmark,task,source,candidate,preserved\nb,t1,m/a,0,true":  "neither a number from 1 nor m/a#N",
		"benchmark,task,source,candidate,preserved\nb,t1,m/a,1,maybe": "neither true nor false",
		"benchmark,task,source,candidate,preserved\nb,,m/a,1,true":    "must not be empty",
		"benchmark,task,source,candidate,preserved\nb,t1,m/a,m/b#1,1": "neither a number",
	} {
		if _, err := study.ReadGate([]byte(text), "gate.csv"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
