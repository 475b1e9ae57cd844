package sql

import (
	"context"
	stdsql "database/sql"
	"database/sql/driver"
	"errors"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"amdb/schema"
)

// UserQuery runs one statement that a person wrote, on a database that was
// opened Shut: only statements that read. DuckDB's own lock on files, network
// and settings stands behind this check, which exists to say no in a sentence.
func (db *DB) UserQuery(ctx context.Context, query string) (*stdsql.Rows, error) {
	if err := db.CheckUserQuery(ctx, query); err != nil {
		return nil, err
	}
	rows, err := db.conn.QueryContext(ctx, query)
	return rows, queryFault(ctx, err)
}

// CheckUserQuery says whether a text is one statement that reads.
func (db *DB) CheckUserQuery(ctx context.Context, query string) error {
	if strings.TrimSpace(query) == "" {
		return schema.Faultf(schema.Usage, "sql", `as amdb sql "SELECT * FROM runs LIMIT 5"`, "there is no query")
	}
	if !oneStatement(query) {
		return queryFault(ctx, errReadOnly)
	}
	return queryFault(ctx, db.Raw(func(c driver.Conn) (err error) {
		st, err := c.(*duckdb.Conn).PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, st.Close()) }()
		kind, err := st.(*duckdb.Stmt).StatementType()
		if err != nil {
			return err
		}
		switch kind {
		case duckdb.STATEMENT_TYPE_SELECT, duckdb.STATEMENT_TYPE_EXPLAIN, duckdb.STATEMENT_TYPE_RELATION:
			return nil
		}
		return errReadOnly
	}))
}

var errReadOnly = errors.New("only one SELECT, FROM, VALUES, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN is allowed here")

// QueryFault makes an error of a person's own statement readable, wherever in
// its run it came up.
func QueryFault(ctx context.Context, err error) error { return queryFault(ctx, err) }

func queryFault(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var fault *schema.Fault
	if errors.As(err, &fault) { // said already
		return err
	}
	if fault := MemoryFault(err); fault != nil {
		return fault
	}
	text := strings.TrimSpace(err.Error())
	hint := ""
	switch {
	case errors.Is(err, errReadOnly), strings.Contains(text, "read-only mode"), strings.Contains(text, "multiple statements"):
		return schema.Faultf(schema.Failed, "sql", "amdb sql reads; amdb load, set, calibrate and export write", "%w", errReadOnly)
	case strings.Contains(text, "disabled by configuration"), strings.Contains(text, "configuration has been locked"),
		strings.Contains(text, "Permission Error"), strings.Contains(text, "database is locked"):
		return schema.Faultf(schema.Failed, "sql", "amdb load reads files; amdb export writes them", "no files, network or settings from here: %s", firstLine(text))
	case strings.Contains(text, "does not exist"):
		hint = `amdb sql "SHOW TABLES" lists tables and views, "SELECT * FROM functions" our functions`
	}
	return &schema.Fault{Class: schema.Failed, What: "sql", Hint: hint, Err: errors.New(text)}
}
