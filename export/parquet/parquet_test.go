package parquet_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"amdb/export"
	"amdb/export/parquet"
	"amdb/export/table"
	"amdb/sql"
)

func emptyDB(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open(t.Context(), filepath.Join(t.TempDir(), "t.duckdb"), sql.Options{Mode: sql.Make})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// read reads a Parquet file with another reader than the one that wrote it.
func read(t *testing.T, path string) (arrow.Table, *file.Reader) {
	t.Helper()
	f, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.ReadTable(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return table, f
}

func exported(t *testing.T, query string) (arrow.Table, *file.Reader) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := parquet.File(t.Context(), emptyDB(t), query, path, map[string]string{"amdb_version": "1", "amdb_calibration_digest": "abc"}); err != nil {
		t.Fatal(err)
	}
	return read(t, path)
}

func typeOf(t arrow.Table, name string) string {
	f, _ := t.Schema().FieldsByName(name)
	return f[0].Type.String()
}

func TestFieldCaseD01SumsOfIntegersAreExact(t *testing.T) {
	table, _ := exported(t, "SELECT sum(x) AS s FROM (VALUES (9007199254740993)) AS v(x)")
	if got := typeOf(table, "s"); got != "int64" {
		t.Errorf("a sum of integers is %s", got)
	}
	if got := table.Column(0).Data().Chunk(0).ValueStr(0); got != "9007199254740993" {
		t.Errorf("the sum is %s", got)
	}
}

func TestFieldCasesD02D04D11TypesThatReadersAgreeOn(t *testing.T) {
	table, _ := exported(t, `SELECT TIMESTAMP '2026-01-02 03:04:05' AS plain, '2026-01-02T03:04:05+02'::TIMESTAMPTZ AS zoned, uuid() AS id,
		NULL::DOUBLE AS cost, 'a'::ENUM('a', 'b') AS kind, '{"a": 1}'::JSON AS extra`)
	for name, want := range map[string]string{
		"plain": "timestamp[us, tz=UTC]", "zoned": "timestamp[us, tz=UTC]", "id": "utf8", "cost": "float64", "kind": "utf8", "extra": "utf8",
	} {
		if got := typeOf(table, name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestFieldCaseD07ListsKeepNullAndEmptyApart(t *testing.T) {
	table, _ := exported(t, "SELECT n, l FROM (VALUES (1, NULL::VARCHAR[]), (2, []), (3, [NULL]), (4, ['a'])) AS v(n, l) ORDER BY n")
	c := table.Column(1).Data().Chunk(0)
	got := []string{c.ValueStr(0), c.ValueStr(1), c.ValueStr(2), c.ValueStr(3)}
	if !slices.Equal(got, []string{"(null)", "[]", "[null]", `["a"]`}) {
		t.Errorf("lists are %v", got)
	}
}

func TestFieldCaseD09MetadataHasNoClockAndEqualDataAreEqualBytes(t *testing.T) {
	_, f := exported(t, "SELECT 1 AS x")
	kv := f.MetaData().KeyValueMetadata()
	if v := kv.FindValue("amdb_calibration_digest"); v == nil || *v != "abc" {
		t.Errorf("metadata is %v", kv)
	}
	db := emptyDB(t)
	var files [2][]byte
	for i, threads := range []string{"1", "8"} {
		if err := db.Exec(t.Context(), "SET threads = "+threads); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "x.parquet")
		query := "SELECT i % 1000 AS g, avg(i) AS m, list(i)[1:2] AS l FROM (SELECT range AS i FROM range(300000)) GROUP BY g"
		query = strings.Replace(query, "list(i)", "list(i ORDER BY i)", 1)
		if err := parquet.File(t.Context(), db, query, path, nil); err != nil {
			t.Fatal(err)
		}
		files[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two exports of equal data differ")
	}
}

func TestFieldCasesD05D06B11Partitions(t *testing.T) {
	db := emptyDB(t)
	dir := filepath.Join(t.TempDir(), "out")
	write := func(query string) {
		t.Helper()
		if err := parquet.Partitioned(t.Context(), db, query, "model", dir, map[string]string{"amdb_version": "1"}); err != nil {
			t.Fatal(err)
		}
	}
	files := func() (out []string) {
		_ = filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
			if err == nil && filepath.Ext(p) == ".parquet" {
				rel, _ := filepath.Rel(dir, p)
				out = append(out, filepath.ToSlash(rel))
			}
			return err
		})
		return out
	}
	write("SELECT * FROM (VALUES ('a/x', 1), ('007', 2), (NULL, 3), ('a/x', 4)) AS v(model, n)")
	want := []string{"model=007/part-0.parquet", "model=__HIVE_DEFAULT_PARTITION__/part-0.parquet", "model=a%2Fx/part-0.parquet"}
	if got := files(); !slices.Equal(got, want) {
		t.Errorf("files are %v, want %v", got, want)
	}
	table, _ := read(t, filepath.Join(dir, "model=a%2Fx", "part-0.parquet"))
	if table.NumRows() != 2 || table.NumCols() != 1 { // the column is in the path alone
		t.Errorf("%d rows and %d columns", table.NumRows(), table.NumCols())
	}
	// Another export there leaves nothing of the first.
	write("SELECT 'b' AS model, 1 AS n")
	if got := files(); !slices.Equal(got, []string{"model=b/part-0.parquet"}) {
		t.Errorf("after a second export: %v", got)
	}
	// No rows: the columns are there all the same.
	write("SELECT 'b' AS model, 1 AS n WHERE false")
	table, _ = read(t, filepath.Join(dir, "part-0.parquet"))
	if table.NumRows() != 0 || table.NumCols() != 2 {
		t.Errorf("%d rows and %d columns", table.NumRows(), table.NumCols())
	}
	table, _ = exported(t, "SELECT 1 AS x, 'a' AS y WHERE false")
	if table.NumRows() != 0 || table.NumCols() != 2 {
		t.Errorf("%d rows and %d columns", table.NumRows(), table.NumCols())
	}
}

func TestFieldCaseD13OneSignForMissing(t *testing.T) {
	var buf bytes.Buffer
	db := emptyDB(t)
	rows, err := db.UserQuery(t.Context(), "SELECT 'nan'::DOUBLE AS a, NULL::DOUBLE AS b, 'inf'::DOUBLE AS c, 0.5 AS d")
	if err != nil {
		t.Fatal(err)
	}
	made, err := export.FromRows(rows, func(err error) error { return err })
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Write(&buf, "jsonl", made); err != nil {
		t.Fatal(err)
	}
	if got := buf.String(); got != `{"a":null,"b":null,"c":null,"d":0.5}`+"\n" {
		t.Errorf("JSON is %s", got)
	}
}

func TestFieldCaseC08TextsThatASpreadsheetWouldRun(t *testing.T) {
	columns := []export.Column{{Name: "name"}, {Name: "x", Kind: export.Number}}
	rows := [][]any{{"=HYPERLINK(1)", -0.25}, {"@sum", -1e-3}, {"-- x", nil}, {"-0.25", 1.0}, {"plain", 2.0}, {"", 3.0}}
	var buf bytes.Buffer
	if err := table.Write(&buf, "csv", table.SafeForSpreadsheets(export.NewTable(columns, rows))); err != nil {
		t.Fatal(err)
	}
	want := "name,x\n'=HYPERLINK(1),-0.25\n'@sum,-0.001\n'-- x,\n-0.25,1\nplain,2\n,3\n"
	if buf.String() != want {
		t.Errorf("CSV is\n%s", buf.String())
	}
}
