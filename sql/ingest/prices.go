package ingest

import (
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
)

// Price is what a model's tokens cost from a date on, in US dollars per million
// tokens.
type Price struct {
	Model                      string
	From                       time.Time
	Input, CachedInput, Output float64
	Source                     string   // where the price comes from: the file, or its column source
	Aliases                    []string // other names of the model
}

// ReadPrices reads a price table: CSV with the columns model, from (a date),
// input, cached_input, output and, if there, aliases (other names of the model,
// separated by semicolons) and source. An empty cached_input is the price of
// input. A model has one price a day, and a name means one model.
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
	dated, named := map[string]int{}, map[string]string{}
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
		if prev, dup := dated[p.Model+p.From.String()]; dup {
			return nil, priceFault(path, row, "%s has a price from %s in row %d already", p.Model, p.From.Format(time.DateOnly), prev)
		}
		dated[p.Model+p.From.String()] = row
		for _, alias := range strings.Split(field(rec, "aliases"), ";") {
			if alias = strings.TrimSpace(alias); alias == "" || alias == p.Model {
				continue
			}
			if model, dup := named[alias]; dup && model != p.Model {
				return nil, priceFault(path, row, "the alias %q stands for %s and %s", alias, model, p.Model)
			}
			named[alias] = p.Model
			p.Aliases = append(p.Aliases, alias)
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
		"a price table has the columns model,from,input,cached_input,output in US dollars per million tokens, and may have aliases,source", format, args...)
}
