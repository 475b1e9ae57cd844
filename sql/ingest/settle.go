package ingest

import (
	"context" // the queries
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"amdb/schema"
)

//go:embed queries/insert.sql
var insertSQL string

//go:embed queries/duplicates.sql
var duplicatesSQL string

//go:embed queries/drop.sql
var dropSQL string

// insert streams the runs in, as they come. Where ctx ends, so does the stream,
// and with it the statement, in order: DuckDB keeps the whole database open after
// about one interrupted insert in a hundred.
func (l *loader) insert(ctx context.Context, src string) error {
	return l.db.Exec(context.WithoutCancel(ctx), strings.ReplaceAll(insertSQL, "{{source}}", src))
}

// settle finds the runs that were there before or came twice, decides what
// becomes of each, and writes the provenance. It runs inside the load's
// transaction, after the insert.
func (l *loader) settle(ctx context.Context) (*Result, error) {
	if err := l.insertKeys(); err != nil {
		return nil, err
	}
	if err := nameKeys(ctx, l.db); err != nil {
		return nil, err
	}
	if err := l.duplicates(ctx); err != nil {
		return nil, err
	}
	res := &Result{DryRun: l.o.DryRun, Warnings: []string{}}
	if err := l.price(ctx, res); err != nil {
		return nil, err
	}
	for i := range l.files {
		f := &l.files[i]
		f.Inserted = f.Read - f.Rejected - f.Unchanged - f.Replaced - f.Skipped
		res.Read += f.Read
		res.Inserted += f.Inserted
		res.Unchanged += f.Unchanged
		res.Replaced += f.Replaced
		res.Skipped += f.Skipped
		res.Rejected += f.Rejected
		res.Files = append(res.Files, *f)
	}
	for _, r := range l.rejects {
		res.Rejects = append(res.Rejects, r.value)
	}
	res.RejectedBy = l.rejectedBy()
	for _, n := range l.notes {
		res.Notes = append(res.Notes, n.value)
	}
	return res, l.provenance()
}

// insertKeys stores the tasks, configurations and descriptions that are new.
func (l *loader) insertKeys() error {
	for _, d := range []struct {
		table string
		from  *schema.Dictionary
		row   func(n int32, k schema.Key) []any
	}{
		{"task_keys", &l.keys.Tasks, func(n int32, k schema.Key) []any { return []any{n, k[0], k[1], k[1], n} }},
		{"config_keys", &l.keys.Configs, func(n int32, k schema.Key) []any { return []any{n, k[0], k[1], k[0], k[1], n} }},
		{"description_keys", &l.keys.Descriptions, func(n int32, k schema.Key) []any { return []any{n, k[0]} }},
	} {
		first, keys := d.from.New()
		rows := make([][]any, len(keys))
		for i, k := range keys {
			rows[i] = d.row(int32(first+i), k)
		}
		if err := l.db.Insert(d.table, rows); err != nil {
			return err
		}
	}
	return nil
}

// duplicates settles run_ids that stand more than once. Equal values are one
// run; other values are a conflict with what was there, or, within one load,
// an error always: neither has a better claim.
func (l *loader) duplicates(ctx context.Context) error {
	if again, err := l.repeated(ctx); !again || err != nil {
		return err
	}
	if err := l.db.Exec(ctx, strings.ReplaceAll(duplicatesSQL, "{{first}}", fmt.Sprint(l.firstLoad))); err != nil {
		return err
	}
	if err := l.conflicts(ctx); err != nil {
		return err
	}
	if err := l.db.Exec(ctx, strings.ReplaceAll(dropSQL, "{{keep_new}}", fmt.Sprint(l.o.OnConflict == ConflictReplace))); err != nil {
		return err
	}
	rows, err := l.db.Rows(ctx, "SELECT load_id, verdict, count(*) FROM incoming_twins GROUP BY load_id, verdict")
	if err != nil {
		return err
	}
	for rows.Next() {
		var load int32
		var verdict string
		var n int64
		if err := rows.Scan(&load, &verdict, &n); err != nil {
			return errors.Join(err, rows.Close())
		}
		f := &l.files[load-l.firstLoad]
		switch {
		case verdict == "same":
			f.Unchanged += n
		case l.o.OnConflict == ConflictReplace:
			f.Replaced += n
		default:
			f.Skipped += n
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	return l.db.Exec(ctx, "DROP TABLE temp.incoming_twins")
}

// provenance writes which source the runs came from, what was rejected and what
// else the sources say. A source of which nothing was new leaves its row too.
func (l *loader) provenance() error {
	loads := make([][]any, len(l.files))
	for i, f := range l.files {
		loads[i] = []any{
			l.firstLoad + int32(i), f.Path, f.Format, f.SHA256, l.o.Now.UTC(), l.o.Version,
			f.Read, f.Inserted, f.Unchanged, f.Replaced, f.Skipped, f.Rejected, l.described(),
		}
	}
	if err := l.db.Insert("loads", loads); err != nil {
		return err
	}
	rejects := make([][]any, len(l.rejects))
	for i, r := range l.rejects {
		rejects[i] = []any{l.firstLoad + int32(r.input), r.value.File, r.value.Row, r.value.Column, r.value.Value, r.value.Reason}
	}
	if err := l.db.Insert("rejects", rejects); err != nil {
		return err
	}
	notes := make([][]any, len(l.notes))
	for i, n := range l.notes {
		notes[i] = []any{l.firstLoad + int32(n.input), n.value.File, n.value.Kind, n.value.Message}
	}
	return l.db.Insert("load_notes", notes)
}
