package source

import (
	"bytes"
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
)

// inspect reads logs of Inspect, as JSON or as .eval: each sample of each
// epoch is a run.
type inspect struct{ scorer string }

func (inspect) Name() string { return "inspect" }

func (inspect) Doc() string { return "Inspect logs: .json and .eval, each sample a run" }

// Claims implements Harness.
func (inspect) Claims(f File, head []byte) bool {
	if bytes.HasPrefix(head, zipMagic) {
		z, done, err := f.zip()
		if err != nil {
			return false
		}
		defer done()
		return entryOf(z, "header.json") != nil || entryOf(z, "_journal/start.json") != nil
	}
	fields := headFields(head, "version", "status", "eval")
	if !hasAll(fields, "version", "status", "eval") {
		return false
	}
	eval := fields["eval"] // nil: longer than the head
	return eval == nil || hasAll(headFields(eval, "task", "model"), "task", "model")
}

// inspectLog is what is read of a log, or of the header of an .eval.
type inspectLog struct {
	Status value `json:"status"`
	Eval   struct {
		RunID   value `json:"run_id"`
		Task    value `json:"task"`
		TaskID  value `json:"task_id"`
		Version value `json:"task_version"`
		Model   value `json:"model"`
		Solver  value `json:"solver"`
		Dataset struct {
			IDs value `json:"sample_ids"`
		} `json:"dataset"`
		Config struct {
			Epochs value `json:"epochs"`
		} `json:"config"`
		Packages map[string]value `json:"packages"`
	} `json:"eval"`
	Plan struct {
		Name  value `json:"name"`
		Steps []struct {
			Solver value `json:"solver"`
		} `json:"steps"`
	} `json:"plan"`
	Error   inspectError   `json:"error"`
	Samples inspectSamples `json:"samples"`
}

type inspectError struct {
	Message value `json:"message"`
}

// inspectSample is what is kept of a sample.
type inspectSample struct {
	ID      value                   `json:"id"`
	Epoch   value                   `json:"epoch"`
	UUID    value                   `json:"uuid"`
	Scores  map[string]inspectScore `json:"scores"`
	Score   inspectScore            `json:"score"` // of old versions
	Usage   map[string]inspectUsage `json:"model_usage"`
	Error   inspectError            `json:"error"`
	Retries []struct{}              `json:"error_retries"`
	Limit   struct {
		Type value `json:"type"`
	} `json:"limit"`
	Started   value           `json:"started_at"`
	Completed value           `json:"completed_at"`
	Total     value           `json:"total_time"`
	Working   value           `json:"working_time"`
	Messages  inspectMessages `json:"messages"`
	Events    inspectEvents   `json:"events"`
}

type inspectScore struct {
	Value value `json:"value"`
}

type inspectUsage struct {
	Input      value `json:"input_tokens"`
	Output     value `json:"output_tokens"`
	Total      value `json:"total_tokens"`
	CacheRead  value `json:"input_tokens_cache_read"`
	CacheWrite value `json:"input_tokens_cache_write"`
	Cost       value `json:"total_cost"`
}

type inspectSamples []inspectSample

// UnmarshalJSONFrom reads the list of samples, bounded.
func (s *inspectSamples) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return eachOf(dec, func(one *inspectSample) error {
		*s = append(*s, *one)
		return tooMany(len(*s))
	})
}

// inspectMessages counts the model's turns.
type inspectMessages struct {
	given bool
	turns int64
}

// UnmarshalJSONFrom reads the list of messages.
func (m *inspectMessages) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	m.given = dec.PeekKind() == '['
	return eachOf(dec, func(one *struct {
		Role value `json:"role"`
	},
	) error {
		if text(one.Role) == "assistant" {
			m.turns++
		}
		return nil
	})
}

// inspectEvents is when the first and the last event were.
type inspectEvents struct{ first, last value }

// UnmarshalJSONFrom reads the list of events.
func (e *inspectEvents) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return eachOf(dec, func(one *struct {
		Timestamp value `json:"timestamp"`
	},
	) error {
		if given(one.Timestamp) {
			if e.first == nil {
				e.first = one.Timestamp
			}
			e.last = one.Timestamp
		}
		return nil
	})
}

// Read implements Harness.
func (in inspect) Read(ctx context.Context, f File, out Sink) error {
	read := readJSON[inspectLog]
	if bytes.HasPrefix(f.head(), zipMagic) {
		read = func(f File) (*inspectLog, bool, error) { return readEval(ctx, f) }
	}
	log, lossy, err := read(f)
	if err != nil {
		return err
	}
	if lossy {
		noteLossy(f, out)
	}
	scorer, err := log.scorer(f, in.scorer)
	if err != nil {
		return err
	}
	for i := range log.Samples {
		if err := out.Run(log.row(f, &log.Samples[i], int64(i+1), scorer)); err != nil {
			return err
		}
	}
	log.notePlanned(f, out)
	return nil
}

// row is one sample as a run.
func (log *inspectLog) row(f File, s *inspectSample, n int64, scorer string) *schema.Row {
	row := &schema.Row{Number: n, File: f.Name}
	set(row, schema.RunID, s.UUID)
	if _, has := row.Get(schema.RunID); !has {
		row.Set(schema.RunID, strings.Join([]string{text(log.Eval.TaskID), spelled(s.ID), spelled(s.Epoch)}, "/"))
	}
	set(row, schema.Benchmark, log.Eval.Task)
	set(row, schema.Task, s.ID)
	set(row, schema.Model, log.Eval.Model)
	full := log.solver()
	row.Set(schema.CLI, path.Base(full))
	if path.Base(full) != full {
		row.AddExtra("solver", full)
	}
	set(row, schema.Attempt, s.Epoch)
	score, ok := s.Scores[scorer]
	if !ok && len(s.Scores) == 0 {
		score = s.Score
	}
	if given(score.Value) {
		row.Set(schema.Reward, inspectReward(score.Value))
	}
	log.setUsage(row, s)
	if s.Messages.given {
		row.SetInt(schema.Steps, s.Messages.turns)
	}
	set(row, schema.StartedAt, s.Started)
	setNew(row, schema.StartedAt, s.Events.first)
	set(row, schema.FinishedAt, s.Completed)
	setNew(row, schema.FinishedAt, s.Events.last)
	row.Set(schema.Status, "completed")
	if t := text(s.Limit.Type); t != "" {
		row.Set(schema.Status, t+"_limit")
	}
	if m := text(s.Error.Message); m != "" {
		row.Set(schema.Status, "error")
		row.AddExtra("error", message(m))
	}
	if len(s.Retries) > 0 { // the usage of the lost executions is not in the log
		row.AddExtra("retries", len(s.Retries))
	}
	if st := text(log.Status); st != "success" {
		row.AddExtra("log_status", st)
	}
	keep(row, "eval_run_id", log.Eval.RunID)
	keep(row, "total_time", s.Total)
	keep(row, "working_time", s.Working)
	keep(row, "inspect_ai", log.Eval.Packages["inspect_ai"])
	if scorer != "" {
		row.AddExtra("scorer", scorer)
	}
	return row
}

// solver is what drove the model: the solver that was asked for, else the
// plan's own name or its last step.
func (log *inspectLog) solver() string {
	if s := text(log.Eval.Solver); s != "" {
		return s
	}
	if s := text(log.Plan.Name); s != "" && s != "plan" {
		return s
	}
	if n := len(log.Plan.Steps); n > 0 {
		if s := text(log.Plan.Steps[n-1].Solver); s != "" {
			return s
		}
	}
	return "inspect"
}

// spelled is a string or number as text.
func spelled(v value) string {
	if s := text(v); s != "" {
		return s
	}
	return string(v)
}

// notePlanned tells of samples that were planned and are not in the log.
func (log *inspectLog) notePlanned(f File, out Sink) {
	ids, _ := tree(log.Eval.Dataset.IDs).([]any)
	epochs, ok := integer(log.Eval.Config.Epochs)
	if !ok {
		epochs = 1
	}
	planned := int64(len(ids)) * max(epochs, 1)
	if missing := planned - int64(len(log.Samples)); missing > 0 {
		out.Note(schema.Note{
			File: f.Name, Kind: "planned",
			Message: strconv.FormatInt(missing, 10) + " of " + strconv.FormatInt(planned, 10) + " samples of " + text(log.Eval.Task) + " are not in the log",
		})
	}
}
