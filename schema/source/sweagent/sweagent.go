// Package sweagent reads the trajectories of SWE-agent.
package sweagent

import (
	"bytes"
	"context"
	"strings"

	"amdb/schema/source/reader"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
)

// sweAgent reads trajectories of SWE-agent (.traj). They hold no verdict: that
// comes from the benchmark's own evaluation.
type sweAgent struct{}

// New makes a reader for one tree.
func New() reader.Harness { return sweAgent{} }

func (sweAgent) Name() string { return "swe-agent" }

func (sweAgent) Doc() string { return "SWE-agent trajectories (.traj)" }

// Claims implements Harness.
func (sweAgent) Claims(f reader.File, head []byte) bool {
	fields := reader.HeadFields(head, "environment", "trajectory")
	if !reader.HasAll(fields, "trajectory") {
		return false
	}
	return reader.HasAll(fields, "environment") || bytes.Contains(head, []byte(`"observation"`)) && strings.HasSuffix(reader.StripCompression(f.Path), ".traj")
}

// sweTrajectory is what is read of a .traj.
type sweTrajectory struct {
	Trajectory countOf   `json:"trajectory"`
	Info       Info      `json:"info"`
	Replay     sweReplay `json:"replay_config"`
}

type Info struct {
	ExitStatus reader.Value `json:"exit_status"`
	Stats      struct {
		Cost     reader.Value `json:"instance_cost"`
		Sent     reader.Value `json:"tokens_sent"`
		Received reader.Value `json:"tokens_received"`
		Calls    reader.Value `json:"api_calls"`
	} `json:"model_stats"`
	SWEVersion reader.Value `json:"swe_agent_version"`
	// Of mini-swe-agent.
	MiniVersion reader.Value `json:"mini_version"`
	Config      struct {
		Model struct {
			Name reader.Value `json:"model_name"`
		} `json:"model"`
	} `json:"config"`
}

// sweReplay is the model and the task of the configuration, and nothing else
// of it: it holds keys. Newer versions write it as a text of JSON.
type sweReplay struct{ model, task reader.Value }

// UnmarshalJSONFrom reads the object, or the text of one.
func (r *sweReplay) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if v.Kind() == '"' {
		v = reader.Value(reader.Text(v))
	}
	var c struct {
		Agent struct {
			Model struct {
				Name reader.Value `json:"name"`
			} `json:"model"`
		} `json:"agent"`
		Problem struct {
			ID reader.Value `json:"id"`
		} `json:"problem_statement"`
	}
	if jsonv2.Unmarshal(v, &c) == nil { // else it says nothing to us
		r.model, r.task = c.Agent.Model.Name, c.Problem.ID
	}
	return nil
}

// countOf counts the entries of a list.
type countOf struct{ n int64 }

// UnmarshalJSONFrom reads over the list.
func (c *countOf) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return reader.EachOf(dec, func(*struct{}) error { c.n++; return nil })
}

// Read implements Harness.
func (sweAgent) Read(_ context.Context, f reader.File, out reader.Sink) error {
	t, lossy, err := reader.ReadJSON[sweTrajectory](f)
	if err != nil {
		return err
	}
	if lossy {
		reader.NoteLossyText(f, out)
	}
	row := &schema.Row{Number: 1, File: f.Name}
	row.Set(schema.CLI, "swe-agent")
	reader.Set(row, schema.CLIVersion, t.Info.SWEVersion)
	reader.Set(row, schema.Model, t.Replay.model)
	reader.Set(row, schema.Task, t.Replay.task)
	reader.SetTaskFromFileName(row, f.Path, ".traj")
	t.Info.Fill(row)
	row.SetInt(schema.Steps, t.Trajectory.n)
	return out.Run(row)
}

// Fill sets what both agents' info says. tokens_sent counts whole prompts,
// cached parts included.
func (i *Info) Fill(row *schema.Row) {
	reader.Set(row, schema.CostUSD, i.Stats.Cost)
	reader.Set(row, schema.InputTokens, i.Stats.Sent)
	reader.Set(row, schema.OutputTokens, i.Stats.Received)
	reader.Set(row, schema.Status, i.ExitStatus)
	reader.Keep(row, "api_calls", i.Stats.Calls)
}
