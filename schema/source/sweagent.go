package source

import (
	"bytes"
	"context"
	"path"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
)

// sweAgent reads trajectories of SWE-agent (.traj). They hold no verdict: that
// comes from the benchmark's own evaluation.
type sweAgent struct{}

func (sweAgent) Name() string { return "swe-agent" }

func (sweAgent) Doc() string { return "SWE-agent trajectories (.traj)" }

// Claims implements Harness.
func (sweAgent) Claims(f File, head []byte) bool {
	fields := headFields(head, "environment", "trajectory")
	if !hasAll(fields, "trajectory") {
		return false
	}
	return hasAll(fields, "environment") || bytes.Contains(head, []byte(`"observation"`)) && strings.HasSuffix(stripCompression(f.Path), ".traj")
}

// sweTrajectory is what is read of a .traj.
type sweTrajectory struct {
	Trajectory countOf   `json:"trajectory"`
	Info       sweInfo   `json:"info"`
	Replay     sweReplay `json:"replay_config"`
}

type sweInfo struct {
	ExitStatus value `json:"exit_status"`
	Stats      struct {
		Cost     value `json:"instance_cost"`
		Sent     value `json:"tokens_sent"`
		Received value `json:"tokens_received"`
		Calls    value `json:"api_calls"`
	} `json:"model_stats"`
	SWEVersion value `json:"swe_agent_version"`
	// Of mini-swe-agent.
	MiniVersion value `json:"mini_version"`
	Config      struct {
		Model struct {
			Name value `json:"model_name"`
		} `json:"model"`
	} `json:"config"`
}

// sweReplay is the model and the task of the configuration, and nothing else
// of it: it holds keys. Newer versions write it as a text of JSON.
type sweReplay struct{ model, task value }

// UnmarshalJSONFrom reads the object, or the text of one.
func (r *sweReplay) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if v.Kind() == '"' {
		v = value(text(v))
	}
	var c struct {
		Agent struct {
			Model struct {
				Name value `json:"name"`
			} `json:"model"`
		} `json:"agent"`
		Problem struct {
			ID value `json:"id"`
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
	return eachOf(dec, func(*struct{}) error { c.n++; return nil })
}

// Read implements Harness.
func (sweAgent) Read(_ context.Context, f File, out Sink) error {
	t, lossy, err := readJSON[sweTrajectory](f)
	if err != nil {
		return err
	}
	if lossy {
		noteLossy(f, out)
	}
	row := &schema.Row{Number: 1, File: f.Name}
	row.Set(schema.CLI, "swe-agent")
	set(row, schema.CLIVersion, t.Info.SWEVersion)
	set(row, schema.Model, t.Replay.model)
	set(row, schema.Task, t.Replay.task)
	setStem(row, f.Path, ".traj")
	t.Info.fill(row)
	row.SetInt(schema.Steps, t.Trajectory.n)
	return out.Run(row)
}

// fill sets what both agents' info says. tokens_sent counts whole prompts,
// cached parts included.
func (i *sweInfo) fill(row *schema.Row) {
	set(row, schema.CostUSD, i.Stats.Cost)
	set(row, schema.InputTokens, i.Stats.Sent)
	set(row, schema.OutputTokens, i.Stats.Received)
	set(row, schema.Status, i.ExitStatus)
	keep(row, "api_calls", i.Stats.Calls)
}

// setStem takes the file's name for the task, where the file has none inside:
// both agents name a trajectory by its task.
func setStem(row *schema.Row, p, ext string) {
	if _, has := row.Get(schema.Task); !has {
		row.SetIf(schema.Task, strings.TrimSuffix(path.Base(stripCompression(p)), ext))
	}
}
