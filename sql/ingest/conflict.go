package ingest

import (
	"context" // the query
	_ "embed"
	"fmt"

	"amdb/schema"
)

//go:embed queries/conflicts.sql
var conflictsSQL string

// Conflict is a run whose run_id is there with other values.
type Conflict struct {
	RunID, Column, New, Old string
	Path                    string
	Row                     int64
	OldPath                 string
	OldRow                  int64
}

func (c Conflict) String() string {
	return fmt.Sprintf("run %q: %s is %s in %s row %d, and %s in %s row %d", c.RunID, c.Column, c.New, c.Path, c.Row, c.Old, c.OldPath, c.OldRow)
}

// ConflictsError says that runs are there with other values.
type ConflictsError struct {
	Conflicts int64 // with earlier loads
	Clashes   int64 // two different results for one run within this load
	First     []Conflict
}

func (e *ConflictsError) Error() string {
	if e.Clashes > 0 {
		return fmt.Sprintf("%d runs stand twice in this load with different values; nothing was stored", e.Clashes)
	}
	return fmt.Sprintf("%d runs are there with other values; nothing was stored", e.Conflicts)
}

// conflicts fails where runs differ from earlier ones and the choice is not to
// skip or replace, or where two of this load differ.
func (l *loader) conflicts(ctx context.Context) error {
	e := &ConflictsError{}
	err := l.db.Row(ctx, "SELECT count(*) FILTER (WHERE verdict = 'conflict'), count(*) FILTER (WHERE verdict = 'clash') FROM incoming_twins",
		nil, &e.Conflicts, &e.Clashes)
	if err != nil || e.Clashes == 0 && (e.Conflicts == 0 || l.o.OnConflict != ConflictError) {
		return err
	}
	rows, err := l.db.Rows(ctx, conflictsSQL)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			c           Conflict
			clash       bool
			load, older int32
			now, before *string
		)
		if err := rows.Scan(&clash, &c.RunID, &load, &c.Row, &older, &c.OldPath, &c.OldRow, &c.Column, &now, &before); err != nil {
			return err
		}
		c.Path, c.New, c.Old = l.files[load-l.firstLoad].Path, orNone(now), orNone(before)
		if older >= l.firstLoad {
			c.OldPath = l.files[older-l.firstLoad].Path
		}
		e.First = append(e.First, c)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	hint := "--on-conflict skip keeps what is there, replace takes what comes"
	if e.Clashes > 0 {
		hint = "give the runs a run_id or an attempt (trial) column that tells them apart, or mend the source"
	}
	return &schema.Fault{Class: schema.Rejected, Err: e, Hint: hint}
}

func orNone(s *string) string {
	if s == nil {
		return "none"
	}
	return *s
}
