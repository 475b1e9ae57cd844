package table

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"amdb/schema"
)

// workbook makes a workbook of one sheet a name; each a list of rows.
func workbook(t testing.TB, sheets map[string][][]any, order ...string) []byte {
	t.Helper()
	f := excelize.NewFile()
	for i, name := range order {
		if i == 0 {
			if err := f.SetSheetName("Sheet1", name); err != nil {
				t.Fatal(err)
			}
		} else if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for r, row := range sheets[name] {
			cell, _ := excelize.CoordinatesToCellName(1, r+1)
			if err := f.SetSheetRow(name, cell, &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	var buf bytes.Buffer
	if err := f.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func mapping(t testing.TB) *schema.Mapping {
	t.Helper()
	m, err := schema.NewMapping(nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Cells are read as stored, a date as an instant in UTC; empty rows are none.
func TestXLSXRows(t *testing.T) {
	when := time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC)
	b := workbook(t, map[string][][]any{"runs": {
		{"task", "model", "cli", "reward", "cost", "started_at", "note", ""},
		{"0012", "m", "c", true, 0.123456789, when, "x"},
		{},
		{"t2", "m", "c", 0.5, nil, "2026-03-01T23:30:00+02:00"},
		{"t3", "m", "c", 1, 1, nil, "y", "too much"},
	}, "other": {{"a"}}}, "runs", "other")
	s, err := openXLSX(bytes.NewReader(b), "b.xlsx", "", mapping(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	batch, err := s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Release()
	var got []string
	for i := range batch.Rows {
		var cells []string
		for _, c := range []schema.Col{schema.Task, schema.Reward, schema.CostUSD, schema.StartedAt, schema.Extra} {
			cells = append(cells, batch.Columns[c].ValueStr(i))
		}
		got = append(got, strings.Join(cells, " "))
	}
	want := `0012 1 0.123456789 2026-03-01T23:30:00Z {"note":"x"}` + "\n" + `t2 0.5 (null) 2026-03-01T23:30:00+02:00 (null)`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if len(batch.Rejects) != 1 || batch.Rejects[0].Row != 4 {
		t.Errorf("rejects %v", batch.Rejects)
	}
	if _, err := s.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

// What cannot be read says why.
func TestXLSXErrors(t *testing.T) {
	b := workbook(t, map[string][][]any{"a": {{"task", "model"}}, "b": {{"task", "", "model"}}, "c": {}}, "a", "b", "c")
	for sheet, want := range map[string]string{
		"a": "has no column cli, reward", "b": "column 2 has no name", "c": "is empty", "d": `has no sheet "d"; it has a, b, c`,
	} {
		if _, err := openXLSX(bytes.NewReader(b), "b.xlsx", sheet, mapping(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", sheet, err, want)
		}
	}
	if _, err := openXLSX(strings.NewReader("PK\x03\x04 no zip"), "b.xlsx", "", mapping(t)); err == nil {
		t.Error("no workbook was opened")
	}
}
