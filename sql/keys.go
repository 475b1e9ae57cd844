package sql

import (
	"context"
	"errors"
)

// Keys are the names in force behind the numbers of tasks, configurations and
// descriptions; a key's number is its place. Where an alias joins names, several
// numbers have one.
type Keys struct {
	Tasks        [][2]string // benchmark, task
	RawTasks     [][2]string // as the sources name them
	Configs      [][2]string // model, cli
	Descriptions []string
}

// Keys reads the names of all keys.
func (db *DB) Keys(ctx context.Context) (*Keys, error) {
	k := &Keys{}
	pairs := func(query string, add func(a, b string)) error {
		rows, err := db.Rows(ctx, query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var a, b string
			if err := rows.Scan(&a, &b); err != nil {
				return err
			}
			add(a, b)
		}
		return rows.Err()
	}
	return k, errors.Join(
		pairs("SELECT benchmark, task FROM task_keys ORDER BY task_key", func(a, b string) { k.Tasks = append(k.Tasks, [2]string{a, b}) }),
		pairs("SELECT benchmark, raw_task FROM task_keys ORDER BY task_key", func(a, b string) { k.RawTasks = append(k.RawTasks, [2]string{a, b}) }),
		pairs("SELECT model, cli FROM config_keys ORDER BY config_key", func(a, b string) { k.Configs = append(k.Configs, [2]string{a, b}) }),
		pairs("SELECT description, '' FROM description_keys ORDER BY description_key", func(a, _ string) { k.Descriptions = append(k.Descriptions, a) }),
	)
}
