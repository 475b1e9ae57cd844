package study

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// refCell is a configuration at a reference task: sums over its attempts.
type refCell struct {
	runs, rewarded, zeros              uint32 // rewarded: with a known reward
	priced, pricedZero, pricedRewarded uint32 // with a known cost; of these, with reward 0, and above 0
	withTokens, withSteps              uint32
	tokens, steps                      int64
}

// meanTokens is over the attempts that have tokens; false for none.
func (c *refCell) meanTokens() (float64, bool) { return meanOf(c.tokens, c.withTokens) }

// meanSteps is over the attempts that have steps; false for none.
func (c *refCell) meanSteps() (float64, bool) { return meanOf(c.steps, c.withSteps) }

func meanOf(sum int64, n uint32) (float64, bool) { return float64(sum) / float64(n), n > 0 }

// merge adds the attempts of another part of the cell.
func (c *refCell) merge(o *refCell) error {
	c.runs += o.runs
	c.rewarded += o.rewarded
	c.zeros += o.zeros
	c.priced += o.priced
	c.pricedZero += o.pricedZero
	c.pricedRewarded += o.pricedRewarded
	c.withTokens += o.withTokens
	c.withSteps += o.withSteps
	c.tokens += o.tokens
	c.steps += o.steps
	return c.fits()
}

// fits says whether the sums are ones that 64 bits hold.
func (c *refCell) fits() error {
	if c.tokens < 0 || c.steps < 0 {
		return schema.Faultf(schema.Failed, "calibration", "", "the tokens or steps of one cell add up to more than 2^63")
	}
	return nil
}

// reference is what a database holds to calibrate from: every cell under the
// original description. It is read once for any number of calibrations.
type reference struct {
	cells     *sparse[refCell]
	names     []string          // of configurations, by number
	known     []int32           // configurations with runs, by name
	all       []scoring.TaskKey // by number
	ran       []scoring.TaskKey // with a run under the original description
	number    map[scoring.TaskKey]int32
	inForce   taskNames
	canonical []int32 // of configurations: the first number with the name
	originals string  // the condition that a run is of the original description
	prices    string  // the digest of the price table in force
}

// cell is a configuration at a task by their numbers; without any run where
// there is none.
func (r *reference) cell(config, task int32) *refCell {
	if c := r.cells.find(r.cells.place(config, task)); c != nil {
		return c
	}
	return &refCell{}
}

// readReference reads every cell under the original description.
func readReference(ctx context.Context, db *sql.DB) (*reference, error) {
	r := &reference{number: map[scoring.TaskKey]int32{}}
	keys, err := db.Keys(ctx)
	if err != nil {
		return nil, err
	}
	if r.prices, err = pricesDigest(ctx, db); err != nil {
		return nil, err
	}
	r.names, r.all, r.inForce = configNames(keys), taskKeys(keys), tasksInForce(keys)
	for n, k := range r.all { // of keys with one name, the first counts
		if _, there := r.number[k]; !there {
			r.number[k] = int32(n)
		}
	}
	first := map[string]int32{}
	for n, name := range r.names {
		if _, there := first[name]; !there {
			first[name] = int32(n)
		}
		r.canonical = append(r.canonical, first[name])
	}
	if err := r.read(ctx, db, slices.Index(keys.Descriptions, scoring.Original)); err != nil {
		return nil, err
	}
	configSet, taskSeen := map[int32]bool{}, map[int32]bool{}
	for c := range int32(len(r.names)) {
		for t := range int32(len(r.all)) {
			if r.cells.find(r.cells.place(c, t)) != nil {
				configSet[c], taskSeen[t] = true, true
			}
		}
	}
	if len(configSet) == 0 {
		return nil, schema.Faultf(schema.Failed, "calibration", "amdb load RUNS… loads runs", "there are no runs under the description original")
	}
	for t := range taskSeen {
		r.ran = append(r.ran, r.all[t])
	}
	for c := range configSet {
		r.known = append(r.known, c)
	}
	slices.SortFunc(r.known, func(a, b int32) int { return strings.Compare(r.names[a], r.names[b]) })
	return r, nil
}

// refColumns are what a cell needs of a run.
const refColumns = costColumns + ", total_tokens, steps"

// read sums the runs of the original description by cell.
func (r *reference) read(ctx context.Context, db *sql.DB, original int) error {
	r.cells = newSparse[refCell](len(r.names), len(r.all))
	if original < 0 {
		return nil
	}
	r.originals = fmt.Sprintf("description_key = %d", original)
	task := make([]int32, len(r.all))
	for n, k := range r.all {
		task[n] = r.number[k]
	}
	parts, err := tiles(ctx, db, r.canonical, len(r.all), unsafe.Sizeof(refCell{}))
	if err != nil {
		return err
	}
	return scanTiles(ctx, db, parts, refColumns, r.originals,
		func() *refTallies { return &refTallies{task: task, cells: newSparse[refCell](0, len(r.all))} }, r.join)
}

// join adds the workers' sums of a tile to the cells and says how many bytes they
// take.
func (r *reference) join(now tile, workers []*refTallies) (bytes int64, err error) {
	for row, c := range now.place {
		for t := range int32(len(r.all)) {
			for _, w := range workers {
				if part := w.cells.find(w.cells.place(int32(row), t)); part != nil {
					if err := r.cells.at(c, t).merge(part); err != nil {
						return 0, err
					}
				}
			}
		}
	}
	return r.cells.bytes(), nil
}

// refTallies are one worker's sums of a tile.
type refTallies struct {
	tile
	task  []int32 // by number: the number that counts
	cells *sparse[refCell]
}

// begin empties the sums for a tile.
func (t *refTallies) begin(now tile) {
	t.tile = now
	t.cells.reset(len(now.place))
}

// add counts the runs of a batch.
func (t *refTallies) add(b sql.Batch) error {
	configs, tasks := b.Ints("config_key"), b.Ints("task_key")
	reward, tokens, steps := b.Doubles("reward"), b.Longs("total_tokens"), b.Longs("steps")
	hasReward, hasCost, hasTokens, hasSteps := b.Valid("reward"), b.Valid("cost_usd"), b.Valid("total_tokens"), b.Valid("steps")
	var cell *refCell
	last := [2]int32{-1, -1}
	for i := range configs {
		if configs[i] != last[0] || tasks[i] != last[1] { // runs of one cell mostly stand together
			last, cell = [2]int32{configs[i], tasks[i]}, nil
			if row := t.row[last[0]]; row >= 0 {
				cell = t.cells.at(row, t.task[last[1]])
			}
		}
		if cell == nil {
			continue
		}
		cell.runs++
		priced := hasCost.At(i)
		if priced {
			cell.priced++
		}
		switch {
		case !hasReward.At(i):
		case reward[i] > 0:
			cell.rewarded++
			if priced {
				cell.pricedRewarded++
			}
		default:
			cell.rewarded++
			cell.zeros++
			if priced {
				cell.pricedZero++
			}
		}
		if hasTokens.At(i) {
			cell.withTokens++
			cell.tokens += tokens[i]
		}
		if hasSteps.At(i) {
			cell.withSteps++
			cell.steps += steps[i]
		}
		if err := cell.fits(); err != nil {
			return err
		}
	}
	return nil
}
