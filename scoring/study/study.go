// Package study answers questions about the runs in a database: it calibrates,
// scores and compares. It asks the database for cells, which are small, and
// gives them to the pure functions of package scoring.
package study

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// TaskSet is a choice of tasks with the name that people gave it.
type TaskSet struct {
	Name  string // all, a set's name, or @FILE
	Tasks []scoring.TaskKey
}

// ReadTasks reads a list of tasks: a line is a task id, or benchmark, tab,
// task. Empty lines and lines that begin with # are passed over. known are the
// tasks that a bare id may mean.
func ReadTasks(r io.Reader, name string, known []scoring.TaskKey) ([]scoring.TaskKey, error) {
	byTask := map[string][]scoring.TaskKey{}
	exact := map[scoring.TaskKey]bool{}
	for _, k := range known {
		byTask[k.Task] = append(byTask[k.Task], k)
		exact[k] = true
	}
	var out []scoring.TaskKey
	sc := bufio.NewScanner(r)
	for line := 1; sc.Scan(); line++ {
		text := strings.TrimRight(strings.TrimPrefix(sc.Text(), "\ufeff"), "\r")
		if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#") {
			continue
		}
		where := fmt.Sprintf("%s: line %d", name, line)
		if benchmark, task, ok := strings.Cut(text, "\t"); ok {
			k := scoring.TaskKey{Benchmark: benchmark, Task: task}
			if !exact[k] {
				return nil, schema.Faultf(schema.Failed, where, "amdb sql \"SELECT benchmark, task FROM tasks\" lists the tasks", "there is no task %q in benchmark %q", task, benchmark)
			}
			out = append(out, k)
			continue
		}
		found := byTask[strings.TrimSpace(text)]
		switch len(found) {
		case 0:
			return nil, schema.Faultf(schema.Failed, where, "amdb sql \"SELECT benchmark, task FROM tasks\" lists the tasks", "there is no task %q", strings.TrimSpace(text))
		case 1:
			out = append(out, found[0])
		default:
			var in []string
			for _, k := range found {
				in = append(in, k.Benchmark)
			}
			slices.Sort(in)
			return nil, schema.Faultf(schema.Failed, where, "write benchmark, tab, task", "task %q stands in several benchmarks: %s", found[0].Task, strings.Join(in, ", "))
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	slices.SortFunc(out, scoring.TaskKey.Compare)
	out = slices.Compact(out)
	if len(out) == 0 {
		return nil, schema.Faultf(schema.Failed, name, "", "names no task")
	}
	return out, nil
}

// resolveTasks reads a --tasks value: all, @FILE, or a set's name. all are the
// tasks that the word all means here.
func resolveTasks(ctx context.Context, db *sql.DB, spec string, all []scoring.TaskKey, known []scoring.TaskKey) (TaskSet, error) {
	set := TaskSet{Name: cmp.Or(spec, "all")}
	if set.Name == "all" {
		set.Tasks = slices.Clone(all)
		slices.SortFunc(set.Tasks, scoring.TaskKey.Compare)
		return set, nil
	}
	if path, ok := strings.CutPrefix(spec, "@"); ok {
		f, err := os.Open(path)
		if err != nil {
			return set, schema.Faultf(schema.Failed, path, "", "%s", plain(err))
		}
		defer f.Close()
		set.Tasks, err = ReadTasks(f, path, known)
		return set, err
	}
	rows, err := db.Rows(ctx, "SELECT benchmark, task FROM task_sets WHERE name = ? ORDER BY benchmark, task", spec)
	if err != nil {
		return set, err
	}
	defer rows.Close()
	for rows.Next() {
		var k scoring.TaskKey
		if err := rows.Scan(&k.Benchmark, &k.Task); err != nil {
			return set, err
		}
		set.Tasks = append(set.Tasks, k)
	}
	if len(set.Tasks) == 0 && rows.Err() == nil {
		return set, schema.Faultf(schema.Failed, "--tasks "+spec, "amdb set lists the sets; amdb set NAME @FILE makes one", "there is no such set of tasks")
	}
	return set, rows.Err()
}

func plain(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// taskKeys are the names of tasks by number.
func taskKeys(k *sql.Keys) []scoring.TaskKey {
	out := make([]scoring.TaskKey, len(k.Tasks))
	for i, t := range k.Tasks {
		out[i] = scoring.TaskKey{Benchmark: t[0], Task: t[1]}
	}
	return out
}

// configNames are the names of configurations by number.
func configNames(k *sql.Keys) []string {
	out := make([]string, len(k.Configs))
	for i, c := range k.Configs {
		out[i] = scoring.ConfigName(c[0], c[1])
	}
	return out
}

// some shows the first few of many names.
func some(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
}
