//go:build duckdb_arrow

package sql

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Batch is one batch of a query's result, read by column name. Asking for a
// column that is not there, or of another type, is a mistake in the query that
// the first run of it shows.
type Batch struct{ arrow.RecordBatch }

// Batches runs a query and gives its result batch by batch.
func (db *DB) Batches(ctx context.Context, query string, f func(b Batch) error) error {
	return db.Raw(func(c driver.Conn) error { return batches(ctx, c, query, f) })
}

func column[T arrow.Array](b Batch, name string) T {
	at := b.Schema().FieldIndices(name)
	if len(at) == 0 {
		panic(fmt.Sprintf("query has no column %s", name))
	}
	a, ok := b.Column(at[0]).(T)
	if !ok {
		panic(fmt.Sprintf("column %s is %s", name, b.Column(at[0]).DataType()))
	}
	return a
}

// Ints is an INTEGER column.
func (b Batch) Ints(name string) []int32 { return column[*array.Int32](b, name).Int32Values() }

// Longs is a BIGINT column.
func (b Batch) Longs(name string) []int64 { return column[*array.Int64](b, name).Int64Values() }

// Doubles is a DOUBLE column; NULL reads as 0.
func (b Batch) Doubles(name string) []float64 { return column[*array.Float64](b, name).Float64Values() }

// Nulls says which rows of a column are NULL; nil where none is.
func (b Batch) Nulls(name string) arrow.Array {
	at := b.Schema().FieldIndices(name)
	if a := b.Column(at[0]); a.NullN() > 0 {
		return a
	}
	return nil
}

// Bools is a BOOLEAN column.
func (b Batch) Bools(name string) *array.Boolean { return column[*array.Boolean](b, name) }
