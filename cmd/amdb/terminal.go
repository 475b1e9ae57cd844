package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	prettytable "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"

	"amdb/export"
	"amdb/export/table"
)

// terminal draws a table for people: numbers to the right with four digits that
// matter, NULL as a dot, as many columns as fit; what does not is named under it.
func (a *app) terminal(w io.Writer, t *export.Table, notes []string) error {
	if len(t.Columns) == 2 && t.Columns[0].Name == "explain_key" {
		return explain(w, t)
	}
	bars := a.output == "" && isTerminal(a.stdout)
	var rows [][]string
	for {
		row, err := t.Next()
		if err != nil {
			return err
		}
		if row == nil {
			break
		}
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = shown(v, t.Columns[i].Kind)
			if x, ok := v.(float64); ok && bars && t.Columns[i].Bar {
				cells[i] += " " + bar(x)
			}
		}
		rows = append(rows, cells)
	}
	width := a.width()
	narrow(t.Columns, rows, width)
	shownColumns := fit(t.Columns, rows, width)
	if t.Brief > 0 {
		shownColumns = min(shownColumns, t.Brief)
	}
	tw := prettytable.NewWriter()
	tw.SetStyle(a.style())
	header := prettytable.Row{}
	var configs []prettytable.ColumnConfig
	for i := range shownColumns {
		c := t.Columns[i]
		header = append(header, oneLine(c.Name))
		align := text.AlignLeft
		if c.Kind == export.Number || c.Kind == export.Integer {
			align = text.AlignRight
		}
		configs = append(configs, prettytable.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align})
	}
	tw.SetColumnConfigs(configs)
	tw.AppendHeader(header)
	for _, r := range rows {
		line := make(prettytable.Row, shownColumns)
		for i := range shownColumns {
			line[i] = r[i]
		}
		tw.AppendRow(line)
	}
	tw.SuppressTrailingSpaces()
	if _, err := fmt.Fprintln(w, tw.Render()); err != nil {
		return err
	}
	if hidden := t.Columns[shownColumns:]; len(hidden) > 0 {
		names := make([]string, len(hidden))
		for i, c := range hidden {
			names[i] = c.Name
		}
		notes = append(notes, fmt.Sprintf("%d columns are hidden: %s (-f csv shows all)", len(hidden), strings.Join(names, ", ")))
	}
	for _, n := range notes {
		if _, err := fmt.Fprintln(w, n); err != nil {
			return err
		}
	}
	return nil
}

// explain prints a query plan as it is drawn.
func explain(w io.Writer, t *export.Table) error {
	for {
		row, err := t.Next()
		if err != nil || row == nil {
			return err
		}
		if _, err := fmt.Fprintln(w, table.Plain(row[1])); err != nil {
			return err
		}
	}
}

// width is the terminal's width in characters, 0 where nothing limits it.
func (a *app) width() int {
	if a.output != "" {
		return 0
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := a.stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			return w
		}
	}
	return 0
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// barWidth is how many characters a whole bar has.
const barWidth = 8

// bar draws a share in [0,1], in eighths of a character.
func bar(x float64) string {
	eighths := int(math.Round(min(max(x, 0), 1) * barWidth * 8))
	s := strings.Repeat("█", eighths/8)
	if r := eighths % 8; r > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[r-1])
	}
	return s + strings.Repeat(" ", barWidth-text.StringWidthWithoutEscSequences(s))
}

// colour says whether escape codes are welcome on a stream.
func colour(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// style is a quiet table: a rule under the header and nothing else.
func (a *app) style() prettytable.Style {
	s := prettytable.StyleLight
	s.Options = prettytable.Options{SeparateHeader: true}
	s.Box.PaddingLeft, s.Box.PaddingRight = "", "  "
	s.Box.MiddleHorizontal = "─"
	s.Format.Header = text.FormatDefault
	if a.output == "" && colour(a.stdout) {
		s.Color.Header = text.Colors{text.Bold}
	}
	return s
}

// fit says how many of the columns fit a width, at least one.
func fit(columns []export.Column, rows [][]string, width int) int {
	if width == 0 {
		return len(columns)
	}
	used := 0
	for i, c := range columns {
		w := text.StringWidthWithoutEscSequences(c.Name)
		for _, r := range rows {
			w = max(w, text.StringWidthWithoutEscSequences(r[i]))
		}
		used += w + 2
		if used > width+2 && i > 0 {
			return i
		}
	}
	return len(columns)
}

// leastText is how much of a text stays when a table is made narrower.
const leastText = 14

// narrow shortens the widest column of texts, so that the figures behind it fit
// a width: a path keeps its end, any other text its beginning.
func narrow(columns []export.Column, rows [][]string, width int) {
	if width == 0 {
		return
	}
	widest, at, total := 0, -1, 0
	for i, c := range columns {
		w := text.StringWidthWithoutEscSequences(c.Name)
		for _, r := range rows {
			w = max(w, text.StringWidthWithoutEscSequences(r[i]))
		}
		total += w + 2
		if c.Kind == export.Text && w > widest {
			widest, at = w, i
		}
	}
	keep := max(leastText, widest-(total-2-width))
	if at < 0 || total-2 <= width || keep >= widest || total-2-(widest-keep) > width {
		return
	}
	for _, r := range rows {
		runes := []rune(r[at])
		switch {
		case len(runes) <= keep:
		case strings.ContainsRune(r[at], '/'):
			r[at] = "…" + string(runes[len(runes)-keep+1:])
		default:
			r[at] = string(runes[:keep-1]) + "…"
		}
	}
}

// maxCell is how much of a text a terminal shows.
const maxCell = 80

// shown is a value as a terminal shows it.
func shown(v any, kind export.Kind) string {
	switch v := v.(type) {
	case nil:
		return "·"
	case float64:
		return human(v)
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "yes"
		}
		return "no"
	}
	s := oneLine(table.Plain(v))
	if kind != export.Number && kind != export.Integer && len([]rune(s)) > maxCell {
		s = string([]rune(s)[:maxCell-1]) + "…"
	}
	return s
}

// human is a number with the digits that matter: four behind the point, fewer
// for large ones, exponents at the ends. Other formats give all digits.
func human(x float64) string {
	abs := math.Abs(x)
	switch {
	case abs >= 1e9 || (abs < 1e-4 && abs > 0):
		return strconv.FormatFloat(x, 'g', 4, 64)
	case abs >= 1000:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case abs >= 10:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}
