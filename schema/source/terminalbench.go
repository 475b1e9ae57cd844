package source

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
)

// terminalBench reads result trees of Terminal-Bench before Harbor:
// RUN/TASK/TRIAL/results.json is a run, RUN/results.json lists all of them,
// RUN/run_metadata.json says which agent and model they are of.
type terminalBench struct{}

func (terminalBench) Name() string { return "terminal-bench" }

func (terminalBench) Doc() string {
	return "Terminal-Bench result trees (old layout): results.json of trials and runs, run_metadata.json"
}

// Claims implements Harness.
func (terminalBench) Claims(f File, head []byte) bool {
	if isTBTrial(head) || isTBRun(head) || isTBMetadata(head) {
		return true
	}
	if path.Base(stripCompression(f.Path)) != "results.json" || len(head) >= HeadSize || len(head) > 0 && value(head).IsValid() {
		return false
	}
	// Nothing, or a piece of JSON: it is a trial's or a run's by its place.
	return isTBMetadata(f.beside("run_metadata.json").head()) || isTBMetadata(f.beside("../../run_metadata.json").head())
}

func isTBTrial(head []byte) bool {
	return hasAll(headFields(head, "trial_name", "task_id", "is_resolved"), "trial_name", "task_id", "is_resolved")
}

func isTBRun(head []byte) bool {
	fields := headFields(head, "results", "n_resolved")
	return hasAll(fields, "results") && (hasAll(fields, "n_resolved") || bytes.Contains(head, []byte(`"is_resolved"`)))
}

func isTBMetadata(head []byte) bool {
	return hasAll(headFields(head, "run_id", "agent_name", "model_name", "accuracy", "commit_hash"), "run_id", "agent_name", "model_name")
}

// tbTrial is what is read of a trial.
type tbTrial struct {
	ID           value `json:"id"`
	TrialName    value `json:"trial_name"`
	Task         value `json:"task_id"`
	Resolved     value `json:"is_resolved"`
	FailureMode  value `json:"failure_mode"`
	Parser       value `json:"parser_results"`
	Input        value `json:"total_input_tokens"`
	Output       value `json:"total_output_tokens"`
	Started      value `json:"trial_started_at"`
	Ended        value `json:"trial_ended_at"`
	AgentStarted value `json:"agent_started_at"`
	AgentEnded   value `json:"agent_ended_at"`
}

// tbMetadata is what is read of a run_metadata.json, and where it lies.
type tbMetadata struct {
	RunID   value `json:"run_id"`
	Dataset value `json:"dataset_name"`
	Version value `json:"dataset_version"`
	Agent   value `json:"agent_name"`
	Model   value `json:"model_name"`
	dir     string
}

// Read implements Harness.
func (tb terminalBench) Read(_ context.Context, f File, out Sink) error {
	head := f.head()
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
	t, lossy, err := readJSON[tbTrial](f)
	if err != nil {
		return err
	}
	if lossy {
		noteLossy(f, out)
	}
	return t.run(f, 1, meta, out)
}

// metadata finds the run_metadata.json nearest above a file. The zero value:
// there is none, and the rows will lack model and CLI.
func (terminalBench) metadata(f File) (tbMetadata, error) {
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		near := File{FS: f.FS, Path: path.Join(dir, "run_metadata.json")}
		near.Name = strings.TrimSuffix(f.Name, f.Path) + near.Path
		m, _, err := readJSON[tbMetadata](near)
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
func (t *tbTrial) run(f File, number int64, meta tbMetadata, out Sink) error {
	row := &schema.Row{Number: number, File: f.Name}
	name, run := text(t.TrialName), text(meta.RunID)
	if run != "" && name != "" && !strings.HasSuffix(name, "."+run) {
		return &FileError{File: f.Name, Column: "trial_name", Value: name, Reason: fmt.Sprintf("is of another run than the run_metadata.json above it (%s)", run)}
	}
	set(row, schema.RunID, t.ID)
	setNew(row, schema.RunID, t.TrialName)
	set(row, schema.Benchmark, meta.Dataset)
	set(row, schema.Task, t.Task)
	set(row, schema.Model, meta.Model)
	set(row, schema.CLI, meta.Agent)
	set(row, schema.Reward, t.Resolved)
	set(row, schema.InputTokens, t.Input)
	set(row, schema.OutputTokens, t.Output)
	set(row, schema.StartedAt, t.Started)
	set(row, schema.FinishedAt, t.Ended)
	set(row, schema.Status, t.FailureMode)
	if mode := text(t.FailureMode); mode == "unset" || mode == "none" {
		row.Set(schema.Status, "completed")
	}
	keep(row, "trial_name", t.TrialName)
	keep(row, "dataset_version", meta.Version)
	keep(row, "parser_results", t.Parser)
	keep(row, "agent_started_at", t.AgentStarted)
	keep(row, "agent_ended_at", t.AgentEnded)
	return out.Run(row)
}

// tbRun is a run's results.json.
type tbRun struct {
	Results    tbResults `json:"results"`
	Resolved   value     `json:"n_resolved"`
	Unresolved value     `json:"n_unresolved"`
}

type tbResults []tbTrial

// UnmarshalJSONFrom reads the list of trials, bounded.
func (r *tbResults) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return eachOf(dec, func(t *tbTrial) error {
		*r = append(*r, *t)
		return tooMany(len(*r))
	})
}

// readRun takes the trials that stand only in the run's file: the others have
// a results.json of their own.
func (terminalBench) readRun(f File, meta tbMetadata, out Sink) error {
	run, lossy, err := readJSON[tbRun](f)
	if err != nil {
		return err
	}
	if lossy {
		noteLossy(f, out)
	}
	resolved := int64(0)
	for i := range run.Results {
		t := &run.Results[i]
		if string(t.Resolved) == "true" {
			resolved++
		}
		own := path.Join(path.Dir(f.Path), text(t.Task), text(t.TrialName), "results.json")
		if _, err := fs.Stat(f.FS, own); err == nil {
			continue
		}
		if err := t.run(f, int64(i+1), meta, out); err != nil {
			return err
		}
	}
	if n, ok := integer(run.Resolved); ok && n != resolved {
		out.Note(schema.Note{File: f.Name, Kind: "mismatch", Message: fmt.Sprintf("says n_resolved %d; its trials give %d", n, resolved)})
	}
	if n, ok := integer(run.Unresolved); ok && n != int64(len(run.Results))-resolved {
		out.Note(schema.Note{File: f.Name, Kind: "mismatch", Message: fmt.Sprintf("says n_unresolved %d; its trials give %d", n, int64(len(run.Results))-resolved)})
	}
	return nil
}

// strayCopy says whether a file belongs to a run's folder that lies inside
// another's, and stands there with the same bytes beside the outer run too. A
// copy that differs is no copy: the loader finds the conflict.
func strayCopy(f File, runDir string) (original string, ok bool) {
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
