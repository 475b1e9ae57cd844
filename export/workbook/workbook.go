// Package workbook writes the reviewers' Excel workbook, a file for each sheet.
package workbook

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/xuri/excelize/v2"

	"amdb/export"
	"amdb/schema"
	"amdb/scoring/study"
	"amdb/sql"
)

// Options are the choices of one workbook.
type Options struct {
	ValuesOnly bool // no formulas: what the formulas would show
	NoSplit    bool // refuse runs that fill more than one sheet; else they are split
	// Runs bounds the runs that the workbook carries: of more, it carries none,
	// and the cell means are what its formulas rest on. 0 = DefaultWorkbookRuns,
	// below 0 = none.
	Runs    int
	Version string // of amdb, for the first sheet

	Descriptions *study.Descriptions // nil: no sheet of them

	rows int // rows of a sheet, for tests; 0 = Excel's
}

// DefaultWorkbookRuns is how many runs a workbook carries at most: two sheets of
// them are 300 MB, which is about what a spreadsheet still opens.
const DefaultWorkbookRuns = 2_000_000

// The sheets of a workbook, in order. The runs may fill several.
const (
	readMeSheet       = "Read me"
	boardSheet        = "Leaderboard"
	strataSheet       = "Strata"
	figuresSheet      = "Figures"
	tasksSheet        = "Tasks"
	budgetsSheet      = "Budgets"
	heatSheet         = "Cells"
	meansSheet        = "Cell means"
	runsSheet         = "Runs"
	ablationSheet     = "Ablation"
	descriptionsSheet = "Descriptions"
	provenanceSheet   = "Provenance"
	loadNotesSheet    = "Load notes"
	rejectsSheet      = "Rejects"
	maxChartedScores  = 60
)

// workbook is one workbook being written.
type workbook struct {
	ctx   context.Context //nolint:containedctx // a workbook lives as long as the one call that writes it
	db    *sql.DB
	res   *study.Scores
	o     Options
	f     *excelize.File
	st    *styles
	notes Notes
	facts facts
	plan  *plan
}

// Write writes the leaderboard as a workbook whose figures are formulas
// over the runs, budgets, thresholds and alpha in it, with the values of res
// stored beside each formula (docs/workbook.md). The scoped views of db must
// look at what res was scored from, as study.Score leaves them. The file
// appears whole or not at all; equal data give equal bytes.
func Write(ctx context.Context, db *sql.DB, res *study.Scores, path string, o Options) (Notes, error) {
	w := &workbook{ctx: ctx, db: db, res: res, o: o}
	if err := w.prepare(); err != nil {
		return Notes{}, err
	}
	temp, remove, err := workFolder(path)
	if err != nil {
		return Notes{}, err
	}
	defer remove()
	err = export.Atomic(path, func(f *os.File) error { return w.write(f, temp) })
	return w.notes, err
}

// workFolder is a folder for what does not fit into memory, beside the file
// where that is possible, and how to remove it.
func workFolder(path string) (string, func(), error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), ".amdb-workbook-*")
	if err != nil {
		if dir, err = os.MkdirTemp("", "amdb-workbook-*"); err != nil {
			return "", nil, err
		}
	}
	done := sql.Scratch(dir)
	return dir, func() { os.RemoveAll(dir); done() }, nil
}

// prepare reads what decides the layout, and refuses what does not fit before
// anything is written.
func (w *workbook) prepare() error {
	if w.o.rows == 0 {
		w.o.rows = maxSheetRows
	}
	w.o.Runs = cmp.Or(w.o.Runs, DefaultWorkbookRuns)
	var err error
	if w.facts, err = w.readFacts(); err != nil {
		return err
	}
	w.notes.NearTies = w.facts.nearTies
	if w.plan, err = w.makePlan(); err != nil {
		return err
	}
	w.notes.RunSheets = w.plan.sheets
	if !w.plan.carried() {
		w.notes.LeftOut = append(w.notes.LeftOut, fmt.Sprintf("The %d runs behind the cell means are not in this workbook, which carries at most %d (--runs).", w.plan.runs, max(w.o.Runs, 0)))
	}
	if n := w.facts.otherRuns; n > 0 {
		w.notes.LeftOut = append(w.notes.LeftOut, fmt.Sprintf("%d runs of these tasks under other descriptions are in the database and not in this workbook.", n))
	}
	if n := w.facts.outsideRuns; n > 0 {
		w.notes.LeftOut = append(w.notes.LeftOut, fmt.Sprintf("%d runs on tasks outside the task set are in the database and not in this workbook.", n))
	}
	return nil
}

// write writes all sheets and then the file.
func (w *workbook) write(to io.Writer, temp string) (err error) {
	w.f = newFile(to, temp)
	defer func() {
		if cerr := w.f.Close(); err == nil {
			err = cerr
		}
	}()
	w.st = &styles{f: w.f, ids: map[string]int{}}
	if err := w.makeSheets(); err != nil {
		return err
	}
	if err := w.names(); err != nil {
		return err
	}
	// The first sheet comes last: it says what the others altered.
	for _, sheet := range []func() error{
		w.runs, w.means, w.heat, w.strata, w.figures, w.tasks, w.budgets, w.leaderboard, w.ablation, w.descriptions, w.provenance, w.loadNotes, w.rejects, w.readMe,
	} {
		if err := sheet(); err != nil {
			return err
		}
	}
	return w.f.Write(io.Discard) // sortedZip writes to the file
}

// newFile is an empty workbook that writes itself to to.
func newFile(to io.Writer, temp string) *excelize.File {
	f := excelize.NewFile(excelize.Options{TmpDir: temp})
	f.SetZipWriter(func(io.Writer) excelize.ZipWriter { return &sortedZip{w: to, dir: temp} })
	return f
}

// makeSheets makes the sheets in their order and says whose file it is. The
// times are fixed: a workbook's bytes depend on its data alone.
func (w *workbook) makeSheets() error {
	names := []string{readMeSheet, boardSheet, strataSheet, figuresSheet, tasksSheet, budgetsSheet, heatSheet, meansSheet}
	names = append(names, w.plan.sheets...)
	names = append(names, ablationSheet)
	if w.o.Descriptions != nil {
		names = append(names, descriptionsSheet)
	}
	names = append(names, provenanceSheet)
	if w.facts.loadNotes > 0 {
		names = append(names, loadNotesSheet)
	}
	if w.facts.rejects > 0 {
		names = append(names, rejectsSheet)
	}
	if err := w.f.SetSheetName("Sheet1", names[0]); err != nil {
		return err
	}
	for _, n := range names[1:] {
		if _, err := w.f.NewSheet(n); err != nil {
			return err
		}
	}
	return setProperties(w.f, "amdb leaderboard", "calibration "+w.res.Calibration.Name+" "+w.res.Calibration.Digest)
}

// setProperties says whose file it is, with fixed times.
func setProperties(f *excelize.File, title, subject string) error {
	const epoch = "1980-01-01T00:00:00Z"
	var n Notes
	if err := f.SetDocProps(&excelize.DocProperties{
		Creator: "amdb", LastModifiedBy: "amdb", Created: epoch, Modified: epoch, Title: title, Subject: n.text(subject),
	}); err != nil {
		return err
	}
	return f.SetAppProps(&excelize.AppProperties{Application: "amdb"})
}

// facts are counts that decide what the workbook says and holds.
type facts struct {
	otherRuns, outsideRuns, rejects, nearTies, loadNotes int64
}

func (w *workbook) readFacts() (f facts, err error) {
	d := w.res.Condition
	if err := w.db.Row(w.ctx, sql.Query("workbook_facts"), []any{d, d}, &f.otherRuns, &f.outsideRuns, &f.rejects, &f.nearTies); err != nil {
		return f, err
	}
	return f, w.db.Row(w.ctx, "SELECT count(*) FROM load_notes", nil, &f.loadNotes)
}

// configs are the names of all configurations that the workbook shows: ranked
// and excluded, in name order.
func (w *workbook) configs() []string {
	all := slices.Clone(w.res.Panel.Configs)
	for _, e := range w.res.Excluded {
		all = append(all, e.Config)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// tooLarge is the refusal of what no sheet can hold.
func tooLarge(what, hint string, count, most int) error {
	return schema.Faultf(schema.Failed, "workbook", hint, "%d %s do not fit a sheet of %d", count, what, most)
}
