//go:build duckdb_arrow

package sql

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/duckdb/duckdb-go/v2"
)

// WithStream lets f read Arrow batches as the table named source, once.
//
// DuckDB persists a registered view in the current database, and a file that
// holds a view over freed memory crashes whoever opens it. So the view lives in
// a scratch database in memory, which is gone before the memory is released.
func (db *DB) WithStream(ctx context.Context, stream array.RecordReader, f func(source string) error) (err error) {
	var main string
	if err := db.Row(ctx, "SELECT current_database()", nil, &main); err != nil {
		return err
	}
	// Neither this nor the clean-up is cut short where the context ends.
	clean := context.WithoutCancel(ctx)
	if err := db.Exec(clean, "ATTACH ':memory:' AS amdb_scratch; USE amdb_scratch;"); err != nil {
		return err
	}
	var release func()
	err = db.Raw(func(c driver.Conn) error {
		a, err := duckdb.NewArrowFromConn(c)
		if err != nil {
			return err
		}
		release, err = a.RegisterView(stream, "src")
		return err
	})
	defer func() {
		if release != nil {
			err = errors.Join(err, db.Exec(clean, "DROP VIEW IF EXISTS amdb_scratch.main.src"))
		}
		err = errors.Join(err, db.Exec(clean, "DETACH amdb_scratch"))
		if release != nil {
			release()
		}
	}()
	if uerr := db.Exec(clean, "USE "+Quote(main)); uerr != nil {
		return errors.Join(err, uerr)
	}
	if err != nil {
		return err
	}
	return f("amdb_scratch.main.src")
}

// Quote makes a name a SQL identifier.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// QuoteText makes a text a SQL literal.
func QuoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
