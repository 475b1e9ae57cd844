package main

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"os"
	"strconv"

	_ "github.com/duckdb/duckdb-go/v2" // the driver
)

// runStep is one floor in a process of its own.
func runStep(ctx context.Context, step string, args []string) error {
	switch step {
	case "data":
		var runs int64
		var configs, tasks int
		if _, err := fmt.Sscan(args[1]+" "+args[2]+" "+args[3], &runs, &configs, &tasks); err != nil {
			return err
		}
		return makeData(args[0], runs, configs, tasks)
	case "trials", "sheet":
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return map[string]func(string, int) error{"trials": makeTrials, "sheet": writeBareSheet}[step](args[0], n)
	case "read":
		return readAll(args[0])
	case "load":
		return statements(ctx, args[0], args[2],
			"CREATE TABLE runs AS SELECT * FROM read_parquet('"+args[1]+"') LIMIT 0",
			"INSERT INTO runs SELECT * FROM read_parquet('"+args[1]+"')")
	case "prepare":
		// A plain table as a user makes it, and no calibration.
		if _, err := os.Stat(args[0]); err != nil {
			if err := statements(ctx, args[0], "", "CREATE TABLE runs AS SELECT * FROM read_parquet('"+args[1]+"')"); err != nil {
				return err
			}
		}
		return statements(ctx, args[2], "", "DELETE FROM calibrations", "DELETE FROM calibration_tasks", "DELETE FROM calibration_budgets", "DELETE FROM calibration_thresholds")
	case "score":
		return statements(ctx, args[0], args[1], "SELECT model, cli, task, avg(reward) FROM runs GROUP BY ALL")
	case "open":
		return statements(ctx, args[0], "", "SELECT 1")
	}
	return fmt.Errorf("no step %q", step)
}

// statements opens a database, runs statements and reads their results.
func statements(ctx context.Context, file, memory string, queries ...string) error {
	if memory != "" {
		file += "?memory_limit=" + memory
	}
	db, err := stdsql.Open("duckdb", file)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, q := range queries {
		if err := drain(ctx, db, q); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	return nil
}

// drain runs a query and reads its result.
func drain(ctx context.Context, db *stdsql.DB, query string) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}
