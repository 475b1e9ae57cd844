package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"amdb/scoring"
	"amdb/sql"
)

// heldCosts is how many costs the search for quantiles holds: 32 MB; the counters
// of a worker take no more.
var heldCosts = 4 << 20

// population is the reference executions that some drafts rest on, and the
// quantiles that they need of their costs.
type population struct {
	stratum        []int8 // by task number; -1: no reference task
	chosen         []bool // by configuration number
	zero, rewarded []float64
}

// costs are the quantiles that each draft needs of the costs of its reference
// executions, by stratum. All drafts read the runs together.
func (r *reference) costs(ctx context.Context, db *sql.DB, drafts []*draft) ([]map[scoring.Stratum]scoring.ReferenceCosts, error) {
	var all []*population
	type part struct{ of, zero, rewarded int } // a draft's population, and where its quantiles begin
	parts := make([]part, len(drafts))
	for i, d := range drafts {
		own := d.population()
		at := slices.IndexFunc(all, own.sameRuns)
		if at < 0 {
			at, all = len(all), append(all, own)
		}
		p := all[at]
		parts[i] = part{at, len(p.zero), len(p.rewarded)}
		p.zero, p.rewarded = append(p.zero, d.of.Need.Zero...), append(p.rewarded, d.of.Need.Rewarded...)
	}
	s := r.search(all, drafts[0].missingReward == "zero")
	if err := s.run(ctx, db, r.originals); err != nil {
		return nil, err
	}
	out := make([]map[scoring.Stratum]scoring.ReferenceCosts, len(drafts))
	for i, d := range drafts {
		out[i] = map[scoring.Stratum]scoring.ReferenceCosts{}
		for _, stratum := range scoring.Strata {
			out[i][stratum] = scoring.ReferenceCosts{
				Zero:     partOf(s.Quantiles(group(parts[i].of, int8(stratum), unrewarded)), parts[i].zero, len(d.of.Need.Zero)),
				Rewarded: partOf(s.Quantiles(group(parts[i].of, int8(stratum), rewarded)), parts[i].rewarded, len(d.of.Need.Rewarded)),
			}
		}
	}
	return out, nil
}

// partOf is n of the quantiles; nil where there are none.
func partOf(quantiles []float64, from, n int) []float64 {
	if quantiles == nil {
		return nil
	}
	return quantiles[from : from+n : from+n]
}

// population is the executions that a draft rests on.
func (d *draft) population() *population {
	p := &population{stratum: make([]int8, len(d.all)), chosen: make([]bool, len(d.names))}
	for n, k := range d.all {
		p.stratum[n] = -1
		if stratum, in := d.of.Strata[k]; in {
			p.stratum[n] = int8(stratum)
		}
	}
	chosen := make([]bool, len(d.names))
	for _, c := range d.configs {
		chosen[c] = true
	}
	for n, c := range d.canonical {
		p.chosen[n] = chosen[c]
	}
	return p
}

// sameRuns says whether two populations are the same executions.
func (p *population) sameRuns(o *population) bool {
	return slices.Equal(p.stratum, o.stratum) && slices.Equal(p.chosen, o.chosen)
}

// pricesDigest is the SHA-256 of the price table in force, "" where there is
// none: the pricing rules that a calibration freezes.
func pricesDigest(ctx context.Context, db *sql.DB) (string, error) {
	rows, err := db.Rows(ctx, "SELECT model, CAST(valid_from AS VARCHAR), input_usd, cached_input_usd, output_usd FROM prices ORDER BY ALL")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	h, n := sha256.New(), 0
	for rows.Next() {
		var model, from string
		var in, cached, out float64
		if err := rows.Scan(&model, &from, &in, &cached, &out); err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %s %v %v %v\n", model, from, in, cached, out)
		n++
	}
	if n == 0 || rows.Err() != nil {
		return "", rows.Err()
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
