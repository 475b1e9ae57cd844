//go:build duckdb_arrow

package sql

import (
	"context"
	"errors"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// A reader runs queries on a connection of its own and hands on DuckDB's own
// vectors. The driver would box every value or convert every batch to Arrow,
// which is dear where every run passes through (docs/performance.md). It sees
// what is committed. One goroutine at a time.
type reader struct {
	database mapping.Database
	conn     mapping.Connection
}

// reader opens one more connection to the database.
func (db *DB) reader() (*reader, error) {
	var config mapping.Config
	if mapping.CreateConfig(&config) == mapping.StateError {
		return nil, errors.New("DuckDB makes no configuration")
	}
	defer mapping.DestroyConfig(&config)
	// What the driver sets: DuckDB gives the database that is open already only
	// to who asks for the same.
	options := db.options.query(db.Path)
	options.Set("duckdb_api", "go")
	for name := range options {
		if mapping.SetConfig(config, name, options.Get(name)) == mapping.StateError {
			return nil, fmt.Errorf("DuckDB does not take %s = %s", name, options.Get(name))
		}
	}
	r := &reader{}
	var fault string
	if mapping.GetOrCreateFromCache(duckdb.GetInstanceCache(), db.Path, &r.database, config, &fault) == mapping.StateError {
		return nil, openFault(db.Path, errors.New(fault))
	}
	if mapping.Connect(r.database, &r.conn) == mapping.StateError {
		mapping.Close(&r.database)
		return nil, errors.New("DuckDB gives no more connections")
	}
	return r, nil
}

func (r *reader) close() {
	mapping.Disconnect(&r.conn)
	mapping.Close(&r.database)
}

// each runs a query and gives its result batch by batch.
func (r *reader) each(ctx context.Context, query string, f func(b Batch) error) error {
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		mapping.Interrupt(r.conn)
		close(interrupted)
	})
	defer func() {
		if !stop() {
			<-interrupted // the connection must outlive it
		}
	}()
	var result mapping.Result
	defer mapping.DestroyResult(&result)
	if mapping.Query(r.conn, query, &result) == mapping.StateError {
		return runFault(ctx, errors.New(mapping.ResultError(&result)))
	}
	columns := map[string]column{}
	for at := range mapping.ColumnCount(&result) {
		columns[mapping.ColumnName(&result, at)] = column{at, mapping.ColumnType(&result, at)}
	}
	for ctx.Err() == nil {
		chunk := mapping.FetchChunk(result)
		if chunk.Ptr == nil {
			return nil
		}
		err := f(Batch{chunk: chunk, columns: columns, rows: int(mapping.DataChunkGetSize(chunk))})
		mapping.DestroyDataChunk(&chunk)
		if err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}
