//go:build !duckdb_arrow

package sql

// amdb speaks Arrow to DuckDB, which duckdb-go leaves out unless asked. Without
// the tag the build stops here, at a name that says what to do.
var _ = build_amdb_with_the_flag__tags_duckdb_arrow
