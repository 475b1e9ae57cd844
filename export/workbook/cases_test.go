package workbook_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"amdb/export/workbook"
	"amdb/scoring"
	"amdb/scoring/study"
)

// oddRuns are the runs of three tasks and two configurations, each with what a
// workbook could spoil.
func oddRuns(t *testing.T, change func(i int, r map[string]any)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "odd.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	i := 0
	for _, model := range []string{"alpha", "beta"} {
		for task, name := range []string{"one", "two", "three"} {
			for attempt := 1; attempt <= 2; attempt++ {
				r := map[string]any{
					"run_id": fmt.Sprintf("r%02d", i), "benchmark": "b", "task": name, "model": model, "cli": "c", "attempt": attempt,
					"reward": float64((i+attempt)%3) / 2, "cost_usd": 0.25 * float64(1+i), "total_tokens": 1000 * (1 + task), "steps": 1 + task,
				}
				change(i, r)
				b, err := json.Marshal(r)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintln(f, string(b))
				i++
			}
		}
	}
	return path
}

// odd is a workbook of odd runs.
func odd(t *testing.T, change func(i int, r map[string]any)) (*excelize.File, string, workbook.Notes) {
	t.Helper()
	db := loaded(t, scoring.DefaultRules(), oddRuns(t, change))
	path, notes := written(t, db, scored(t, db, study.ScoreOptions{}), workbook.Options{})
	return opened(t, path), path, notes
}

// runRow is the row of a run on the sheet of runs.
func runRow(t *testing.T, f *excelize.File, id string) string {
	t.Helper()
	rows, err := f.GetCols("Runs")
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range rows[5] {
		if v == id {
			return fmt.Sprint(i + 1)
		}
	}
	t.Fatalf("no run %q", id)
	return ""
}

func isText(t *testing.T, f *excelize.File, sheet, cell string) bool {
	t.Helper()
	kind, err := f.GetCellType(sheet, cell)
	if err != nil {
		t.Fatal(err)
	}
	return kind == excelize.CellTypeInlineString || kind == excelize.CellTypeSharedString
}

func TestC01LongIntegersAreTextAndKeepTheirDigits(t *testing.T) {
	f, _, notes := odd(t, func(i int, r map[string]any) {
		if i == 0 {
			r["total_tokens"] = json.Number("9007199254740993")
			r["steps"] = json.Number("6879143894183324362")
		}
	})
	row := runRow(t, f, "r00")
	for col, want := range map[string]string{"M": "9007199254740993", "N": "6879143894183324362"} {
		if got := raw(t, f, "Runs", col+row); got != want || !isText(t, f, "Runs", col+row) {
			t.Errorf("%s is %s, text %v; want the text %s", col, got, isText(t, f, "Runs", col+row), want)
		}
	}
	if notes.IntegersAsText != 2 {
		t.Errorf("%d integers noted as text, want 2", notes.IntegersAsText)
	}
}

func TestC02TimesAreUTCAndTheHeaderSaysSo(t *testing.T) {
	f, _, _ := odd(t, func(i int, r map[string]any) { r["started_at"] = "2026-03-01T18:30:00-05:00" })
	if got := raw(t, f, "Runs", "O1"); got != "started, UTC" {
		t.Errorf("header %q", got)
	}
	x, err := excelize.ExcelDateToTime(number(t, raw(t, f, "Runs", "O2")), false)
	if err != nil || x.Format(time.DateTime) != "2026-03-01 23:30:00" {
		t.Errorf("the time is %v (%v)", x, err)
	}
}

func TestC04LongTextsAreCutWithAMarkerAndCounted(t *testing.T) {
	log := strings.Repeat("x", 40_000)
	lines := strings.Repeat("line\r\n", 5_500) // 33,000 characters
	f, _, notes := odd(t, func(i int, r map[string]any) {
		r["status"] = []string{log, lines, "done"}[min(i, 2)]
	})
	for id, chars := range map[string]int{"r00": 40_000, "r01": 33_000} {
		got := raw(t, f, "Runs", "Q"+runRow(t, f, id))
		if n := len(utf16.Encode([]rune(got))); n > 32_767 || n < 32_000 {
			t.Errorf("%s: %d units", id, n)
		}
		if want := fmt.Sprintf("… [cut: %d characters]", chars); !strings.HasSuffix(got, want) {
			t.Errorf("%s ends with %q, want %q", id, got[len(got)-40:], want)
		}
	}
	if notes.CutTexts != 2 {
		t.Errorf("%d texts noted as cut, want 2", notes.CutTexts)
	}
}

func TestC06NoNumberIsBlankNeverText(t *testing.T) {
	var n workbook.Notes
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := n.Number(x); got != nil {
			t.Errorf("%v is written as %v", x, got)
		}
	}
	if n.NotFinite != 3 || len(n.Lines()) != 1 {
		t.Errorf("noted %d: %q", n.NotFinite, n.Lines())
	}
}

func TestC07ControlCharactersAreReplacedVisiblyAndCounted(t *testing.T) {
	f, _, notes := odd(t, func(i int, r map[string]any) {
		if i == 0 {
			r["status"] = "\x1b[31mFAIL\x1b[0m \x0b"
		}
	})
	if got, want := raw(t, f, "Runs", "Q"+runRow(t, f, "r00")), "␛[31mFAIL␛[0m ␋"; got != want {
		t.Errorf("status is %q, want %q", got, want)
	}
	if notes.ReplacedChars != 3 {
		t.Errorf("%d characters noted as replaced, want 3", notes.ReplacedChars)
	}
	var n workbook.Notes
	if got, want := n.Text("a\x00b\xffc\uffff\x7f\ttab\nline"), "a␀b�c�␡\ttab\nline"; got != want || n.ReplacedChars != 4 {
		t.Errorf("%q, %d replaced; want %q, 4", got, n.ReplacedChars, want)
	}
}

func TestC08NamesThatLookLikeFormulasAreText(t *testing.T) {
	names := []string{`=HYPERLINK("http://example.org","x")`, "@sum", "-- x"}
	f, path, _ := odd(t, func(i int, r map[string]any) {
		r["task"] = names[i/2%3]
		r["run_id"] = fmt.Sprintf("=1+%02d", i)
	})
	seen := map[string]bool{}
	for row := 2; row <= 13; row++ {
		for _, col := range []string{"C", "F"} {
			cell := fmt.Sprint(col, row)
			seen[raw(t, f, "Runs", cell)] = true
			if formula, _ := f.GetCellFormula("Runs", cell); formula != "" || !isText(t, f, "Runs", cell) {
				t.Errorf("%s is a formula or a number: %q", cell, formula)
			}
		}
	}
	for _, n := range names {
		if !seen[n] {
			t.Errorf("task %q is not there as it is", n)
		}
	}
	officeReads(t, path)
}

func TestC09RunsBeyondOneSheetAreAllThere(t *testing.T) {
	db := loaded(t, scoring.DefaultRules(), golden("attempts.runs.jsonl"))
	res := scored(t, db, study.ScoreOptions{})
	path, notes := written(t, db, res, workbook.SheetRows(workbook.Options{}, 160))
	f := opened(t, path)
	ids := map[string]bool{}
	for _, sheet := range notes.RunSheets {
		cols, err := f.GetCols(sheet)
		if err != nil {
			t.Fatal(err)
		}
		if len(cols[5]) > 160 {
			t.Errorf("%s has %d rows", sheet, len(cols[5]))
		}
		for _, id := range cols[5][1:] {
			ids[id] = true
		}
	}
	want := 0
	for _, st := range res.Leaderboard {
		want += st.Runs
	}
	if len(ids) < want || len(notes.RunSheets) < 2 {
		t.Errorf("%d runs on %v, want at least %d", len(ids), notes.RunSheets, want)
	}
	if lines := notes.Lines(); len(lines) == 0 || !strings.Contains(strings.Join(lines, " "), "Runs 2") {
		t.Errorf("the notes do not say that the runs were split: %q", lines)
	}
}

// officeReads proves that LibreOffice opens a workbook.
func officeReads(t *testing.T, path string) {
	t.Helper()
	if testing.Short() {
		return
	}
	if _, err := exec.LookPath("soffice"); err != nil {
		t.Log("not checked with LibreOffice: there is no soffice here")
		return
	}
	dir := t.TempDir()
	out, err := exec.Command("soffice", "-env:UserInstallation=file://"+dir+"/profile", "--headless", "--convert-to", "csv", "--outdir", dir, path).CombinedOutput()
	if _, serr := os.Stat(filepath.Join(dir, "review.csv")); err != nil || serr != nil {
		t.Errorf("LibreOffice does not open it: %v %v\n%s", err, serr, out)
	}
}

func TestC11OddWorkbookIsWellFormed(t *testing.T) {
	f, path, _ := odd(t, func(i int, r map[string]any) {
		r["model"] = []string{`a"<&>'b`, "модель-日本語 🙂"}[i/6]
		r["status"] = "_x0041_ ]]> &amp;"
		r["cli_version"] = " leading and trailing "
	})
	if got := raw(t, f, "Runs", "Q2"); got != "_x0041_ ]]> &amp;" {
		t.Errorf("status is %q", got)
	}
	officeReads(t, path)
	if _, err := exec.LookPath("python3"); err == nil {
		out, err := exec.Command("python3", "-c", `
import sys, zipfile, xml.dom.minidom, openpyxl
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
for n in z.namelist():
    xml.dom.minidom.parseString(z.read(n))
b = openpyxl.load_workbook(sys.argv[1])
assert b["Runs"]["R2"].value == " leading and trailing ", b["Runs"]["R2"].value
assert {b["Runs"].cell(r, 1).value for r in range(2, 14)} == {"a\"<&>'b/c", "модель-日本語 🙂/c"}
`, path).CombinedOutput()
		if err != nil && !strings.Contains(string(out), "No module named") {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func TestC12SheetNamesAreLegal(t *testing.T) {
	taken := map[string]bool{}
	for want, got := range map[string]string{
		"swe/verified: v2?": "swe_verified_ v2_", "": "Sheet", "History": "History_", "'quoted'": "quoted", "[a]*\\b": "_a___b",
	} {
		if name := workbook.SheetName(want, taken); name != got {
			t.Errorf("%q becomes %q, want %q", want, name, got)
		}
	}
}

func TestC14LongSheetNamesStayApart(t *testing.T) {
	taken := map[string]bool{}
	same := strings.Repeat("n", 31)
	first, second, third := workbook.SheetName(same+"-first", taken), workbook.SheetName(same+"-second", taken), workbook.SheetName(strings.ToUpper(same), taken)
	if first != same || second != same[:29]+"~1" || third != strings.ToUpper(same)[:29]+"~2" {
		t.Errorf("%q, %q, %q", first, second, third)
	}
}

func TestC15IdsThatLookLikeNumbersStayText(t *testing.T) {
	ids := []string{"3e10", "0012", "1-2", "TRUE", "219E01", "1.0"}
	f, _, _ := odd(t, func(i int, r map[string]any) {
		if i < len(ids) {
			r["run_id"] = ids[i]
		}
	})
	for _, id := range ids {
		if cell := "F" + runRow(t, f, id); !isText(t, f, "Runs", cell) {
			t.Errorf("%s is no text", id)
		}
	}
}

func TestC17TimesHaveADateFormatAndRoom(t *testing.T) {
	f, _, _ := odd(t, func(i int, r map[string]any) { r["finished_at"] = "2026-03-01T23:30:59Z" })
	if got, err := f.GetCellValue("Runs", "P2"); err != nil || got != "2026-03-01 23:30:59" {
		t.Errorf("shown as %q (%v)", got, err)
	}
	if width, err := f.GetColWidth("Runs", "P"); err != nil || width < 18 {
		t.Errorf("the column is %v wide (%v)", width, err)
	}
}

func TestNumbersOfMoreThan15DigitsAreCounted(t *testing.T) {
	var n workbook.Notes
	for _, x := range []float64{0.1, 0.027486, 1e300, 123456789012345, 0.123456789012345, 1.0 / 8} {
		n.GivenNumber(x)
	}
	if n.RoundedNumbers != 0 {
		t.Errorf("%d counted that fit", n.RoundedNumbers)
	}
	for _, x := range []float64{math.Nextafter(0.3, 1), 1.0 / 3, math.Nextafter(0.1, 1)} {
		n.GivenNumber(x)
	}
	if n.RoundedNumbers != 3 {
		t.Errorf("%d counted, want 3", n.RoundedNumbers)
	}
}

func TestCostsWithinASpreadsheetsToleranceOfABudgetAreCounted(t *testing.T) {
	_, _, notes := odd(t, func(i int, r map[string]any) {
		switch i { // two neighbouring doubles: one is a budget of the other's stratum
		case 0:
			r["cost_usd"], r["reward"] = 0.3, 1
		case 1:
			r["cost_usd"], r["reward"] = math.Nextafter(0.3, 1), 1
		}
	})
	if notes.NearTies == 0 {
		t.Error("a cost one bit above a budget was not counted")
	}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	var x float64
	if _, err := fmt.Sscan(s, &x); err != nil {
		t.Fatal(err)
	}
	return x
}
