package study

import (
	"slices"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// taskNames maps tasks as they were named when a calibration or a set was made
// to their names in force: amdb alias may have given others since.
type taskNames map[scoring.TaskKey]scoring.TaskKey

// tasksInForce reads the names of a database. A name that is in force means
// itself, whatever it once stood for.
func tasksInForce(k *sql.Keys) taskNames {
	now := taskKeys(k)
	out := taskNames{}
	for i, raw := range k.RawTasks {
		if old := (scoring.TaskKey{Benchmark: raw[0], Task: raw[1]}); old != now[i] {
			out[old] = now[i]
		}
	}
	for _, t := range now {
		delete(out, t)
	}
	return out
}

// of is a task's name in force.
func (n taskNames) of(t scoring.TaskKey) scoring.TaskKey {
	if now, ok := n[t]; ok {
		return now
	}
	return t
}

// each is a list of tasks by their names in force, each once, in order.
func (n taskNames) each(tasks []scoring.TaskKey) []scoring.TaskKey {
	if len(n) == 0 {
		return tasks
	}
	out := make([]scoring.TaskKey, len(tasks))
	for i, t := range tasks {
		out[i] = n.of(t)
	}
	slices.SortFunc(out, scoring.TaskKey.Compare)
	return slices.Compact(out)
}

// stratify gives the tasks of a calibration, by their names in force, the
// strata that it froze.
func stratify(cal *scoring.Calibration, n taskNames) (map[scoring.TaskKey]scoring.Stratum, []scoring.TaskKey, error) {
	frozen := cal.Stratify()
	strata := make(map[scoring.TaskKey]scoring.Stratum, len(frozen))
	var all []scoring.TaskKey
	for _, t := range cal.Tasks {
		now := n.of(t.Key())
		s, seen := strata[now]
		if seen && s != frozen[t.Key()] {
			return nil, nil, schema.Faultf(schema.Failed, "calibration "+cal.Name, "calibrate anew under another name",
				"an alias joins tasks of different strata to %s", now)
		}
		if !seen {
			all = append(all, now)
		}
		strata[now] = frozen[t.Key()]
	}
	return strata, all, nil
}
