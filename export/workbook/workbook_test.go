package workbook_test

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"amdb/export/workbook"
	"amdb/schema/source/reader"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
	"amdb/sql/ingest"
)

var loadTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// loaded is a database with the runs of files and a calibration called main
// over all their tasks.
func loaded(t testing.TB, rules scoring.Rules, files ...string) *sql.DB {
	t.Helper()
	db := onlyLoaded(t, files...)
	if _, err := study.Calibrate(context.Background(), db, study.CalibrateOptions{Name: "main", Tasks: "all", Rules: rules, Version: "test", Now: loadTime}); err != nil {
		t.Fatal(err)
	}
	return db
}

// onlyLoaded is a database with the runs of files.
func onlyLoaded(t testing.TB, files ...string) *sql.DB {
	t.Helper()
	ctx := context.Background()
	db, err := sql.Open(ctx, filepath.Join(t.TempDir(), "amdb.duckdb"), sql.Options{Mode: sql.Make})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := ingest.Load(ctx, db, ingest.Options{
		Paths: files, Format: "auto", Source: reader.Options{}, OnConflict: ingest.ConflictError, Version: "test", Now: loadTime,
	}); err != nil {
		t.Fatal(err)
	}
	return db
}

func golden(name string) string { return filepath.Join("..", "..", "testdata", "golden", name) }

// scored scores a database, over a task set of the golden files or all.
func scored(t testing.TB, db *sql.DB, o study.ScoreOptions) *study.Scores {
	t.Helper()
	if o.Policies == (study.Policies{}) {
		o.Policies = study.DefaultPolicies()
	}
	if o.Tasks == "" {
		o.Tasks = "all"
	}
	if o.Condition == "" {
		o.Condition = "original"
	}
	o.Views = true
	res, err := study.Score(context.Background(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// written writes a workbook and gives its path.
func written(t testing.TB, db *sql.DB, res *study.Scores, o workbook.Options) (string, workbook.Notes) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "review.xlsx")
	notes, err := workbook.Write(context.Background(), db, res, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return path, notes
}

// opened reads a workbook back.
func opened(t testing.TB, path string) *excelize.File {
	t.Helper()
	f, err := excelize.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// part is one file of the archive.
func part(t testing.TB, path, name string) string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// raw is a cell's stored value without its format.
func raw(t testing.TB, f *excelize.File, sheet, cell string) string {
	t.Helper()
	v, err := f.GetCellValue(sheet, cell, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func near(t *testing.T, what, got string, want float64) {
	t.Helper()
	x, err := strconv.ParseFloat(got, 64)
	if err != nil || math.Abs(x-want) > 1e-12 {
		t.Errorf("%s is %s, want %v", what, got, want)
	}
}

func TestStoredValuesAreTheScores(t *testing.T) {
	for _, name := range []string{"paper", "attempts", "ties"} {
		t.Run(name, func(t *testing.T) {
			db := loaded(t, scoring.DefaultRules(), golden(name+".runs.jsonl"))
			res := scored(t, db, study.ScoreOptions{Tasks: "@" + golden(name+".core.txt")})
			path, _ := written(t, db, res, workbook.Options{})
			f := opened(t, path)
			for i, st := range res.Leaderboard {
				row := strconv.Itoa(5 + i)
				near(t, st.Config+" AMS", raw(t, f, "Leaderboard", "D"+row), st.AMS)
				if got := raw(t, f, "Leaderboard", "C"+row); got != st.Config {
					t.Errorf("place %d is %s, want %s", i+1, got, st.Config)
				}
				if got := raw(t, f, "Leaderboard", "B"+row); got != strconv.Itoa(st.Rank) {
					t.Errorf("%s has rank %s, want %d", st.Config, got, st.Rank)
				}
			}
		})
	}
}

func TestWorkbookHasWhatReviewersExpect(t *testing.T) {
	db := loaded(t, scoring.DefaultRules(), golden("paper.runs.jsonl"))
	res := scored(t, db, study.ScoreOptions{Tasks: "@" + golden("paper.core.txt")})
	path, notes := written(t, db, res, workbook.Options{Version: "1.2.3"})
	f := opened(t, path)
	want := []string{"Read me", "Leaderboard", "Strata", "Figures", "Tasks", "Budgets", "Cells", "Cell means", "Runs", "Ablation", "Provenance"}
	if d := cmp.Diff(want, f.GetSheetList()); d != "" {
		t.Errorf("sheets (-want +got):\n%s", d)
	}
	names := map[string]string{}
	for _, n := range f.GetDefinedName() {
		names[n.Name+"@"+n.Scope] = n.RefersTo
	}
	for name, refers := range map[string]string{
		"alpha@Workbook": "Budgets!$B$4", "eta_Easy@Workbook": "Budgets!$B$11", "budgets_Hard@Workbook": "Budgets!$D$15:$D$24",
		"_xlnm.Print_Titles@Runs": "Runs!$1:$1", "_xlnm.Print_Titles@Leaderboard": "Leaderboard!$4:$4",
	} {
		if names[name] != refers {
			t.Errorf("name %s refers to %q, want %q", name, names[name], refers)
		}
	}
	for sheet, frozen := range map[string]int{"Leaderboard": 4, "Strata": 2, "Runs": 1, "Cells": 1, "Tasks": 1, "Provenance": 1} {
		if p, err := f.GetPanes(sheet); err != nil || !p.Freeze || p.YSplit != frozen {
			t.Errorf("%s: %d frozen rows, want %d (%v)", sheet, p.YSplit, frozen, err)
		}
	}
	for _, sheet := range want {
		l, err := f.GetPageLayout(sheet)
		if err != nil || l.FitToWidth == nil || *l.FitToWidth != 1 || l.FitToHeight == nil || *l.FitToHeight != 0 {
			t.Errorf("%s does not print on the width of a page", sheet)
		}
	}
	for _, sheet := range []string{"Leaderboard", "Strata", "Figures", "Tasks", "Cell means", "Runs", "Ablation", "Provenance"} {
		if tables, err := f.GetTables(sheet); err != nil || len(tables) != 1 {
			t.Errorf("%s has %d tables (%v)", sheet, len(tables), err)
		}
	}
	for _, sheet := range []string{"Leaderboard", "Strata", "Tasks", "Cells"} {
		if formats, err := f.GetConditionalFormats(sheet); err != nil || len(formats) == 0 {
			t.Errorf("%s has no colours (%v)", sheet, err)
		}
	}
	for _, chart := range []string{"xl/charts/chart1.xml", "xl/charts/chart2.xml"} {
		if !strings.Contains(part(t, path, chart), "<ser>") {
			t.Errorf("%s draws nothing", chart)
		}
	}
	link, err := f.GetCellFormula("Leaderboard", "C5")
	if err != nil || !strings.HasPrefix(link, "HYPERLINK(") {
		t.Errorf("the first configuration is no link: %q %v", link, err)
	}
	if len(notes.LeftOut) != 2 {
		t.Errorf("left out: %q, want the other descriptions and the other tasks", notes.LeftOut)
	}
	readMe := part(t, path, "xl/worksheets/sheet1.xml")
	for _, s := range []string{res.Calibration.Digest, "amdb 1.2.3", "missing reward: error", "320 runs of these tasks under other descriptions"} {
		if !strings.Contains(readMe, s) {
			t.Errorf("Read me does not say %q", s)
		}
	}
}

func TestValuesOnlyHasNoFormula(t *testing.T) {
	db := loaded(t, scoring.DefaultRules(), golden("attempts.runs.jsonl"))
	res := scored(t, db, study.ScoreOptions{})
	path, _ := written(t, db, res, workbook.Options{ValuesOnly: true})
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, entry := range z.File {
		if strings.HasPrefix(entry.Name, "xl/worksheets/sheet") && strings.Contains(part(t, path, entry.Name), "<f>") {
			t.Errorf("%s holds a formula", entry.Name)
		}
	}
	f := opened(t, path)
	near(t, "AMS", raw(t, f, "Leaderboard", "D5"), res.Leaderboard[0].AMS)
	if is, target, err := f.GetCellHyperLink("Leaderboard", "C5"); err != nil || !is || !strings.HasPrefix(target, "Runs!A") {
		t.Errorf("the first configuration leads to %q (%v)", target, err)
	}
}

func TestEqualDataGiveEqualBytes(t *testing.T) {
	var files [2][]byte
	for i := range files {
		db := loaded(t, scoring.DefaultRules(), golden("ties.runs.jsonl"))
		res := scored(t, db, study.ScoreOptions{})
		path, _ := written(t, db, res, workbook.Options{Version: "1"})
		var err error
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
			t.Errorf("%d files beside the workbook: temporary ones were left", len(entries)-1)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two workbooks of equal data differ")
	}
}
