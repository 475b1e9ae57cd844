package study

import (
	"context"
	"slices"
	"unsafe"

	"amdb/scoring"
	"amdb/sql"
)

// masking is what runs are counted by under several calibrations side by side.
type masking struct {
	panels  map[string]*scoring.Panel // under the calibration in force; all have the same tasks
	words   []string                  // descriptions by number
	configs []string                  // by place
	config  []int32                   // place by number
	task    []int32                   // by number: column in the panels; -1: none
	scope   []int                     // by column: the task's place in a scope
	under   []*masked
	strata  [3]*scoring.MaskedUnder // under all of them
	moving  []bool                  // by column: they have the task in different strata
}

// masked is one calibration to count under.
type masked struct {
	counting scoring.Counting
	levels   [3]int
	tasks    []scoring.PanelTask // by column
}

// masks are one worker's sums of what hangs on the calibration, for a tile.
type masks struct {
	*masking
	tile
	first [][]int32        // by description and row in the tile: place of its first cell; -1: it has none
	sums  []scoring.Masked // cell by cell, calibration by calibration
}

// maskColumns are what masks need of a run.
const maskColumns = costColumns + ", description_key"

// panelsUnder makes the panels of other scopes, which differ from s in their
// calibration alone, from those of s or from some rows and tasks of those: only
// rewards within budgets and expensive failures are counted anew, for all scopes in
// one pass over the runs, or in as many as their sums need room. It hands them to f,
// by the scope's place, on several processors, and keeps none: those of some
// configurations after others, or, where whole is set, those of all at once.
func (s *scope) panelsUnder(ctx context.Context, db *sql.DB, panels map[string]*scoring.Panel, others []*scope, whole bool, f func(i int, under map[string]*scoring.Panel) error) error {
	m := s.masking(panels)
	cells, largest := 0, 1
	for _, name := range m.configs {
		n := m.cells(name)
		cells, largest = cells+n, max(largest, n)
	}
	if whole {
		largest = max(largest, cells)
	}
	const size = int(unsafe.Sizeof(scoring.Masked{}))
	held := int64(cells) * int64(unsafe.Sizeof(scoring.Cell{})) // of the panels
	first := 0
	for now := range slices.Chunk(others, max(1, int(workerBytes(db))/(largest*size))) {
		m.calibrations(now)
		parts := cut(db, m.config, func(numbers []int32) int64 {
			if whole {
				return 0
			}
			return int64(m.cells(m.configs[m.config[numbers[0]]]) * len(now) * size)
		})
		err := scanTiles(ctx, db, parts, maskColumns, "true",
			func() *masks { return &masks{masking: m} },
			func(_ tile, workers []*masks) (int64, error) {
				sum := workers[0]
				for _, w := range workers[1:] {
					for i := range sum.sums {
						sum.sums[i].Merge(&w.sums[i])
					}
				}
				return held, each(len(now), func(i int) error { return f(first+i, sum.panelsUnder(i)) })
			})
		if err != nil {
			return err
		}
		first += len(now)
	}
	return nil
}

// masking is what panels of the scope are counted anew by.
func (s *scope) masking(panels map[string]*scoring.Panel) *masking {
	g := s.grid(s.keys)
	m := &masking{panels: panels, words: g.words, configs: g.configs, config: g.config}
	column := make([]int32, len(s.tasks)) // by place in the scope
	for i := range column {
		column[i] = -1
	}
	for _, p := range panels {
		m.scope = m.scope[:0]
		for _, t := range p.Tasks {
			at, _ := slices.BinarySearchFunc(g.tasks, t, func(a, b scoring.PanelTask) int { return a.Key.Compare(b.Key) })
			column[at] = int32(len(m.scope))
			m.scope = append(m.scope, at)
		}
	}
	for _, at := range g.task {
		if at >= 0 {
			at = column[at]
		}
		m.task = append(m.task, at)
	}
	return m
}

// cells is how many cells the panels have of a configuration.
func (m *masking) cells(config string) (n int) {
	for _, p := range m.panels {
		if _, in := slices.BinarySearch(p.Configs, config); in {
			n += len(p.Tasks)
		}
	}
	return n
}

// calibrations makes ready to count under those of scopes.
func (m *masking) calibrations(scopes []*scope) {
	m.under, m.moving = nil, make([]bool, len(m.scope))
	var all []*scoring.Counting
	for _, s := range scopes {
		u := &masked{tasks: make([]scoring.PanelTask, len(m.scope))}
		u.counting, u.levels = s.counting()
		for column, at := range m.scope {
			u.tasks[column] = s.tasks[at]
			m.moving[column] = m.moving[column] || s.tasks[at].Stratum != scopes[0].tasks[at].Stratum
		}
		m.under, all = append(m.under, u), append(all, &u.counting)
	}
	for _, s := range scoring.Strata {
		m.strata[s] = scoring.NewMaskedUnder(all, s)
	}
}

// begin empties the sums for a tile.
func (m *masks) begin(now tile) {
	m.tile, m.first = now, nil
	cells := 0
	for _, word := range m.words {
		first := make([]int32, len(now.place))
		p := m.panels[word]
		for row, at := range now.place {
			first[row] = -1
			if p == nil {
				continue
			}
			if _, in := slices.BinarySearch(p.Configs, m.configs[at]); in {
				first[row] = int32(cells)
				cells += len(p.Tasks)
			}
		}
		m.first = append(m.first, first)
	}
	if n := cells * len(m.under); n <= cap(m.sums) {
		m.sums = m.sums[:n]
		clear(m.sums)
	} else {
		m.sums = make([]scoring.Masked, n)
	}
}

// add counts the runs of a batch under every calibration.
func (m *masks) add(b sql.Batch) error {
	config, task, description := b.Ints("config_key"), b.Ints("task_key"), b.Ints("description_key")
	reward, cost := b.Doubles("reward"), b.Doubles("cost_usd")
	hasReward, hasCost := b.Valid("reward"), b.Valid("cost_usd")
	n := len(m.under)
	policies := &m.under[0].counting // what counts is the same under all
	for i, t := range task {
		column, row, r := m.task[t], m.row[config[i]], 0.0
		if column < 0 || row < 0 || !hasCost.At(i) || !policies.Counts(hasReward.At(i), true) {
			continue
		}
		first := m.first[description[i]][row]
		if first < 0 {
			continue
		}
		if hasReward.At(i) {
			r = reward[i]
		}
		sums := m.sums[int(first+column)*n:][:n]
		if !m.moving[column] {
			m.strata[m.under[0].tasks[column].Stratum].Add(sums, r, cost[i])
			continue
		}
		for j, u := range m.under {
			sums[j].Add(&u.counting, u.tasks[column].Stratum, r, cost[i])
		}
	}
	return nil
}

// panelsUnder are the rows of the tile under the calibration at a place among them.
func (m *masks) panelsUnder(calibration int) map[string]*scoring.Panel {
	out, u := map[string]*scoring.Panel{}, m.under[calibration]
	rows := make([]int, len(m.place)) // by name
	for row := range rows {
		rows[row] = row
	}
	slices.SortFunc(rows, func(a, b int) int { return int(m.place[a] - m.place[b]) })
	for d, word := range m.words {
		p := m.panels[word]
		if p == nil {
			continue
		}
		q := &scoring.Panel{Tasks: u.tasks}
		for _, r := range rows {
			first := int(m.first[d][r])
			if first < 0 {
				continue
			}
			name := m.configs[m.place[r]]
			at, _ := slices.BinarySearch(p.Configs, name)
			row := slices.Clone(p.Rows[at])
			for t := range row {
				m.sums[(first+t)*len(m.under)+calibration].Into(&row[t], u.levels[u.tasks[t].Stratum])
			}
			q.Configs, q.Rows = append(q.Configs, name), append(q.Rows, row)
		}
		out[word] = q
	}
	return out
}
