// Package terminalbench reads the result folders of Terminal-Bench.
package terminalbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// terminalBench reads result trees of Terminal-Bench before Harbor:
// RUN/TASK/TRIAL/results.json is a run, RUN/results.json lists all of them,
// RUN/run_metadata.json says which agent and model they are of.
type terminalBench struct{}

// New makes a reader for one tree.
func New() reader.Harness { return terminalBench{} }

func (terminalBench) Name() string { return "terminal-bench" }

func (terminalBench) Doc() string {
	return "Terminal-Bench result trees (old layout): results.json of trials and runs, run_metadata.json"
}

// Claims implements Harness.
func (terminalBench) Claims(f reader.File, head []byte) bool {
	if isTBTrial(head) || isTBRun(head) || isTBMetadata(head) {
		return true
	}
	if path.Base(reader.StripCompression(f.Path)) != "results.json" || len(head) >= reader.HeadSize || len(head) > 0 && reader.Value(head).IsValid() {
		return false
	}
	// Nothing, or a piece of JSON: it is a trial's or a run's by its place.
	return isTBMetadata(f.Beside("run_metadata.json").Head()) || isTBMetadata(f.Beside("../../run_metadata.json").Head())
}

func isTBTrial(head []byte) bool {
	return reader.HasAll(reader.HeadFields(head, "trial_name", "task_id", "is_resolved"), "trial_name", "task_id", "is_resolved")
}

func isTBRun(head []byte) bool {
	fields := reader.HeadFields(head, "results", "n_resolved")
	return reader.HasAll(fields, "results") && (reader.HasAll(fields, "n_resolved") || bytes.Contains(head, []byte(`"is_resolved"`)))
}

func isTBMetadata(head []byte) bool {
	return reader.HasAll(reader.HeadFields(head, "run_id", "agent_name", "model_name", "accuracy", "commit_hash"), "run_id", "agent_name", "model_name")
}

// tbTrial is what is read of a trial.
type tbTrial struct {
	ID           reader.Value `json:"id"`
	TrialName    reader.Value `json:"trial_name"`
	Task         reader.Value `json:"task_id"`
	Resolved     reader.Value `json:"is_resolved"`
	FailureMode  reader.Value `json:"failure_mode"`
	Parser       reader.Value `json:"parser_results"`
	Input        reader.Value `json:"total_input_tokens"`
	Output       reader.Value `json:"total_output_tokens"`
	Started      reader.Value `json:"trial_started_at"`
	Ended        reader.Value `json:"trial_ended_at"`
	AgentStarted reader.Value `json:"agent_started_at"`
	AgentEnded   reader.Value `json:"agent_ended_at"`
}

// tbMetadata is what is read of a run_metadata.json, and where it lies.
type tbMetadata struct {
	RunID   reader.Value `json:"run_id"`
	Dataset reader.Value `json:"dataset_name"`
	Version reader.Value `json:"dataset_version"`
	Agent   reader.Value `json:"agent_name"`
	Model   reader.Value `json:"model_name"`
	dir     string
}

// Read implements Harness.
func (tb terminalBench) Read(_ context.Context, f reader.File, out reader.Sink) error {
	head := f.Head()
	if isTBMetadata(head) {
		return nil // read with its trials
	}
	meta, err := tb.metadata(f)
	if err != nil {
		return err
	}
	if original, ok := strayCopy(f, meta.dir); ok {
		out.Note(schema.Note{File: f.Name, Kind: "copy", Message: "is a copy of " + original + " and not counted again"})
		return nil
	}
	if isTBRun(head) {
		return tb.readRun(f, meta, out)
	}
	t, lossy, err := reader.ReadJSON[tbTrial](f)
	if err != nil {
		return err
	}
	if lossy {
		reader.NoteLossyText(f, out)
	}
	return t.run(f, 1, meta, out)
}

// metadata finds the run_metadata.json nearest above a file. The zero value:
// there is none, and the rows will lack model and CLI.
func (terminalBench) metadata(f reader.File) (tbMetadata, error) {
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		near := reader.File{FS: f.FS, Path: path.Join(dir, "run_metadata.json")}
		near.Name = strings.TrimSuffix(f.Name, f.Path) + near.Path
		m, _, err := reader.ReadJSON[tbMetadata](near)
		if err == nil {
			m.dir = dir
			return *m, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return tbMetadata{}, err
		}
		if dir == "." || dir == "/" {
			return tbMetadata{}, nil
		}
	}
}

// run gives one trial.
func (t *tbTrial) run(f reader.File, number int64, meta tbMetadata, out reader.Sink) error {
	row := &schema.Row{Number: number, File: f.Name}
	name, run := reader.Text(t.TrialName), reader.Text(meta.RunID)
	if run != "" && name != "" && !strings.HasSuffix(name, "."+run) {
		return &reader.FileError{File: f.Name, Column: "trial_name", Value: name, Reason: fmt.Sprintf("is of another run than the run_metadata.json above it (%s)", run)}
	}
	reader.Set(row, schema.RunID, t.ID)
	reader.SetNew(row, schema.RunID, t.TrialName)
	reader.Set(row, schema.Benchmark, meta.Dataset)
	reader.Set(row, schema.Task, t.Task)
	reader.Set(row, schema.Model, meta.Model)
	reader.Set(row, schema.CLI, meta.Agent)
	reader.Set(row, schema.Reward, t.Resolved)
	reader.Set(row, schema.InputTokens, t.Input)
	reader.Set(row, schema.OutputTokens, t.Output)
	reader.Set(row, schema.StartedAt, t.Started)
	reader.Set(row, schema.FinishedAt, t.Ended)
	reader.Set(row, schema.Status, t.FailureMode)
	if mode := reader.Text(t.FailureMode); mode == "unset" || mode == "none" {
		row.Set(schema.Status, "completed")
	}
	reader.Keep(row, "trial_name", t.TrialName)
	reader.Keep(row, "dataset_version", meta.Version)
	reader.Keep(row, "parser_results", t.Parser)
	reader.Keep(row, "agent_started_at", t.AgentStarted)
	reader.Keep(row, "agent_ended_at", t.AgentEnded)
	return out.Run(row)
}

// tbRun is a run's results.json.
type tbRun struct {
	Results    tbResults    `json:"results"`
	Resolved   reader.Value `json:"n_resolved"`
	Unresolved reader.Value `json:"n_unresolved"`
}

type tbResults []tbTrial

// UnmarshalJSONFrom reads the list of trials, bounded.
func (r *tbResults) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return reader.EachOf(dec, func(t *tbTrial) error {
		*r = append(*r, *t)
		return reader.TooMany(len(*r))
	})
}

// readRun takes the trials that stand only in the run's file: the others have
// a results.json of their own.
func (terminalBench) readRun(f reader.File, meta tbMetadata, out reader.Sink) error {
	run, lossy, err := reader.ReadJSON[tbRun](f)
	if err != nil {
		return err
	}
	if lossy {
		reader.NoteLossyText(f, out)
	}
	resolved := int64(0)
	for i := range run.Results {
		t := &run.Results[i]
		if string(t.Resolved) == "true" {
			resolved++
		}
		own := path.Join(path.Dir(f.Path), reader.Text(t.Task), reader.Text(t.TrialName), "results.json")
		if _, err := fs.Stat(f.FS, own); err == nil {
			continue
		}
		if err := t.run(f, int64(i+1), meta, out); err != nil {
			return err
		}
	}
	if n, ok := reader.Integer(run.Resolved); ok && n != resolved {
		out.Note(schema.Note{File: f.Name, Kind: "mismatch", Message: fmt.Sprintf("says n_resolved %d; its trials give %d", n, resolved)})
	}
	if n, ok := reader.Integer(run.Unresolved); ok && n != int64(len(run.Results))-resolved {
		out.Note(schema.Note{File: f.Name, Kind: "mismatch", Message: fmt.Sprintf("says n_unresolved %d; its trials give %d", n, int64(len(run.Results))-resolved)})
	}
	return nil
}

// strayCopy says whether a file belongs to a run's folder that lies inside
// another's, and stands there with the same bytes beside the outer run too. A
// copy that differs is no copy: the loader finds the conflict.
func strayCopy(f reader.File, runDir string) (original string, ok bool) {
	if runDir == "" || runDir == "." {
		return "", false
	}
	rel := strings.TrimPrefix(f.Path, runDir+"/")
	for outer := path.Dir(runDir); outer != "." && outer != "/"; outer = path.Dir(outer) {
		if _, err := fs.Stat(f.FS, path.Join(outer, "run_metadata.json")); err != nil {
			continue
		}
		at := path.Join(path.Dir(outer), path.Base(runDir), rel)
		if sameBytes(f.FS, f.Path, at) {
			return at, true
		}
	}
	return "", false
}

// sameBytes compares two files.
func sameBytes(fsys fs.FS, a, b string) bool {
	fa, err := fsys.Open(a)
	if err != nil {
		return false
	}
	defer fa.Close()
	fb, err := fsys.Open(b)
	if err != nil {
		return false
	}
	defer fb.Close()
	bufA, bufB := make([]byte, 32<<10), make([]byte, 32<<10)
	for {
		n, errA := io.ReadFull(fa, bufA)
		m, errB := io.ReadFull(fb, bufB)
		if !bytes.Equal(bufA[:n], bufB[:m]) {
			return false
		}
		if errA != nil || errB != nil {
			return errA == errB //nolint:errorlint // both are io's own, unwrapped
		}
	}
}
