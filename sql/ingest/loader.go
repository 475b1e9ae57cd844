package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"amdb/schema"
	"amdb/schema/source"
	"amdb/sql"
)

// loader is one load under way.
type loader struct {
	db         *sql.DB
	o          Options
	inputs     []source.Input
	mapping    *schema.Mapping
	keys       schema.Keys
	files      []FileResult
	conformers []schema.Conformer
	order      []idOrder
	firstLoad  int32

	mu      sync.Mutex
	rejects []owned[schema.Reject]
	notes   []owned[schema.Note]
	seen    int64 // rejects in all
	broken  map[RejectCount]int64
}

// owned is something that belongs to one source.
type owned[T any] struct {
	input int
	value T
}

// maxRules bounds the reasons that are counted: a damaged file may give each row
// its own.
const maxRules = 1000

// rejectedBy is the rejects by rule, most first.
func (l *loader) rejectedBy() []RejectCount {
	var out []RejectCount
	for rule, n := range l.broken {
		rule.Rows = n
		out = append(out, rule)
	}
	slices.SortFunc(out, func(a, b RejectCount) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}

// maxListed bounds the rejects that are kept for showing where they make the
// load fail anyway.
const maxListed = 20

// errDryRun ends the transaction of a load that is not to be stored.
var errDryRun = errors.New("dry run")

// seed reads the numbers that the database gave to keys so far.
func (l *loader) seed(ctx context.Context) error {
	for _, d := range []struct {
		query string
		into  *schema.Dictionary
	}{
		{"SELECT benchmark, raw_task FROM task_keys ORDER BY task_key", &l.keys.Tasks},
		{"SELECT raw_model, raw_cli FROM config_keys ORDER BY config_key", &l.keys.Configs},
		{"SELECT description, '' FROM description_keys ORDER BY description_key", &l.keys.Descriptions},
	} {
		rows, err := l.db.Rows(ctx, d.query)
		if err != nil {
			return err
		}
		for rows.Next() {
			var k schema.Key
			if err := rows.Scan(&k[0], &k[1]); err != nil {
				return errors.Join(err, rows.Close())
			}
			d.into.Seed(k)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
	}
	if err := l.db.Row(ctx, "SELECT coalesce(max(load_id), 0) + 1 FROM loads", nil, &l.firstLoad); err != nil {
		return err
	}
	for _, in := range l.inputs {
		l.files = append(l.files, FileResult{Path: in.Name, Format: in.Format})
		l.order = append(l.order, idOrder{sorted: true})
		l.conformers = append(l.conformers, schema.Conformer{
			File: in.Name, Keys: &l.keys, Constants: l.mapping.Constants(), Rewards: l.o.Rewards,
		})
	}
	return nil
}

// keep takes the rejects of a batch.
func (l *loader) keep(input int, rejects []schema.Reject) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen += int64(len(rejects))
	for _, r := range rejects {
		r.Value, r.Reason = schema.RedactText(r.Value), schema.RedactText(r.Reason)
		if l.broken == nil {
			l.broken = map[RejectCount]int64{}
		}
		if rule := (RejectCount{Column: r.Column, Reason: r.Reason}); len(l.broken) < maxRules || l.broken[rule] > 0 {
			l.broken[rule]++
		}
		if l.o.AllowRejects || len(l.rejects) < maxListed {
			l.rejects = append(l.rejects, owned[schema.Reject]{input, r})
		}
	}
}

func (l *loader) note(input int, n schema.Note) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n.Message = schema.RedactText(n.Message)
	l.notes = append(l.notes, owned[schema.Note]{input, n})
}

// doomed says that the load will fail, so that nothing more needs storing; the
// rest is still read, to count what is wrong with it.
func (l *loader) doomed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen > 0 && !l.o.AllowRejects
}

// run streams the sources into the database and settles what they mean there.
func (l *loader) run(ctx context.Context) (*Result, error) {
	p := l.start(ctx)
	var res *Result
	err := l.db.WithStream(ctx, p, func(src string) error {
		return l.db.Tx(ctx, func() error {
			if err := addPrices(ctx, l.db, l.o.Prices); err != nil {
				return err
			}
			if err := l.insert(ctx, src); err != nil {
				if perr := p.err(); perr != nil {
					return perr // why the stream ended says more than that it did
				}
				return err
			}
			if err := p.finish(); err != nil {
				return err
			}
			if err := l.rejected(); err != nil {
				return err
			}
			var err error
			if res, err = l.settle(ctx); err != nil {
				return err
			}
			if l.o.DryRun {
				return errDryRun
			}
			return nil
		})
	})
	perr := p.stop()
	switch {
	case errors.Is(err, errDryRun):
		return res, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	case perr != nil && !errors.Is(perr, context.Canceled):
		return nil, perr
	}
	l.db.Keep()
	return res, l.flag(ctx, res)
}

// flag counts the faults of the new runs; of all runs where old ones changed.
// It follows the load's transaction: what it reads is five times as fast from
// the file, and the counts are only what score warns from.
func (l *loader) flag(ctx context.Context, res *Result) error {
	if len(l.o.Prices) > 0 || res.Replaced > 0 {
		return countFlags(ctx, l.db, 0)
	}
	return countFlags(ctx, l.db, l.firstLoad)
}

// rejected makes the rejects an error where they are not allowed.
func (l *loader) rejected() error {
	if l.seen == 0 || l.o.AllowRejects {
		return nil
	}
	var read int64
	for _, f := range l.files {
		read += f.Read
	}
	e := &RejectedError{Rejected: l.seen, Read: read, By: l.rejectedBy()}
	for _, r := range l.rejects {
		e.First = append(e.First, r.value)
	}
	return e
}

// RejectedError says that rows broke rules and that nothing was stored.
type RejectedError struct {
	Rejected, Read int64
	By             []RejectCount // most first
	First          []schema.Reject
}

func (e *RejectedError) Error() string {
	return fmt.Sprintf("%d of %d runs break a rule; nothing was stored", e.Rejected, e.Read)
}
