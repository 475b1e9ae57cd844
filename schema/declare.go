package schema

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Range is the scale on which a source's rewards are, as its owner declares it.
type Range struct{ Lo, Hi float64 }

// ParseRange reads LO:HI.
func ParseRange(s string) (*Range, error) {
	lo, hi, ok := strings.Cut(s, ":")
	l, lerr := strconv.ParseFloat(lo, 64)
	h, herr := strconv.ParseFloat(hi, 64)
	switch {
	case !ok || lerr != nil || herr != nil || math.IsInf(l, 0) || math.IsInf(h, 0):
		return nil, fmt.Errorf("%q is not LO:HI, as 0:4", s)
	case !(l < h):
		return nil, fmt.Errorf("%v is not below %v", l, h)
	}
	return &Range{l, h}, nil
}

// String is the range as it is declared.
func (r Range) String() string {
	return strconv.FormatFloat(r.Lo, 'g', -1, 64) + ":" + strconv.FormatFloat(r.Hi, 'g', -1, 64)
}

// scale puts a reward of the range on [0,1]. Outside it is a reward of another
// scale, which is never clamped.
func (r *Range) scale(v float64) (float64, error) {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return v, errFinite
	case v < r.Lo || v > r.Hi:
		return v, fmt.Errorf("is outside the declared [%v,%v]", r.Lo, r.Hi)
	}
	return (v - r.Lo) / (r.Hi - r.Lo), nil
}

// rewards conforms the rewards of a source with a declared range. A verdict of
// true or false is on no scale and stays 1 or 0.
func (f *faults) rewards(r *Range) *array.Float64 {
	src := f.batch.Columns[Reward]
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.Reserve(f.batch.Rows)
	for i := range f.batch.Rows {
		v, null, err := r.rewardAt(src, i)
		if err != nil {
			f.add(i, Reward, src.ValueStr(i), err)
		}
		if null || err != nil {
			b.AppendNull()
		} else {
			b.Append(v)
		}
	}
	return b.NewFloat64Array()
}

func (r *Range) rewardAt(src arrow.Array, i int) (v float64, null bool, err error) {
	if src == nil || src.IsNull(i) || src.ValueStr(i) == "" {
		return 0, true, nil
	}
	switch a := src.(type) {
	case *array.Float64:
		v, err = r.scale(a.Value(i))
		return v, false, err
	case *array.Float32:
		v, err = r.scale(float64(a.Value(i)))
		return v, false, err
	}
	s := strings.TrimSpace(src.ValueStr(i))
	switch strings.ToLower(s) {
	case "true", "false":
		v, err = parseNumber(Reward, s)
		return v, false, err
	}
	if v, err = parseFloat(s); err != nil {
		return 0, false, err
	}
	v, err = r.scale(v)
	return v, false, err
}

// declare puts the declared constants into a batch. What the source itself says
// of such a column goes to extra.
func (c *Conformer) declare(b *Batch) {
	for col, k := range c.Constants {
		own := b.Columns[col]
		given := newTexts(own, b.Rows)
		values := array.NewStringBuilder(memory.DefaultAllocator)
		values.Reserve(b.Rows)
		for i := range b.Rows {
			if s := given.at(i); k.Default && s != "" {
				values.Append(s)
			} else {
				values.Append(k.Value)
			}
		}
		b.Columns[col] = values.NewArray()
		switch {
		case own == nil:
		case k.Default:
			own.Release()
		default:
			b.Others = append(b.Others, Other{Name: col.String(), Values: own})
		}
	}
}
