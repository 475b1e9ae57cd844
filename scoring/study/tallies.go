package study

import (
	"context"
	"slices"
	"unsafe"

	"amdb/scoring"
	"amdb/sql"
)

// runColumns are what a tally needs of a run.
const runColumns = maskColumns + ", total_tokens"

// grid says where the cell of a run stands: numbers of the database to places
// in a panel. Several numbers have one place where an alias joins names.
type grid struct {
	configs  []string            // by name
	tasks    []scoring.PanelTask // by key
	config   []int32             // place by number
	task     []int32             // place by number; -1: not in scope
	stratum  []scoring.Stratum   // by place
	counting scoring.Counting
	levels   [3]int
	words    []string // descriptions by number
}

func (s *scope) grid(keys *sql.Keys) *grid {
	g := &grid{words: keys.Descriptions, tasks: slices.Clone(s.tasks)}
	slices.SortFunc(g.tasks, func(a, b scoring.PanelTask) int { return a.Key.Compare(b.Key) })
	names := configNames(keys)
	g.configs = slices.Clone(names)
	slices.Sort(g.configs)
	g.configs = slices.Compact(g.configs)
	for _, n := range names {
		at, _ := slices.BinarySearch(g.configs, n)
		g.config = append(g.config, int32(at))
	}
	place := map[scoring.TaskKey]int32{}
	for i, t := range g.tasks {
		place[t.Key] = int32(i)
		g.stratum = append(g.stratum, t.Stratum)
	}
	for _, k := range taskKeys(keys) {
		at, ok := place[k]
		if !ok {
			at = -1
		}
		g.task = append(g.task, at)
	}
	g.counting, g.levels = s.counting()
	return g
}

// counting is what decides how a run counts in the scope, with the number of
// budgets by stratum.
func (s *scope) counting() (c scoring.Counting, levels [3]int) {
	p := s.policies
	c = scoring.Counting{
		ZeroReward: p.MissingReward == "zero", Unaffordable: p.MissingCost == "unaffordable", PassThreshold: p.PassThreshold,
	}
	for i, st := range scoring.Strata {
		r := s.cal.Strata[st]
		c.Budgets[i], c.Eta[i], levels[i] = r.Budgets, r.EtaUSD, len(r.Budgets)
	}
	return c, levels
}

// tallies are one worker's sums of a tile, cell by cell, by description number;
// nil for those that it did not meet.
type tallies struct {
	*grid
	tile
	cells []*sparse[scoring.Tally]
}

// begin empties the sums for a tile.
func (t *tallies) begin(now tile) {
	t.tile = now
	for _, cells := range t.cells {
		if cells != nil {
			cells.reset(len(now.place))
		}
	}
}

// at is the tally of a cell; row is the configuration's in the tile.
func (t *tallies) at(description, row, task int32) *scoring.Tally {
	if t.cells[description] == nil {
		t.cells[description] = newSparse[scoring.Tally](len(t.place), len(t.tasks))
	}
	return t.cells[description].at(row, task)
}

// add counts the runs of a batch.
func (t *tallies) add(b sql.Batch) error {
	config, task, description := b.Ints("config_key"), b.Ints("task_key"), b.Ints("description_key")
	reward, cost, tokens := b.Doubles("reward"), b.Doubles("cost_usd"), b.Longs("total_tokens")
	hasReward, hasCost, hasTokens := b.Valid("reward"), b.Valid("cost_usd"), b.Valid("total_tokens")
	// Runs of one cell mostly stand together.
	var sum *scoring.Tally
	var stratum scoring.Stratum
	atConfig, atTask, atDescription := int32(-1), int32(-1), int32(-1)
	for i, k := range task {
		if k != atTask || config[i] != atConfig || description[i] != atDescription {
			atConfig, atTask, atDescription = config[i], k, description[i]
			sum = nil
			if row, place := t.row[atConfig], t.task[k]; row >= 0 && place >= 0 {
				sum, stratum = t.at(atDescription, row, place), t.stratum[place]
			}
		}
		if sum == nil {
			continue
		}
		sum.Add(&t.counting, stratum, scoring.Execution{
			Reward: reward[i], Cost: cost[i], Tokens: tokens[i],
			HasReward: hasReward.At(i), HasCost: hasCost.At(i), HasTokens: hasTokens.At(i),
		})
	}
	return nil
}

// panels reads every run in scope, tile by tile, and gives one panel a description,
// each over the configurations that have a run in scope under it. The sums are
// exact, so it does not matter who counts which runs. Where nothing changed since
// they were last read, it gives the cells that were kept then.
func (s *scope) panels(ctx context.Context, db *sql.DB) (map[string]*scoring.Panel, error) {
	g := s.grid(s.keys)
	k := keptFor(ctx, db, g)
	if panels, ok := k.read(); ok {
		return panels, nil
	}
	parts, err := tiles(ctx, db, g.config, len(g.tasks)*len(g.words), unsafe.Sizeof(scoring.Tally{}))
	if err != nil {
		return nil, err
	}
	rows := make([][][]scoring.Cell, len(g.words)) // by description and configuration; nil where it has no run
	for d := range rows {
		rows[d] = make([][]scoring.Cell, len(g.configs))
	}
	var held int64
	err = scanTiles(ctx, db, parts, runColumns, "true",
		func() *tallies { return &tallies{grid: g, cells: make([]*sparse[scoring.Tally], len(g.words))} },
		func(now tile, workers []*tallies) (int64, error) {
			held += g.join(now, workers, rows)
			return held, nil
		})
	if err != nil {
		return nil, err
	}
	panels := g.panels(rows)
	k.write(panels)
	return panels, nil
}

// join makes the rows of a tile from the workers' tallies and says how many bytes
// they take.
func (g *grid) join(now tile, workers []*tallies, rows [][][]scoring.Cell) (bytes int64) {
	n := len(g.tasks)
	for d := range g.words {
		var parts []*sparse[scoring.Tally]
		for _, t := range workers {
			if t.cells[d] != nil {
				parts = append(parts, t.cells[d])
			}
		}
		if len(parts) == 0 {
			continue
		}
		for r, at := range now.place {
			var row []scoring.Cell
			for i := range n {
				if sum, found := merged(parts, r*n+i); found {
					if row == nil {
						row = make([]scoring.Cell, n)
						bytes += int64(n) * int64(unsafe.Sizeof(scoring.Cell{}))
					}
					row[i] = sum.Cell(g.levels[g.stratum[i]])
				}
			}
			rows[d][at] = row
		}
	}
	return bytes
}

// panels are the panels of rows by description.
func (g *grid) panels(rows [][][]scoring.Cell) map[string]*scoring.Panel {
	out := map[string]*scoring.Panel{}
	for d, word := range g.words {
		p := &scoring.Panel{Tasks: g.tasks}
		for c, row := range rows[d] {
			if row != nil {
				p.Configs, p.Rows = append(p.Configs, g.configs[c]), append(p.Rows, row)
			}
		}
		if len(p.Configs) > 0 {
			out[word] = p
		}
	}
	return out
}

// merged joins the workers' tallies of a cell; false where none has one.
func merged(parts []*sparse[scoring.Tally], place int) (sum scoring.Tally, found bool) {
	for _, p := range parts {
		if part := p.find(place); part != nil {
			sum.Merge(part)
			found = true
		}
	}
	return sum, found
}
