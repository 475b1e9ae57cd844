package ingest

import (
	"context"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"amdb/schema"
	"amdb/sql" // the query
)

//go:embed queries/price.sql
var priceSQL string

// Price is what a model's tokens cost from a date on, in US dollars per million
// tokens.
type Price struct {
	Model                      string
	From                       time.Time
	Input, CachedInput, Output float64
	Source                     string // where the price comes from: the file, or its column source
}

// ReadPrices reads a price table: CSV with the columns model, from (a date),
// input, cached_input, output and, if there, source. An empty cached_input is
// the price of input.
func ReadPrices(path string) ([]Price, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, schema.Faultf(schema.Failed, path, "", "%s", reason(err))
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment, r.TrimLeadingSpace = '#', true
	header, err := r.Read()
	if err != nil {
		return nil, priceFault(path, 0, "is no table: %v", err)
	}
	at := map[string]int{}
	for i, h := range header {
		at[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")))] = i
	}
	for _, need := range []string{"model", "from", "input", "output"} {
		if _, ok := at[need]; !ok {
			return nil, priceFault(path, 0, "has no column %s", need)
		}
	}
	field := func(rec []string, name string) string {
		i, ok := at[name]
		if !ok {
			return ""
		}
		return strings.TrimSpace(rec[i])
	}
	var out []Price
	for row := 1; ; row++ {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, priceFault(path, row, "%v", err)
		}
		p := Price{Model: field(rec, "model"), Source: field(rec, "source")}
		if p.Source == "" {
			p.Source = filepath.Base(path)
		}
		if p.Model == "" {
			return nil, priceFault(path, row, "model is empty")
		}
		if p.From, err = time.Parse(time.DateOnly, field(rec, "from")); err != nil {
			return nil, priceFault(path, row, "from %q is not a date as 2026-01-31", field(rec, "from"))
		}
		for _, c := range []struct {
			name string
			into *float64
		}{{"input", &p.Input}, {"cached_input", &p.CachedInput}, {"output", &p.Output}} {
			text := field(rec, c.name)
			if c.name == "cached_input" && text == "" {
				p.CachedInput = p.Input
				continue
			}
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
				return nil, priceFault(path, row, "%s %q is not a price of at least 0", c.name, text)
			}
			*c.into = v
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, priceFault(path, 0, "holds no prices")
	}
	return out, nil
}

func reason(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

func priceFault(path string, row int, format string, args ...any) error {
	if row > 0 {
		format = fmt.Sprintf("row %d: ", row) + format
	}
	return schema.Faultf(schema.Rejected, path,
		"a price table has the columns model,from,input,cached_input,output in US dollars per million tokens", format, args...)
}

// addPrices stores a price table; a price that is there for the same model and
// date is replaced. It prices every stored run anew, for a price may change
// what earlier loads cost.
func addPrices(ctx context.Context, db *sql.DB, prices []Price) error {
	for _, p := range prices {
		if err := db.Exec(ctx, "DELETE FROM prices WHERE model = ? AND valid_from = ?", p.Model, p.From); err != nil {
			return err
		}
		err := db.Exec(ctx, "INSERT INTO prices VALUES (?, ?, ?, ?, ?, ?)", p.Model, p.From, p.Input, p.CachedInput, p.Output, p.Source)
		if err != nil {
			return err
		}
	}
	return nil
}

// price computes what runs cost by the price table, where there is one.
func (l *loader) price(ctx context.Context, res *Result) error {
	var prices int64
	if err := l.db.Row(ctx, "SELECT count(*) FROM prices", nil, &prices); err != nil {
		return err
	}
	if prices > 0 {
		if err := l.db.Exec(ctx, priceSQL); err != nil {
			return err
		}
	}
	err := l.db.Row(ctx, `SELECT count(*) FILTER (WHERE reported_cost_usd IS NULL AND priced_cost_usd IS NOT NULL),
		count(*) FILTER (WHERE reported_cost_usd IS NULL AND priced_cost_usd IS NULL) FROM stored_runs WHERE load_id >= ?`,
		[]any{l.firstLoad}, &res.Priced, &res.Unpriced)
	if err != nil {
		return err
	}
	if prices > 0 && res.Unpriced > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("%d runs stay without a cost: no price for their model at their date, no tokens, or more cached than input tokens", res.Unpriced))
	}
	return nil
}
