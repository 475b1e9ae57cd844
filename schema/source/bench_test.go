package source_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"amdb/schema"
	"amdb/schema/source"
	"amdb/schema/source/reader"
)

// counter is a Sink that only counts.
type counter struct{ rows int }

func (c *counter) Run(*schema.Row) error { c.rows++; return nil }
func (c *counter) Note(schema.Note)      {}

// BenchmarkHarbor reads many small trials as a load does, and the same files
// bare: read and json.Unmarshal of the result alone. The ratio is what the
// format costs: a second file a trial, recognising, and mapping.
func BenchmarkHarbor(b *testing.B) {
	const trials = 2000
	dir := b.TempDir()
	result, err := os.ReadFile("../../testdata/formats/harbor/jobs/demo/pdf-merge__Ab3xQ9z/result.json")
	if err != nil {
		b.Fatal(err)
	}
	var files []string
	for i := range trials {
		p := filepath.Join("job", fmt.Sprintf("task-%04d__Ab3xQ9z", i), "result.json")
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, p)), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, p), result, 0o600); err != nil {
			b.Fatal(err)
		}
		files = append(files, p)
	}
	b.Run("reader", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			h := source.Harnesses(reader.Options{})[0]
			out := &counter{}
			for _, p := range files {
				f := reader.File{FS: os.DirFS(dir), Path: filepath.ToSlash(p), Name: p}
				head, err := f.ReadHead()
				if err != nil || !h.Claims(f, head) {
					b.Fatal(p, err)
				}
				if err := h.Read(b.Context(), f, out); err != nil {
					b.Fatal(err)
				}
			}
			if err := h.(reader.Finisher).Finish(b.Context(), out); err != nil || out.rows != trials {
				b.Fatal(out.rows, err)
			}
		}
		b.ReportMetric(float64(trials)*float64(b.N)/b.Elapsed().Seconds(), "trials/s")
	})
	b.Run("bare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range files {
				raw, err := os.ReadFile(filepath.Join(dir, p))
				if err != nil {
					b.Fatal(err)
				}
				var v any
				if err := json.Unmarshal(raw, &v); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(trials)*float64(b.N)/b.Elapsed().Seconds(), "trials/s")
	})
}
