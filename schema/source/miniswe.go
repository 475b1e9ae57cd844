package source

import (
	"bytes"
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
)

// miniSWE reads trajectories of mini-swe-agent (.traj.json): an object with
// info and messages, or, of the first versions, the bare list of messages.
type miniSWE struct{}

func (miniSWE) Name() string { return "mini-swe-agent" }

func (miniSWE) Doc() string { return "mini-swe-agent trajectories (.traj.json)" }

// Claims implements Harness.
func (miniSWE) Claims(f File, head []byte) bool {
	fields := headFields(head, "info", "messages", "trajectory_format")
	if strings.HasPrefix(text(fields["trajectory_format"]), "mini-swe-agent") {
		return true
	}
	if hasAll(fields, "info") {
		return hasAll(headFields(fields["info"], "mini_version"), "mini_version")
	}
	list := bytes.TrimSpace(head)
	return strings.HasSuffix(stripCompression(f.Path), ".traj.json") && bytes.HasPrefix(list, []byte("[")) &&
		hasAll(headFields(bytes.TrimSpace(list[1:]), "role", "content"), "role", "content")
}

// miniTrajectory is what is read of a .traj.json.
type miniTrajectory struct {
	Instance value        `json:"instance_id"`
	Info     sweInfo      `json:"info"`
	Messages miniMessages `json:"messages"`
}

// miniMessages counts the model's turns and adds up what they used.
type miniMessages struct {
	turns                 int64
	input, cached, output atifSum
}

// UnmarshalJSONFrom reads the list of messages.
func (m *miniMessages) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return eachOf(dec, func(one *struct {
		Role  value `json:"role"`
		Extra struct {
			Response struct {
				Usage struct {
					Input   value `json:"prompt_tokens"`
					Output  value `json:"completion_tokens"`
					Details struct {
						Cached value `json:"cached_tokens"`
					} `json:"prompt_tokens_details"`
				} `json:"usage"`
			} `json:"response"`
		} `json:"extra"`
	},
	) error {
		if text(one.Role) != "assistant" {
			return nil
		}
		m.turns++
		u := one.Extra.Response.Usage
		m.input.add(u.Input)
		m.cached.add(u.Details.Cached)
		m.output.add(u.Output)
		return nil
	})
}

// Read implements Harness.
func (miniSWE) Read(_ context.Context, f File, out Sink) error {
	var t *miniTrajectory
	var lossy bool
	var err error
	if bytes.HasPrefix(bytes.TrimSpace(f.head()), []byte("[")) {
		t = &miniTrajectory{}
		var m *miniMessages
		if m, lossy, err = readJSON[miniMessages](f); err == nil {
			t.Messages = *m
		}
	} else {
		t, lossy, err = readJSON[miniTrajectory](f)
	}
	if err != nil {
		return err
	}
	if lossy {
		noteLossy(f, out)
	}
	row := &schema.Row{Number: 1, File: f.Name}
	row.Set(schema.CLI, "mini-swe-agent")
	set(row, schema.CLIVersion, t.Info.MiniVersion)
	set(row, schema.Model, t.Info.Config.Model.Name)
	set(row, schema.Task, t.Instance)
	setStem(row, f.Path, ".traj.json")
	t.Info.fill(row)
	row.SetInt(schema.Steps, t.Messages.turns)
	for _, u := range []struct {
		c   schema.Col
		sum atifSum
	}{{schema.InputTokens, t.Messages.input}, {schema.CachedInputTokens, t.Messages.cached}, {schema.OutputTokens, t.Messages.output}} {
		if u.sum.n > 0 && u.sum.n == t.Messages.turns {
			row.SetInt(u.c, u.sum.whole)
		}
	}
	return out.Run(row)
}
