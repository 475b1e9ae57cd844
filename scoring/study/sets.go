package study

import (
	"context"
	"os"

	"amdb/schema"
	"amdb/sql"
)

// SetInfo is one line of the list of task sets.
type SetInfo struct {
	Name       string `json:"name"`
	Tasks      int64  `json:"tasks"`
	Benchmarks int64  `json:"benchmarks"`
}

// Sets lists the task sets by name.
func Sets(ctx context.Context, db *sql.DB) ([]SetInfo, error) {
	rows, err := db.Rows(ctx, "SELECT name, count(*), count(DISTINCT benchmark) FROM task_sets GROUP BY name ORDER BY name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []SetInfo{}
	for rows.Next() {
		var s SetInfo
		if err := rows.Scan(&s.Name, &s.Tasks, &s.Benchmarks); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// MakeSet names the tasks that a file lists, in place of any that had the name,
// and says how many they are.
func MakeSet(ctx context.Context, db *sql.DB, name, path string) (int, error) {
	if name == "all" || name == "" || name[0] == '@' {
		return 0, schema.Faultf(schema.Usage, "set "+name, "", "this name has a meaning of its own")
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, schema.Faultf(schema.Failed, path, "", "%s", plain(err))
	}
	defer f.Close()
	keys, err := db.Keys(ctx)
	if err != nil {
		return 0, err
	}
	tasks, err := ReadTasks(f, path, taskKeys(keys))
	if err != nil {
		return 0, err
	}
	rows := make([][]any, len(tasks))
	for i, t := range tasks {
		rows[i] = []any{name, t.Benchmark, t.Task}
	}
	return len(tasks), db.Tx(ctx, func() error {
		if err := db.Exec(ctx, "DELETE FROM task_sets WHERE name = ?", name); err != nil {
			return err
		}
		return db.Insert("task_sets", rows)
	})
}
