package workbook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"amdb/export/workbook"
	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

// officeCase is a workbook, what is changed in it, and the scores that it must
// then calculate.
type officeCase struct {
	name    string
	book    string
	changes []string
	want    *study.Scores
}

// TestLibreOfficeCalculatesTheScores gives LibreOffice workbooks without any
// stored value of a formula: what it calculates is what amdb scores, as written
// and after alpha, budgets, thresholds and rewards were changed in the file.
func TestLibreOfficeCalculatesTheScores(t *testing.T) {
	if testing.Short() {
		t.Skip("starts LibreOffice")
	}
	for _, tool := range []string{"soffice", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("not checked: there is no %s here", tool)
		}
	}
	if err := exec.Command("python3", "-c", "import openpyxl").Run(); err != nil {
		t.Skip("not checked: python3 has no openpyxl")
	}
	dir := t.TempDir()
	var cases []officeCase
	for _, set := range []string{"paper", "attempts", "ties"} {
		cases = append(cases, goldenCases(t, set)...)
	}
	cases = append(cases, policyCases(t)...)
	cases = append(cases, splitCase(t))
	cases = append(cases, runlessCases(t)...)
	cases = append(cases, rewardCases(t)...)
	var files []string
	for i, c := range cases {
		file := filepath.Join(dir, fmt.Sprintf("%02d.xlsx", i))
		files = append(files, file)
		python(t, append([]string{"strip", c.book, file}, c.changes...)...)
	}
	out := filepath.Join(dir, "out")
	args := append([]string{"-env:UserInstallation=file://" + filepath.Join(dir, "profile"), "--headless", "--convert-to", "xlsx", "--outdir", out}, files...)
	if b, err := exec.Command("soffice", args...).CombinedOutput(); err != nil {
		t.Fatalf("soffice: %v\n%s", err, b)
	}
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			doc, err := json.Marshal(c.want)
			if err != nil {
				t.Fatal(err)
			}
			want := filepath.Join(dir, fmt.Sprintf("%02d.json", i))
			if err := os.WriteFile(want, doc, 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{"compare", filepath.Join(out, filepath.Base(files[i])), want}
			if c.changes == nil { // then every stored value must come out again
				args = append(args, c.book)
			}
			t.Log(python(t, args...))
		})
	}
}

func python(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("python3", append([]string{filepath.Join("..", "..", "scripts", "check_workbook.py")}, args...)...)
	b, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("check_workbook.py %s: %v\n%s", strings.Join(args, " "), err, b)
	}
	return strings.TrimSpace(string(b))
}

// goldenCases are a golden set as written, at another alpha, and under the
// budgets and thresholds of another calibration.
func goldenCases(t *testing.T, set string) []officeCase {
	db := loaded(t, scoring.DefaultRules(), golden(set+".runs.jsonl"))
	tasks := "@" + golden(set+".core.txt")
	res := scored(t, db, study.ScoreOptions{Calibration: "main", Tasks: tasks})
	book, _ := written(t, db, res, workbook.Options{})
	alpha := 0.7
	other := scored(t, db, study.ScoreOptions{Calibration: "main", Tasks: tasks, Alpha: &alpha})

	byHand := map[scoring.Stratum][]float64{}
	changes := []string{}
	for _, s := range scoring.Strata {
		for i, b := range res.Cal.Strata[s].Budgets {
			byHand[s] = append(byHand[s], b/2)
			// In falling order: the order of budgets does not matter.
			cell := "Budgets!" + string(rune('B'+int(s))) + strconv.Itoa(15+len(res.Cal.Strata[s].Budgets)-1-i)
			changes = append(changes, fmt.Sprintf("%s=%v", cell, b/2))
		}
	}
	rules := scoring.DefaultRules()
	rules.EtaQuantile = 0.3
	cal, err := study.Calibrate(context.Background(), db, study.CalibrateOptions{Name: "strict", Tasks: "all", Rules: rules, Budgets: byHand, Version: "test", Now: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scoring.Strata {
		if eta := cal.Strata[s].EtaUSD; eta != nil {
			changes = append(changes, fmt.Sprintf("eta_%s=%v", s, *eta))
		}
	}
	strict := scored(t, db, study.ScoreOptions{Calibration: "strict", Tasks: tasks})
	if strict.Leaderboard[0].AMS == res.Leaderboard[0].AMS {
		t.Errorf("%s: the other calibration scores the same: the case shows nothing", set)
	}
	return []officeCase{
		{set + " as written", book, nil, res},
		{set + " at alpha 0.7", book, []string{"alpha=0.7"}, other},
		{set + " under other budgets and thresholds", book, changes, strict},
	}
}

// policyCases are runs that lack rewards, costs and cells, under each policy.
func policyCases(t *testing.T) []officeCase {
	text, err := os.ReadFile(golden("attempts.runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	full := loaded(t, scoring.DefaultRules(), golden("attempts.runs.jsonl"))
	cal, _, err := study.ReadCalibration(context.Background(), full, "main")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var r map[string]any
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		switch {
		case i%17 == 3:
			r["reward"] = nil
		case i%19 == 5:
			r["cost_usd"] = nil
		case i%7 == 1 && r["model"] == "glm-5.1":
			continue // and where all attempts go, the cell is missing
		}
		if r["model"] == "glm-5.1" && r["task"] == cal.Tasks[0].Task {
			continue
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(b, '\n'))
	}
	path := filepath.Join(t.TempDir(), "gaps.jsonl")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	db := imported(t, cal, path)
	var cases []officeCase
	for _, p := range []study.Policies{
		{MissingReward: "zero", MissingCost: "unaffordable", Incomplete: "exclude"},
		{MissingReward: "zero", MissingCost: "exclude", Incomplete: "zero"},
		{MissingReward: "exclude", MissingCost: "unaffordable", Incomplete: "zero"},
		{MissingReward: "exclude", MissingCost: "exclude", Incomplete: "exclude"},
	} {
		p.PassThreshold = 0.9
		res := scored(t, db, study.ScoreOptions{Policies: p})
		book, _ := written(t, db, res, workbook.Options{})
		cases = append(cases, officeCase{
			fmt.Sprintf("reward %s, cost %s, incomplete %s: %d ranked", p.MissingReward, p.MissingCost, p.Incomplete, len(res.Leaderboard)), book, nil, res,
		})
	}
	return cases
}

// imported is a database with the runs of a file under a calibration made
// elsewhere.
func imported(t *testing.T, cal *scoring.Calibration, path string) *sql.DB {
	t.Helper()
	doc, err := json.Marshal(cal)
	if err != nil {
		t.Fatal(err)
	}
	db := onlyLoaded(t, path)
	if _, err := study.ImportCalibration(context.Background(), db, doc, "main", "test", time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	return db
}

// splitCase is a workbook whose runs fill several sheets.
func splitCase(t *testing.T) officeCase {
	db := loaded(t, scoring.DefaultRules(), golden("attempts.runs.jsonl"))
	res := scored(t, db, study.ScoreOptions{})
	book, notes := written(t, db, res, workbook.SheetRows(workbook.Options{}, 160))
	if len(notes.RunSheets) < 3 {
		t.Errorf("runs on %v: the case shows nothing", notes.RunSheets)
	}
	return officeCase{"runs on " + strconv.Itoa(len(notes.RunSheets)) + " sheets", book, nil, res}
}

// rewardCases change the reward of one run, take it away, and move the run.
func rewardCases(t *testing.T) []officeCase {
	text, err := os.ReadFile(golden("ties.runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	before := loaded(t, scoring.DefaultRules(), golden("ties.runs.jsonl"))
	res := scored(t, before, study.ScoreOptions{})
	book, _ := written(t, before, res, workbook.Options{})
	f := opened(t, book)
	id, old := raw(t, f, "Runs", "F2"), raw(t, f, "Runs", "G2")
	reward := 1.0
	if old == "1" {
		reward = 0.25
	}
	after := func(reward any, p study.Policies) *study.Scores {
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		for i, line := range lines {
			if strings.Contains(line, `"`+id+`"`) {
				lines[i] = withReward(t, line, reward)
			}
		}
		path := filepath.Join(t.TempDir(), "changed.jsonl")
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		return scored(t, imported(t, res.Cal, path), study.ScoreOptions{Policies: p})
	}
	exclude := study.DefaultPolicies()
	exclude.MissingReward, exclude.MissingCost = "exclude", "exclude"
	without := after(nil, exclude)
	if len(without.Excluded) != len(res.Excluded)+1 {
		t.Errorf("%d configurations not ranked after a cell went, %d before: the case shows nothing", len(without.Excluded), len(res.Excluded))
	}
	return []officeCase{
		{fmt.Sprintf("a reward changed from %s to %v", old, reward), book, []string{fmt.Sprintf("Runs!G2=%v", reward)}, after(reward, study.Policies{})},
		{"a reward taken away", book, []string{"Runs!G2="}, without},
		{"a run moved to another task", book, []string{"Runs!C2=elsewhere"}, without},
	}
}

func withReward(t *testing.T, line string, reward any) string {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatal(err)
	}
	r["reward"] = reward
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A refusal must come before anything is written.
func TestTooManyRunsForOneSheetAreRefusedOrSplit(t *testing.T) {
	db := loaded(t, scoring.DefaultRules(), golden("attempts.runs.jsonl"))
	res := scored(t, db, study.ScoreOptions{})
	path := filepath.Join(t.TempDir(), "review.xlsx")
	for name, o := range map[string]workbook.Options{
		"all runs on one sheet":                workbook.SheetRows(workbook.Options{NoSplit: true}, 160),
		"the cells, or a configuration's runs": workbook.SheetRows(workbook.Options{}, 60),
	} {
		_, err := workbook.Write(context.Background(), db, res, path, o)
		var fault *schema.Fault
		if err == nil {
			t.Errorf("%s: no refusal", name)
		} else if !errors.As(err, &fault) || fault.Hint == "" {
			t.Errorf("%s: %v has no hint", name, err)
		}
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) > 0 {
			t.Errorf("%s: %s was left", name, entries[0].Name())
		}
	}
}
