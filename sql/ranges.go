package sql

import (
	"context"
	"fmt"
	"math"

	"amdb/schema"
)

// scanRows is about how many rows one worker reads at a time: four row groups
// of DuckDB, little enough that what a query holds at once stays small.
const scanRows = 4 * 122880

// loadSize is how many rows the source of a load had.
type loadSize struct {
	load int32
	rows int64
}

// ranges are conditions on stored_runs, each true of about scanRows rows.
func (db *DB) ranges(ctx context.Context) ([]string, error) {
	rows, err := db.Rows(ctx, "SELECT load_id, read FROM loads ORDER BY load_id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var loads []loadSize
	var read int64
	for rows.Next() {
		var l loadSize
		if err := rows.Scan(&l.load, &l.rows); err != nil {
			return nil, err
		}
		loads = append(loads, l)
		read += l.rows
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return cut(loads, scanRows), db.countable(ctx, read)
}

// countable says whether the runs are few enough to be counted in 32 bits, given
// how many rows were read, of which a run may be several.
func (db *DB) countable(ctx context.Context, read int64) error {
	if read <= math.MaxUint32 {
		return nil
	}
	var runs int64
	if err := db.Row(ctx, "SELECT count(*) FROM stored_runs", nil, &runs); err != nil {
		return err
	}
	if runs > math.MaxUint32 {
		return schema.Faultf(schema.Failed, db.Path, "keep them in several databases", "it holds %d runs, and amdb counts at most %d", runs, int64(math.MaxUint32))
	}
	return nil
}

// cut divides all runs into ranges of about so many rows: large loads by
// source_row, small ones together. Both columns ascend as the rows stand in the
// file, so DuckDB passes over the row groups of other ranges, which it does not
// for a condition on rowid. Every run is in exactly one range, whatever the
// sizes say: they only balance.
func cut(loads []loadSize, rows int64) []string {
	var out []string
	from, have := int32(math.MinInt32), int64(0) // the small loads under way
	before := func(next int32) {
		if from < next {
			out = append(out, fmt.Sprintf("load_id >= %d AND load_id < %d", from, next))
		}
		from, have = next, 0
	}
	for _, l := range loads {
		if have > 0 && have+l.rows > rows {
			before(l.load)
		}
		if l.rows <= rows {
			have += l.rows
			continue
		}
		before(l.load)
		row := rows
		out = append(out, fmt.Sprintf("load_id = %d AND source_row <= %d", l.load, row))
		for ; row+rows < l.rows; row += rows {
			out = append(out, fmt.Sprintf("load_id = %d AND source_row > %d AND source_row <= %d", l.load, row, row+rows))
		}
		out = append(out, fmt.Sprintf("load_id = %d AND source_row > %d", l.load, row))
		from = l.load + 1
	}
	return append(out, fmt.Sprintf("load_id >= %d", from))
}
