package main

import (
	"context"
	"fmt"
	"strings"

	"amdb/export"
	"amdb/sql/ingest"
)

// explain says how sources would be read. It opens no database.
func (a *app) explain(ctx context.Context, o ingest.Options) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	o.Stdin = a.stdin
	list, err := ingest.Explain(ctx, o)
	if err != nil {
		return err
	}
	rows := [][]any{}
	var notes []string
	for _, e := range list {
		for _, c := range e.Columns {
			rows = append(rows, []any{e.Path, e.Format, c.Source, c.Target, c.By, c.Filled, strings.Join(c.Values, " | ")})
		}
		notes = append(notes, explanation(e)...)
	}
	columns := []export.Column{
		{Name: "path"}, {Name: "format"}, {Name: "source"}, {Name: "target"}, {Name: "by"}, {Name: "filled", Kind: export.Integer}, {Name: "values"},
	}
	if len(list) == 1 && a.format == "table" { // one source stands in the notes
		columns = columns[2:]
		for i := range rows {
			rows[i] = rows[i][2:]
		}
	}
	return a.printResult(struct {
		Sources []ingest.Explained `json:"sources"`
	}{list}, export.NewTable(columns, rows), append(notes, "Nothing was stored.")...)
}

// explanation is what stands under the table for one source.
func explanation(e ingest.Explained) []string {
	out := []string{"", fmt.Sprintf("%s: read by %s (%s); %d files, %d runs looked at", oneLine(e.Path), e.Format, e.Reader, e.Files, e.Sampled)}
	if e.Error != "" {
		return append(out, "  cannot be read: "+oneLine(e.Error))
	}
	if len(e.Lacking) > 0 {
		out = append(out, "  does not load without: "+strings.Join(e.Lacking, ", ")+" (--map COLUMN=SOURCE names it; --map cli:=NAME declares it)")
	}
	if len(e.Missing) > 0 {
		out = append(out, "  missing, so NULL or the default: "+strings.Join(e.Missing, ", "))
	}
	for i, r := range e.Rejects {
		if i == maxExamples {
			out = append(out, "  …")
			break
		}
		out = append(out, "  would be rejected: "+rejectLine(r))
	}
	for i, n := range e.Notes {
		if i == maxExamples {
			out = append(out, "  …")
			break
		}
		out = append(out, "  note: "+oneLine(n.Message))
	}
	return out
}
