// Package table writes results as CSV, TSV, JSON, JSON Lines and Markdown, and
// makes each command's results a table.
package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"amdb/export"
)

// TextFormats are the formats that Write writes.
var TextFormats = []string{"csv", "tsv", "json", "jsonl", "markdown"}

// Write writes a table in one of TextFormats. Numbers are written in the
// shortest form that reads back equal; NULL is an empty field, or null.
func Write(w io.Writer, format string, t *export.Table) error {
	switch format {
	case "csv":
		return writeSeparated(w, t, ',')
	case "tsv":
		return writeSeparated(w, t, '\t')
	case "json", "jsonl":
		return writeJSON(w, t, format == "jsonl")
	case "markdown":
		return writeMarkdown(w, t)
	}
	return fmt.Errorf("format %q is not one of %s", format, strings.Join(TextFormats, ", "))
}

// SafeForSpreadsheets puts an apostrophe before texts that a spreadsheet would
// take for a formula when it opens a CSV file. Numbers stay numbers, negative
// ones too; a text such as "-- x" changes, which is why it is a choice.
func SafeForSpreadsheets(t *export.Table) *export.Table {
	safe := *t
	safe.Next = func() ([]any, error) {
		row, err := t.Next()
		for i, v := range row {
			if s, ok := v.(string); ok && s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) && !isNumber(s) {
				row[i] = "'" + s
			}
		}
		return row, err
	}
	return &safe
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func writeSeparated(w io.Writer, t *export.Table, comma rune) error {
	cw := csv.NewWriter(w)
	cw.Comma = comma
	record := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		record[i] = c.Name
	}
	if err := cw.Write(record); err != nil {
		return err
	}
	for {
		row, err := t.Next()
		if err != nil {
			return err
		}
		if row == nil {
			cw.Flush()
			return cw.Error()
		}
		for i, v := range row {
			record[i] = Plain(v)
		}
		if err := cw.Write(record); err != nil {
			return err
		}
	}
}

// Plain is a value as text; NULL is empty.
func Plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case int64:
		return strconv.FormatInt(v, 10)
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return v.String()
	}
	b, err := Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// Marshal is encoding/json without escaping <, > and &, and without the final
// newline.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}

// writeJSON writes objects with the columns in their order: a list of them, or
// one a line.
func writeJSON(w io.Writer, t *export.Table, lines bool) error {
	keys := make([][]byte, len(t.Columns))
	for i, c := range t.Columns {
		k, err := Marshal(c.Name)
		if err != nil {
			return err
		}
		keys[i] = k
	}
	bw := bufio.NewWriter(w)
	for n := 0; ; n++ {
		row, err := t.Next()
		if err != nil {
			return err
		}
		switch {
		case row == nil && lines:
			return bw.Flush()
		case row == nil && n == 0:
			bw.WriteString("[]\n")
			return bw.Flush()
		case row == nil:
			bw.WriteString("\n]\n")
			return bw.Flush()
		case !lines && n == 0:
			bw.WriteString("[\n")
		case !lines:
			bw.WriteString(",\n")
		}
		bw.WriteByte('{')
		for i, v := range row {
			if i > 0 {
				bw.WriteByte(',')
			}
			bw.Write(keys[i])
			bw.WriteByte(':')
			b, err := Marshal(v)
			if err != nil {
				return err
			}
			bw.Write(b)
		}
		bw.WriteByte('}')
		if lines {
			bw.WriteByte('\n')
		}
	}
}

func writeMarkdown(w io.Writer, t *export.Table) error {
	bw := bufio.NewWriter(w)
	line := func(cell func(i int) string) {
		bw.WriteByte('|')
		for i := range t.Columns {
			bw.WriteString(" " + cell(i) + " |")
		}
		bw.WriteByte('\n')
	}
	line(func(i int) string { return markdownCell(t.Columns[i].Name) })
	line(func(i int) string {
		switch t.Columns[i].Kind {
		case export.Number, export.Integer:
			return "---:"
		}
		return "---"
	})
	for {
		row, err := t.Next()
		if err != nil {
			return err
		}
		if row == nil {
			return bw.Flush()
		}
		line(func(i int) string { return markdownCell(Plain(row[i])) })
	}
}

var markdownEscapes = strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", "<", "&lt;", ">", "&gt;")

func markdownCell(s string) string { return markdownEscapes.Replace(s) }
