package report_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"amdb/export/report"
	"amdb/scoring"
	"amdb/scoring/study"
)

func TestReportPolicyAllowsItsOwnScriptsAndNoNetwork(t *testing.T) {
	page := reported(t, reportDatabase(t, madeUp(3, 9, 1), scoring.DefaultRules()), study.DefaultPolicies(), reportOptions())
	csp := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if csp == nil {
		t.Fatal("no policy")
	}
	policy := strings.ReplaceAll(csp[1], "&#39;", "'")
	policy = strings.ReplaceAll(policy, "&#43;", "+")
	if !strings.HasPrefix(policy, "default-src 'none';") {
		t.Errorf("policy %s", policy)
	}
	for _, s := range reportScripts(t, page)[2:] {
		sum := sha256.Sum256([]byte(s[2]))
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("a script's hash %s is not in the policy %s", want, policy)
		}
		if strings.Contains(s[2], "\r") || strings.Contains(s[2], "<!--") {
			t.Error("a script holds what an HTML parser would change")
		}
	}
	if own := page[:strings.Index(page, `<script type=`)]; regexp.MustCompile(`<link|@import|url\(|src=`).MatchString(own) {
		t.Error("the page names something outside of it")
	}
}

func TestReportEqualDataGiveEqualBytes(t *testing.T) {
	runs := madeUp(5, 12, 3)
	for i := range runs {
		runs[i].ID = fmt.Sprintf("run-%d", i)
	}
	var pages []string
	for range 2 {
		pages = append(pages, reported(t, reportDatabase(t, runs, scoring.DefaultRules()), study.DefaultPolicies(), reportOptions()))
	}
	if pages[0] != pages[1] {
		t.Error("two reports of equal data differ")
	}
	slices.Reverse(runs)
	other := reported(t, reportDatabase(t, runs, scoring.DefaultRules()), study.DefaultPolicies(), reportOptions())
	digest := regexp.MustCompile(`[0-9a-f]{64}`) // the file's own differs, as it should
	if digest.ReplaceAllString(other, "") != digest.ReplaceAllString(pages[0], "") {
		t.Error("the order of rows shows in the report")
	}
}

// hostileNames are names that try to leave their place.
var hostileNames = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'; DROP TABLE runs; --`, `<!--<script>`, "\u202egnp.exe", "שלום עולם",
	strings.Repeat("very-long-name-", 40), `{{.Title}} ${x} &amp; \u003c`, "tab\tand\u2028separator", "{b|rich} {a0|text}",
}

func TestReportHostileNamesStayText(t *testing.T) {
	runs := madeUp(len(hostileNames), len(hostileNames), 5)
	for i := range runs {
		c, k := i/len(hostileNames), i%len(hostileNames)
		runs[i].Model, runs[i].Task, runs[i].Source = hostileNames[c], hostileNames[k], `<b>"suite"</b>`
		runs[i].ID, runs[i].Status = fmt.Sprintf("</script>%d", i), `<svg onload=alert(1)>`
	}
	o := reportOptions()
	o.Title = `</title><script>alert(1)</script>`
	page := reported(t, reportDatabase(t, runs, scoring.DefaultRules()), study.DefaultPolicies(), o)
	reportScripts(t, page)
	for _, bad := range []string{"<img", "<script>alert", "<svg onload", "<b>\"", "onerror=alert(1)>"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q as markup", bad)
		}
	}
	var data struct{ Configs []struct{ N string } }
	if err := json.Unmarshal([]byte(reportScripts(t, page)[0][2]), &data); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range data.Configs {
		names = append(names, c.N)
	}
	for _, want := range hostileNames[:7] {
		want = strings.ReplaceAll(want, "\u202e", "\u2423") // it would make the name look like another
		if !slices.Contains(names, want+"/agent") {
			t.Errorf("the data do not hold %q", want)
		}
	}
}

func TestReportUnknownIsNeverZero(t *testing.T) {
	runs := madeUp(4, 9, 7)
	for i := range runs {
		if c := i / 9; c == 1 || c == 2 && i%9 == 0 { // all costs, one cost
			runs[i].Cost = nil
		}
	}
	runs = slices.Delete(runs, 9*3, 9*3+2) // and two cells
	rules := scoring.DefaultRules()
	rules.MissingCost = "exclude"
	policies := study.DefaultPolicies()
	policies.MissingCost = "unaffordable"
	page := reported(t, reportDatabase(t, runs, rules), policies, reportOptions())
	for _, want := range []string{
		`<span class="unknown">unknown</span> <small>0/9</small>`, `unknown</span> <small>≥ $`, `missing cost: unaffordable (10 runs)`,
		"2 configurations have an unknown total cost", "<h3>Not ranked</h3>", `7 <small>of 9</small>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	d := unpacked(t, page)
	cells := d["reward"].([]any)
	missing := 0
	for _, v := range cells[3*9:] {
		if v == nil {
			missing++
		}
	}
	if missing != 2 {
		t.Errorf("%d missing cells of the configuration that is not ranked, want 2", missing)
	}
	unpriced := 0
	for _, v := range d["cost"].([]any) {
		if v == nil {
			unpriced++
		}
	}
	if unpriced != 9+1+2 {
		t.Errorf("%d cells of unknown cost, want 12", unpriced)
	}
}

func TestReportOneConfigurationAndNoneExcluded(t *testing.T) {
	page := reported(t, reportDatabase(t, madeUp(1, 9, 9), scoring.DefaultRules()), study.DefaultPolicies(), reportOptions())
	for _, want := range []string{"1 configuration on 9 tasks", "none lacks a cell", "0 breakpoints"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page, "<h3>Not ranked</h3>") || strings.Contains(page, `id="descriptions"`) {
		t.Error("the page has sections that have nothing to say")
	}
}

func TestReportNoConfigurationRanked(t *testing.T) {
	runs := madeUp(2, 9, 11)
	db := reportDatabase(t, runs, scoring.DefaultRules())
	ctx := context.Background()
	// Both lose a cell after the calibration.
	if err := db.Exec(ctx, "DELETE FROM stored_runs WHERE task_key = (SELECT min(task_key) FROM stored_runs) AND config_key = 0"); err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(ctx, "DELETE FROM stored_runs WHERE task_key = (SELECT max(task_key) FROM stored_runs) AND config_key = 1"); err != nil {
		t.Fatal(err)
	}
	page := reported(t, db, study.DefaultPolicies(), reportOptions())
	if !strings.Contains(page, "none: no configuration is complete") || !strings.Contains(page, "<h3>Not ranked</h3>") {
		t.Error("the page does not say that none is ranked")
	}
}

func TestReportLeavesRunsOutAboveItsBound(t *testing.T) {
	db := reportDatabase(t, madeUp(3, 9, 13), scoring.DefaultRules())
	o := reportOptions()
	if d := unpacked(t, reported(t, db, study.DefaultPolicies(), o)); len(d["runs"].(map[string]any)["id"].([]any)) != 27 {
		t.Error("27 runs are not in the page")
	}
	o.Runs = 26
	page := reported(t, db, study.DefaultPolicies(), o)
	if unpacked(t, page)["runs"] != nil || !strings.Contains(page, "The page carries no single runs: there are 27, more than the bound of 26") {
		t.Error("above the bound the page carries runs, or does not say that it does not")
	}
}

func TestReportFailureLeavesNothing(t *testing.T) {
	db := reportDatabase(t, madeUp(2, 9, 15), scoring.DefaultRules())
	ctx, cancel := context.WithCancel(context.Background())
	res, err := study.Score(ctx, db, study.ScoreOptions{Tasks: "all", Condition: "original", Policies: study.DefaultPolicies(), Views: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "out.html")
	if err := os.WriteFile(path, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := report.Write(ctx, db, res, path, reportOptions()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the cancelled context", err)
	}
	b, _ := os.ReadFile(path)
	files, _ := os.ReadDir(dir)
	if string(b) != "before" || len(files) != 1 {
		t.Errorf("a failed report changed the file, or left another: %q, %d files", b, len(files))
	}
}

func TestReportShowsWhatIsDoubtful(t *testing.T) {
	db := reportDatabase(t, madeUp(2, 9, 17), scoring.DefaultRules())
	if !strings.Contains(reported(t, db, study.DefaultPolicies(), reportOptions()), "Doubtful in the data") {
		t.Error("the page does not show the issues")
	}
}

// The bound of the page at 100 configurations × 2,000 tasks, the size that the
// heat map is made for.
func TestReportOfManyCellsStaysSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("200,000 runs")
	}
	db := reportDatabase(t, madeUp(100, 2000, 19), scoring.DefaultRules())
	start := time.Now()
	page := reported(t, db, study.DefaultPolicies(), reportOptions())
	t.Logf("%d bytes in %v", len(page), time.Since(start))
	if len(page) > 4<<20 {
		t.Errorf("the page has %d bytes, more than 4 MiB", len(page))
	}
	if n := len(unpacked(t, page)["reward"].([]any)); n != 200_000 {
		t.Errorf("%d cells, want 200,000", n)
	}
}

func TestReportAnalysesOfThePaper(t *testing.T) {
	db := reportLoaded(t, filepath.Join("..", "..", "testdata", "golden", "paper.runs.jsonl"), scoring.DefaultRules())
	described, err := study.Describe(context.Background(), db, study.DescribeOptions{
		ScoreOptions: study.ScoreOptions{Tasks: "all", Condition: scoring.Original, Policies: study.DefaultPolicies()}, Assignments: 1000, Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	o := reportOptions()
	o.Descriptions = described
	if o.Sensitivity, err = study.Analyse(context.Background(), db, study.SensitivityOptions{
		ScoreOptions: study.ScoreOptions{Tasks: "all", Condition: scoring.Original, Policies: study.DefaultPolicies()},
		EtaQuantiles: []float64{0.5, 0.75}, BudgetLevels: []int{5},
	}); err != nil {
		t.Fatal(err)
	}
	page := reported(t, db, study.DefaultPolicies(), o)
	for _, want := range []string{`id="descriptions"`, "Equal-size control adapted-1", "improve the reward over the original", `<th scope="row" data-v="pooled">`, "19 other choices"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestReportCurvesMeanIsAUBQC(t *testing.T) {
	page := reported(t, reportDatabase(t, madeUp(6, 20, 21), scoring.DefaultRules()), study.DefaultPolicies(), reportOptions())
	var data struct {
		Configs []struct {
			P [4][4]float64
			Q [3][]*float64
		}
	}
	if err := json.Unmarshal([]byte(reportScripts(t, page)[0][2]), &data); err != nil {
		t.Fatal(err)
	}
	if len(data.Configs) != 6 {
		t.Fatalf("%d configurations, want 6", len(data.Configs))
	}
	for _, c := range data.Configs {
		for s, levels := range c.Q {
			sum := 0.0
			for _, q := range levels {
				sum += *q
			}
			if got, want := sum/float64(len(levels)), c.P[s+1][2]; math.Abs(got-want) > 1e-12 {
				t.Errorf("stratum %d: the curve's mean is %v, AUBQC %v", s, got, want)
			}
		}
	}
}

func TestReportOfSeveralDescriptionsSaysWhatItLeavesOut(t *testing.T) {
	db := reportLoaded(t, filepath.Join("..", "..", "testdata", "golden", "paper.runs.jsonl"), scoring.DefaultRules())
	tasks := filepath.Join(t.TempDir(), "tasks.txt")
	var list []string
	rows, err := db.Rows(context.Background(), "SELECT DISTINCT benchmark || chr(9) || task FROM runs WHERE description = 'generic'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		list = append(list, line)
	}
	if err := errors.Join(rows.Err(), os.WriteFile(tasks, []byte(strings.Join(list, "\n")), 0o600)); err != nil {
		t.Fatal(err)
	}
	res, err := study.Score(context.Background(), db, study.ScoreOptions{Tasks: "@" + tasks, Condition: scoring.Pooled, Policies: study.DefaultPolicies(), Views: true})
	if err != nil {
		t.Fatal(err)
	}
	page := writtenReport(t, db, res, reportOptions())
	if !strings.Contains(page, "averages several descriptions") || unpacked(t, page)["runs"] != nil {
		t.Error("the page shows single runs or curves as if there were one description")
	}
}
