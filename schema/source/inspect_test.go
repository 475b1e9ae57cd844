package source_test

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// What each file of raw/inspect must give.
func TestInspectReal(t *testing.T) {
	got := read(t, testdata("raw/inspect"), reader.Options{})
	same(t, got.lines(withUsage(schema.RunID, schema.Benchmark, schema.Task, schema.Model, schema.CLI, schema.Attempt, schema.Reward, schema.Status)...),
		".../1/4 ... 1 ... ... 4 - completed - - - - 0",
		"76snEZzrGrPY97wTmfrn3j popularity 2 openai/gpt-4o-mini generate 1 1 completed - 58 0 2 1",
		"9eTnG3tV8jGRYoTPMH54Ee/1/1 popularity 1 ollama/llama3.1 generate 1 0 completed - - - - 1",
		"G7qmTyE6WB9wLq6GAv5w9K popularity 1 openai/gpt-4o-mini generate 1 1 completed - 64 0 2 1",
		"W8MPQk6wsigrQepwJF9pUJ popularity 3 openai/gpt-4o-mini generate 1 0 completed - 70 0 2 1",
		"hxs4q9azL3ySGkjJirypKZ/1/1 input_task 1 openai/gpt-4o-mini generate 1 1 completed - 287 - 202 1",
	)
	same(t, got.notesOf("planned"), "2025-05-12T20-28-13-04-00_no-samples.json: 3 of 3 samples of testtaskname are not in the log")
	if len(got.rejects) > 0 {
		t.Error(got.rejects)
	}
}

func inspectJSON(samples string) string {
	return `{"version":2,"status":"success","eval":{"task":"T","task_id":"x","model":"p/m","solver":"pkg/react"},"samples":[` + samples + `]}`
}

func TestInspectScores(t *testing.T) {
	var samples []string
	values := []string{`"C"`, `"I"`, `"P"`, `"N"`, `0.25`, `true`, `"yes"`, `"odd"`, `NaN`, `null`}
	for i, v := range values {
		samples = append(samples, `{"id":"`+string(rune('a'+i))+`","epoch":1,"scores":{"s":{"value":`+v+`}}}`)
	}
	got := read(t, tree(map[string]string{"l.json": inspectJSON(strings.Join(samples, ","))}), reader.Options{})
	same(t, got.lines(schema.Task, schema.CLI, schema.Reward),
		"a react 1", "b react 0", "c react 0.5", "d react 0", "e react 0.25", "f react true", "g react 1", "h react odd", "i react NaN", "j react -")
}

// Of several scorers, one must be named; the error lists them.
func TestInspectSeveralScorers(t *testing.T) {
	fsys := tree(map[string]string{"l.json": inspectJSON(`{"id":1,"epoch":2,"scores":{"b":{"value":"C"},"a":{"value":"I"}}}`)})
	for scorer, want := range map[string]string{"": "several scorers (a, b): choose one with --scorer", "z": `has no scorer "z"; it has a, b`} {
		got := read(t, fsys, reader.Options{Scorer: scorer})
		if len(got.rows) != 0 || len(got.rejects) != 1 || !strings.Contains(got.rejects[0].Reason, want) {
			t.Errorf("--scorer %q: %s", scorer, got.dump())
		}
	}
	same(t, read(t, fsys, reader.Options{Scorer: "b"}).lines(schema.RunID, schema.Attempt, schema.Reward), "x/1/2 2 1")
}

// a22: Inspect's input_tokens exclude cached ones, which are added; where the
// total says that they are in it already, they are not added twice.
func TestInspectTokensExcludeCached(t *testing.T) {
	usage := func(s string) string { return `{"id":1,"epoch":1,"model_usage":{"p/m":{` + s + `}}}` }
	got := read(t, tree(map[string]string{
		"a.json": inspectJSON(usage(`"input_tokens":20000,"input_tokens_cache_read":80000,"output_tokens":2000,"total_tokens":102000`)),
		"b.json": inspectJSON(usage(`"input_tokens":100000,"input_tokens_cache_read":80000,"output_tokens":2000,"total_tokens":102000`)),
		"c.json": inspectJSON(usage(`"input_tokens":10,"input_tokens_cache_read":80,"input_tokens_cache_write":10,"output_tokens":2`)),
	}), reader.Options{})
	same(t, got.lines(schema.InputTokens, schema.CachedInputTokens, schema.OutputTokens, schema.TotalTokens),
		"100 80 2 -", "100000 80000 2000 102000", "100000 80000 2000 102000")
}

// Only the model under test counts; a grader's tokens stay beside.
func TestInspectGraderUsage(t *testing.T) {
	got := read(t, tree(map[string]string{"l.json": inspectJSON(
		`{"id":1,"epoch":1,"error":{"message":"boom"},"error_retries":[{},{}],"model_usage":{"p/m":{"input_tokens":5},"g/g":{"input_tokens":7}}}`,
	)}), reader.Options{})
	same(t, got.lines(schema.InputTokens, schema.Status), "5 error")
	if r := got.rows[0]; r.Extra["other_model_usage"] == nil || r.Extra["retries"] != 2 || r.Extra["error"] != "boom" {
		t.Errorf("extra %v", r.Extra)
	}
}

// An .eval of a run that did not end has no header.json; one that lies in an
// archive is read from memory.
func TestInspectEval(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, s := range map[string]string{
		"_journal/start.json":    `{"version":2,"eval":{"task":"T","task_id":"x","model":"p/m","dataset":{"sample_ids":[1,2]},"config":{"epochs":2}}}`,
		"samples/1_epoch_1.json": `{"id":1,"epoch":1,"scores":{"s":{"value":"C"}}}`,
	} {
		e, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	inner := fstest.MapFS{"logs/a.eval": &fstest.MapFile{Data: b.Bytes()}}
	outer, err := zip.NewReader(bytes.NewReader(packZip(t, inner)), int64(len(packZip(t, inner))))
	if err != nil {
		t.Fatal(err)
	}
	for _, fsys := range []fs.FS{inner, outer} {
		got := read(t, fsys, reader.Options{})
		same(t, got.lines(schema.RunID, schema.Reward), "x/1/1 1")
		same(t, got.notesOf("planned"), "a.eval: 3 of 4 samples of T are not in the log")
	}
}
