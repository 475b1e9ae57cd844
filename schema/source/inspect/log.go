// Package inspect reads the logs of Inspect, as JSON and as .eval.
package inspect

import (
	"bytes"
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// inspect reads logs of Inspect, as JSON or as .eval: each sample of each
// epoch is a run.
type inspect struct{ scorer string }

// New makes a reader; scorer names the scorer that gives the reward, "" for a
// log's only one.
func New(scorer string) reader.Harness { return inspect{scorer: scorer} }

func (inspect) Name() string { return "inspect" }

func (inspect) Doc() string { return "Inspect logs: .json and .eval, each sample a run" }

// Claims implements Harness.
func (inspect) Claims(f reader.File, head []byte) bool {
	if bytes.HasPrefix(head, zipMagic) {
		z, done, err := openEval(f)
		if err != nil {
			return false
		}
		defer done()
		return entryOf(z, "header.json") != nil || entryOf(z, "_journal/start.json") != nil
	}
	fields := reader.HeadFields(head, "version", "status", "eval")
	if !reader.HasAll(fields, "version", "status", "eval") {
		return false
	}
	eval := fields["eval"] // nil: longer than the head
	return eval == nil || reader.HasAll(reader.HeadFields(eval, "task", "model"), "task", "model")
}

// inspectLog is what is read of a log, or of the header of an .eval.
type inspectLog struct {
	Status reader.Value `json:"status"`
	Eval   struct {
		RunID   reader.Value `json:"run_id"`
		Task    reader.Value `json:"task"`
		TaskID  reader.Value `json:"task_id"`
		Version reader.Value `json:"task_version"`
		Model   reader.Value `json:"model"`
		Solver  reader.Value `json:"solver"`
		Dataset struct {
			IDs reader.Value `json:"sample_ids"`
		} `json:"dataset"`
		Config struct {
			Epochs reader.Value `json:"epochs"`
		} `json:"config"`
		Packages map[string]reader.Value `json:"packages"`
	} `json:"eval"`
	Plan struct {
		Name  reader.Value `json:"name"`
		Steps []struct {
			Solver reader.Value `json:"solver"`
		} `json:"steps"`
	} `json:"plan"`
	Error   inspectError   `json:"error"`
	Samples inspectSamples `json:"samples"`
}

type inspectError struct {
	Message reader.Value `json:"message"`
}

// inspectSample is what is kept of a sample.
type inspectSample struct {
	ID      reader.Value            `json:"id"`
	Epoch   reader.Value            `json:"epoch"`
	UUID    reader.Value            `json:"uuid"`
	Scores  map[string]inspectScore `json:"scores"`
	Score   inspectScore            `json:"score"` // of old versions
	Usage   map[string]inspectUsage `json:"model_usage"`
	Error   inspectError            `json:"error"`
	Retries []struct{}              `json:"error_retries"`
	Limit   struct {
		Type reader.Value `json:"type"`
	} `json:"limit"`
	Started   reader.Value    `json:"started_at"`
	Completed reader.Value    `json:"completed_at"`
	Total     reader.Value    `json:"total_time"`
	Working   reader.Value    `json:"working_time"`
	Messages  inspectMessages `json:"messages"`
	Events    inspectEvents   `json:"events"`
}

type inspectScore struct {
	Value reader.Value `json:"value"`
}

type inspectUsage struct {
	Input      reader.Value `json:"input_tokens"`
	Output     reader.Value `json:"output_tokens"`
	Total      reader.Value `json:"total_tokens"`
	CacheRead  reader.Value `json:"input_tokens_cache_read"`
	CacheWrite reader.Value `json:"input_tokens_cache_write"`
	Cost       reader.Value `json:"total_cost"`
}

type inspectSamples []inspectSample

// UnmarshalJSONFrom reads the list of samples, bounded.
func (s *inspectSamples) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return reader.EachOf(dec, func(one *inspectSample) error {
		*s = append(*s, *one)
		return reader.TooMany(len(*s))
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
	return reader.EachOf(dec, func(one *struct {
		Role reader.Value `json:"role"`
	},
	) error {
		if reader.Text(one.Role) == "assistant" {
			m.turns++
		}
		return nil
	})
}

// inspectEvents is when the first and the last event were.
type inspectEvents struct{ first, last reader.Value }

// UnmarshalJSONFrom reads the list of events.
func (e *inspectEvents) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return reader.EachOf(dec, func(one *struct {
		Timestamp reader.Value `json:"timestamp"`
	},
	) error {
		if reader.Given(one.Timestamp) {
			if e.first == nil {
				e.first = one.Timestamp
			}
			e.last = one.Timestamp
		}
		return nil
	})
}

// Read implements Harness.
func (in inspect) Read(ctx context.Context, f reader.File, out reader.Sink) error {
	read := reader.ReadJSON[inspectLog]
	if bytes.HasPrefix(f.Head(), zipMagic) {
		read = func(f reader.File) (*inspectLog, bool, error) { return readEval(ctx, f) }
	}
	log, lossy, err := read(f)
	if err != nil {
		return err
	}
	if lossy {
		reader.NoteLossyText(f, out)
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
func (log *inspectLog) row(f reader.File, s *inspectSample, n int64, scorer string) *schema.Row {
	row := &schema.Row{Number: n, File: f.Name}
	reader.Set(row, schema.RunID, s.UUID)
	if _, has := row.Get(schema.RunID); !has {
		row.Set(schema.RunID, strings.Join([]string{reader.Text(log.Eval.TaskID), reader.Spelled(s.ID), reader.Spelled(s.Epoch)}, "/"))
	}
	reader.Set(row, schema.Benchmark, log.Eval.Task)
	reader.Set(row, schema.Task, s.ID)
	reader.Set(row, schema.Model, log.Eval.Model)
	full := log.solver()
	row.Set(schema.CLI, path.Base(full))
	if path.Base(full) != full {
		row.AddExtra("solver", full)
	}
	reader.Set(row, schema.Attempt, s.Epoch)
	score, ok := s.Scores[scorer]
	if !ok && len(s.Scores) == 0 {
		score = s.Score
	}
	if reader.Given(score.Value) {
		row.Set(schema.Reward, inspectReward(score.Value))
	}
	log.setUsage(row, s)
	if s.Messages.given {
		row.SetInt(schema.Steps, s.Messages.turns)
	}
	reader.Set(row, schema.StartedAt, s.Started)
	reader.SetNew(row, schema.StartedAt, s.Events.first)
	reader.Set(row, schema.FinishedAt, s.Completed)
	reader.SetNew(row, schema.FinishedAt, s.Events.last)
	row.Set(schema.Status, "completed")
	if t := reader.Text(s.Limit.Type); t != "" {
		row.Set(schema.Status, t+"_limit")
	}
	if m := reader.Text(s.Error.Message); m != "" {
		row.Set(schema.Status, "error")
		row.AddExtra("error", reader.Message(m))
	}
	if len(s.Retries) > 0 { // the usage of the lost executions is not in the log
		row.AddExtra("retries", len(s.Retries))
	}
	if st := reader.Text(log.Status); st != "success" {
		row.AddExtra("log_status", st)
	}
	reader.Keep(row, "eval_run_id", log.Eval.RunID)
	reader.Keep(row, "total_time", s.Total)
	reader.Keep(row, "working_time", s.Working)
	reader.Keep(row, "inspect_ai", log.Eval.Packages["inspect_ai"])
	if scorer != "" {
		row.AddExtra("scorer", scorer)
	}
	return row
}

// solver is what drove the model: the solver that was asked for, else the
// plan's own name or its last step.
func (log *inspectLog) solver() string {
	if s := reader.Text(log.Eval.Solver); s != "" {
		return s
	}
	if s := reader.Text(log.Plan.Name); s != "" && s != "plan" {
		return s
	}
	if n := len(log.Plan.Steps); n > 0 {
		if s := reader.Text(log.Plan.Steps[n-1].Solver); s != "" {
			return s
		}
	}
	return "inspect"
}

// notePlanned tells of samples that were planned and are not in the log.
func (log *inspectLog) notePlanned(f reader.File, out reader.Sink) {
	ids, _ := reader.Tree(log.Eval.Dataset.IDs).([]any)
	epochs, ok := reader.Integer(log.Eval.Config.Epochs)
	if !ok {
		epochs = 1
	}
	planned := int64(len(ids)) * max(epochs, 1)
	if missing := planned - int64(len(log.Samples)); missing > 0 {
		out.Note(schema.Note{
			File: f.Name, Kind: "planned",
			Message: strconv.FormatInt(missing, 10) + " of " + strconv.FormatInt(planned, 10) + " samples of " + reader.Text(log.Eval.Task) + " are not in the log",
		})
	}
}
