//go:build duckdb_arrow

package sql

import (
	"fmt"
	"unsafe"

	"github.com/duckdb/duckdb-go/v2/mapping"
)

// Batch is some rows of a query's result, read by column name: DuckDB's own
// memory, valid until the function that was given it returns. Asking for a
// column that is not there, or of another type, is a mistake in the query that
// the first run of it shows.
type Batch struct {
	chunk   mapping.DataChunk
	columns map[string]column
	rows    int
}

// column is a column's place and type.
type column struct {
	at   mapping.IdxT
	kind mapping.Type
}

func (b Batch) vector(name string, kinds ...mapping.Type) mapping.Vector {
	c, ok := b.columns[name]
	if !ok {
		panic(fmt.Sprintf("query has no column %s", name))
	}
	for _, k := range kinds {
		if c.kind != k {
			panic(fmt.Sprintf("column %s is of DuckDB's type %d, not %d", name, c.kind, k))
		}
	}
	return mapping.DataChunkGetVector(b.chunk, c.at)
}

// values are a column's; kind must be DuckDB's type of T.
func values[T any](b Batch, name string, kind mapping.Type) []T {
	return unsafe.Slice((*T)(mapping.VectorGetData(b.vector(name, kind))), b.rows) //nolint:gosec // the type was asked for, the length is DuckDB's
}

// Ints is an INTEGER column; what stands where a column is NULL means nothing.
func (b Batch) Ints(name string) []int32 { return values[int32](b, name, mapping.TypeInteger) }

// Longs is a BIGINT column.
func (b Batch) Longs(name string) []int64 { return values[int64](b, name, mapping.TypeBigInt) }

// Doubles is a DOUBLE column.
func (b Batch) Doubles(name string) []float64 { return values[float64](b, name, mapping.TypeDouble) }

// Validity says which rows of a column are not NULL.
type Validity []uint64 // nil: all

// At says whether a row is not NULL.
func (v Validity) At(i int) bool { return v == nil || v[i>>6]>>(i&63)&1 == 1 }

// Valid says which rows of a column are not NULL.
func (b Batch) Valid(name string) Validity {
	bits := mapping.VectorGetValidity(b.vector(name))
	if bits == nil {
		return nil
	}
	return unsafe.Slice((*uint64)(bits), (b.rows+63)/64) //nolint:gosec // DuckDB's bit mask, in words of 64
}
