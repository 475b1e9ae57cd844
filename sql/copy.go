package sql

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Confine lets the database reach one folder of the file system and nothing
// else, for an export of a person's own query.
func (db *DB) Confine(ctx context.Context, folder string) error {
	for _, set := range []string{
		fmt.Sprintf("SET allowed_directories = [%s]", QuoteText(folder)),
		"SET enable_external_access = false",
		"SET lock_configuration = true",
	} {
		if err := db.Exec(ctx, set); err != nil {
			return err
		}
	}
	return nil
}

// portable is a query whose columns have types that every reader of Parquet
// agrees on, in an order that is the same each time: by all columns, unless the
// query orders itself.
//
// DuckDB would write HUGEINT, which every sum of integers is, as DOUBLE, plain
// timestamps as local times, and UUIDs in a type that few read.
func (db *DB) portable(ctx context.Context, query string) (string, error) {
	query = bare(query)
	rows, err := db.Rows(ctx, "DESCRIBE SELECT * FROM (\n"+query+")")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var columns []string
	for rows.Next() {
		var name, dbType string
		var null, key, deflt, extra any
		if err := rows.Scan(&name, &dbType, &null, &key, &deflt, &extra); err != nil {
			return "", err
		}
		q := Quote(name)
		if to := portableType(dbType); to != "" {
			columns = append(columns, fmt.Sprintf("CAST(%s AS %s) AS %s", q, to, q))
		} else {
			columns = append(columns, q)
		}
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	out := "SELECT " + strings.Join(columns, ", ") + " FROM (\n" + query + ")"
	if !ordersItself(query) {
		out += " ORDER BY ALL"
	}
	return out, nil
}

// portableType is what a type is written as, "" for as it is.
func portableType(dbType string) string {
	switch dbType {
	case "HUGEINT":
		return "BIGINT"
	case "UHUGEINT":
		return "UBIGINT"
	case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS":
		return "TIMESTAMP WITH TIME ZONE"
	case "UUID", "INTERVAL", "BIT", "JSON", "TIME WITH TIME ZONE", `"NULL"`, "NULL":
		return "VARCHAR"
	}
	if strings.HasPrefix(dbType, "ENUM") {
		return "VARCHAR"
	}
	return ""
}

// CopyParquet writes a query's rows to a Parquet file. metadata goes into the
// file, without clock, so that equal data are equal bytes.
func (db *DB) CopyParquet(ctx context.Context, query, path string, metadata map[string]string) error {
	q, err := db.portable(ctx, query)
	if err != nil {
		return queryFault(ctx, err)
	}
	keys := make([]string, 0, len(metadata))
	for k := range metadata {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	pairs := make([]string, len(keys))
	for i, k := range keys {
		pairs[i] = QuoteText(k) + ": " + QuoteText(metadata[k])
	}
	options := "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false" // the path is one already
	if len(pairs) > 0 {
		options += ", KV_METADATA {" + strings.Join(pairs, ", ") + "}"
	}
	err = db.Exec(ctx, fmt.Sprintf("COPY (%s) TO %s (%s)", q, QuoteText(path), options))
	if err != nil && ctx.Err() == nil && strings.Contains(err.Error(), "No space left") {
		return noSpace(path)
	}
	return queryFault(ctx, err)
}

// Values lists the different values of a query's column as text, in order; a nil
// one is NULL.
func (db *DB) Values(ctx context.Context, query, column string) ([]*string, error) {
	q := Quote(column)
	rows, err := db.Rows(ctx, fmt.Sprintf("SELECT DISTINCT CAST(%s AS VARCHAR) FROM (%s) ORDER BY ALL NULLS FIRST", q, bare(query)))
	if err != nil {
		return nil, queryFault(ctx, err)
	}
	defer rows.Close()
	var out []*string
	for rows.Next() {
		var v *string
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// Partition is the rows of a query whose column has a value, without the column.
func Partition(query, column string, value *string) string {
	q := Quote(column)
	is := "IS NULL"
	if value != nil {
		is = "= " + QuoteText(*value)
	}
	return fmt.Sprintf("SELECT * EXCLUDE (%s) FROM (%s) WHERE CAST(%s AS VARCHAR) %s", q, bare(query), q, is)
}

// bare is a query without a semicolon at its end.
func bare(query string) string { return strings.TrimRight(strings.TrimSpace(query), "; \n") + "\n" }

// Relations lists the tables and views that a person may export by name.
func (db *DB) Relations(ctx context.Context) ([]string, error) {
	rows, err := db.Rows(ctx, "SELECT name FROM (SHOW ALL TABLES) ORDER BY name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return slices.Compact(out), rows.Err()
}
