// Package openhands reads the output of OpenHands evaluations and the OpenHands
// Index.
package openhands

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// openHands reads the output.jsonl of OpenHands' evaluations: a line is one
// execution of one instance. Lines of one instance, in one file or in the
// files of the critic's attempts beside it, are executions of one trial.
type openHands struct{}

// New makes a reader for one tree.
func New() reader.Harness { return openHands{} }

func (openHands) Name() string { return "openhands" }

func (openHands) Doc() string { return "OpenHands evaluation outputs (output.jsonl)" }

// Claims implements Harness.
func (openHands) Claims(_ reader.File, head []byte) bool {
	fields := reader.HeadFields(head, "instance_id", "issue", "metrics", "history")
	if !reader.HasAll(fields, "instance_id") && !reader.HasAll(fields, "issue") {
		return false
	}
	return reader.HasAll(fields, "history") || reader.HasAll(fields, "metrics") && reader.HasAll(reader.HeadFields(fields["metrics"], "accumulated_cost"), "accumulated_cost")
}

// openHandsLine is what is read of a line.
type openHandsLine struct {
	Instance reader.Value `json:"instance_id"`
	Issue    struct {
		Owner  reader.Value `json:"owner"`
		Repo   reader.Value `json:"repo"`
		Number reader.Value `json:"number"`
	} `json:"issue"`
	Metrics struct {
		Cost  reader.Value `json:"accumulated_cost"`
		Usage struct {
			Input  reader.Value `json:"prompt_tokens"`
			Output reader.Value `json:"completion_tokens"`
			Cached reader.Value `json:"cache_read_tokens"`
		} `json:"accumulated_token_usage"`
	} `json:"metrics"`
	Metadata struct {
		LLM struct {
			Model reader.Value `json:"model"`
		} `json:"llm_config"`
		LLMNew struct {
			Model reader.Value `json:"model"`
		} `json:"llm"`
		AgentClass reader.Value `json:"agent_class"`
		Dataset    reader.Value `json:"dataset"`
	} `json:"metadata"`
	History openHandsHistory `json:"history"`
	Error   reader.Value     `json:"error"`
	Test    reader.Value     `json:"test_result"`
	Success reader.Value     `json:"success"`
	Report  reader.Value     `json:"report"`
}

// openHandsHistory counts the events; those of the agent are its turns, where
// events say whose they are.
type openHandsHistory struct {
	events, agent int64
	first, last   reader.Value
}

// UnmarshalJSONFrom reads the list of events.
func (h *openHandsHistory) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '[' {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		v, err := dec.ReadValue() // an event, or, of old versions, a pair of them
		if err != nil {
			return err
		}
		h.events++
		fields := reader.HeadFields(v, "source", "action", "timestamp")
		if reader.Text(fields["source"]) == "agent" && reader.Given(fields["action"]) {
			h.agent++
		}
		if t := fields["timestamp"]; reader.Given(t) {
			if h.first == nil {
				h.first = t
			}
			h.last = t
		}
	}
	_, err := dec.ReadToken()
	return err
}

// attemptFile is the output of one of the critic's attempts.
var attemptFile = regexp.MustCompile(`^output\.critic_attempt_(\d+)\.jsonl$`)

// Read implements Harness.
func (openHands) Read(ctx context.Context, f reader.File, out reader.Sink) error {
	files := []reader.File{f}
	attempts, err := attemptsBeside(f)
	if err != nil {
		return err
	}
	switch base := path.Base(f.Path); {
	case base == "output.jsonl":
		files = append(attempts, f)
	case attemptFile.MatchString(base):
		if _, err := fs.Stat(f.FS, path.Join(path.Dir(f.Path), "output.jsonl")); err == nil {
			return nil // read with output.jsonl
		}
		if attempts[0].Path != f.Path {
			return nil // read with the first of them
		}
		files = attempts
	}
	var order []string
	trials := map[string][]*schema.Row{}
	for _, file := range files {
		err := reader.EachLine(ctx, file, func(number int64, l *openHandsLine) error {
			row := l.row(file, number)
			key := cellKey(row)
			if trials[key] == nil {
				order = append(order, key)
			}
			trials[key] = addExecution(trials[key], row)
			return reader.TooMany(len(order))
		})
		if err != nil {
			return err
		}
	}
	for _, key := range order {
		run, ok := reader.MergeRetries(trials[key])
		if !ok {
			task, _ := trials[key][0].Get(schema.Task)
			out.Note(schema.Note{File: f.Name, Kind: "flag", Message: fmt.Sprintf("instance %q has different verdicts", task)})
			for _, r := range trials[key] {
				if err := out.Run(r); err != nil {
					return err
				}
			}
			continue
		}
		if err := out.Run(run); err != nil {
			return err
		}
	}
	return nil
}

// cellKey is what lines of one trial share.
func cellKey(r *schema.Row) string {
	task, _ := r.Get(schema.Task)
	model, _ := r.Get(schema.Model)
	return task + "\x00" + model
}

// attemptsBeside lists the attempts' files in a file's folder, in their order.
func attemptsBeside(f reader.File) ([]reader.File, error) {
	entries, err := fs.ReadDir(f.FS, path.Dir(f.Path))
	if err != nil {
		return nil, nil //nolint:nilerr // a file system without listing has no neighbours
	}
	var out []reader.File
	for _, e := range entries {
		if attemptFile.MatchString(e.Name()) {
			out = append(out, f.Beside(e.Name()))
		}
	}
	return out, nil
}

// addExecution adds a line to a trial, unless the merged file only repeats
// what an attempt's file said.
func addExecution(have []*schema.Row, row *schema.Row) []*schema.Row {
	for _, h := range have {
		if h.File != row.File && equalRows(h, row) {
			return have
		}
	}
	return append(have, row)
}

// equalRows compares the columns of two rows.
func equalRows(a, b *schema.Row) bool {
	for c := range schema.NumColumns {
		x, hasX := a.Get(c)
		y, hasY := b.Get(c)
		if x != y || hasX != hasY {
			return false
		}
	}
	return true
}

// errorWord is the exception's name at the front of an error's text.
var errorWord = regexp.MustCompile(`^([A-Za-z_]\w*(?:Error|Exception|Timeout))\b`)

// row is one line as a run. prompt_tokens include the cached ones.
func (l *openHandsLine) row(f reader.File, number int64) *schema.Row {
	row := &schema.Row{Number: number, File: f.Name}
	reader.Set(row, schema.Task, l.Instance)
	if _, has := row.Get(schema.Task); !has && reader.Given(l.Issue.Number) {
		row.Set(schema.Task, reader.Text(l.Issue.Owner)+"/"+reader.Text(l.Issue.Repo)+"#"+reader.Spelled(l.Issue.Number))
	}
	reader.Set(row, schema.Benchmark, l.Metadata.Dataset)
	reader.Set(row, schema.Model, l.Metadata.LLM.Model)
	reader.SetNew(row, schema.Model, l.Metadata.LLMNew.Model)
	row.Set(schema.CLI, "openhands")
	reader.Set(row, schema.Reward, l.verdict())
	reader.Set(row, schema.CostUSD, l.Metrics.Cost)
	reader.Set(row, schema.InputTokens, l.Metrics.Usage.Input)
	reader.Set(row, schema.CachedInputTokens, l.Metrics.Usage.Cached)
	reader.Set(row, schema.OutputTokens, l.Metrics.Usage.Output)
	switch h := l.History; {
	case h.agent > 0:
		row.SetInt(schema.Steps, h.agent)
	case h.events > 0:
		row.SetInt(schema.Steps, h.events)
	}
	reader.Set(row, schema.StartedAt, l.History.first)
	reader.Set(row, schema.FinishedAt, l.History.last)
	row.Set(schema.Status, "completed")
	if e := reader.Text(l.Error); e != "" {
		row.Set(schema.Status, "error")
		if m := errorWord.FindString(e); m != "" {
			row.Set(schema.Status, m)
		}
		row.AddExtra("error", reader.Message(e))
	}
	reader.Keep(row, "agent_class", l.Metadata.AgentClass)
	reader.Keep(row, "success", l.Success) // the resolver's own guess, no evaluator's verdict
	return row
}

// verdict finds what the evaluation wrote back into the line: benchmarks put
// it in different places.
func (l *openHandsLine) verdict() reader.Value {
	for _, v := range []reader.Value{l.Test, l.Report} {
		for _, inner := range []string{"", "report", "result"} {
			at := v
			if inner != "" {
				at = reader.HeadFields(v, inner)[inner]
			}
			fields := reader.HeadFields(at, "resolved", "reward", "score")
			for _, key := range []string{"resolved", "reward", "score"} {
				if x := fields[key]; reader.Given(x) && strings.ContainsRune("0tf", rune(x.Kind())) {
					return x
				}
			}
		}
	}
	return nil
}
