package workbook_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"amdb/export/workbook"
	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/study"
)

func TestNoRankedConfigurationStillGivesAWorkbook(t *testing.T) {
	runs := oddRuns(t, func(int, map[string]any) {})
	text, err := os.ReadFile(runs)
	if err != nil {
		t.Fatal(err)
	}
	// Under another description each configuration lacks a task that the other has.
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if i == 0 || i == 2 || i == 10 {
			text = append(text, strings.NewReplacer(`"run_id":"r`, `"description":"generic","run_id":"other`).Replace(line)+"\n"...)
		}
	}
	if err := os.WriteFile(runs, text, 0o600); err != nil {
		t.Fatal(err)
	}
	db := loaded(t, scoring.DefaultRules(), runs)
	res := scored(t, db, study.ScoreOptions{Condition: "generic"})
	if len(res.Leaderboard) > 0 || len(res.Excluded) != 2 {
		t.Fatalf("%d ranked, %d not", len(res.Leaderboard), len(res.Excluded))
	}
	path, _ := written(t, db, res, workbook.Options{})
	f := opened(t, path)
	if got := raw(t, f, "Runs", "F2"); got != "other00" {
		t.Errorf("the first run of a configuration that is not ranked is %q", got)
	}
	officeReads(t, path)
}

func TestAStoppedWorkbookLeavesNothing(t *testing.T) {
	db := loaded(t, scoring.DefaultRules(), golden("ties.runs.jsonl"))
	res := scored(t, db, study.ScoreOptions{})
	path := filepath.Join(t.TempDir(), "review.xlsx")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := workbook.Write(ctx, db, res, path, workbook.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) > 0 {
		t.Errorf("%s was left", entries[0].Name())
	}
}

func TestConditionsOverSeveralDescriptionsAreRefused(t *testing.T) {
	db := loaded(t, scoring.DefaultRules(), golden("paper.runs.jsonl"))
	for _, condition := range []string{"cross", "pooled"} {
		res := scored(t, db, study.ScoreOptions{Condition: condition})
		_, err := workbook.Write(context.Background(), db, res, filepath.Join(t.TempDir(), "review.xlsx"), workbook.Options{})
		var fault *schema.Fault
		if !errors.As(err, &fault) || fault.Hint == "" {
			t.Errorf("%s: the error is %v", condition, err)
		}
	}
	res := scored(t, db, study.ScoreOptions{Condition: "generic"})
	path, _ := written(t, db, res, workbook.Options{})
	near(t, "AMS under generic", raw(t, opened(t, path), "Leaderboard", "D5"), res.Leaderboard[0].AMS)
}

func TestDescriptionsAreASheetWhereThereAreAny(t *testing.T) {
	db := loaded(t, scoring.DefaultRules(), golden("paper.runs.jsonl"))
	d, err := study.Describe(context.Background(), db, study.DescribeOptions{
		ScoreOptions: study.ScoreOptions{Tasks: "all", Condition: "original", Policies: study.DefaultPolicies()}, Assignments: 100, Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	res := scored(t, db, study.ScoreOptions{})
	for _, with := range []*study.Descriptions{nil, d} {
		path := filepath.Join(t.TempDir(), "x.xlsx")
		if _, err := workbook.Write(context.Background(), db, res, path, workbook.Options{Descriptions: with}); err != nil {
			t.Fatal(err)
		}
		f, err := excelize.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := f.GetRows("Descriptions")
		f.Close()
		if with == nil {
			if err == nil {
				t.Error("a sheet of descriptions without any")
			}
			continue
		}
		// A header; five conditions of four targets and a mean; adapted-1.
		if want := 1 + 5*5 + 4; len(rows) != want {
			t.Errorf("%d rows, want %d", len(rows), want)
		}
		if rows[1][0] != "original" || rows[1][1] != d.Conditions[0].Configs[0].Config {
			t.Errorf("first row is %v", rows[1])
		}
	}
}
