package sql

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"amdb/udf"
)

//go:embed views
var viewFiles embed.FS

// The groups of views, as folders of sql/views.
const (
	storedViews   = "stored"   // in the file, pure SQL
	scopedViews   = "scoped"   // made anew in every process that scores
	analysisViews = "analysis" // made where a person may ask for them: on top of the scoped ones
)

// View is one public or helping view: its name is its file's.
type View struct {
	Name    string
	Stored  bool // in the file, pure SQL; else made anew in every process
	group   string
	Doc     string
	Columns []ViewColumn
	query   string
}

// ViewColumn is a documented column of a view.
type ViewColumn struct{ Name, Doc string }

// The views of each group in the order in which they build on each other.
var (
	storedOrder = []string{
		"runs", "tasks", "configs", "coverage", "budgets", "thresholds",
		"price_periods", "issue_kinds", "run_flags", "far_runs", "twin_runs", "run_outliers", "flag_sums", "name_doubles", "quality_issues",
	}
	scopedOrder = []string{"task_effort", "masked_runs", "budget_curve", "cell_sums", "cells", "stratum_scores", "scores"}

	analysisOrder = []string{"ablation", "alpha_breakpoints", "pair_cells", "pair_sums", "pairwise"}
)

// Views lists every view with its documentation.
func Views() ([]View, error) {
	var out []View
	for _, group := range []struct {
		dir   string
		names []string
	}{{storedViews, storedOrder}, {scopedViews, scopedOrder}, {analysisViews, analysisOrder}} {
		for _, name := range group.names {
			text, err := fs.ReadFile(viewFiles, path.Join("views", group.dir, name+".sql"))
			if err != nil {
				return nil, err
			}
			v := parseView(string(text))
			v.Name, v.group, v.Stored = name, group.dir, group.dir == storedViews
			out = append(out, v)
		}
	}
	return out, nil
}

// parseView splits a view's file into its header and its query: comment lines,
// an empty one, then "column: meaning" lines after the second empty comment.
func parseView(text string) View {
	v := View{query: text}
	var doc []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		comment, ok := strings.CutPrefix(line, "--")
		if !ok {
			break
		}
		comment = strings.TrimSpace(comment)
		name, meaning, isColumn := strings.Cut(comment, ": ")
		if isColumn && !strings.ContainsAny(name, " .,") && strings.ToLower(name) == name {
			v.Columns = append(v.Columns, ViewColumn{name, meaning})
			continue
		}
		doc = append(doc, comment)
	}
	v.Doc = strings.TrimSpace(strings.Join(doc, "\n"))
	return v
}

// Ordered is a query for all rows of a table or view in an order that is the same
// each time: by the key where its columns come first, for then no other column
// can matter and sorting is a fraction of the work, else by all columns.
func Ordered(relation string) (string, error) {
	order := "ALL"
	if relation == "stored_runs" {
		order = "run_id"
	}
	views, err := Views()
	if err != nil {
		return "", err
	}
	for _, v := range views {
		if key := v.Key(); v.Name == relation && len(key) > 0 && slices.Equal(key, v.first(len(key))) {
			order = strings.Join(key, ", ")
		}
	}
	return "SELECT * FROM " + Quote(relation) + " ORDER BY " + order, nil
}

var viewKey = regexp.MustCompile(`Key:\s+([a-z_]+(?:,\s+[a-z_]+)*)\.`)

// Key is the columns that tell a view's rows apart, as its documentation says; nil
// where it says none.
func (v View) Key() []string {
	m := viewKey.FindStringSubmatch(v.Doc)
	if m == nil {
		return nil
	}
	return strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// first are the names of the first n columns.
func (v View) first(n int) []string {
	var out []string
	for _, c := range v.Columns[:min(n, len(v.Columns))] {
		out = append(out, c.Name)
	}
	return out
}

// functionsView documents our SQL functions where a query can find them.
func functionsView() string {
	var rows []string
	for i := range udf.All {
		f := &udf.All[i]
		rows = append(rows, fmt.Sprintf("(%s, %s, %s)", QuoteText(f.Name), QuoteText(f.Signature()), QuoteText(f.Doc)))
	}
	return "CREATE OR REPLACE TEMP VIEW functions AS SELECT * FROM (VALUES\n" + strings.Join(rows, ",\n") + ") AS f(name, signature, meaning)"
}

// createViews writes the stored views into the file, and which they are, so that
// a later amdb can bring them up without another format of tables.
func (db *DB) createViews(ctx context.Context) error {
	return errors.Join(
		db.makeViews(ctx, storedViews),
		db.Exec(ctx, "DELETE FROM meta WHERE key = 'views'"),
		db.Exec(ctx, "INSERT INTO meta VALUES ('views', ?)", viewsDigest()),
	)
}

// viewsDigest tells versions of the stored views apart.
func viewsDigest() string {
	h := sha256.New()
	for _, name := range storedOrder {
		text, err := fs.ReadFile(viewFiles, path.Join("views", storedViews, name+".sql"))
		if err != nil {
			panic(err) // it is embedded
		}
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// AnalysisViews makes the views of section 5 on top of those of SetScope, and
// the list of our functions. Commands that answer no query of a person do
// without them.
func (db *DB) AnalysisViews(ctx context.Context) error {
	db.paired = false
	if err := db.makeViews(ctx, analysisViews); err != nil {
		return err
	}
	return db.Exec(ctx, functionsView())
}

func (db *DB) makeViews(ctx context.Context, group string) error {
	if group == storedViews {
		return db.makeViewsAs(ctx, "VIEW", group)
	}
	return db.makeTempViews(ctx, group)
}

func (db *DB) makeTempViews(ctx context.Context, group string) error {
	return db.makeViewsAs(ctx, "TEMP VIEW", group)
}

func (db *DB) makeViewsAs(ctx context.Context, kind, group string) error {
	views, err := Views()
	if err != nil {
		return err
	}
	for _, v := range views {
		if v.group != group {
			continue
		}
		if err := db.Exec(ctx, fmt.Sprintf("CREATE OR REPLACE %s %s AS\n%s", kind, v.Name, v.query)); err != nil {
			return fmt.Errorf("view %s: %w", v.Name, err)
		}
	}
	return nil
}
