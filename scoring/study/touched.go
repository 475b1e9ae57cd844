package study

import (
	"context"
	"fmt"
	"slices"

	"amdb/scoring"
	"amdb/sql"
)

// touched warns of the faults that the view run_flags finds in the runs of
// some configurations at some tasks under some descriptions: one warning a
// kind. It reads the counts that loading left and no run. No descriptions means
// all.
func touched(ctx context.Context, db *sql.DB, configs []string, tasks []scoring.TaskKey, descriptions []string) ([]string, error) {
	// Most databases have none, and asking that is a tenth of the work.
	var any bool
	if err := db.Row(ctx, "SELECT EXISTS (SELECT 1 FROM flagged_cells)", nil, &any); err != nil || !any {
		return nil, err
	}
	inTasks, inConfigs := map[scoring.TaskKey]bool{}, map[string]bool{}
	for _, t := range tasks {
		inTasks[t] = true
	}
	for _, c := range configs {
		inConfigs[c] = true
	}
	type fault struct {
		says  string
		runs  int64
		names []string
		of    map[string]int64
	}
	var kinds []string
	faults := map[string]*fault{}
	rows, err := db.Rows(ctx, sql.Query("touched_flags"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var kind, says, config, description string
		var task scoring.TaskKey
		var runs int64
		if err := rows.Scan(&kind, &says, &config, &task.Benchmark, &task.Task, &description, &runs); err != nil {
			return nil, err
		}
		if !inTasks[task] || !inConfigs[config] || len(descriptions) > 0 && !slices.Contains(descriptions, description) {
			continue
		}
		f := faults[kind]
		if f == nil {
			f = &fault{says: says, of: map[string]int64{}}
			faults[kind], kinds = f, append(kinds, kind)
		}
		if f.of[config] == 0 {
			f.names = append(f.names, config)
		}
		f.runs += runs
		f.of[config] += runs
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	var out []string
	for _, kind := range kinds {
		f := faults[kind]
		slices.SortStableFunc(f.names, func(a, b string) int { return int(f.of[b] - f.of[a]) })
		var of []string
		for _, c := range f.names {
			of = append(of, fmt.Sprintf("%s (%d)", c, f.of[c]))
		}
		out = append(out, fmt.Sprintf("%d %s: %s (amdb check says more)", f.runs, f.says, some(of)))
	}
	return out, nil
}

// described are the descriptions behind a condition: itself, or, for one that is
// made of several, all.
func described(condition string) []string {
	switch condition {
	case scoring.Self, scoring.Cross, scoring.Pooled:
		return nil
	}
	return []string{condition}
}

// taskKeysOf are the tasks of a panel.
func taskKeysOf(tasks []scoring.PanelTask) []scoring.TaskKey {
	out := make([]scoring.TaskKey, len(tasks))
	for i, t := range tasks {
		out[i] = t.Key
	}
	return out
}
