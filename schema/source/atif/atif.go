// Package atif reads trajectories in the Agent Trajectory Interchange Format.
package atif

import (
	"context"
	"path"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// atif reads trajectories in the Agent Trajectory Interchange Format that
// stand alone, without a trial's result. The verdict and the task are not part
// of the format; a corpus puts them beside it, into metadata.json and
// signals.json.
type atif struct{}

// New makes a reader for one tree.
func New() reader.Harness { return atif{} }

// HarborTrialFolder is how Harbor names the folder of a trial, the task and a
// random suffix. Corpora of trajectories keep these names.
var HarborTrialFolder = regexp.MustCompile(`^.+__[A-Za-z0-9]{7}$`)

func (atif) Name() string { return "atif" }

func (atif) Doc() string {
	return "ATIF trajectories (trajectory.json), with metadata.json and signals.json beside them where there are any"
}

// Claims implements Harness.
func (atif) Claims(f reader.File, head []byte) bool {
	fields := reader.HeadFields(head, "schema_version", "trial_id_full")
	switch path.Base(reader.StripCompression(f.Path)) {
	case "metadata.json", "signals.json":
		return reader.HasAll(fields, "trial_id_full") && f.Beside("trajectory.json").Head() != nil
	}
	version := reader.Text(fields["schema_version"])
	return strings.HasPrefix(version, "ATIF") ||
		version != "" && reader.HasAll(reader.HeadFields(f.Beside("metadata.json").Head(), "trial_id_full"), "trial_id_full")
}

// Trajectory is what is read of a trajectory.
type Trajectory struct {
	Version   reader.Value `json:"schema_version"`
	SessionID reader.Value `json:"session_id"`
	Agent     struct {
		Name      reader.Value `json:"name"`
		Version   reader.Value `json:"version"`
		ModelName reader.Value `json:"model_name"`
	} `json:"agent"`
	Steps atifSteps `json:"steps"`
	Final struct {
		Prompt     reader.Value `json:"total_prompt_tokens"`
		Completion reader.Value `json:"total_completion_tokens"`
		Cached     reader.Value `json:"total_cached_tokens"`
		Cost       reader.Value `json:"total_cost_usd"`
		Steps      reader.Value `json:"total_steps"`
	} `json:"final_metrics"`
}

// atifSteps is what is kept of the steps, however many: they are read one by
// one.
type atifSteps struct {
	n, agent    int64
	first, last reader.Value // timestamps
	model       reader.Value // of the last step that names one
	prompt      Sum
	completion  Sum
	cached      Sum
	cost        Sum
}

// Sum adds a metric over the agent's steps.
type Sum struct {
	N     int64
	Whole int64
	real  float64
}

func (s *Sum) Add(v reader.Value) {
	x, ok := reader.Number(v)
	if !ok {
		return
	}
	whole, _ := reader.Integer(v)
	s.N, s.Whole, s.real = s.N+1, s.Whole+whole, s.real+x
}

// UnmarshalJSONFrom reads the list of steps.
func (s *atifSteps) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return reader.EachOf(dec, func(step *struct {
		Timestamp reader.Value `json:"timestamp"`
		Source    reader.Value `json:"source"`
		Model     reader.Value `json:"model_name"`
		Metrics   struct {
			Prompt     reader.Value `json:"prompt_tokens"`
			Completion reader.Value `json:"completion_tokens"`
			Cached     reader.Value `json:"cached_tokens"`
			Cost       reader.Value `json:"cost_usd"`
		} `json:"metrics"`
	},
	) error {
		s.n++
		if reader.Given(step.Timestamp) {
			if s.first == nil {
				s.first = step.Timestamp
			}
			s.last = step.Timestamp
		}
		if reader.Text(step.Source) != "agent" {
			return nil
		}
		s.agent++
		if reader.Given(step.Model) {
			s.model = step.Model
		}
		s.prompt.Add(step.Metrics.Prompt)
		s.completion.Add(step.Metrics.Completion)
		s.cached.Add(step.Metrics.Cached)
		s.cost.Add(step.Metrics.Cost)
		return nil
	})
}

func (t *Trajectory) IsATIF() bool { return strings.HasPrefix(reader.Text(t.Version), "ATIF") }

// Fill sets what no better source has set. total_prompt_tokens include the
// cached ones. Without totals the steps are added up, if each agent step has
// the metric: a sum over some of them would be too low and look exact.
func (t *Trajectory) Fill(row *schema.Row) {
	reader.SetNew(row, schema.Model, t.Agent.ModelName)
	reader.SetNew(row, schema.Model, t.Steps.model)
	reader.SetNew(row, schema.CLI, t.Agent.Name)
	if reader.Text(t.Agent.Version) != "unknown" {
		reader.SetNew(row, schema.CLIVersion, t.Agent.Version)
	}
	reader.SetNew(row, schema.InputTokens, t.Final.Prompt)
	reader.SetNew(row, schema.CachedInputTokens, t.Final.Cached)
	reader.SetNew(row, schema.OutputTokens, t.Final.Completion)
	reader.SetNew(row, schema.CostUSD, t.Final.Cost)
	reader.SetNew(row, schema.Steps, t.Final.Steps)
	for _, m := range []struct {
		c   schema.Col
		sum Sum
	}{
		{schema.InputTokens, t.Steps.prompt},
		{schema.CachedInputTokens, t.Steps.cached},
		{schema.OutputTokens, t.Steps.completion},
		{schema.CostUSD, t.Steps.cost},
	} {
		if _, has := row.Get(m.c); has || m.sum.N == 0 || m.sum.N < t.Steps.agent {
			continue
		}
		if m.c == schema.CostUSD {
			row.SetFloat(m.c, m.sum.real)
		} else {
			row.SetInt(m.c, m.sum.Whole)
		}
	}
	if _, has := row.Get(schema.Steps); !has && t.Steps.n > 0 {
		row.SetInt(schema.Steps, t.Steps.n)
	}
	reader.SetNew(row, schema.StartedAt, t.Steps.first)
	reader.SetNew(row, schema.FinishedAt, t.Steps.last)
}

// atifSidecar is metadata.json and signals.json of a corpus of trajectories.
type atifSidecar struct {
	TrialID   reader.Value `json:"trial_id_full"`
	Task      reader.Value `json:"task_id"`
	Benchmark reader.Value `json:"benchmark"`
	Model     reader.Value `json:"model"`
	Agent     reader.Value `json:"agent"`
	AgentName reader.Value `json:"agent_name"`
	Reward    reader.Value `json:"reward"`
	Turns     reader.Value `json:"total_turns"`
	HasTraj   reader.Value `json:"has_trajectory"`
	Duration  reader.Value `json:"duration_seconds"`
}

// Read implements Harness.
func (atif) Read(_ context.Context, f reader.File, out reader.Sink) error {
	switch path.Base(reader.StripCompression(f.Path)) {
	case "metadata.json", "signals.json":
		return nil // read with their trajectory
	}
	t, lossy, err := reader.ReadJSON[Trajectory](f)
	if err != nil {
		return err
	}
	if lossy {
		reader.NoteLossyText(f, out)
	}
	row := &schema.Row{Number: 1, File: f.Name}
	for _, name := range []string{"metadata.json", "signals.json"} {
		side := f.Beside(name)
		if !reader.HasAll(reader.HeadFields(side.Head(), "trial_id_full"), "trial_id_full") {
			continue
		}
		s, _, err := reader.ReadJSON[atifSidecar](side)
		if err != nil {
			return err
		}
		s.fill(row)
	}
	if t.IsATIF() {
		t.Fill(row)
	}
	reader.SetNew(row, schema.RunID, t.SessionID)
	if _, has := row.Get(schema.Task); !has {
		row.SetIf(schema.Task, atifTask(f.Path))
	}
	reader.Keep(row, "schema_version", t.Version)
	reader.Keep(row, "session_id", t.SessionID)
	return out.Run(row)
}

func (s *atifSidecar) fill(row *schema.Row) {
	reader.SetNew(row, schema.RunID, s.TrialID)
	reader.SetNew(row, schema.Task, s.Task)
	reader.SetNew(row, schema.Benchmark, s.Benchmark)
	reader.SetNew(row, schema.Model, s.Model)
	reader.SetNew(row, schema.CLI, s.Agent)
	reader.SetNew(row, schema.CLI, s.AgentName)
	reader.SetNew(row, schema.Reward, s.Reward)
	if string(s.HasTraj) == "true" { // else its 0 turns only mean: not counted
		reader.SetNew(row, schema.Steps, s.Turns)
	}
	reader.Keep(row, "duration_seconds", s.Duration)
}

// atifTask is the task as the folder's name tells it, for the format has none.
func atifTask(p string) string {
	dir := path.Dir(p)
	if path.Base(dir) == "agent" {
		dir = path.Dir(dir)
	}
	base := path.Base(dir)
	if base == "." || base == "/" {
		return ""
	}
	if HarborTrialFolder.MatchString(base) {
		return base[:strings.LastIndex(base, "__")]
	}
	return base
}
