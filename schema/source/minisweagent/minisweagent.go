// Package minisweagent reads the trajectories of mini-swe-agent.
package minisweagent

import (
	"bytes"
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
	"amdb/schema/source/atif"
	"amdb/schema/source/reader"
	"amdb/schema/source/sweagent"
)

// miniSWE reads trajectories of mini-swe-agent (.traj.json): an object with
// info and messages, or, of the first versions, the bare list of messages.
type miniSWE struct{}

// New makes a reader for one tree.
func New() reader.Harness { return miniSWE{} }

func (miniSWE) Name() string { return "mini-swe-agent" }

func (miniSWE) Doc() string { return "mini-swe-agent trajectories (.traj.json)" }

// Claims implements Harness.
func (miniSWE) Claims(f reader.File, head []byte) bool {
	fields := reader.HeadFields(head, "info", "messages", "trajectory_format")
	if strings.HasPrefix(reader.Text(fields["trajectory_format"]), "mini-swe-agent") {
		return true
	}
	if reader.HasAll(fields, "info") {
		return reader.HasAll(reader.HeadFields(fields["info"], "mini_version"), "mini_version")
	}
	list := bytes.TrimSpace(head)
	return strings.HasSuffix(reader.StripCompression(f.Path), ".traj.json") && bytes.HasPrefix(list, []byte("[")) &&
		reader.HasAll(reader.HeadFields(bytes.TrimSpace(list[1:]), "role", "content"), "role", "content")
}

// miniTrajectory is what is read of a .traj.json.
type miniTrajectory struct {
	Instance reader.Value  `json:"instance_id"`
	Info     sweagent.Info `json:"info"`
	Messages miniMessages  `json:"messages"`
}

// miniMessages counts the model's turns and adds up what they used.
type miniMessages struct {
	turns                 int64
	input, cached, output atif.Sum
}

// UnmarshalJSONFrom reads the list of messages.
func (m *miniMessages) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return reader.EachOf(dec, func(one *struct {
		Role  reader.Value `json:"role"`
		Extra struct {
			Response struct {
				Usage struct {
					Input   reader.Value `json:"prompt_tokens"`
					Output  reader.Value `json:"completion_tokens"`
					Details struct {
						Cached reader.Value `json:"cached_tokens"`
					} `json:"prompt_tokens_details"`
				} `json:"usage"`
			} `json:"response"`
		} `json:"extra"`
	},
	) error {
		if reader.Text(one.Role) != "assistant" {
			return nil
		}
		m.turns++
		u := one.Extra.Response.Usage
		m.input.Add(u.Input)
		m.cached.Add(u.Details.Cached)
		m.output.Add(u.Output)
		return nil
	})
}

// Read implements Harness.
func (miniSWE) Read(_ context.Context, f reader.File, out reader.Sink) error {
	var t *miniTrajectory
	var lossy bool
	var err error
	if bytes.HasPrefix(bytes.TrimSpace(f.Head()), []byte("[")) {
		t = &miniTrajectory{}
		var m *miniMessages
		if m, lossy, err = reader.ReadJSON[miniMessages](f); err == nil {
			t.Messages = *m
		}
	} else {
		t, lossy, err = reader.ReadJSON[miniTrajectory](f)
	}
	if err != nil {
		return err
	}
	if lossy {
		reader.NoteLossyText(f, out)
	}
	row := &schema.Row{Number: 1, File: f.Name}
	row.Set(schema.CLI, "mini-swe-agent")
	reader.Set(row, schema.CLIVersion, t.Info.MiniVersion)
	reader.Set(row, schema.Model, t.Info.Config.Model.Name)
	reader.Set(row, schema.Task, t.Instance)
	reader.SetTaskFromFileName(row, f.Path, ".traj.json")
	t.Info.Fill(row)
	row.SetInt(schema.Steps, t.Messages.turns)
	for _, u := range []struct {
		c   schema.Col
		sum atif.Sum
	}{{schema.InputTokens, t.Messages.input}, {schema.CachedInputTokens, t.Messages.cached}, {schema.OutputTokens, t.Messages.output}} {
		if u.sum.N > 0 && u.sum.N == t.Messages.turns {
			row.SetInt(u.c, u.sum.Whole)
		}
	}
	return out.Run(row)
}
