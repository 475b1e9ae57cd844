package study

import (
	"context"
	"fmt"

	"amdb/sql"
)

// A tile is a part of the configurations, whose sums are held together: a grid
// of many cells is counted tile by tile, so that what the workers hold does not
// grow with it.
type tile struct {
	row   []int32 // by configuration number: its row in the tile; -1: in another
	place []int32 // by row: the configuration's place
	where string  // a condition that all runs of the tile meet
}

// tileBytes is about how much room the sums of all workers take at most.
var tileBytes int64 = 192 << 20

// tiles cuts configurations into parts by place, which says where the sums of
// each number go. most is how many cells a configuration can have, size how many
// bytes a cell takes of a worker. Nearly every database is one tile.
func tiles(ctx context.Context, db *sql.DB, place []int32, most int, size uintptr) ([]tile, error) {
	bytes := func(cells int64) int64 { return cells*int64(size) + int64(most)*slotBytes }
	if all := cut(db, place, func([]int32) int64 { return bytes(int64(most)) }); len(all) == 1 {
		return all, nil
	}
	runs, err := db.RunsByConfig(ctx)
	if err != nil {
		return nil, err
	}
	return cut(db, place, func(numbers []int32) int64 {
		var cells int64
		for _, number := range numbers {
			cells += runs[number]
		}
		return bytes(min(cells, int64(most)))
	}), nil
}

// cut cuts configurations into parts by place, of each of which a worker's sums
// have room; bytes is what those of a place take, given its numbers, which stay
// together.
func cut(db *sql.DB, place []int32, bytes func(numbers []int32) int64) (out []tile) {
	var order []int32 // places by the first of their numbers: about as their runs stand
	numbers := map[int32][]int32{}
	for number, at := range place {
		if numbers[at] == nil {
			order = append(order, at)
		}
		numbers[at] = append(numbers[at], int32(number))
	}
	from, held := 0, int64(0)
	for i, at := range order {
		weight := bytes(numbers[at])
		if held+weight > workerBytes(db) && i > from {
			out = append(out, newTile(place, order[from:i]))
			from, held = i, 0
		}
		held += weight
	}
	return append(out, newTile(place, order[from:]))
}

// workerBytes is about how much room the sums of one worker take at most.
func workerBytes(db *sql.DB) int64 { return tileBytes / int64(db.Threads()) }

// newTile is the tile of some places.
func newTile(place, places []int32) tile {
	t := tile{row: make([]int32, len(place)), place: places}
	row := map[int32]int32{}
	for i, at := range places {
		row[at] = int32(i)
	}
	first, last := len(place), -1
	for number, at := range place {
		i, in := row[at]
		if !in {
			i = -1
		} else {
			first, last = min(first, number), max(last, number)
		}
		t.row[number] = i
	}
	t.where = fmt.Sprintf("config_key BETWEEN %d AND %d", first, last)
	if first == 0 && last == len(place)-1 {
		t.where = "true"
	}
	return t
}

// A tiler is a worker's sums of a tile; it serves one tile after another.
type tiler interface {
	begin(now tile)
	add(b sql.Batch) error
}

// scanTiles reads the runs that meet a condition tile by tile. worker makes a
// worker; join takes a tile's sums off the workers and says how many bytes are
// held of all tiles so far, which the database spares.
func scanTiles[W tiler](ctx context.Context, db *sql.DB, parts []tile, columns, where string, worker func() W, join func(now tile, workers []W) (held int64, err error)) error {
	var workers []W
	for _, now := range parts {
		used := 0
		err := db.ScanRuns(ctx, columns, where+" AND "+now.where, func() func(sql.Batch) error {
			if used == len(workers) {
				workers = append(workers, worker())
			}
			w := workers[used]
			w.begin(now)
			used++
			return w.add
		})
		if err != nil {
			return err
		}
		held, err := join(now, workers[:used])
		if err != nil {
			return err
		}
		if len(parts) > 1 {
			if err := db.Spare(ctx, tileBytes+held); err != nil {
				return err
			}
		}
	}
	return nil
}
