package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"amdb/scoring"
	"amdb/sql"
)

// heldCosts is how many costs a calibration holds at a time: 32 MB.
const heldCosts = 4 << 20

// costs are the quantiles of the costs of the reference executions by stratum.
func (r *reference) costs(ctx context.Context, db *sql.DB, strata map[scoring.TaskKey]scoring.Stratum, need scoring.CostQuantiles) (map[scoring.Stratum]scoring.ReferenceCosts, error) {
	// A group is a stratum's executions without a reward, or with one.
	group := make([]int, len(r.all))
	for n, k := range r.all {
		group[n] = -1
		if s, in := strata[k]; in {
			group[n] = 2 * int(s)
		}
	}
	chosen := make([]bool, len(r.names))
	for _, c := range r.configs {
		chosen[c] = true
	}
	missingIsZero := r.o.Rules.MissingReward == "zero"
	counts := make([]int64, 2*len(scoring.Strata))
	var ps [][]float64
	for range scoring.Strata {
		ps = append(ps, need.Zero, need.Rewarded)
	}
	for _, c := range r.configs {
		for t, g := range group {
			if g < 0 {
				continue
			}
			cell := r.cell(c, int32(t))
			counts[g] += cell.pricedZero
			counts[g+1] += cell.pricedRewarded
			if missingIsZero {
				counts[g] += cell.priced - cell.pricedZero - cell.pricedRewarded
			}
		}
	}
	search := scoring.SearchQuantiles(counts, ps, heldCosts)
	for search.More() {
		var parts []*scoring.QuantilePass
		err := db.ScanRuns(ctx, costColumns, r.originals, func() func(sql.Batch) error {
			part := search.Pass()
			parts = append(parts, part)
			return func(b sql.Batch) error {
				config, task := b.Ints("config_key"), b.Ints("task_key")
				reward, cost := b.Doubles("reward"), b.Doubles("cost_usd")
				hasReward, hasCost := b.Valid("reward"), b.Valid("cost_usd")
				for i, t := range task {
					g := group[t]
					if g < 0 || !chosen[r.canonical[config[i]]] || !hasCost.At(i) {
						continue
					}
					switch {
					case !hasReward.At(i):
						if missingIsZero {
							part.Add(g, cost[i])
						}
					case reward[i] > 0:
						part.Add(g+1, cost[i])
					default:
						part.Add(g, cost[i])
					}
				}
				return nil
			}
		})
		if err != nil {
			return nil, err
		}
		if err := search.End(parts); err != nil {
			return nil, err
		}
	}
	out := map[scoring.Stratum]scoring.ReferenceCosts{}
	for i, s := range scoring.Strata {
		out[s] = scoring.ReferenceCosts{Zero: search.Quantiles(2 * i), Rewarded: search.Quantiles(2*i + 1)}
	}
	return out, nil
}

// costColumns are what the search for quantiles needs of a run.
const costColumns = "config_key, task_key, reward, coalesce(reported_cost_usd, priced_cost_usd) AS cost_usd"

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
