package sql

import "context"

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
	rows, err := db.Rows(ctx, Query("keys"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	k := &Keys{}
	for rows.Next() {
		var of, first, second, raw string
		if err := rows.Scan(&of, &first, &second, &raw); err != nil {
			return nil, err
		}
		switch of {
		case "task":
			k.Tasks = append(k.Tasks, [2]string{first, second})
			k.RawTasks = append(k.RawTasks, [2]string{first, raw})
		case "config":
			k.Configs = append(k.Configs, [2]string{first, second})
		case "description":
			k.Descriptions = append(k.Descriptions, first)
		}
	}
	return k, rows.Err()
}

// RunsByConfig counts the runs of every configuration that has any, by number.
func (db *DB) RunsByConfig(ctx context.Context) (map[int32]int64, error) {
	rows, err := db.Rows(ctx, "SELECT config_key, count(*) FROM stored_runs GROUP BY ALL")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	runs := map[int32]int64{}
	for rows.Next() {
		var number int32
		var n int64
		if err := rows.Scan(&number, &n); err != nil {
			return nil, err
		}
		runs[number] = n
	}
	return runs, rows.Err()
}
