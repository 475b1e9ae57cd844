package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"amdb/scoring"
	"amdb/sql"
)

// costs are the costs of the reference executions by stratum.
func (r *reference) costs(ctx context.Context, db *sql.DB, strata map[scoring.TaskKey]scoring.Stratum) (map[scoring.Stratum]scoring.ReferenceCosts, error) {
	var tasks, configs [][]any
	for k, s := range strata {
		tasks = append(tasks, []any{r.number[k], int32(s)})
	}
	for _, c := range r.configs {
		configs = append(configs, []any{c})
	}
	if err := errors.Join(
		db.Temp(ctx, "study_tasks", "task_key INTEGER, stratum INTEGER", tasks),
		db.Temp(ctx, "study_configs", "config_key INTEGER", configs),
	); err != nil {
		return nil, err
	}
	var costs [3]scoring.ReferenceCosts
	err := db.Batches(ctx, sql.Query("reference_costs"), func(b sql.Batch) error {
		stratum, cost := b.Ints("stratum"), b.Doubles("cost_usd")
		missing, rewarded := b.Bools("missing"), b.Bools("rewarded")
		for i, s := range stratum {
			switch {
			case missing.Value(i) && r.o.Rules.MissingReward != "zero":
			case rewarded.Value(i):
				costs[s].Rewarded = append(costs[s].Rewarded, cost[i])
			default:
				costs[s].Zero = append(costs[s].Zero, cost[i])
			}
		}
		return nil
	})
	out := map[scoring.Stratum]scoring.ReferenceCosts{}
	for s, c := range costs {
		out[scoring.Stratum(s)] = c
	}
	return out, err
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
