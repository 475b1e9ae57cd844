package sql

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Scope is what the scoped views look at: a calibration's fixed figures, the
// tasks of a task set by stratum, and the policies for what is missing.
type Scope struct {
	Calibration   string
	Digest        string
	Alpha         float64
	Budgets       [3][]float64 // by stratum, ascending
	Eta           [3]*float64  // by stratum; nil = no threshold
	Tasks         []ScopeTask
	TaskSet       string
	MissingReward string // error, zero, exclude
	MissingCost   string // error, exclude, unaffordable
	PassThreshold float64
}

// ScopeTask is a task of the task set.
type ScopeTask struct {
	Benchmark, Task string
	Stratum         int32
}

// SetScope makes the scoped views look at s. A nil s is an empty scope: no
// calibration yet, so that the views are there and hold no rows.
func (db *DB) SetScope(ctx context.Context, s *Scope) error {
	if s == nil {
		s = &Scope{MissingReward: "error", MissingCost: "error", PassThreshold: 1}
	}
	err := db.Exec(ctx, `
		CREATE OR REPLACE TEMP TABLE scope (calibration VARCHAR, digest VARCHAR, alpha DOUBLE, task_set VARCHAR, tasks INTEGER,
			missing_reward VARCHAR, missing_cost VARCHAR, pass_threshold DOUBLE);
		CREATE OR REPLACE TEMP TABLE scope_keys (benchmark VARCHAR, task VARCHAR, stratum INTEGER);`)
	if err != nil {
		return err
	}
	if s.Calibration != "" {
		err = db.Exec(ctx, "INSERT INTO scope VALUES (?, ?, ?, ?, ?, ?, ?, ?)", s.Calibration, s.Digest, s.Alpha, s.TaskSet,
			int32(len(s.Tasks)), s.MissingReward, s.MissingCost, s.PassThreshold)
		if err != nil {
			return err
		}
	}
	if err := db.insertTemp("scope_keys", len(s.Tasks), func(i int) []any {
		return []any{s.Tasks[i].Benchmark, s.Tasks[i].Task, s.Tasks[i].Stratum}
	}); err != nil {
		return err
	}
	canonical, err := db.canonicalConfig(ctx)
	if err != nil {
		return err
	}
	if err := db.Exec(ctx, scopeTasksSQL+s.macros()+canonical); err != nil {
		return err
	}
	if db.scoped { // they read the tables and macros above, whatever these hold
		return nil
	}
	if err := db.makeViews(ctx, scopedViews); err != nil {
		return err
	}
	db.scoped = true
	return nil
}

// insertTemp appends n rows to a temporary table.
func (db *DB) insertTemp(table string, n int, row func(i int) []any) error {
	rows := make([][]any, n)
	for i := range rows {
		rows[i] = row(i)
	}
	return db.insert("temp", table, rows)
}

// scopeTasksSQL gives the tasks in scope their numbers: one row a key, several
// a task where an alias joins names.
const scopeTasksSQL = `
CREATE OR REPLACE TEMP TABLE scope_tasks AS
SELECT t.task_key, t.canonical_key, k.stratum
FROM scope_keys AS k
JOIN task_keys AS t ON t.benchmark = k.benchmark AND t.task = k.task;
`

// macros writes the per-run part of the method as SQL expressions: a Go
// function costs seventeen times as much a row. A property test holds them
// equal to scoring.BudgetLevel, scoring.ExpensiveFailure and the SQL functions.
func (s *Scope) macros() string {
	var level, budgets, fails strings.Builder
	for i := range 3 {
		fmt.Fprintf(&level, " WHEN %d THEN %s", i, levelCase(s.Budgets[i], len(s.Budgets[i])))
		fmt.Fprintf(&budgets, " WHEN %d THEN %d", i, len(s.Budgets[i]))
		if s.Eta[i] != nil {
			fmt.Fprintf(&fails, " WHEN %d THEN reward = 0 AND cost > %s", i, literal(*s.Eta[i]))
		}
	}
	reward := "reward"
	if s.MissingReward == "zero" {
		reward = "coalesce(reward, 0)"
	}
	counts := "true"
	switch {
	case s.MissingReward != "zero" && s.MissingCost != "unaffordable":
		counts = "reward IS NOT NULL AND cost IS NOT NULL"
	case s.MissingReward != "zero":
		counts = "reward IS NOT NULL"
	case s.MissingCost != "unaffordable":
		counts = "cost IS NOT NULL"
	}
	failure := "false"
	if fails.Len() > 0 {
		failure = "coalesce(CASE stratum" + fails.String() + " END, false)"
	}
	var b strings.Builder
	macro := func(signature, body string) {
		fmt.Fprintf(&b, "CREATE OR REPLACE TEMP MACRO %s AS %s;\n", signature, body)
	}
	// An unknown cost exceeds every budget; where it must not count at all,
	// run_counts says so.
	macro("stratum_budget_level(stratum, cost)", "CASE WHEN cost IS NULL THEN 0 ELSE CASE stratum"+level.String()+" END END")
	macro("stratum_budgets(stratum)", "CASE stratum"+budgets.String()+" END")
	macro("stratum_expensive_failure(stratum, reward, cost)", failure)
	macro("run_counts(reward, cost)", "("+counts+")")
	macro("run_reward(reward)", reward)
	// A figure in whole numbers of 2⁻⁶⁰, and the mean of n of them from their sum: no
	// order and no list, so that any number of cells is summed in no memory.
	macro("cell_units(x)", "CAST(x * 1152921504606846976.0 AS BIGINT)")
	macro("units_mean(units, n)", "CAST(units AS DOUBLE) / 1152921504606846976.0 / n")
	macro("sums_by_level(units, level)", sumsByLevel(s.levels()))
	// From a cell's exact sums to its means, for cells and stratum_scores.
	macro("cell_reward(reward_q60, counted_runs)", "units_mean(reward_q60, nullif(counted_runs, 0))")
	macro("cell_masked_reward(stratum, masked_q60, counted_runs)",
		"CAST(masked_q60 AS DOUBLE) / 1152921504606846976.0 / stratum_budgets(stratum) / nullif(counted_runs, 0)")
	macro("cell_failure_rate(failures, counted_runs)", "CAST(failures AS DOUBLE) / nullif(counted_runs, 0)")
	macro("run_passes(reward)", "coalesce(reward >= "+literal(s.PassThreshold)+", false)")
	return b.String()
}

// levels is the most budgets that a stratum has.
func (s *Scope) levels() int {
	return max(len(s.Budgets[0]), len(s.Budgets[1]), len(s.Budgets[2]))
}

// sumsByLevel is the list of the sums over the runs that fit at least 1, 2, …
// budgets.
func sumsByLevel(levels int) string {
	sums := []string{}
	for level := range levels {
		sums = append(sums, fmt.Sprintf("coalesce(sum(units) FILTER (WHERE level > %d), 0)", level))
	}
	return "[" + strings.Join(sums, ", ") + "]"
}

// levelCase is a binary search over ascending budgets as nested CASEs: how many
// of them, the highest total first, the cost does not exceed.
func levelCase(budgets []float64, total int) string {
	switch len(budgets) {
	case 0:
		return strconv.Itoa(total)
	case 1:
		return fmt.Sprintf("CASE WHEN cost <= %s THEN %d ELSE %d END", literal(budgets[0]), total, total-1)
	}
	mid := len(budgets) / 2
	// cost ≤ budgets[mid-1]: everything from there on is within reach, search below.
	return fmt.Sprintf("CASE WHEN cost <= %s THEN %s ELSE %s END", literal(budgets[mid-1]),
		levelCase(budgets[:mid-1], total), levelCase(budgets[mid:], total-mid))
}

// literal is a double that SQL reads back to the same bits: the exponent keeps
// DuckDB from reading it as a DECIMAL.
func literal(x float64) string { return strconv.FormatFloat(x, 'e', -1, 64) }

// canonicalConfig writes which configurations count as one as a macro over
// their numbers: the number itself, but for those that an alias joins to
// another. So the one statement over all runs needs no join for it.
func (db *DB) canonicalConfig(ctx context.Context) (string, error) {
	rows, err := db.Rows(ctx, "SELECT config_key, canonical_key FROM config_keys WHERE config_key <> canonical_key ORDER BY config_key")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var cases strings.Builder
	for rows.Next() {
		var key, canonical int32
		if err := rows.Scan(&key, &canonical); err != nil {
			return "", err
		}
		fmt.Fprintf(&cases, " WHEN %d THEN %d", key, canonical)
	}
	body := "config_key"
	if cases.Len() > 0 {
		body = "CAST(CASE config_key" + cases.String() + " ELSE config_key END AS INTEGER)"
	}
	return "CREATE OR REPLACE TEMP MACRO canonical_config(config_key) AS " + body + ";\n", rows.Err()
}
