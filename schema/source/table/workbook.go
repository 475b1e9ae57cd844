package table

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// The bounds of a workbook: packed it is held in memory, unpacked its large
// parts lie in temporary files.
const (
	maxWorkbook         = 512 << 20
	maxWorkbookUnpacked = 4 << 30
	workbookInMemory    = 16 << 20
)

// xlsxRows reads a sheet as a table: row 1 is the header, every other row that
// holds anything is a run. Cells are taken as they are stored, not as they are
// shown: a format must not round a cost.
type xlsxRows struct {
	name     string
	book     *excelize.File
	rows     *excelize.Rows
	names    []string
	columns  []schema.Col
	number   int64 // rows behind the header
	date1904 bool
	any      bool
}

// openXLSX opens the named sheet, or the first.
func openXLSX(r io.Reader, name, sheet string, m *schema.Mapping) (Stream, error) {
	limited := &reader.Bounded{R: r, Left: maxWorkbook}
	book, err := excelize.OpenReader(limited, excelize.Options{
		RawCellValue: true, UnzipSizeLimit: maxWorkbookUnpacked, UnzipXMLSizeLimit: workbookInMemory,
	})
	if err != nil {
		return nil, &reader.FileError{File: name, Reason: "is no workbook that can be read: " + err.Error()}
	}
	x := &xlsxRows{name: name, book: book}
	if err := x.open(sheet, m); err != nil {
		return nil, errors.Join(err, x.close())
	}
	return &rowStream{next: x.next, close: x.close}, nil
}

func (x *xlsxRows) open(sheet string, m *schema.Mapping) error {
	sheets := x.book.GetSheetList()
	switch {
	case len(sheets) == 0:
		return &reader.FileError{File: x.name, Reason: "has no sheet"}
	case sheet == "":
		sheet = sheets[0]
	case !slices.Contains(sheets, sheet):
		return &reader.FileError{File: x.name, Reason: fmt.Sprintf("has no sheet %q; it has %s", sheet, strings.Join(sheets, ", "))}
	}
	if props, err := x.book.GetWorkbookProps(); err == nil && props.Date1904 != nil {
		x.date1904 = *props.Date1904
	}
	var err error
	if x.rows, err = x.book.Rows(sheet); err != nil {
		return &reader.FileError{File: x.name, Reason: fmt.Sprintf("sheet %q: %v", sheet, err)}
	}
	if !x.rows.Next() {
		return &reader.FileError{File: x.name, Reason: fmt.Sprintf("sheet %q is empty", sheet)}
	}
	if x.names, err = x.rows.Columns(); err != nil {
		return &reader.FileError{File: x.name, Reason: fmt.Sprintf("sheet %q: %v", sheet, err)}
	}
	for len(x.names) > 0 && x.names[len(x.names)-1] == "" {
		x.names = x.names[:len(x.names)-1]
	}
	if i := slices.Index(x.names, ""); i >= 0 {
		return &reader.FileError{File: x.name, Reason: fmt.Sprintf("sheet %q: column %d has no name in row 1", sheet, i+1)}
	}
	if x.columns, err = m.Resolve(x.names); err != nil {
		return &reader.FileError{File: x.name, Reason: err.Error()}
	}
	return requireColumns(x.name, m, x.columns, x.names)
}

// next fills row from the next row that holds anything.
func (x *xlsxRows) next(row *schema.Row) error {
	for x.rows.Next() {
		x.number++
		record, err := x.rows.Columns()
		if err != nil {
			return &reader.FileError{File: x.name, Reason: fmt.Sprintf("row %d: %v", x.number+1, err)}
		}
		for len(record) > 0 && record[len(record)-1] == "" {
			record = record[:len(record)-1]
		}
		if len(record) == 0 {
			continue
		}
		x.any = true
		row.Number = x.number
		if len(record) > len(x.names) {
			return &rejected{schema.Reject{File: x.name, Row: x.number, Reason: fmt.Sprintf(
				"has %d cells where the header has %d", len(record), len(x.names))}}
		}
		for i, cell := range record {
			c := x.columns[i]
			switch {
			case cell == "":
			case c < 0:
				row.AddExtra(x.names[i], cell)
			case schema.Columns[c].Kind == schema.Time:
				row.Set(c, x.time(cell))
			default:
				row.Set(c, cell)
			}
		}
		return nil
	}
	if err := x.rows.Error(); err != nil {
		return &reader.FileError{File: x.name, Reason: err.Error()}
	}
	if !x.any {
		return ErrEmpty(x.name)
	}
	return io.EOF
}

// time is a cell of a time column: Excel stores a date as a number of days,
// without a zone, which is UTC by the rule of the column.
func (x *xlsxRows) time(cell string) string {
	days, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return cell
	}
	t, err := excelize.ExcelDateToTime(days, x.date1904)
	if err != nil {
		return cell
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func (x *xlsxRows) close() error {
	var err error
	if x.rows != nil {
		err = x.rows.Close()
	}
	return errors.Join(err, x.book.Close())
}
