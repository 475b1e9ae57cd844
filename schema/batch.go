package schema

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Batch is some consecutive runs of one file before they are checked. Columns
// are arrays of any Arrow type, found by position; a nil column is not in the
// source. Release it when done.
type Batch struct {
	Columns [NumColumns]arrow.Array
	Others  []Other // columns that fit nothing: they go to extra
	Rows    int
	Number  []int64 // each row's number in its file; nil: First, First+1, …
	First   int64
	Files   []string // each row's file, where a source has many; nil: one file
	Rejects []Reject // rows that could not even be split into columns
}

// Other is a column of a source that fits no column of a run.
type Other struct {
	Name   string
	Values arrow.Array
}

// Release frees the arrays.
func (b *Batch) Release() {
	for _, a := range b.Columns {
		if a != nil {
			a.Release()
		}
	}
	for _, o := range b.Others {
		o.Values.Release()
	}
}

// number is row i's number in its file.
func (b *Batch) number(i int) int64 {
	if b.Number != nil {
		return b.Number[i]
	}
	return b.First + int64(i)
}

// RowBatch collects rows given as text into a batch.
type RowBatch struct {
	builders [NumColumns]*array.StringBuilder
	number   []int64
	files    []string
	rejects  []Reject
}

// NewRowBatch makes an empty collector.
func NewRowBatch() *RowBatch {
	b := &RowBatch{}
	for c := range b.builders {
		b.builders[c] = array.NewStringBuilder(memory.DefaultAllocator)
	}
	return b
}

// Append adds one row. Its Extra, if any, becomes the JSON text of the column
// extra, merged over an object that the column already holds.
func (b *RowBatch) Append(r *Row) {
	if len(r.Extra) > 0 {
		r.Set(Extra, mergeExtra(r.text[Extra], r.has[Extra], r.Extra))
	}
	for c := range b.builders {
		if r.has[c] {
			b.builders[c].Append(r.text[c])
		} else {
			b.builders[c].AppendNull()
		}
	}
	b.number = append(b.number, r.Number)
	b.files = append(b.files, r.File)
}

// Reject keeps a row that could not be read.
func (b *RowBatch) Reject(r Reject) { b.rejects = append(b.rejects, r) }

// Len is how many rows wait.
func (b *RowBatch) Len() int { return len(b.number) + len(b.rejects) }

// Flush gives the rows so far and starts anew.
func (b *RowBatch) Flush() *Batch {
	out := &Batch{Rows: len(b.number), Number: b.number, Files: b.files, Rejects: b.rejects}
	for c, builder := range b.builders {
		out.Columns[c] = builder.NewArray()
	}
	b.number, b.files, b.rejects = nil, nil, nil
	return out
}
