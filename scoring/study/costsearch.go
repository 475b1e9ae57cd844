package study

import (
	"context"

	"amdb/scoring"
	"amdb/scoring/stat"
	"amdb/sql"
)

// The kinds of execution whose costs are apart (sections 2.5 and 2.6).
const (
	unrewarded = iota
	rewarded
	kinds
)

// groups is how many groups of executions a population has.
var groups = kinds * len(scoring.Strata)

// group numbers the executions of a kind in a stratum of a population.
func group(population int, stratum int8, kind int) int {
	return population*groups + int(stratum)*kinds + kind
}

// costSearch is the search for quantiles of the costs of populations, most of
// which differ in few executions: one lacks a configuration, and has some tasks in
// other strata. So the costs of all are counted once, in classes by the strata of
// the first population, and once more in a class of its own for each task and for
// each configuration by which populations differ.
type costSearch struct {
	*stat.QuantileSearch
	populations   []*population
	missingIsZero bool             // an execution without a reward is unrewarded; else it is of no kind
	chosen        []bool           // by configuration number: in some population
	leaving       [][]int          // by configuration number: the populations that lack it
	byTask        [][kinds][]int32 // classes by task number, whoever ran
	lacked        int32            // classes from here on, as group numbers them: what populations lack
}

// search begins the search.
func (r *reference) search(populations []*population, missingIsZero bool) *costSearch {
	s := &costSearch{populations: populations, missingIsZero: missingIsZero}
	s.chosen, s.leaving = make([]bool, len(r.names)), make([][]int, len(r.names))
	lacks := make([]bool, len(populations))
	for c := range r.names {
		for _, p := range populations {
			s.chosen[c] = s.chosen[c] || p.chosen[c]
		}
		for n, p := range populations {
			if s.chosen[c] && !p.chosen[c] {
				s.leaving[c] = append(s.leaving[c], n)
				lacks[n] = true
			}
		}
	}
	wanted := make([]stat.QuantileGroup, len(populations)*groups)
	for n, p := range populations {
		for stratum := range int8(len(scoring.Strata)) {
			for kind, quantiles := range [kinds][]float64{p.zero, p.rewarded} {
				wanted[group(n, stratum, kind)] = stat.QuantileGroup{Plus: []int32{int32(group(0, stratum, kind))}, Quantiles: quantiles}
			}
		}
	}
	s.byTask = make([][kinds][]int32, len(r.all))
	s.lacked = int32(groups)
	for task := range r.all {
		for kind := range kinds {
			s.lacked = s.place(task, kind, s.lacked, wanted)
		}
	}
	for n := range populations {
		for g := n * groups; lacks[n] && g < (n+1)*groups; g++ {
			wanted[g].Minus = append(wanted[g].Minus, s.lacked+int32(g))
		}
	}
	counts := make([]int64, int(s.lacked)+len(wanted))
	s.count(r, counts)
	s.QuantileSearch = stat.SearchQuantiles(counts, wanted, heldCosts)
	return s
}

// place puts the executions of a kind at a task into the class of the first
// population's stratum and, where another has the task elsewhere, into a free one.
// It says which class is free then.
func (s *costSearch) place(task, kind int, free int32, wanted []stat.QuantileGroup) int32 {
	first, differ := s.populations[0].stratum[task], false
	if first >= 0 {
		s.byTask[task][kind] = append(s.byTask[task][kind], int32(group(0, first, kind)))
	}
	for n, p := range s.populations {
		now := p.stratum[task]
		if now == first {
			continue
		}
		differ = true
		if first >= 0 {
			g := &wanted[group(n, first, kind)]
			g.Minus = append(g.Minus, free)
		}
		if now >= 0 {
			g := &wanted[group(n, now, kind)]
			g.Plus = append(g.Plus, free)
		}
	}
	if !differ {
		return free
	}
	s.byTask[task][kind] = append(s.byTask[task][kind], free)
	return free + 1
}

// room is where classes can put those of one execution.
func (s *costSearch) room() []int32 { return make([]int32, 0, 2+len(s.populations)) }

// classes are those of an execution.
func (s *costSearch) classes(config, task int32, kind int, room []int32) []int32 {
	byTask := s.byTask[task][kind]
	if len(s.leaving[config]) == 0 {
		return byTask
	}
	own := append(room, byTask...)
	for _, n := range s.leaving[config] {
		if stratum := s.populations[n].stratum[task]; stratum >= 0 {
			own = append(own, s.lacked+int32(group(n, stratum, kind)))
		}
	}
	return own
}

// count counts the executions with a cost by class.
func (s *costSearch) count(r *reference, counts []int64) {
	room := s.room()
	for c := range int32(len(r.names)) {
		for t := range int32(len(r.all)) {
			cell := r.cells.find(r.cells.place(c, t))
			if cell == nil || !s.chosen[c] {
				continue
			}
			zeros := cell.pricedZero
			if s.missingIsZero {
				zeros = cell.priced - cell.pricedRewarded
			}
			for kind, n := range [kinds]uint32{zeros, cell.pricedRewarded} {
				for _, class := range s.classes(c, t, kind, room) {
					counts[class] += int64(n)
				}
			}
		}
	}
}

// run reads the runs that meet a condition as often as the search needs.
func (s *costSearch) run(ctx context.Context, db *sql.DB, where string) error {
	for s.More() {
		var parts []*stat.QuantilePass
		err := db.ScanRuns(ctx, costColumns, where, func() func(sql.Batch) error {
			own, room := s.Pass(), s.room()
			parts = append(parts, own)
			return func(b sql.Batch) error { s.add(own, b, room); return nil }
		})
		if err != nil {
			return err
		}
		if err := s.End(parts); err != nil {
			return err
		}
	}
	return nil
}

// costColumns are what the search needs of a run.
const costColumns = "config_key, task_key, reward, coalesce(reported_cost_usd, priced_cost_usd) AS cost_usd"

// add takes the costs of a batch of runs.
func (s *costSearch) add(pass *stat.QuantilePass, b sql.Batch, room []int32) {
	config, task := b.Ints("config_key"), b.Ints("task_key")
	reward, cost := b.Doubles("reward"), b.Doubles("cost_usd")
	hasReward, hasCost := b.Valid("reward"), b.Valid("cost_usd")
	for i, t := range task {
		if !s.chosen[config[i]] || !hasCost.At(i) {
			continue
		}
		kind := unrewarded
		switch {
		case !hasReward.At(i):
			if !s.missingIsZero {
				continue
			}
		case reward[i] > 0:
			kind = rewarded
		}
		pass.Add(cost[i], s.classes(config[i], t, kind, room)...)
	}
}
