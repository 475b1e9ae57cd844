package report

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"amdb/scoring"
	"amdb/scoring/study"
)

//go:embed assets
var reportFiles embed.FS

// scriptFiles are the page's own script, in the order in which it runs.
var scriptFiles = []string{"base.js", "tables.js", "charts.js", "stability.js", "heat.js", "start.js"}

// page is what the template shows.
type page struct {
	Title, Version, CSP string
	Style               template.CSS
	Res                 *study.Scores
	Cal                 *scoring.Calibration
	Rows                []standingRow
	Status              *study.Status
	Alpha               scoring.AlphaSensitivity
	Leaders             []leaderSpan
	Ablation            []scoring.Variant
	Criteria            []scoring.Criterion
	Boot                scoring.BootstrapOptions
	BootWarnings        []string
	Strata              []stratumFigures
	Loads               []reportLoad
	Notes, Rejects      *grid
	Issues              *grid
	Wordings            *study.Descriptions
	Mixed               bool
	Choices             []choiceRow
	Sensitivity         *study.Sensitivity
	SensitivityReason   string
	WordingsReason      string
	Facts               pageFacts
	Licences            string
}

// pageFacts are counts for the head of the page.
type pageFacts struct {
	Runs, Passed, NotSeparated, Front, Partial int
	RunCount, RunBound                         int
	Leaders                                    []string
	Terms                                      string
	MaxSelected                                int
	Level                                      string
	LeaderChanges                              int
}

// standingRow is a line of the leaderboard.
type standingRow struct {
	study.Standing
	U    scoring.ConfigUncertainty
	At   int
	Note string // why a figure is unknown
}

// stratumFigures is what the calibration fixed for a stratum.
type stratumFigures struct {
	Name    string
	Rules   scoring.StratumRules
	InSet   int
	Lo, Hi  float64
	Budgets string
}

// page collects what the template shows. It counts lines and computes nothing.
func (r *report) page() *page {
	res := r.res
	p := &page{
		Title: clean(r.o.Title), Version: r.o.Version, Res: res, Cal: res.Cal, Status: r.status, Alpha: r.alpha,
		Leaders: leaderSpans(r.alpha), Ablation: r.ablation, Criteria: r.rankings.Criteria, Boot: r.o.Bootstrap,
		BootWarnings: r.uncertainty.Warnings, Loads: r.loads, Notes: r.notes, Rejects: r.rejects, Issues: r.issues,
		Wordings: r.o.Descriptions, Mixed: r.mixed,
		Choices: choiceRows(r.o.Sensitivity), Sensitivity: r.o.Sensitivity, SensitivityReason: r.o.SensitivityReason, WordingsReason: r.o.DescriptionsReason,
	}
	p.Facts.RunCount, p.Facts.RunBound = r.runCount, max(r.o.Runs, 0)
	p.Facts.Level = strings.TrimSuffix(strings.TrimRight(fixed(r.o.Bootstrap.Level*100, 2), "0"), ".") + "\u202f%"
	p.Facts.LeaderChanges = max(0, len(p.Leaders)-1)
	terms := make([]string, len(res.Cal.EffortTerms))
	for i, t := range res.Cal.EffortTerms {
		terms[i] = string(t)
	}
	p.Facts.Terms = strings.Join(terms, ", ")
	for i, s := range res.Leaderboard {
		c, _ := slices.BinarySearch(res.Panel.Configs, s.Config)
		row := standingRow{Standing: s, U: r.uncertainty.Configs[c], At: i, Note: whyUnknown(s)}
		p.Rows = append(p.Rows, row)
		p.Facts.Runs += s.Runs
		p.Facts.Passed += s.Passes
		p.Facts.Front += bit(s.Pareto)
		p.Facts.NotSeparated += bit(row.U.Tier == 1)
		p.Facts.Partial += bit(s.TotalCostUSD == nil)
		if s.Rank == 1 {
			p.Facts.Leaders = append(p.Facts.Leaders, s.Config)
		}
	}
	for _, s := range scoring.Strata {
		rules := res.Cal.Strata[s]
		row := stratumFigures{Name: s.String(), Rules: rules, InSet: len(res.Panel.StratumTasks(s))}
		if n := len(rules.Budgets); n > 0 {
			row.Lo, row.Hi = rules.Budgets[0], rules.Budgets[n-1]
		}
		var list []string
		for _, b := range rules.Budgets {
			list = append(list, dollars(b))
		}
		row.Budgets = strings.Join(list, " · ")
		p.Strata = append(p.Strata, row)
	}
	return p
}

// choiceRow is another choice of the calibration, and what it would change.
type choiceRow struct {
	Kind string
	study.Alternative
}

func choiceRows(s *study.Sensitivity) (out []choiceRow) {
	if s == nil {
		return nil
	}
	for _, group := range []struct {
		kind string
		of   []study.Alternative
	}{{"reference without", s.LeaveOneOut}, {"quantile of η", s.EtaGrid}, {"budget levels", s.BudgetGrid}} {
		for _, alt := range group.of {
			out = append(out, choiceRow{group.kind, alt})
		}
	}
	return out
}

// whyUnknown says in words why a configuration's figures are missing.
func whyUnknown(s study.Standing) string {
	var why []string
	if n := s.Runs - s.CostKnownRuns; n > 0 {
		why = append(why, fmt.Sprintf("%s without a known cost", plural(n, "run", "runs")))
	}
	if n := s.Runs - s.ScoredRuns; n > 0 {
		why = append(why, fmt.Sprintf("%s without a reward", plural(n, "run", "runs")))
	}
	if s.Passes == 0 {
		why = append(why, "no run passed")
	}
	if s.TokensPerPass == nil && s.Passes > 0 {
		why = append(why, "tokens not known for every run")
	}
	return strings.Join(why, ", ")
}

// writePage puts the page together. The template writes all that a person
// reads; the scripts and the data are put in between as they are, so that
// the hashes in the page's policy hold.
func writePage(w io.Writer, p *page, data, packed []byte) error {
	library, err := chartLibrary()
	if err != nil {
		return err
	}
	own, err := ownScript()
	if err != nil {
		return err
	}
	style, err := reportFiles.ReadFile("assets/report.css")
	if err != nil {
		return err
	}
	if p.Licences, err = licences(); err != nil {
		return err
	}
	p.Style = template.CSS(style) //nolint:gosec // our own embedded file
	p.Facts.MaxSelected = maxSelected
	p.CSP = "default-src 'none'; script-src " + hash(library) + " " + hash(own) +
		"; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
	t, err := template.New("report").Funcs(funcs).ParseFS(reportFiles, "assets/*.html")
	if err != nil {
		return err
	}
	if err := t.ExecuteTemplate(w, "page.html", p); err != nil {
		return err
	}
	for _, part := range []struct {
		open string
		body []byte
	}{
		{`<script type="application/json" id="data">`, data},
		{`<script type="text/plain" id="packed">`, packed},
		{`<script>`, library},
		{`<script>`, own},
	} {
		for _, b := range [][]byte{[]byte(part.open), part.body, []byte("</script>\n")} {
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
	}
	_, err = io.WriteString(w, "</body>\n</html>\n")
	return err
}

// maxSelected is how many configurations the charts can tell apart by colour,
// dash and symbol at once.
const maxSelected = 8

func hash(script []byte) string {
	sum := sha256.Sum256(script)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// chartLibrary is Apache ECharts, as scripts/vendor_echarts bundled it.
func chartLibrary() ([]byte, error) {
	packed, err := reportFiles.ReadFile("assets/vendor/echarts.min.js.gz")
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// ownScript is the page's own script in one function.
func ownScript() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "(function () {\n'use strict';\nconst MAX = %d;\n", maxSelected)
	for _, name := range scriptFiles {
		text, err := reportFiles.ReadFile("assets/" + name)
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	b.WriteString("})();\n")
	return b.Bytes(), nil
}

// licences are the texts that the chart library comes with.
func licences() (string, error) {
	var b strings.Builder
	for _, name := range []string{"VERSION", "NOTICE", "LICENSE", "LICENSE-d3", "LICENSE-zrender", "LICENSE-tslib"} {
		text, err := reportFiles.ReadFile("assets/vendor/" + name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s\n\n", bytes.TrimSpace(text))
	}
	return b.String(), nil
}
