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

// Doubles is a DOUBLE column; what stands where it is NULL means nothing.
func (b Batch) Doubles(name string) []float64 { return column[*array.Float64](b, name).Float64Values() }

// Validity says which rows of a column are not NULL.
type Validity struct {
	bits   []byte // nil: all
	offset int
}

// At says whether a row is not NULL.
func (v Validity) At(i int) bool {
	return v.bits == nil || v.bits[(i+v.offset)>>3]>>((i+v.offset)&7)&1 == 1
}

// Valid says which rows of a column are not NULL.
func (b Batch) Valid(name string) Validity {
	a := column[arrow.Array](b, name)
	if a.NullN() == 0 {
		return Validity{}
	}
	return Validity{a.NullBitmapBytes(), a.Data().Offset()}
}
