package report

import (
	"context"
	"path"
	"strings"

	"amdb/export"
	"amdb/export/table"

	stdsql "database/sql"

	"amdb/scoring"
	"amdb/sql"
)

// curvePoint is the quality that one budget buys. Tasks are those with a run
// that counts.
type curvePoint struct {
	Tasks   int64
	Quality float64
}

// heatCell is one cell of the heat map; nil figures are unknown.
type heatCell struct {
	config                  string
	task                    scoring.TaskKey
	runs, counted, unpriced int64
	reward, masked, failure *float64
	costUSD                 float64 // over the runs whose cost is known
}

// reportRun is one run of the drill-down; nil figures are unknown.
type reportRun struct {
	config, id           string
	task                 scoring.TaskKey
	attempt              int64
	reward, cost, masked *float64
	source, status       *string
	level                int64
	expensive, counts    bool
	tokens, steps        *int64
}

// reportLoad is where runs came from.
type reportLoad struct {
	File, Format, SHA256, Version                          string
	Read, Inserted, Unchanged, Replaced, Skipped, Rejected int64
}

// grid is a table of any columns, for people; Total counts the rows that there
// are, of which Rows may be the first.
type grid struct {
	Columns []export.Column
	Rows    [][]any
	Total   int
}

// maxGridRows bounds the tables of notes and rejects.
const maxGridRows = 200

// each scans the rows of an embedded query.
func each(ctx context.Context, db *sql.DB, query string, args []any, scan func(rows *stdsql.Rows) error) error {
	rows, err := db.Rows(ctx, sql.Query(query), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (r *report) readCurves(ctx context.Context, db *sql.DB) error {
	r.curves = map[string]*[3][]curvePoint{}
	if r.mixed { // the view holds single descriptions
		return nil
	}
	return each(ctx, db, "report_curve", []any{r.res.Condition}, func(rows *stdsql.Rows) error {
		var config, stratum string
		var level int64
		var p curvePoint
		if err := rows.Scan(&config, &stratum, &level, &p.Tasks, &p.Quality); err != nil {
			return err
		}
		s, err := scoring.ParseStratum(stratum)
		if err != nil {
			return err
		}
		if r.curves[config] == nil {
			r.curves[config] = &[3][]curvePoint{}
		}
		r.curves[config][s] = append(r.curves[config][s], p)
		return nil
	})
}

// readLeft reads the cells that the panel does not hold.
func (r *report) readLeft(ctx context.Context, db *sql.DB) error {
	if len(r.res.Excluded) == 0 || r.mixed {
		return nil
	}
	left := map[string]bool{}
	for _, e := range r.res.Excluded {
		left[e.Config] = true
	}
	return each(ctx, db, "report_cells", []any{r.res.Condition}, func(rows *stdsql.Rows) error {
		var c heatCell
		if err := rows.Scan(&c.config, &c.task.Benchmark, &c.task.Task, &c.runs, &c.counted, &c.reward, &c.masked, &c.failure,
			&c.costUSD, &c.unpriced); err != nil {
			return err
		}
		if left[c.config] {
			r.left = append(r.left, c)
		}
		return nil
	})
}

func (r *report) readRuns(ctx context.Context, db *sql.DB) error {
	if err := db.Row(ctx, sql.Query("report_run_count"), []any{r.res.Condition}, &r.runCount); err != nil {
		return err
	}
	if r.runCount > r.o.Runs || r.mixed {
		return nil
	}
	return each(ctx, db, "report_runs", []any{r.res.Condition}, func(rows *stdsql.Rows) error {
		var n reportRun
		if err := rows.Scan(&n.config, &n.task.Benchmark, &n.task.Task, &n.id, &n.attempt, &n.reward, &n.cost, &n.source,
			&n.level, &n.masked, &n.expensive, &n.counts, &n.tokens, &n.steps, &n.status); err != nil {
			return err
		}
		r.runs = append(r.runs, n)
		return nil
	})
}

func (r *report) readLoads(ctx context.Context, db *sql.DB) error {
	return each(ctx, db, "report_loads", nil, func(rows *stdsql.Rows) error {
		var l reportLoad
		if err := rows.Scan(&l.File, &l.Format, &l.SHA256, &l.Version, &l.Read, &l.Inserted, &l.Unchanged, &l.Replaced,
			&l.Skipped, &l.Rejected); err != nil {
			return err
		}
		l.File = lastPart(l.File)
		r.loads = append(r.loads, l)
		return nil
	})
}

// lastPart is a path without the folders, which say where someone keeps files
// and nothing about the runs.
func lastPart(p string) string { return path.Base(strings.ReplaceAll(p, `\`, "/")) }

func (r *report) readQuality(ctx context.Context, db *sql.DB) (err error) {
	if r.notes, err = readGrid(ctx, db, "report_notes"); err != nil {
		return err
	}
	if r.rejects, err = readGrid(ctx, db, "report_rejects"); err != nil {
		return err
	}
	for _, g := range []*grid{r.notes, r.rejects} {
		for _, row := range g.Rows {
			row[0] = lastPart(table.Plain(row[0]))
		}
	}
	if err := db.StageIssues(ctx); err != nil {
		return err
	}
	r.issues, err = readGrid(ctx, db, "report_issues")
	return err
}

// readGrid reads the first rows of a query, and counts them all.
func readGrid(ctx context.Context, db *sql.DB, query string) (*grid, error) {
	rows, err := db.Rows(ctx, sql.Query(query)) //nolint:rowserrcheck // FromRows checks it
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	t, err := export.FromRows(rows, func(err error) error { return err })
	if err != nil {
		return nil, err
	}
	g := &grid{Columns: t.Columns}
	for {
		row, err := t.Next()
		if err != nil || row == nil {
			return g, err
		}
		if g.Total++; g.Total <= maxGridRows {
			g.Rows = append(g.Rows, row)
		}
	}
}

// readSources forgets why there are no descriptions where there are none to show.
func (r *report) readSources(ctx context.Context, db *sql.DB) error {
	var has bool
	err := db.Row(ctx, sql.Query("report_has_sources"), nil, &has)
	if !has {
		r.o.DescriptionsReason = ""
	}
	return err
}
