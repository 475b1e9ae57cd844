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

// heldCosts is how many costs the searches under way hold together: 32 MB; the
// counters of a worker take no more. Each search has at least leastHeld.
var (
	heldCosts = 4 << 20
	leastHeld = 64 << 10
)

// costSearch is the search for quantiles of the costs of some reference
// executions, for all drafts that rest on the same ones.
type costSearch struct {
	group         []int8 // by task number: 2·stratum, and 1 more with a reward above 0; -1: no reference task
	chosen        []bool // by configuration number
	missingIsZero bool
	zero          []float64 // which quantiles of a stratum's executions without a reward
	rewarded      []float64 // and of those with one
	*scoring.QuantileSearch
}

// costs are the quantiles that each draft needs of the costs of its reference
// executions, by stratum. All drafts read the runs together.
func (r *reference) costs(ctx context.Context, db *sql.DB, drafts []*draft) ([]map[scoring.Stratum]scoring.ReferenceCosts, error) {
	var searches []*costSearch
	finish := make([]func() map[scoring.Stratum]scoring.ReferenceCosts, len(drafts))
	for i, d := range drafts {
		own := d.search()
		at := slices.IndexFunc(searches, own.sameRuns)
		if at < 0 {
			at, searches = len(searches), append(searches, own)
		}
		s, need := searches[at], d.of.Need
		zero, rewarded := len(s.zero), len(s.rewarded)
		s.zero, s.rewarded = append(s.zero, need.Zero...), append(s.rewarded, need.Rewarded...)
		finish[i] = func() map[scoring.Stratum]scoring.ReferenceCosts {
			out := map[scoring.Stratum]scoring.ReferenceCosts{}
			for g, stratum := range scoring.Strata {
				out[stratum] = scoring.ReferenceCosts{
					Zero: part(s.Quantiles(2*g), zero, len(need.Zero)), Rewarded: part(s.Quantiles(2*g+1), rewarded, len(need.Rewarded)),
				}
			}
			return out
		}
	}
	for now := range slices.Chunk(searches, heldCosts/leastHeld) {
		if err := r.search(ctx, db, now); err != nil {
			return nil, err
		}
	}
	out := make([]map[scoring.Stratum]scoring.ReferenceCosts, len(drafts))
	for i := range drafts {
		out[i] = finish[i]()
	}
	return out, nil
}

// part is n of the quantiles; nil where there are none.
func part(quantiles []float64, from, n int) []float64 {
	if quantiles == nil {
		return nil
	}
	return quantiles[from : from+n : from+n]
}

// search is the executions that a draft rests on.
func (d *draft) search() *costSearch {
	s := &costSearch{group: make([]int8, len(d.all)), chosen: make([]bool, len(d.names)), missingIsZero: d.o.Rules.MissingReward == "zero"}
	for n, k := range d.all {
		s.group[n] = -1
		if stratum, in := d.of.Strata[k]; in {
			s.group[n] = 2 * int8(stratum)
		}
	}
	chosen := make([]bool, len(d.names))
	for _, c := range d.configs {
		chosen[c] = true
	}
	for n, c := range d.canonical {
		s.chosen[n] = chosen[c]
	}
	return s
}

// sameRuns says whether two searches are of the same executions.
func (s *costSearch) sameRuns(o *costSearch) bool {
	return s.missingIsZero == o.missingIsZero && slices.Equal(s.group, o.group) && slices.Equal(s.chosen, o.chosen)
}

// search does several searches, reading the runs as often as the longest needs.
func (r *reference) search(ctx context.Context, db *sql.DB, searches []*costSearch) error {
	for _, s := range searches {
		s.begin(r, heldCosts/len(searches))
	}
	for {
		searches = slices.DeleteFunc(slices.Clone(searches), func(s *costSearch) bool { return !s.More() })
		if len(searches) == 0 {
			return nil
		}
		parts := make([][]*scoring.QuantilePass, len(searches))
		err := db.ScanRuns(ctx, costColumns, r.originals, func() func(sql.Batch) error {
			var own []*scoring.QuantilePass
			for i, s := range searches {
				own = append(own, s.Pass())
				parts[i] = append(parts[i], own[i])
			}
			return func(b sql.Batch) error {
				for i, s := range searches {
					s.add(own[i], b)
				}
				return nil
			}
		})
		if err != nil {
			return err
		}
		for i, s := range searches {
			if err := s.End(parts[i]); err != nil {
				return err
			}
		}
	}
}

// begin counts the executions and starts the search among them.
func (s *costSearch) begin(r *reference, hold int) {
	counts := make([]int64, 2*len(scoring.Strata))
	for t, g := range s.group {
		if g < 0 {
			continue
		}
		for c, chosen := range s.chosen {
			if !chosen || r.canonical[c] != int32(c) {
				continue
			}
			cell := r.cell(int32(c), int32(t))
			counts[g] += int64(cell.pricedZero)
			counts[g+1] += int64(cell.pricedRewarded)
			if s.missingIsZero {
				counts[g] += int64(cell.priced - cell.pricedZero - cell.pricedRewarded)
			}
		}
	}
	var ps [][]float64
	for range scoring.Strata {
		ps = append(ps, s.zero, s.rewarded)
	}
	s.QuantileSearch = scoring.SearchQuantiles(counts, ps, hold)
}

// add takes the costs of a batch of runs.
func (s *costSearch) add(pass *scoring.QuantilePass, b sql.Batch) {
	config, task := b.Ints("config_key"), b.Ints("task_key")
	reward, cost := b.Doubles("reward"), b.Doubles("cost_usd")
	hasReward, hasCost := b.Valid("reward"), b.Valid("cost_usd")
	for i, t := range task {
		g := s.group[t]
		if g < 0 || !s.chosen[config[i]] || !hasCost.At(i) {
			continue
		}
		switch {
		case !hasReward.At(i):
			if s.missingIsZero {
				pass.Add(int(g), cost[i])
			}
		case reward[i] > 0:
			pass.Add(int(g)+1, cost[i])
		default:
			pass.Add(int(g), cost[i])
		}
	}
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
