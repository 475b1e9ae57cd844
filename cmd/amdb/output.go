package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"amdb/export"
	"amdb/export/table"
	"amdb/schema"
)

// formats are the values of --format.
var formats = append([]string{"table"}, table.TextFormats...)

// checkFormat says whether --format is one.
func (a *app) checkFormat() error {
	if !slices.Contains(formats, a.format) {
		return schema.Faultf(schema.Usage, "--format", "", "%q is not one of %s", a.format, strings.Join(formats, ", "))
	}
	return nil
}

// out runs write on standard output, or on the file of --output, which appears
// whole or not at all.
func (a *app) out(write func(w io.Writer) error) error {
	if a.output == "" || a.output == "-" {
		bw := bufio.NewWriter(a.stdout)
		return errors.Join(write(bw), bw.Flush())
	}
	return export.Atomic(a.output, func(f *os.File) error {
		bw := bufio.NewWriter(f)
		return errors.Join(write(bw), bw.Flush())
	})
}

// printJSON prints a result that is a contract of its own.
func (a *app) printJSON(v any) error {
	return a.out(func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		if a.format == "json" {
			enc.SetIndent("", "  ")
		}
		return enc.Encode(v)
	})
}

// print prints a table in the format in force. notes stand under a table for
// people and nowhere else.
func (a *app) print(t *export.Table, notes ...string) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	return a.out(func(w io.Writer) error {
		if a.format != "table" {
			return table.Write(w, a.format, t)
		}
		return a.terminal(w, t, notes)
	})
}

// printResult prints a command's result: as its JSON contract, or as a table.
func (a *app) printResult(v any, t *export.Table, notes ...string) error {
	if a.format == "json" || a.format == "jsonl" {
		return a.printJSON(v)
	}
	return a.print(t, notes...)
}

// inform writes a line for people, which is no result.
func (a *app) inform(format string, args ...any) {
	fmt.Fprintf(a.stderr, format+"\n", args...)
}

// base is a path's last part.
func base(p string) string { return filepath.Base(p) }
