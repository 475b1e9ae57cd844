package ingest

import (
	"context"
	_ "embed" // the query
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

//go:embed queries/repeated.sql
var repeatedSQL string

// idOrder watches whether the run_ids of a source ascend strictly, as those of
// most tools do: then none stands twice, and that costs no memory to know.
type idOrder struct {
	sorted      bool
	first, last string
	any         bool
}

func (o *idOrder) add(rec arrow.RecordBatch) {
	ids := rec.Column(0).(*array.String)
	if !o.sorted || ids.Len() == 0 {
		return
	}
	last, from := o.last, 0
	if !o.any {
		o.any, o.first = true, strings.Clone(ids.Value(0))
		last, from = ids.Value(0), 1
	}
	for i := from; i < ids.Len(); i++ {
		id := ids.Value(i)
		if id <= last {
			o.sorted = false
			return
		}
		last = id
	}
	o.last = strings.Clone(last)
}

// surelyUnique says whether the order of the run_ids alone proves that none of
// this load stands twice, in it or with an earlier load.
func (l *loader) surelyUnique(ctx context.Context) (bool, error) {
	var ranges []idOrder
	for _, o := range l.order {
		if !o.sorted {
			return false, nil
		}
		if o.any {
			ranges = append(ranges, o)
		}
	}
	if len(ranges) == 0 {
		return true, nil
	}
	slices.SortFunc(ranges, func(a, b idOrder) int { return strings.Compare(a.first, b.first) })
	for i := 1; i < len(ranges); i++ {
		if ranges[i].first <= ranges[i-1].last {
			return false, nil
		}
	}
	var before int64
	err := l.db.Row(ctx, "SELECT count(*) FROM stored_runs WHERE load_id < ? AND run_id BETWEEN ? AND ?",
		[]any{l.firstLoad, ranges[0].first, ranges[len(ranges)-1].last}, &before)
	return before == 0, err
}

// repeated says whether any run_id of this load may stand twice. It compares
// hashes, which take a third of the memory of the ids; a chance meeting of two
// only costs a closer look.
func (l *loader) repeated(ctx context.Context) (bool, error) {
	unique, err := l.surelyUnique(ctx)
	if unique || err != nil {
		return false, err
	}
	var n int64
	err = l.db.Row(ctx, strings.ReplaceAll(repeatedSQL, "{{first}}", fmt.Sprint(l.firstLoad)), nil, &n)
	return n > 0, err
}
