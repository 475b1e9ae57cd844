// Command amdb-docs writes the documents that are made from the code: the
// columns, views and functions in docs/schema.md and the commands in
// docs/cli.md. With --check it writes nothing and fails where they are stale.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"amdb/schema"
	"amdb/sql"
	"amdb/udf"
)

func main() {
	check := flag.Bool("check", false, "fail where a document is stale")
	flag.Parse()
	if err := run(context.Background(), *check); err != nil {
		fmt.Fprintln(os.Stderr, "amdb-docs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, check bool) error {
	reference, err := schemaDoc()
	if err != nil {
		return err
	}
	commands, err := cliDoc(ctx)
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"schema.md": reference, "cli.md": commands} {
		path := filepath.Join("docs", name)
		if !check {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				return err
			}
			continue
		}
		now, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(now, text) {
			return fmt.Errorf("%s is stale: run just docs", path)
		}
	}
	return nil
}

const made = "<!-- Made by cmd/amdb-docs: change the code, then run `just docs`. -->\n\n"

// schemaDoc documents columns, views and functions from their own tables.
func schemaDoc() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(made + "# Runs, views and functions\n\n## Columns of a run\n\n")
	b.WriteString("A file's columns are matched by name, then by alias, in any case; `--map target=source` decides otherwise. What fits\nnothing goes to `extra`.\n\n")
	b.WriteString("| column | kind | also known as | meaning |\n|---|---|---|---|\n")
	for _, c := range schema.Columns {
		name := "`" + c.Name + "`"
		if c.Required {
			name += " *"
		}
		fmt.Fprintf(&b, "| %s | %s%s | %s | %s |\n", name, c.Kind, bounds(c), strings.Join(c.Aliases, ", "), c.Doc)
	}
	b.WriteString("\n\\* must be a column of the file.\n\n## Views\n\nStored views are plain SQL in the database file: any DuckDB from 1.0 on reads them. Scoped views exist while amdb runs;\nthey look at the calibration, tasks and policies that the flags of `amdb sql` and `amdb export` choose.\n")
	views, err := sql.Views()
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		kind := "scoped"
		if v.Stored {
			kind = "stored"
		}
		fmt.Fprintf(&b, "\n### %s (%s)\n\n%s\n\n| column | meaning |\n|---|---|\n", v.Name, kind, v.Doc)
		for _, c := range v.Columns {
			fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, strings.ReplaceAll(c.Doc, "|", `\|`))
		}
	}
	b.WriteString("\n## Functions\n\nA NULL argument gives NULL, and so does a figure that is undefined. `SELECT * FROM functions` says the same.\n\n| function | meaning |\n|---|---|\n")
	for i := range udf.All {
		fmt.Fprintf(&b, "| `%s` | %s |\n", udf.All[i].Signature(), udf.All[i].Doc)
	}
	return b.Bytes(), nil
}

func bounds(c schema.Column) string {
	switch {
	case c.Min != nil && c.Max != nil && *c.Max <= 1:
		return fmt.Sprintf(" in [%v,%v]", *c.Min, *c.Max)
	case c.Min != nil:
		return fmt.Sprintf(" ≥ %v", *c.Min)
	}
	return ""
}

// cliDoc is what the program itself says of its commands.
func cliDoc(ctx context.Context) ([]byte, error) {
	dir, err := os.MkdirTemp("", "amdb-docs-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "amdb")
	build := exec.CommandContext(ctx, "go", "build", "-tags", "duckdb_arrow", "-o", program, "./cmd/amdb")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, err
	}
	help := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, program, append([]string{"help"}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	top, err := help()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(made + "# Commands\n\n```\n" + top + "\n```\n")
	for _, name := range commandNames(top) {
		text, err := help(strings.Fields(name)...)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\n## amdb %s\n\n```\n%s\n```\n", name, text)
		for _, sub := range commandNames(text) {
			text, err := help(append(strings.Fields(name), sub)...)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "\n### amdb %s %s\n\n```\n%s\n```\n", name, sub, text)
		}
	}
	return b.Bytes(), nil
}

// commandNames are the names under "Available Commands" of a help text.
func commandNames(text string) []string {
	_, list, ok := strings.Cut(text, "Available Commands:\n")
	if !ok {
		return nil
	}
	var out []string
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			break
		}
		if fields[0] != "help" && fields[0] != "completion" {
			out = append(out, fields[0])
		}
	}
	return out
}
