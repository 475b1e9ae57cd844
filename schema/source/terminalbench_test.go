package source_test

import (
	"strings"
	"testing"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// What each file of formats/terminal-bench must give: four trials with files,
// one that stands only in the run's file, one of an older run whose stray copy
// inside the newer run counts once. a21: null is never false; a timeout that
// resolved counts; null tokens are unknown and 0 tokens are 0.
func TestTerminalBenchFormats(t *testing.T) {
	got := read(t, testdata("formats/terminal-bench"), reader.Options{})
	const labels = " terminal-bench-core "
	const who = " anthropic/claude-opus-4-1 goose "
	same(t, got.lines(withUsage(schema.RunID, schema.Benchmark, schema.Task, schema.Model, schema.CLI, schema.Reward, schema.Status)...),
		"00000000-0000-4000-9000-000000002052"+labels+"initramfs"+who+"- test_timeout - 0 - 0 -",
		"00000000-0000-4000-9000-000000002053"+labels+"initramfs"+who+"false completed - 900000 - 12000 -",
		"00000000-0000-4000-9000-000000002061"+labels+"hello-file"+who+"false completed - 10 - 10 -",
		"00000000-0000-4000-9000-000000002072"+labels+"hello-file"+who+"true completed - 4000 - 300 -",
		"00000000-0000-4000-9000-000000002073"+labels+"hello-file"+who+"true agent_timeout - - - - -",
		"00000000-0000-4000-9000-000000002636"+labels+"only-in-run-file"+who+"false parse_error - 10 - 10 -",
	)
	if len(got.rejects) > 0 || len(got.notesOf("copy")) != 2 || len(got.notes) != 2 {
		t.Error(got.dump())
	}
}

const (
	tbMeta = `{"run_id":"R","dataset_name":"d","dataset_version":"1","agent_name":"a","model_name":"m","accuracy":0}`
	tbOne  = `{"id":"1","trial_name":"t.1-of-1.R","task_id":"t","is_resolved":true,"failure_mode":"unset"}`
)

// A copy with another verdict is no copy: both are given, for the loader to
// name the conflict.
func TestTerminalBenchCopyThatDiffers(t *testing.T) {
	got := read(t, tree(map[string]string{
		"R/run_metadata.json":           tbMeta,
		"R/t/t.1-of-1.R/results.json":   tbOne,
		"S/run_metadata.json":           strings.Replace(tbMeta, `"R"`, `"S"`, 1),
		"S/R/run_metadata.json":         tbMeta,
		"S/R/t/t.1-of-1.R/results.json": strings.Replace(tbOne, "true", "false", 1),
	}), reader.Options{})
	same(t, got.lines(schema.RunID, schema.Reward), "1 false", "1 true")
}

// A trial is never given the agent of another run's metadata.
func TestTerminalBenchForeignMetadata(t *testing.T) {
	got := read(t, tree(map[string]string{
		"S/run_metadata.json":           strings.Replace(tbMeta, `"R"`, `"S"`, 1),
		"S/R/t/t.1-of-1.R/results.json": tbOne,
		"S/t/t.1-of-1.S/results.json":   "",
	}), reader.Options{})
	if len(got.rows) != 0 || len(got.rejects) != 2 || !strings.Contains(got.rejects[0].Reason, "another run") || got.rejects[1].Reason != "is empty" {
		t.Error(got.dump())
	}
}

// The run's own counts are compared and not used.
func TestTerminalBenchCounts(t *testing.T) {
	got := read(t, tree(map[string]string{
		"R/run_metadata.json": tbMeta,
		"R/results.json":      `{"id":"r","results":[` + tbOne + `],"n_resolved":3,"n_unresolved":0}`,
	}), reader.Options{})
	same(t, got.lines(schema.RunID, schema.Reward), "1 true")
	same(t, got.notesOf("mismatch"), "results.json: says n_resolved 3; its trials give 1")
}
