//go:build duckdb_arrow

package sql

import (
	"context"
	"database/sql/driver"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/duckdb/duckdb-go/v2"
)

// ScanRuns reads columns of the rows of stored_runs that meet a condition, with
// several workers, each in ranges of rows of its own and on a connection of its
// own. worker makes one worker's consumer; no two are made at once. Batches come
// in any order: only for sums that do not mind.
func (db *DB) ScanRuns(ctx context.Context, columns, where string, worker func() func(b Batch) error) error {
	ranges, err := db.ranges(ctx)
	if err != nil {
		return err
	}
	workers := min(len(ranges), db.threads())
	var next atomic.Int64
	// scan reads range after range until none is left.
	scan := func(ctx context.Context, read func(query string) error) error {
		for i := next.Add(1) - 1; i < int64(len(ranges)); i = next.Add(1) - 1 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := read("SELECT " + columns + " FROM stored_runs WHERE " + ranges[i] + " AND " + where); err != nil {
				return err
			}
		}
		return nil
	}
	if workers <= 1 {
		consume := worker()
		return scan(ctx, func(q string) error { return db.Batches(ctx, q, consume) })
	}
	db.pool.SetMaxOpenConns(1 + workers)
	defer db.pool.SetMaxOpenConns(1)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for range workers {
		consume := worker()
		wg.Go(func() {
			conn, err := db.pool.Conn(ctx)
			if err == nil {
				defer conn.Close()
				err = scan(ctx, func(q string) error {
					return conn.Raw(func(c any) error { return batches(ctx, c.(driver.Conn), q, consume) })
				})
			}
			if err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// threads is how many threads this process may use.
func (db *DB) threads() int {
	if db.options.Threads > 0 {
		return db.options.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// batches runs a query on a connection and gives its result batch by batch.
func batches(ctx context.Context, c driver.Conn, query string, f func(b Batch) error) error {
	a, err := duckdb.NewArrowFromConn(c)
	if err != nil {
		return err
	}
	rr, err := a.QueryContext(ctx, query)
	if err != nil {
		return runFault(ctx, err)
	}
	defer rr.Release()
	return eachBatch(ctx, rr, f)
}

func eachBatch(ctx context.Context, rr array.RecordReader, f func(b Batch) error) error {
	for rr.Next() {
		if err := f(Batch{rr.RecordBatch()}); err != nil {
			return err
		}
	}
	return runFault(ctx, rr.Err())
}
