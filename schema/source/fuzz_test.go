package source_test

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"amdb/schema"
	"amdb/schema/source"
	"amdb/schema/source/reader"
)

// seeds adds the files of folders of test data.
func seeds(f *testing.F, folders ...string) {
	for _, folder := range folders {
		fsys := testdata(folder)
		err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasPrefix(path.Base(p), "LICENSE") {
				return err
			}
			b, err := fs.ReadFile(fsys, p)
			if err == nil && len(b) <= 64<<10 { // large seeds only slow the search
				f.Add(b)
			}
			return err
		})
		if err != nil {
			f.Fatal(err)
		}
	}
}

// fuzzReader gives a reader any bytes at each of the places where its files
// lie, with good neighbours: it reads or refuses, and makes no more rows than
// there are bytes.
func fuzzReader(f *testing.F, name string, places []string, neighbours map[string]string) {
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, at := range places {
			fsys := fstest.MapFS{at: {Data: data}}
			for p, s := range neighbours {
				if p != at {
					fsys[p] = &fstest.MapFile{Data: []byte(s)}
				}
			}
			for _, h := range source.Harnesses(reader.Options{}) {
				file := reader.File{FS: fsys, Path: at, Name: at}
				head, err := file.ReadHead()
				if err != nil {
					t.Fatal(err)
				}
				claims := h.Claims(file, head)
				if h.Name() != name {
					continue // its claim alone must not panic
				}
				_ = claims // a person may name the reader for a file that it would not claim
				out := &found{}
				err = h.Read(t.Context(), file, out)
				var fe *reader.FileError
				if err != nil && !errors.As(err, &fe) {
					t.Fatalf("%s: %v is no FileError", at, err)
				}
				if fe != nil && fe.File == "" {
					t.Fatalf("%v names no file", fe)
				}
				if len(out.rows) > len(data)+len(neighbours) {
					t.Fatalf("%d rows of %d bytes", len(out.rows), len(data))
				}
				batch := schema.NewRowBatch()
				for _, r := range out.rows {
					if r.Number < 1 || r.File == "" {
						t.Fatalf("a row without its place: %+v", r)
					}
					batch.Append(r)
				}
				batch.Flush().Release()
				if fin, ok := h.(reader.Finisher); ok {
					if err := fin.Finish(t.Context(), out); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

func FuzzHarbor(f *testing.F) {
	seeds(f, "formats/harbor")
	fuzzReader(f, "harbor", []string{"j/t__Abcdef1/result.json", "j/result.json", "j/t__Abcdef1/agent/trajectory.json"}, map[string]string{
		"j/t__Abcdef1/result.json": trial("1", "t"), "j/result.json": `{"n_total_trials":1,"stats":{}}`,
	})
}

func FuzzATIF(f *testing.F) {
	seeds(f, "raw/harbor_atif")
	fuzzReader(f, "atif", []string{"a/trajectory.json", "a/metadata.json"}, map[string]string{"a/trajectory.json": `{"schema_version":"ATIF-v1.2"}`})
}

func FuzzTerminalBench(f *testing.F) {
	seeds(f, "formats/terminal-bench")
	fuzzReader(f, "terminal-bench", []string{"R/results.json", "R/t/t.1-of-1.R/results.json", "R/run_metadata.json"}, map[string]string{
		"R/run_metadata.json": tbMeta, "R/t/t.1-of-1.R/results.json": tbOne,
	})
}

func FuzzInspect(f *testing.F) {
	seeds(f, "raw/inspect")
	fuzzReader(f, "inspect", []string{"a.json", "a.eval"}, nil)
}

func FuzzSWEAgent(f *testing.F) {
	seeds(f, "raw/swe_agent")
	fuzzReader(f, "swe-agent", []string{"a.traj"}, nil)
}

func FuzzMiniSWEAgent(f *testing.F) {
	seeds(f, "raw/mini_swe_agent")
	fuzzReader(f, "mini-swe-agent", []string{"a.traj.json"}, nil)
}

func FuzzOpenHands(f *testing.F) {
	seeds(f, "raw/openhands_output")
	f.Add([]byte(ohLine("t", "1", ohError) + ohLine("t", "2", ohPass)))
	fuzzReader(f, "openhands", []string{"output.jsonl", "output.critic_attempt_1.jsonl"}, map[string]string{"output.critic_attempt_1.jsonl": ohLine("t", "1", ohPass)})
}

func FuzzOpenHandsIndex(f *testing.F) {
	seeds(f, "raw/openhands_index")
	fuzzReader(f, "openhands-index", []string{"a/gaia.json", "a/metadata.json", "a/scores.json"}, map[string]string{
		"a/metadata.json": `{"agent_name":"a","model":"m","directory_name":"d"}`, "a/gaia.json": `{"x":{"cost":1,"resolved":true}}`,
	})
}
