package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/sql"
	"amdb/sql/ingest"
)

func (a *app) pricesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "prices",
		Short: "Load, list and show the prices that runs without a cost are priced by",
		Long: `A price is what a model's tokens cost from a date on, in US dollars per million tokens.
Every run of a known model with known tokens is priced by the newest price that was
valid when it began, cached input tokens at their own price. A reported cost stays
beside it and ranks; check compares the two. More cached than input tokens is a
contradiction: such a run is not priced, and check names it.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.pricesLoad(), a.pricesList(), a.pricesShow())
	return cmd
}

func (a *app) pricesLoad() *cobra.Command {
	return &cobra.Command{
		Use: "load FILE", Short: "Add a price table and price every stored run anew",
		Long: `FILE is CSV with the columns model,from,input,cached_input,output and, if there,
aliases (other names of the model, separated by semicolons) and source. A price for a
model and date that is there is replaced.`,
		Example: "  amdb prices load prices.csv", Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkFormat(); err != nil {
				return err
			}
			prices, err := ingest.ReadPrices(args[0])
			if err != nil {
				return err
			}
			var table *ingest.PriceTable
			err = a.with(cmd.Context(), sql.Make, func(db *sql.DB) error {
				var changed int64
				if table, changed, err = ingest.LoadPrices(cmd.Context(), db, prices); err != nil {
					return err
				}
				db.Keep()
				a.inform("%d prices loaded; %d runs are priced anew", len(prices), changed)
				return nil
			})
			if err != nil {
				return err
			}
			return a.printPrices(table)
		},
	}
}

func (a *app) pricesList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the prices, and the models that lack one", Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.showPrices(cmd.Context(), "") },
	}
}

func (a *app) pricesShow() *cobra.Command {
	return &cobra.Command{
		Use: "show MODEL", Short: "Show the prices of one model, by its name or an alias", Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return a.showPrices(cmd.Context(), args[0]) },
	}
}

func (a *app) showPrices(ctx context.Context, model string) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var table *ingest.PriceTable
	err := a.with(ctx, sql.Read, func(db *sql.DB) (err error) {
		table, err = ingest.ReadPriceTable(ctx, db, model)
		return err
	})
	if err != nil {
		return err
	}
	return a.printPrices(table)
}

func (a *app) printPrices(t *ingest.PriceTable) error {
	rows := [][]any{}
	for _, p := range t.Prices {
		rows = append(rows, []any{p.Model, p.ValidFrom, p.Input, p.CachedInput, p.Output, p.Runs, p.Aliases, p.Source})
	}
	var notes []string
	for i, u := range t.Unpriced {
		if i == maxNotes {
			notes = append(notes, fmt.Sprintf("no cost: … and %d more (-f json lists all)", len(t.Unpriced)-i))
			break
		}
		notes = append(notes, fmt.Sprintf("no cost: %d runs of %s: %s", u.Runs, oneLine(u.Model), u.Reason))
	}
	return a.printResult(t, export.NewTable([]export.Column{
		{Name: "model"},
		{Name: "valid_from"},
		{Name: "input_usd", Kind: export.Number},
		{Name: "cached_input_usd", Kind: export.Number},
		{Name: "output_usd", Kind: export.Number},
		{Name: "runs", Kind: export.Integer},
		{Name: "aliases"},
		{Name: "source"},
	}, rows), notes...)
}
