package ingest

import (
	"context"
	_ "embed" // the query
	"fmt"
	"slices"
	"strings"

	"amdb/schema"
	"amdb/sql"
)

//go:embed queries/aliases.sql
var aliasesSQL string

// AliasKinds are what an alias may name.
var AliasKinds = []string{"model", "cli", "task"}

// Alias gives a name that sources use another.
type Alias struct {
	Kind      string `json:"kind"`      // one of AliasKinds
	Benchmark string `json:"benchmark"` // of a task; "" = in all
	Raw       string `json:"raw"`
	Name      string `json:"name"`
	Runs      int64  `json:"runs"` // that it names
}

// ParseAliases reads RAW=NAME pairs.
func ParseAliases(kind, benchmark string, pairs []string) ([]Alias, error) {
	var out []Alias
	for _, p := range pairs {
		raw, name, ok := strings.Cut(p, "=")
		if !ok || raw == "" || name == "" {
			return nil, schema.Faultf(schema.Usage, "alias "+kind, "as amdb alias model openai/gpt-5=gpt-5", "%q is not RAW=NAME", p)
		}
		out = append(out, Alias{Kind: kind, Benchmark: benchmark, Raw: raw, Name: name})
	}
	return out, nil
}

// SetAliases adds aliases, in place of any for the same names, and applies them
// to every stored run.
func SetAliases(ctx context.Context, db *sql.DB, aliases []Alias) error {
	return db.Tx(ctx, func() error {
		for _, a := range aliases {
			if err := a.check(); err != nil {
				return err
			}
			if err := db.Exec(ctx, "DELETE FROM aliases WHERE kind = ? AND benchmark = ? AND raw = ?", a.Kind, a.Benchmark, a.Raw); err != nil {
				return err
			}
			if err := db.Exec(ctx, "INSERT INTO aliases VALUES (?, ?, ?, ?)", a.Kind, a.Benchmark, a.Raw, a.Name); err != nil {
				return err
			}
		}
		return applyAliases(ctx, db)
	})
}

// RemoveAliases takes aliases away: the runs have the names of their sources
// again.
func RemoveAliases(ctx context.Context, db *sql.DB, kind, benchmark string, raw []string) error {
	return db.Tx(ctx, func() error {
		for _, r := range raw {
			n, err := db.ExecCount(ctx, "DELETE FROM aliases WHERE kind = ? AND benchmark = ? AND raw = ?", kind, benchmark, r)
			if err != nil {
				return err
			}
			if n == 0 {
				return schema.Faultf(schema.Failed, "alias "+kind, "amdb alias lists them", "there is none for %q", r)
			}
		}
		return applyAliases(ctx, db)
	})
}

// check holds the rules of one alias.
func (a Alias) check() error {
	what := fmt.Sprintf("alias %s %s=%s", a.Kind, a.Raw, a.Name)
	switch {
	case !slices.Contains(AliasKinds, a.Kind):
		return schema.Faultf(schema.Usage, "alias", "", "%q is not one of %s", a.Kind, strings.Join(AliasKinds, ", "))
	case a.Raw == a.Name:
		return schema.Faultf(schema.Usage, what, "amdb alias "+a.Kind+" --remove takes an alias away", "gives a name itself")
	case a.Kind == "cli" && strings.Contains(a.Name, "/"):
		return schema.Faultf(schema.Usage, what, "", "the name holds a slash, so model/cli could not be split again")
	case a.Kind != "task" && a.Benchmark != "":
		return schema.Faultf(schema.Usage, what, "", "--benchmark is for tasks")
	}
	return nil
}

// applyAliases gives every run its names in force, and what hangs on them.
func applyAliases(ctx context.Context, db *sql.DB) error {
	var chained string
	err := db.Row(ctx, `SELECT coalesce(min(a.raw || '=' || a.name || ' and ' || b.raw || '=' || b.name), '')
		FROM aliases AS a JOIN aliases AS b ON b.kind = a.kind AND b.raw = a.name AND (a.benchmark = b.benchmark OR a.benchmark = '' OR b.benchmark = '')`, nil, &chained)
	if err != nil {
		return err
	}
	if chained != "" {
		return schema.Faultf(schema.Usage, "alias", "point both at the last name", "aliases do not chain: %s", chained)
	}
	if err := db.Exec(ctx, namesSQL); err != nil {
		return err
	}
	if _, err := reprice(ctx, db); err != nil {
		return err
	}
	return countFlags(ctx, db, 0)
}

// Aliases lists the aliases with how many runs each names.
func Aliases(ctx context.Context, db *sql.DB) ([]Alias, error) {
	rows, err := db.Rows(ctx, aliasesSQL)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []Alias{}
	for rows.Next() {
		var a Alias
		if err := rows.Scan(&a.Kind, &a.Benchmark, &a.Raw, &a.Name, &a.Runs); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, rows.Err()
}
