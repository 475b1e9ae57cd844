// Package report writes the self-contained HTML page.
package report

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"amdb/export"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

// Options are the choices of one report.
type Options struct {
	Title     string // "" = a plain one
	Version   string // of amdb
	Bootstrap scoring.BootstrapOptions
	// Runs bounds the runs that the page carries for its drill-down: with more,
	// it carries none and says so. 0 = DefaultReportRuns, below 0 = none.
	Runs int
	// Descriptions is section 4, nil where the data have no descriptions.
	Descriptions *study.Descriptions
	// DescriptionsReason says why Descriptions is nil. The page shows it where
	// the data have descriptions all the same.
	DescriptionsReason string
	// Sensitivity is the ranking under other calibrations; where it is nil,
	// SensitivityReason says why.
	Sensitivity       *study.Sensitivity
	SensitivityReason string
}

// DefaultReportRuns is how many runs a report carries at most.
const DefaultReportRuns = 20_000

// Write writes res as one page that needs no network, with what db holds
// about the runs behind it. db's scoped views must be set as study.Score left
// them. Equal data give equal bytes. The file appears whole or not at all.
func Write(ctx context.Context, db *sql.DB, res *study.Scores, path string, o Options) error {
	in, err := gather(ctx, db, res, o)
	if err != nil {
		return err
	}
	return export.Atomic(path, func(f *os.File) error {
		w := bufio.NewWriter(f)
		return errors.Join(in.write(w), w.Flush())
	})
}

// report is everything that a page shows, in the order in which it was asked for.
type report struct {
	o   Options
	res *study.Scores

	status   *study.Status
	curves   map[string]*[3][]curvePoint // by configuration
	mixed    bool                        // the condition averages several descriptions
	left     []heatCell                  // cells of the configurations that are not ranked
	runs     []reportRun
	runCount int // in scope, carried or not
	loads    []reportLoad
	notes    *grid
	rejects  *grid
	issues   *grid // nil: this database does not look for them

	uncertainty scoring.Uncertainty
	alpha       scoring.AlphaSensitivity
	ablation    []scoring.Variant
	rankings    scoring.Rankings
}

// gather asks the database and package scoring for all that the page shows.
func gather(ctx context.Context, db *sql.DB, res *study.Scores, o Options) (*report, error) {
	r := &report{o: o, res: res, mixed: slices.Contains([]string{scoring.Self, scoring.Cross, scoring.Pooled}, res.Condition)}
	if err := r.estimate(); err != nil {
		return nil, err
	}
	var err error
	if r.status, err = study.ReadStatus(ctx, db); err != nil {
		return nil, err
	}
	return r, errors.Join(
		r.readCurves(ctx, db), r.readLeft(ctx, db), r.readRuns(ctx, db), r.readLoads(ctx, db), r.readQuality(ctx, db), r.readSources(ctx, db))
}

// estimate asks package scoring how sure the leaderboard is.
func (r *report) estimate() (err error) {
	if r.o.Bootstrap == (scoring.BootstrapOptions{}) {
		r.o.Bootstrap = scoring.DefaultBootstrap()
	}
	r.o.Runs = cmp.Or(r.o.Runs, DefaultReportRuns)
	r.o.Title = cmp.Or(r.o.Title, "Benchmark report")
	p := r.res.Panel
	if r.uncertainty, err = scoring.Bootstrap(p, r.res.Alpha, r.o.Bootstrap); err != nil {
		return err
	}
	components, err := scoring.Score(p, r.res.Alpha)
	if err != nil {
		return err
	}
	figures := make([]scoring.Figures, len(p.Configs))
	for c := range p.Configs {
		figures[c] = scoring.FiguresOf(p.Row(c))
	}
	r.alpha = scoring.SweepAlpha(p.Configs, components, r.res.Alpha)
	r.ablation = scoring.Ablate(p.Configs, components, r.res.Alpha)
	r.rankings = scoring.RankByCriteria(p.Configs, components, figures)
	return nil
}

// write renders the page.
func (r *report) write(w io.Writer) error {
	data, err := r.chartData()
	if err != nil {
		return err
	}
	packed, err := r.packed()
	if err != nil {
		return err
	}
	return writePage(w, r.page(), data, packed)
}
