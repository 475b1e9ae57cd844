package workbook

import (
	stdsql "database/sql"
	"fmt"
	"time"

	"amdb/sql"
)

// provenance writes where the runs come from.
func (w *workbook) provenance() error {
	s, err := w.listSheet(provenanceSheet,
		columnSpec{"load", 7, asCount}, columnSpec{"source", 60, ""}, columnSpec{"format", 12, ""}, columnSpec{"SHA-256", 68, ""},
		columnSpec{"loaded, UTC", 19, asTime}, columnSpec{"amdb", 9, ""},
		columnSpec{"read", 11, asCount}, columnSpec{"inserted", 11, asCount}, columnSpec{"unchanged", 11, asCount},
		columnSpec{"replaced", 11, asCount}, columnSpec{"skipped", 11, asCount}, columnSpec{"rejected", 11, asCount})
	if err != nil {
		return err
	}
	return s.list("workbook_loads", "loads", func(rows *stdsql.Rows) error {
		var id int64
		var path, format, sha, version string
		var at time.Time
		var counts [6]int64
		if err := rows.Scan(&id, &path, &format, &sha, &at, &version, &counts[0], &counts[1], &counts[2], &counts[3], &counts[4], &counts[5]); err != nil {
			return err
		}
		s.value(id)
		s.texts(path, format, sha)
		s.value(utc(at))
		s.texts(version)
		for _, n := range counts {
			s.value(w.notes.integer(n))
		}
		return nil
	})
}

// loadNotes writes what sources said that is no run.
func (w *workbook) loadNotes() error {
	if w.facts.loadNotes == 0 {
		return nil
	}
	s, err := w.listSheet(loadNotesSheet, columnSpec{"load", 7, asCount}, columnSpec{"file", 60, ""}, columnSpec{"kind", 24, ""}, columnSpec{"message", 100, ""})
	if err != nil {
		return err
	}
	return s.list("workbook_load_notes", "load_notes", func(rows *stdsql.Rows) error {
		var id int64
		var file, kind, message string
		if err := rows.Scan(&id, &file, &kind, &message); err != nil {
			return err
		}
		s.value(id)
		s.texts(file, kind, message)
		return nil
	})
}

// rejects writes the rows that loads rejected, as far as a sheet holds them.
func (w *workbook) rejects() error {
	if w.facts.rejects == 0 {
		return nil
	}
	s, err := w.listSheet(rejectsSheet, columnSpec{"load", 7, asCount}, columnSpec{"file", 60, ""}, columnSpec{"row", 10, asCount},
		columnSpec{"column", 18, ""}, columnSpec{"value", 30, ""}, columnSpec{"reason", 60, ""})
	if err != nil {
		return err
	}
	return s.list("workbook_rejects", "rejects", func(rows *stdsql.Rows) error {
		var id, row int64
		var file, column, value, reason string
		if err := rows.Scan(&id, &file, &row, &column, &value, &reason); err != nil {
			return err
		}
		s.value(id)
		s.texts(file)
		s.value(w.notes.integer(row))
		s.texts(column, value, reason)
		return nil
	})
}

func (w *workbook) listSheet(name string, specs ...columnSpec) (*sheet, error) {
	columns, err := w.columns(specs...)
	if err != nil {
		return nil, err
	}
	s, err := w.open(name, layout{columns: columns, header: 1})
	if err != nil {
		return nil, err
	}
	return s, s.head()
}

// list writes a query's rows under the header. Rows beyond the sheet's last are
// counted in the notes.
func (s *sheet) list(query, table string, row func(*stdsql.Rows) error) error {
	rows, err := s.w.db.Rows(s.w.ctx, sql.Query(query))
	if err != nil {
		return err
	}
	defer rows.Close()
	beyond := 0
	for rows.Next() {
		if s.row >= s.w.o.rows {
			beyond++
			continue
		}
		s.begin()
		if err := row(rows); err != nil {
			return err
		}
		if err := s.end(); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if beyond > 0 {
		s.w.notes.LeftOut = append(s.w.notes.LeftOut, fmt.Sprintf("Sheet %s is full: %d more rows are in the table %s of the database.", s.name, beyond, table))
	}
	if err := s.table(table, 1); err != nil {
		return err
	}
	return s.close()
}

func (s *sheet) texts(list ...string) {
	for _, t := range list {
		s.value(s.w.notes.text(t))
	}
}
