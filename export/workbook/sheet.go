package workbook

import (
	"fmt"
	"strconv"

	"github.com/xuri/excelize/v2"
)

// sheetColumn is a column of a sheet: its header, width in characters, and the
// style of its cells.
type sheetColumn struct {
	title string
	width float64
	style int
}

// sheet writes one sheet from top to bottom.
type sheet struct {
	w       *workbook
	sw      *excelize.StreamWriter
	name    string
	columns []sheetColumn
	row     int // the last row written
	values  []any
}

// layout says how a sheet is laid out.
type layout struct {
	columns    []sheetColumn
	header     int // the header's row; all rows to it are frozen and repeated in print
	freezeCols int // columns that stay in view
	portrait   bool
	before     func(sheet string) error // what must be said before the first row: formats, validation
}

// open begins a sheet that exists in the file.
func (w *workbook) open(name string, l layout) (*sheet, error) {
	fit := true
	if err := w.f.SetSheetProps(name, &excelize.SheetPropsOptions{FitToPage: &fit}); err != nil {
		return nil, err
	}
	sw, err := w.f.NewStreamWriter(name)
	if err != nil {
		return nil, err
	}
	s := &sheet{w: w, sw: sw, name: name, columns: l.columns}
	for i, c := range l.columns {
		if err := sw.SetColWidth(i+1, i+1, c.width); err != nil {
			return nil, err
		}
	}
	if l.header > 0 {
		top := cellName(l.freezeCols+1, l.header+1)
		pane := "bottomLeft"
		if l.freezeCols > 0 {
			pane = "bottomRight"
		}
		if err := sw.SetPanes(&excelize.Panes{Freeze: true, XSplit: l.freezeCols, YSplit: l.header, TopLeftCell: top, ActivePane: pane}); err != nil {
			return nil, err
		}
		if err := w.f.SetDefinedName(&excelize.DefinedName{
			Name: "_xlnm.Print_Titles", Scope: name, RefersTo: fmt.Sprintf("%s!$%d:$%d", quoted(name), l.header, l.header),
		}); err != nil {
			return nil, err
		}
	}
	if err := w.printSetup(name, l.portrait); err != nil {
		return nil, err
	}
	if l.before != nil {
		return s, l.before(name)
	}
	return s, nil
}

// printSetup makes a sheet print on pages of its own width.
func (w *workbook) printSetup(name string, portrait bool) error {
	orientation := "landscape"
	if portrait {
		orientation = "portrait"
	}
	a4, wide, tall := 9, 1, 0
	if err := w.f.SetPageLayout(name, &excelize.PageLayoutOptions{Size: &a4, Orientation: &orientation, FitToWidth: &wide, FitToHeight: &tall}); err != nil {
		return err
	}
	side, top := 0.4, 0.6
	if err := w.f.SetPageMargins(name, &excelize.PageLayoutMarginsOptions{Left: &side, Right: &side, Top: &top, Bottom: &top}); err != nil {
		return err
	}
	return w.f.SetHeaderFooter(name, &excelize.HeaderFooterOptions{OddFooter: "&L&8&A&R&8&P / &N"})
}

// headHeight is room for a title of three lines.
const headHeight = 42

// head writes the columns' titles as the next row.
func (s *sheet) head() error {
	style, err := s.w.st.named("head")
	if err != nil {
		return err
	}
	s.begin()
	for _, c := range s.columns {
		s.put(excelize.Cell{StyleID: style, Value: c.title})
	}
	return s.end(excelize.RowOpts{Height: headHeight})
}

// begin starts the next row; put adds its cells; end writes it.
func (s *sheet) begin() {
	s.row++
	s.values = s.values[:0]
}

func (s *sheet) put(cells ...any) { s.values = append(s.values, cells...) }

func (s *sheet) end(opts ...excelize.RowOpts) error {
	if s.row%4096 == 0 {
		if err := s.w.ctx.Err(); err != nil {
			return err
		}
	}
	return s.sw.SetRow("A"+strconv.Itoa(s.row), s.values, opts...)
}

// line writes a row of one text in a named style.
func (s *sheet) line(text, style string) error {
	id, err := s.w.st.named(style)
	if err != nil {
		return err
	}
	s.begin()
	s.put(excelize.Cell{StyleID: id, Value: s.w.notes.text(text)})
	return s.end()
}

// value adds the row's next cell with its column's style.
func (s *sheet) value(v any) { s.put(s.styled(v)) }

// styled is a value with the style of the column that comes next.
func (s *sheet) styled(v any) any {
	if v == nil {
		return nil
	}
	return excelize.Cell{StyleID: s.columns[len(s.values)].style, Value: v}
}

// live adds the row's next cell: a formula with the value that it has now. A
// nil value is the empty text that the formula gives for "undefined". In a
// workbook of values only, the value stands alone.
func (s *sheet) live(formula string, v any) {
	if s.w.o.ValuesOnly {
		s.value(v)
		return
	}
	if v == nil {
		v = ""
	}
	s.put(excelize.Cell{StyleID: s.columns[len(s.values)].style, Formula: formula, Value: v})
}

// input is the format of a figure that a reviewer may change where formulas
// rest on it, and that is plain elsewhere.
func (w *workbook) input(rests bool, format string) string {
	if rests && !w.o.ValuesOnly {
		return "input " + format
	}
	return format
}

// table makes the rows from header down to the last one written a table with
// filters.
func (s *sheet) table(name string, header int) error {
	if s.row <= header {
		return nil
	}
	stripes := true
	return s.sw.AddTable(&excelize.Table{
		Range: "A" + strconv.Itoa(header) + ":" + cellName(len(s.columns), s.row), Name: name, StyleName: "TableStyleLight1", ShowRowStripes: &stripes,
	})
}

func (s *sheet) close() error { return s.sw.Flush() }

// cellName is a cell's address; col counts from 1.
func cellName(col, row int) string {
	name, err := excelize.CoordinatesToCellName(col, row)
	if err != nil {
		panic(err) // only for a column or row outside every sheet
	}
	return name
}

func columnName(col int) string {
	name, err := excelize.ColumnNumberToName(col)
	if err != nil {
		panic(err)
	}
	return name
}

// quoted is a sheet's name as formulas want it.
func quoted(sheet string) string {
	for _, r := range sheet {
		if (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return "'" + sheet + "'"
		}
	}
	return sheet
}

// span is the range of one column over rows of a sheet, as formulas want it.
func span(sheet, col string, from, to int) string {
	return quoted(sheet) + "!" + col + strconv.Itoa(from) + ":" + col + strconv.Itoa(to)
}

// fixedSpan is span that does not move.
func fixedSpan(sheet, col string, from, to int) string {
	return fmt.Sprintf("%s!$%s$%d:$%s$%d", quoted(sheet), col, from, col, to)
}

// fixedCell is the address of one cell, as formulas want it.
func fixedCell(sheet, col string, row int) string {
	return fmt.Sprintf("%s!$%s$%d", quoted(sheet), col, row)
}

// name gives a range a name that formulas use.
func (w *workbook) name(name, refersTo string) error {
	if w.o.ValuesOnly {
		return nil
	}
	return w.f.SetDefinedName(&excelize.DefinedName{Name: name, RefersTo: refersTo})
}
