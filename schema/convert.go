package schema

import (
	"errors"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// numbers conforms a number column. A float64 array that holds the rules is
// passed on as it is, without a copy.
func (f *faults) numbers(c Col) *array.Float64 {
	src := f.batch.Columns[c]
	if a, ok := src.(*array.Float64); ok {
		lo, hi := bounds(c)
		for i, v := range a.Float64Values() {
			if v >= lo && v <= hi {
				continue
			}
			if err := checkRange(c, v); err != nil && a.IsValid(i) {
				f.add(i, c, a.ValueStr(i), err)
			}
		}
		a.Retain()
		return a
	}
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.Reserve(f.batch.Rows)
	for i := range f.batch.Rows {
		v, null, err := numberAt(c, src, i)
		if err != nil {
			f.add(i, c, src.ValueStr(i), err)
		}
		if null || err != nil {
			b.AppendNull()
		} else {
			b.Append(v)
		}
	}
	return b.NewFloat64Array()
}

// numberAt is row i of any array as a number.
func numberAt(c Col, src arrow.Array, i int) (v float64, null bool, err error) {
	if src == nil || src.IsNull(i) {
		return 0, true, nil
	}
	switch a := src.(type) {
	case *array.Float32:
		v = float64(a.Value(i))
	case *array.Int64:
		v = float64(a.Value(i))
	case *array.Int32:
		v = float64(a.Value(i))
	default:
		s := src.ValueStr(i)
		if s == "" {
			return 0, true, nil
		}
		v, err = parseNumber(c, s)
		return v, false, err
	}
	return v, false, checkRange(c, v)
}

// integers conforms a whole-number column.
func (f *faults) integers(c Col) *array.Int64 {
	src := f.batch.Columns[c]
	if a, ok := src.(*array.Int64); ok {
		lo, hi := bounds(c)
		for i, v := range a.Int64Values() {
			if n := float64(v); n >= lo && n <= hi {
				continue
			}
			if err := checkRange(c, float64(v)); err != nil && a.IsValid(i) {
				f.add(i, c, a.ValueStr(i), err)
			}
		}
		a.Retain()
		return a
	}
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.Reserve(f.batch.Rows)
	for i := range f.batch.Rows {
		v, null, err := integerAt(c, src, i)
		if err != nil {
			f.add(i, c, src.ValueStr(i), err)
		}
		if null || err != nil {
			b.AppendNull()
		} else {
			b.Append(v)
		}
	}
	return b.NewInt64Array()
}

// integerAt is row i of any array as a whole number. Doubles that are whole
// pass: tools write integer columns with gaps as doubles.
func integerAt(c Col, src arrow.Array, i int) (v int64, null bool, err error) {
	if src == nil || src.IsNull(i) {
		return 0, true, nil
	}
	switch a := src.(type) {
	case *array.Int32:
		v = int64(a.Value(i))
		return v, false, checkRange(c, float64(v))
	case *array.Float64:
		v, err = wholeFloat(c, a.Value(i))
		return v, false, err
	case *array.Float32:
		v, err = wholeFloat(c, float64(a.Value(i)))
		return v, false, err
	case *array.Boolean:
		return 0, false, errWhole
	}
	s := src.ValueStr(i)
	if s == "" {
		return 0, true, nil
	}
	v, err = parseInteger(c, s)
	return v, false, err
}

// totalTokens fills totals that the source lacks with input + output.
func (f *faults) totalTokens(total, in, out *array.Int64) *array.Int64 {
	if total.NullN() == 0 {
		return total
	}
	defer total.Release()
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.Reserve(f.batch.Rows)
	for i := range f.batch.Rows {
		switch {
		case total.IsValid(i):
			b.Append(total.Value(i))
		case in.IsNull(i) || out.IsNull(i):
			b.AppendNull()
		case in.Value(i) > math.MaxInt64-out.Value(i):
			f.add(i, TotalTokens, "", errors.New("input + output "+errRange64.Error()))
			b.AppendNull()
		default:
			b.Append(in.Value(i) + out.Value(i))
		}
	}
	return b.NewInt64Array()
}

// times conforms a time column to microseconds, UTC.
func (f *faults) times(c Col) *array.Timestamp {
	src := f.batch.Columns[c]
	if a, ok := src.(*array.Timestamp); ok && a.DataType().(*arrow.TimestampType).Unit == arrow.Microsecond {
		// The same numbers; a time without a zone is UTC.
		old := a.Data()
		data := array.NewData(instant, old.Len(), old.Buffers(), nil, old.NullN(), old.Offset())
		defer data.Release()
		return array.NewTimestampData(data)
	}
	b := array.NewTimestampBuilder(memory.DefaultAllocator, instant)
	b.Reserve(f.batch.Rows)
	for i := range f.batch.Rows {
		if src == nil || src.IsNull(i) {
			b.AppendNull()
			continue
		}
		v, null, err := timeAt(src, i)
		if err != nil {
			f.add(i, c, src.ValueStr(i), err)
		}
		if null || err != nil {
			b.AppendNull()
		} else {
			b.Append(arrow.Timestamp(v))
		}
	}
	return b.NewTimestampArray()
}

// timeAt is row i of any array as microseconds since 1970 UTC.
func timeAt(src arrow.Array, i int) (v int64, null bool, err error) {
	switch a := src.(type) {
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType).Unit
		t := int64(a.Value(i))
		switch unit {
		case arrow.Second:
			return t * 1e6, false, nil
		case arrow.Millisecond:
			return t * 1e3, false, nil
		case arrow.Nanosecond:
			return floorDiv(t, 1e3), false, nil
		}
		return t, false, nil
	case *array.Date32:
		return int64(a.Value(i)) * 86400 * 1e6, false, nil
	}
	s := src.ValueStr(i)
	if s == "" {
		return 0, true, nil
	}
	v, err = ParseTime(s)
	return v, false, err
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
