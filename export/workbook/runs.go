package workbook

import (
	stdsql "database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/xuri/excelize/v2"

	"amdb/scoring"
	"amdb/sql"
)

// Columns of the runs that formulas address.
const (
	runConfig    = "A"
	runBenchmark = "B"
	runTask      = "C"
	runReward    = "G"
	runCost      = "H"
	runCounts    = "I"
	runMasked    = "K"
	runFailure   = "L"
	runTokens    = "M"
)

// runs writes the sheets of runs, sorted by configuration, stratum, task and
// run_id: a cell's runs are neighbours. Rows go from the database to the file
// one configuration at a time.
func (w *workbook) runs() error {
	columns, err := w.columns(
		columnSpec{"configuration", 34, ""}, columnSpec{"benchmark", 16, ""}, columnSpec{"task", 24, ""}, columnSpec{"stratum", 10, ""},
		columnSpec{"attempt", 9, asCount}, columnSpec{"run_id", 18, ""},
		columnSpec{"reward", 11, w.input(true, asGeneral)}, columnSpec{"cost, USD", 12, w.input(true, asGeneral)},
		columnSpec{"counts", 8, asCount}, columnSpec{"budgets met", 9, asCount}, columnSpec{"masked reward", 11, asScore}, columnSpec{"expensive failure", 11, asCount},
		columnSpec{"tokens", 13, asCount}, columnSpec{"steps", 9, asCount},
		columnSpec{"started, UTC", 19, asTime}, columnSpec{"finished, UTC", 19, asTime},
		columnSpec{"status", 18, ""}, columnSpec{"CLI version", 14, ""}, columnSpec{"cost source", 12, ""},
	)
	if err != nil {
		return err
	}
	for i, name := range w.plan.sheets {
		s, err := w.open(name, layout{columns: columns, header: 1, freezeCols: 1})
		if err != nil {
			return err
		}
		if err := s.head(); err != nil {
			return err
		}
		for c := range w.plan.configs {
			if w.plan.configs[c].sheet != i {
				continue
			}
			if err := s.runsOf(c); err != nil {
				return err
			}
		}
		table := "runs"
		if len(w.plan.sheets) > 1 {
			table += strconv.Itoa(i + 1)
		}
		if err := s.table(table, 1); err != nil {
			return err
		}
		if err := s.close(); err != nil {
			return err
		}
	}
	return nil
}

// runsOf writes the runs of one configuration.
func (s *sheet) runsOf(c int) error {
	cfg := &s.w.plan.configs[c]
	rows, err := s.w.db.Rows(s.w.ctx, sql.Query("workbook_runs"), s.w.res.Condition, cfg.model, cfg.cli)
	if err != nil {
		return err
	}
	defer rows.Close()
	if s.row+1 != cfg.first {
		return fmt.Errorf("workbook: runs of %s begin at row %d, planned for %d", cfg.name, s.row+1, cfg.first)
	}
	var r run
	for rows.Next() {
		if err := r.scan(rows); err != nil {
			return err
		}
		if err := s.run(cfg.name, &r); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if s.row != cfg.last {
		return fmt.Errorf("workbook: runs of %s end at row %d, planned for %d", cfg.name, s.row, cfg.last)
	}
	return nil
}

// run is one row of workbook_runs.sql.
type run struct {
	benchmark, task, id     string
	stratum                 int64
	attempt, level          int64
	reward, cost, masked    stdsql.NullFloat64
	source, status, version stdsql.NullString
	counts                  bool
	failure                 stdsql.NullBool
	tokens, steps           stdsql.NullInt64
	started, finished       stdsql.NullTime
}

func (r *run) scan(rows *stdsql.Rows) error {
	return rows.Scan(&r.benchmark, &r.task, &r.stratum, &r.attempt, &r.id, &r.reward, &r.cost, &r.source, &r.counts, &r.level,
		&r.masked, &r.failure, &r.tokens, &r.steps, &r.started, &r.finished, &r.status, &r.version)
}

// run writes one run: what was loaded, and what the method makes of it.
func (s *sheet) run(config string, r *run) error {
	s.begin()
	n, row, stratum := &s.w.notes, strconv.Itoa(s.row), scoring.Stratum(r.stratum)
	s.value(n.text(config))
	s.value(n.text(r.benchmark))
	s.value(n.text(r.task))
	s.value(stratum.String())
	s.value(n.integer(r.attempt))
	s.value(n.text(r.id))
	s.input(r.reward)
	s.input(r.cost)
	s.live(s.w.countsFormula(row), count(r.counts))
	s.live("IF(ISNUMBER(H"+row+"),SUMPRODUCT(ISNUMBER("+budgetsName(stratum)+")*("+budgetsName(stratum)+">=H"+row+")),0)", r.level)
	var masked, failure any
	if r.masked.Valid {
		masked = n.number(r.masked.Float64)
	}
	if r.failure.Valid {
		failure = count(r.failure.Bool)
	}
	eta := etaName(stratum)
	s.live("IF(I"+row+"=1,N(G"+row+")*J"+row+"/"+levelsName(stratum)+`,"")`, masked)
	s.live("IF(I"+row+"=1,(N(G"+row+")=0)*ISNUMBER(H"+row+")*ISNUMBER("+eta+")*(N(H"+row+")>N("+eta+`)),"")`, failure)
	s.whole(r.tokens)
	s.whole(r.steps)
	s.time(r.started)
	s.time(r.finished)
	s.maybeText(r.status)
	s.maybeText(r.version)
	s.maybeText(r.source)
	return s.end()
}

// countsFormula says whether a run counts under the policies in force.
func (w *workbook) countsFormula(row string) string {
	p := w.res.Policies
	switch {
	case p.MissingReward != "zero" && p.MissingCost != "unaffordable":
		return "IF(AND(ISNUMBER(G" + row + "),ISNUMBER(H" + row + ")),1,0)"
	case p.MissingReward != "zero":
		return "IF(ISNUMBER(G" + row + "),1,0)"
	case p.MissingCost != "unaffordable":
		return "IF(ISNUMBER(H" + row + "),1,0)"
	}
	return "1"
}

func count(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// input adds a figure that a reviewer may change; a missing one is an empty
// cell in the same colour.
func (s *sheet) input(x stdsql.NullFloat64) {
	c := excelize.Cell{StyleID: s.columns[len(s.values)].style}
	if x.Valid {
		c.Value = s.w.notes.given(x.Float64)
	}
	s.put(c)
}

func (s *sheet) whole(x stdsql.NullInt64) {
	if !x.Valid {
		s.put(nil)
		return
	}
	s.value(s.w.notes.integer(x.Int64))
}

func (s *sheet) time(x stdsql.NullTime) {
	if !x.Valid {
		s.put(nil)
		return
	}
	s.value(utc(x.Time))
}

// utc is a time as a cell shows it: excelize writes the wall clock of the
// time's own zone.
func utc(t time.Time) time.Time { return t.UTC() }

func (s *sheet) maybeText(x stdsql.NullString) {
	if !x.Valid {
		s.put(nil)
		return
	}
	s.value(s.w.notes.text(x.String))
}

// columnSpec is a column before its style has a number: format is "" for text,
// "input FORMAT" for what may be changed, or a format of numbers.
type columnSpec struct {
	title  string
	width  float64
	format string
}

// columns gives the columns their styles.
func (w *workbook) columns(specs ...columnSpec) ([]sheetColumn, error) {
	var out []sheetColumn
	for _, c := range specs {
		id, err := w.st.format(c.format)
		if err != nil {
			return nil, err
		}
		out = append(out, sheetColumn{c.title, c.width, id})
	}
	return out, nil
}
