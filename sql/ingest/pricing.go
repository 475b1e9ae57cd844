package ingest

import (
	"context"
	_ "embed" // the queries
	"errors"
	"fmt"
	"slices"
	"strings"

	"amdb/schema"
	"amdb/sql"
)

//go:embed queries/price.sql
var priceSQL string

//go:embed queries/prices.sql
var pricesSQL string

//go:embed queries/unpriced.sql
var unpricedSQL string

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
		for _, alias := range p.Aliases {
			if err := db.Exec(ctx, "DELETE FROM price_aliases WHERE alias = ?", alias); err != nil {
				return err
			}
			if err := db.Exec(ctx, "INSERT INTO price_aliases VALUES (?, ?)", alias, p.Model); err != nil {
				return err
			}
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
		if _, err := reprice(ctx, l.db); err != nil {
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

// StoredPrice is a row of the price table.
type StoredPrice struct {
	Model       string  `json:"model"`
	ValidFrom   string  `json:"valid_from"`
	Input       float64 `json:"input_usd"`
	CachedInput float64 `json:"cached_input_usd"`
	Output      float64 `json:"output_usd"`
	Aliases     string  `json:"aliases"` // separated by semicolons
	Source      string  `json:"source"`
	Runs        int64   `json:"runs"` // that it priced, reported costs or not
}

// Unpriced counts the runs of a model that have no cost at all.
type Unpriced struct {
	Model  string `json:"model"`
	Reason string `json:"reason"`
	Runs   int64  `json:"runs"`
}

// PriceTable is the prices in force and what they do not cover.
type PriceTable struct {
	Prices   []StoredPrice `json:"prices"`
	Unpriced []Unpriced    `json:"unpriced"`
}

// LoadPrices adds a price table and prices every stored run anew. It returns
// the table, and how many runs' price changed.
func LoadPrices(ctx context.Context, db *sql.DB, prices []Price) (t *PriceTable, changed int64, err error) {
	err = db.Tx(ctx, func() error {
		if err := addPrices(ctx, db, prices); err != nil {
			return err
		}
		if changed, err = reprice(ctx, db); err != nil {
			return err
		}
		return countFlags(ctx, db, 0)
	})
	if err != nil {
		return nil, 0, err
	}
	t, err = ReadPriceTable(ctx, db, "")
	return t, changed, err
}

// reprice prices every stored run by the table in force, and counts those whose
// price changed.
func reprice(ctx context.Context, db *sql.DB) (changed int64, err error) {
	return db.ExecCount(ctx, priceSQL)
}

// ReadPriceTable reads the price table; of one model alone, by its name or one
// of its aliases, where model is not empty.
func ReadPriceTable(ctx context.Context, db *sql.DB, model string) (*PriceTable, error) {
	t := &PriceTable{Prices: []StoredPrice{}, Unpriced: []Unpriced{}}
	if model != "" {
		var meant string
		if err := db.Row(ctx, "SELECT coalesce((SELECT max(model) FROM prices WHERE model = ?1), (SELECT max(model) FROM price_aliases WHERE alias = ?1), '')", []any{model}, &meant); err != nil {
			return nil, err
		}
		if meant == "" {
			return nil, schema.Faultf(schema.Failed, "prices show "+model, "amdb prices list shows all; amdb prices load FILE adds some", "there is no price for this model")
		}
		model = meant
	}
	rows, err := db.Rows(ctx, pricesSQL)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var p StoredPrice
		if err := rows.Scan(&p.Model, &p.ValidFrom, &p.Input, &p.CachedInput, &p.Output, &p.Source, &p.Aliases, &p.Runs); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		if model == "" || p.Model == model {
			t.Prices = append(t.Prices, p)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, err
	}
	if rows, err = db.Rows(ctx, unpricedSQL); err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var u Unpriced
		if err := rows.Scan(&u.Model, &u.Reason, &u.Runs); err != nil {
			return nil, err
		}
		if model == "" || u.Model == model || slices.ContainsFunc(t.Prices, func(p StoredPrice) bool { return p.hasAlias(u.Model) }) {
			t.Unpriced = append(t.Unpriced, u)
		}
	}
	return t, rows.Err()
}

// hasAlias says whether the price knows its model by another name.
func (p StoredPrice) hasAlias(name string) bool {
	return slices.Contains(strings.Split(p.Aliases, ";"), name)
}
