package sql

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"amdb/schema"
)

var lockHolder = regexp.MustCompile(`PID (\d+)`)

// openFault says why a database did not open.
func openFault(path string, err error) error {
	text := strings.TrimPrefix(err.Error(), "database/sql/driver: could not connect to database: ")
	switch {
	case strings.Contains(text, "Could not set lock") || strings.Contains(text, "Conflicting lock"):
		by := "another process"
		if m := lockHolder.FindStringSubmatch(text); m != nil {
			by = "process " + m[1]
		}
		return schema.Faultf(schema.Locked, path, "wait until it ends, or stop it; readers and a writer cannot share the file", "is in use by %s", by)
	case strings.Contains(text, "not a valid DuckDB database file"), strings.Contains(text, "file is not a database"):
		return schema.Faultf(schema.Failed, path, "name a database with --db FILE; runs are loaded with amdb load", "is not a DuckDB database")
	case strings.Contains(text, "older version"), strings.Contains(text, "newer version"), strings.Contains(text, "storage version"):
		return schema.Faultf(schema.Failed, path, "use the amdb or DuckDB that wrote it", "was written by another version of DuckDB: %s", firstLine(text))
	case strings.Contains(text, "in-memory database in read-only mode"), strings.Contains(text, "Is a directory"):
		return schema.Faultf(schema.Failed, path, "name a database with --db FILE; runs are loaded with amdb load", "is not a DuckDB database")
	case strings.Contains(text, "Permission denied"):
		return schema.Faultf(schema.Failed, path, "check the permissions of the file and its folder", "permission denied")
	case strings.Contains(text, "No space left"):
		return noSpace(path)
	case strings.Contains(text, "memory_limit") || strings.Contains(text, "Unknown unit for memory"):
		_, value, _ := strings.Cut(firstLine(text), "memory_limit=")
		return schema.Faultf(schema.Usage, strings.TrimSpace("--memory-limit "+value), "as --memory-limit 512MB", "is no amount of memory with its unit")
	}
	return schema.Faultf(schema.Failed, path, "", "cannot be opened: %s", firstLine(text))
}

func noSpace(path string) error {
	return schema.Faultf(schema.Failed, path, "free some space and run the command again; nothing was stored", "no space left on the disk")
}

// memoryUsed is what DuckDB may use, in its words for having used it up.
var memoryUsed = regexp.MustCompile(`\([^/()]+/([^ ()]+ \w+) used\)`)

// MemoryFault says in plain words that the database's memory was not enough; nil
// for any other error. DuckDB's own advice is settings that people cannot reach.
func MemoryFault(err error) error {
	// Its words begin so; what a run says may stand further on.
	const begin = "Out of Memory Error: "
	var fault *duckdb.Error
	typed := errors.As(err, &fault) && fault.Type == duckdb.ErrorTypeOutOfMemory
	if !typed && !strings.HasPrefix(err.Error(), begin) {
		return nil
	}
	limit := "all of it is used"
	if m := memoryUsed.FindStringSubmatch(err.Error()); m != nil {
		limit = m[1]
	}
	return schema.Faultf(schema.Failed, "database", "raise it with --memory-limit, or use fewer threads with --threads 1; nothing was stored",
		"the memory that it may use is not enough: %s", limit)
}

// runFault makes what a statement met readable. It keeps the chain, so that a
// cancelled context is still found in it.
func runFault(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case strings.Contains(err.Error(), "No space left"), strings.Contains(err.Error(), "Could not write all bytes"):
		return noSpace("database")
	}
	if fault := MemoryFault(err); fault != nil {
		return fault
	}
	return err
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

func plainPathError(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
