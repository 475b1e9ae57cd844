package sql

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// usualMemory is the limit of a database's memory where nobody set one, in
// bytes: DuckDB's own is 80 % of the machine, and a sorted export of 50 million
// runs that takes so much is slower than one that spills.
const usualMemory = 4 << 30

// boundMemory sets the usual limit, unless the machine or its container has less
// or somebody chose one.
func (db *DB) boundMemory(ctx context.Context) error {
	if db.options.MemoryLimit != "" {
		return nil
	}
	var own string
	if err := db.Row(ctx, "SELECT current_setting('memory_limit')", nil, &own); err != nil {
		return err
	}
	if bytes, ok := parseBytes(own); !ok || bytes <= usualMemory {
		return nil
	}
	return db.Exec(ctx, fmt.Sprintf("SET memory_limit = '%dGiB'", usualMemory>>30))
}

// Spare takes bytes of the database's memory for the program's own use, at most
// half of it, so that both together stay within the limit where they can. A
// later call takes the place of an earlier one.
func (db *DB) Spare(ctx context.Context, bytes int64) error {
	if db.options.Shut {
		return nil // its configuration is locked
	}
	if db.memory == 0 {
		var own string
		if err := db.Row(ctx, "SELECT current_setting('memory_limit')", nil, &own); err != nil {
			return err
		}
		limit, ok := parseBytes(own)
		if !ok {
			return nil
		}
		db.memory = int64(limit)
	}
	// It refuses to give what it cannot free, and keeps its limit then.
	err := db.Exec(ctx, fmt.Sprintf("SET memory_limit = '%d bytes'", max(db.memory/2, db.memory-bytes)))
	if err != nil && ctx.Err() != nil {
		return err
	}
	return nil
}

// parseBytes reads a size as DuckDB writes it: 18.6 GiB.
func parseBytes(size string) (bytes float64, ok bool) {
	number, unit, _ := strings.Cut(size, " ")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, false
	}
	for i, u := range []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"} {
		if unit == u {
			return n * float64(uint64(1)<<(10*i)), true
		}
	}
	return 0, false
}
