package study

import (
	"context"
	"slices"
	"unsafe"

	"amdb/scoring"
	"amdb/sql"
)

// masks are one worker's sums of what hangs on the calibration, for several
// calibrations of the same tasks side by side.
type masks struct {
	row   [][]int32 // by description and configuration number: place of its first cell; -1: none in scope
	task  []int32   // by number: place in the row; -1: not in scope
	under []*grid
	sums  []scoring.Masked // cell by cell, calibration by calibration
}

// maskBytes is about how much room the sums of one worker take at most.
var maskBytes = 64 << 20

// maskColumns are what masks need of a run.
const maskColumns = costColumns + ", description_key"

// panelsUnder makes the panels of other scopes, which differ from s in their
// calibration alone, from those of s: only rewards within budgets and expensive
// failures are counted anew, for all scopes in one pass over the runs, or in as
// many as their sums need room. It hands them to f, by the scope's place, on
// several processors, and keeps none.
func (s *scope) panelsUnder(ctx context.Context, db *sql.DB, panels map[string]*scoring.Panel, others []*scope, f func(i int, under map[string]*scoring.Panel) error) error {
	var base masks
	places := base.place(s.grid(s.keys), panels)
	first := 0
	most := max(1, maskBytes/(max(1, places)*int(unsafe.Sizeof(scoring.Masked{}))))
	for now := range slices.Chunk(others, most) {
		base.under = nil
		for _, o := range now {
			base.under = append(base.under, o.grid(s.keys))
		}
		var all []*masks
		err := db.ScanRuns(ctx, maskColumns, "true", func() func(sql.Batch) error {
			m := base
			m.sums = make([]scoring.Masked, places*len(now))
			all = append(all, &m)
			return m.add
		})
		if err != nil {
			return err
		}
		for _, m := range all[1:] {
			for i := range m.sums {
				all[0].sums[i].Merge(&m.sums[i])
			}
		}
		if err := each(len(now), func(i int) error { return f(first+i, all[0].panels(panels, i)) }); err != nil {
			return err
		}
		first += len(now)
	}
	return nil
}

// place numbers the cells of panels and says how many they are.
func (m *masks) place(g *grid, panels map[string]*scoring.Panel) (places int) {
	m.task = g.task
	for _, word := range g.words {
		row := make([]int32, len(g.config))
		for number, at := range g.config {
			row[number] = -1
			if p := panels[word]; p != nil {
				if c, in := slices.BinarySearch(p.Configs, g.configs[at]); in {
					row[number] = int32(places + c*len(p.Tasks))
				}
			}
		}
		m.row = append(m.row, row)
		if p := panels[word]; p != nil {
			places += len(p.Configs) * len(p.Tasks)
		}
	}
	return places
}

// add counts the runs of a batch under every calibration.
func (m *masks) add(b sql.Batch) error {
	config, task, description := b.Ints("config_key"), b.Ints("task_key"), b.Ints("description_key")
	reward, cost := b.Doubles("reward"), b.Doubles("cost_usd")
	hasReward, hasCost := b.Valid("reward"), b.Valid("cost_usd")
	n := len(m.under)
	counting := &m.under[0].counting // what counts is the same under all
	for i, t := range task {
		place, r := m.task[t], 0.0
		if place < 0 || !hasCost.At(i) || !counting.Counts(hasReward.At(i), true) {
			continue
		}
		if hasReward.At(i) {
			r = reward[i]
		}
		first := m.row[description[i]][config[i]]
		if first < 0 {
			continue
		}
		sums := m.sums[int(first+place)*n:][:n]
		for j, g := range m.under {
			sums[j].Add(&g.counting, g.stratum[place], r, cost[i])
		}
	}
	return nil
}

// panels are those under the calibration at a place among them.
func (m *masks) panels(base map[string]*scoring.Panel, at int) map[string]*scoring.Panel {
	out, first, g := map[string]*scoring.Panel{}, 0, m.under[at]
	for _, word := range g.words {
		p := base[word]
		if p == nil {
			continue
		}
		q := &scoring.Panel{Configs: p.Configs, Tasks: g.tasks}
		for _, row := range p.Rows {
			row = slices.Clone(row)
			for t := range row {
				m.sums[(first+t)*len(m.under)+at].Into(&row[t], g.levels[g.stratum[t]])
			}
			q.Rows = append(q.Rows, row)
			first += len(row)
		}
		out[word] = q
	}
	return out
}
