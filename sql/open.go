// Package sql is the database: it opens, locks and migrates the file, holds
// every statement as an embedded .sql file, and runs them. It knows how runs
// are stored; what they mean is package scoring's.
package sql

import (
	"context"
	stdsql "database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"amdb/schema"
	"amdb/udf"
)

// Mode says what a command needs of the database.
type Mode int

// The modes. Reads share the file with other reads; a write holds it alone.
const (
	Read  Mode = iota // the file must exist
	Write             // the file must exist
	Make              // the file is made where it does not exist
)

// Options are the choices of one process.
type Options struct {
	Mode        Mode
	Shut        bool   // no file system, no network, no settings: for SQL by people
	Threads     int    // 0 = all cores
	MemoryLimit string // "" = the usual, at most 4 GiB; else as 512MB
	TempDir     string // where DuckDB spills; "" = beside the file
}

// DB is an open database. All work goes through one connection, because
// temporary views and tables belong to one.
type DB struct {
	Path string
	pool *stdsql.DB
	conn *stdsql.Conn
	made bool   // this process made the file
	gone func() // its spilled files are gone

	options Options
	memory  int64 // the limit in bytes that Spare found; 0: not asked yet

	format int  // version of the file's tables
	scoped bool // the scoped views are made
	paired bool // pairs are counted beforehand
}

// Open opens the database at path. Everything that a person could meet is a
// *schema.Fault: no file, held by another process, not an amdb file, newer.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	_, err := os.Stat(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if missing && o.Mode != Make {
		return nil, schema.Faultf(schema.Failed, path, "amdb load RUNS… makes one; --db FILE or $AMDB_DB names another", "there is no such database")
	}
	if err != nil && !missing {
		return nil, schema.Faultf(schema.Failed, path, "", "cannot be opened: %w", plainPathError(err))
	}
	if o.TempDir != "" {
		if err := os.MkdirAll(o.TempDir, 0o755); err != nil {
			return nil, schema.Faultf(schema.Failed, o.TempDir, "--temp-dir names a folder", "cannot be made: %w", plainPathError(err))
		}
	}
	db := &DB{Path: path, made: missing, options: o}
	opened(o.Mode)
	db.gone = Scratch(o.spill(path))
	if db.pool, err = stdsql.Open("duckdb", path+"?"+o.query(path).Encode()); err != nil {
		return nil, openFault(path, err)
	}
	db.pool.SetMaxOpenConns(1)
	if db.conn, err = db.pool.Conn(ctx); err != nil {
		db.pool.Close()
		return nil, openFault(path, err)
	}
	if err := db.prepare(ctx, o); err != nil {
		_ = db.Close()
		return nil, err
	}
	return db, nil
}

// query is the options as DuckDB takes them on opening.
func (o Options) query(path string) url.Values {
	q := url.Values{}
	q.Set("autoinstall_known_extensions", "false")
	q.Set("autoload_known_extensions", "false")
	if o.Mode == Read {
		q.Set("access_mode", "read_only")
	}
	if o.Threads > 0 {
		q.Set("threads", strconv.Itoa(o.Threads))
	}
	if o.MemoryLimit != "" {
		q.Set("memory_limit", o.MemoryLimit)
	}
	q.Set("temp_directory", o.spill(path))
	return q
}

// spill is where DuckDB puts what memory does not hold: a folder of this process
// alone, for readers of one file would write over each other's.
func (o Options) spill(path string) string {
	if o.TempDir != "" {
		return filepath.Join(o.TempDir, fmt.Sprintf("amdb-%d.spill", os.Getpid()))
	}
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.spill", filepath.Base(path), os.Getpid()))
}

// prepare migrates, puts our functions in, and locks the configuration where
// people's own SQL will run.
func (db *DB) prepare(ctx context.Context, o Options) error {
	// Times are shown and read in UTC, whatever the machine's zone.
	if err := db.Exec(ctx, "SET TimeZone = 'UTC'"); err != nil {
		return err
	}
	if err := db.boundMemory(ctx); err != nil {
		return err
	}
	if err := db.migrate(ctx, o.Mode); err != nil {
		return err
	}
	if err := udf.Register(db.conn); err != nil {
		return fmt.Errorf("registering SQL functions: %w", err)
	}
	if !o.Shut {
		return nil
	}
	for _, set := range []string{"SET enable_external_access = false", "SET lock_configuration = true"} {
		if err := db.Exec(ctx, set); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the database. A file that this process made and that nobody said
// to keep goes away again: a failed or dry first load leaves nothing behind.
func (db *DB) Close() error {
	var errs []error
	if db.conn != nil {
		errs = append(errs, db.conn.Close())
	}
	errs = append(errs, db.pool.Close())
	if db.made {
		errs = append(errs, os.Remove(db.Path))
		_ = os.Remove(db.Path + ".wal")
	}
	db.gone()
	return errors.Join(errs...)
}

// Keep says that the file now holds something worth keeping.
func (db *DB) Keep() { db.made = false }

// Exec runs one or more statements.
func (db *DB) Exec(ctx context.Context, query string, args ...any) error {
	_, err := db.conn.ExecContext(ctx, query, args...)
	return runFault(ctx, err)
}

// ExecCount runs a statement and says how many rows it changed.
func (db *DB) ExecCount(ctx context.Context, query string, args ...any) (int64, error) {
	res, err := db.conn.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, runFault(ctx, err)
	}
	return res.RowsAffected()
}

// Rows runs a query.
func (db *DB) Rows(ctx context.Context, query string, args ...any) (*stdsql.Rows, error) {
	rows, err := db.conn.QueryContext(ctx, query, args...)
	return rows, runFault(ctx, err)
}

// Row runs a query for one row and scans it.
func (db *DB) Row(ctx context.Context, query string, args []any, into ...any) error {
	return runFault(ctx, db.conn.QueryRowContext(ctx, query, args...).Scan(into...))
}

// Tx runs f in a transaction: everything that it did stands, or nothing, and
// the error says which.
func (db *DB) Tx(ctx context.Context, f func() error) (err error) {
	// BEGIN, COMMIT and ROLLBACK are not cut short: an interrupted one may have
	// taken effect all the same, and leave a transaction open or a lie told.
	whole := context.WithoutCancel(ctx)
	if err := db.Exec(whole, "BEGIN"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, rerr := db.conn.ExecContext(whole, "ROLLBACK")
			if rerr != nil && !strings.Contains(rerr.Error(), "no transaction is active") {
				err = errors.Join(err, rerr)
			}
		}
	}()
	if err := f(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return db.Exec(whole, "COMMIT")
}

// Raw gives f DuckDB's own connection, for Arrow and appenders.
func (db *DB) Raw(f func(c driver.Conn) error) error {
	return db.conn.Raw(func(c any) error { return f(c.(driver.Conn)) })
}

// Insert appends rows to a table, all columns in order. Values must have the
// columns' exact Go types: DuckDB's appender converts others in silence.
func (db *DB) Insert(table string, rows [][]any) error { return db.insert("", table, rows) }

// insert is Insert into a catalog: "" for the file, "temp" for what belongs to
// the connection and may be written on a read-only database.
func (db *DB) insert(catalog, table string, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	return db.Raw(func(c driver.Conn) (err error) {
		a, err := duckdb.NewAppender(c, catalog, "", table)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, a.Close()) }()
		values := make([]driver.Value, 0, 24)
		for _, row := range rows {
			values = values[:0]
			for _, v := range row {
				values = append(values, v)
			}
			if err := a.AppendRow(values...); err != nil {
				return fmt.Errorf("table %s: %w", table, err)
			}
		}
		return nil
	})
}
