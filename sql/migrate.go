package sql

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"amdb/schema"
)

//go:embed migrations/*.sql
var migrations embed.FS

// FormatVersion is the version of the tables that this amdb writes. Files of
// every earlier version are read as they are, without the tables that came
// later (Has says which are there) or with empty ones in their place; any command
// that writes brings them up.
const FormatVersion = 3

// migrate brings the tables up to FormatVersion, or says why it cannot.
func (db *DB) migrate(ctx context.Context, mode Mode) error {
	version, views, err := db.formatVersion(ctx)
	switch {
	case err != nil:
		return err
	case version > FormatVersion:
		return schema.Faultf(schema.Failed, db.Path, "use the amdb that wrote it, or a newer one",
			"was written by a newer amdb (format %d; this one knows up to %d)", version, FormatVersion)
	case version == FormatVersion:
		db.format = version
		if mode == Read || views == viewsDigest() {
			return nil
		}
		return db.Tx(ctx, func() error { return db.createViews(ctx) }) // another amdb wrote them
	case version > 0 && mode == Read:
		db.format = version
		return db.lift(ctx)
	case version == 0 && (mode == Read || !db.made && !db.empty(ctx)):
		return schema.Faultf(schema.Failed, db.Path, "name an amdb database with --db FILE", "is a DuckDB database, but not one of amdb's")
	}
	db.format = FormatVersion
	return db.Tx(ctx, func() error {
		names, err := fs.Glob(migrations, "migrations/*.sql")
		if err != nil {
			return err
		}
		for _, name := range names {
			number, err := strconv.Atoi(strings.TrimPrefix(name, "migrations/")[:5])
			if err != nil {
				return err
			}
			if number <= version {
				continue
			}
			text, err := migrations.ReadFile(name)
			if err != nil {
				return err
			}
			if err := db.Exec(ctx, string(text)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if err := db.Exec(ctx, "DELETE FROM meta WHERE key = 'format'"); err != nil {
			return err
		}
		if err := db.Exec(ctx, "INSERT INTO meta VALUES ('format', ?)", strconv.Itoa(FormatVersion)); err != nil {
			return err
		}
		if err := db.createViews(ctx); err != nil || version == 0 {
			return err
		}
		return db.Exec(ctx, Query("count_flags"), 0) // of the runs that were there before
	})
}

// Has says whether the file has the tables of a format: one that an older amdb
// wrote and that is only read lacks those of later ones.
func (db *DB) Has(format int) bool { return db.format >= format }

// formatVersion is the format of the file, 0 where it is not amdb's yet, and the
// digest of its views.
func (db *DB) formatVersion(ctx context.Context) (version int, views string, err error) {
	var text string
	err = db.Row(ctx, `SELECT coalesce(max(value) FILTER (WHERE key = 'format'), ''), coalesce(max(value) FILTER (WHERE key = 'views'), '')
		FROM main.meta`, nil, &text, &views)
	switch {
	case ctx.Err() != nil:
		return 0, "", context.Cause(ctx)
	case err != nil || text == "":
		return 0, "", nil //nolint:nilerr // no such table, or another program's: not an amdb file
	}
	if version, err = strconv.Atoi(text); err != nil {
		return 0, "", errors.New("meta.format is not a number")
	}
	return version, views, nil
}

// empty says whether the file holds nothing yet.
func (db *DB) empty(ctx context.Context) bool {
	var n int
	err := db.Row(ctx, "SELECT (SELECT count(*) FROM duckdb_tables() WHERE NOT internal) + (SELECT count(*) FROM duckdb_views() WHERE NOT internal)", nil, &n)
	return err == nil && n == 0
}
