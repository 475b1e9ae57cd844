//go:build duckdb_arrow

package sql

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
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
	workers := min(len(ranges), db.Threads())
	var next atomic.Int64
	// read reads range after range until none is left.
	read := func(ctx context.Context, f func(b Batch) error) error {
		r, err := db.reader()
		if err != nil {
			return err
		}
		defer r.close()
		for i := next.Add(1) - 1; i < int64(len(ranges)); i = next.Add(1) - 1 {
			if err := r.each(ctx, "SELECT "+columns+" FROM stored_runs WHERE "+ranges[i]+" AND "+where, f); err != nil {
				return err
			}
		}
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for range workers {
		consume := worker()
		wg.Go(func() {
			if err := read(ctx, consume); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// Threads is how many threads this process may use, and so the most workers that
// a scan has.
func (db *DB) Threads() int {
	if db.options.Threads > 0 {
		return db.options.Threads
	}
	return runtime.GOMAXPROCS(0)
}
