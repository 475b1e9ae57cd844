package source

import (
	"context"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
)

// atif reads trajectories in the Agent Trajectory Interchange Format that
// stand alone, without a trial's result. The verdict and the task are not part
// of the format; a corpus puts them beside it, into metadata.json and
// signals.json.
type atif struct{}

func (atif) Name() string { return "atif" }

func (atif) Doc() string {
	return "ATIF trajectories (trajectory.json), with metadata.json and signals.json beside them where there are any"
}

// Claims implements Harness.
func (atif) Claims(f File, head []byte) bool {
	fields := headFields(head, "schema_version", "trial_id_full")
	switch path.Base(stripCompression(f.Path)) {
	case "metadata.json", "signals.json":
		return hasAll(fields, "trial_id_full") && f.beside("trajectory.json").head() != nil
	}
	version := text(fields["schema_version"])
	return strings.HasPrefix(version, "ATIF") ||
		version != "" && hasAll(headFields(f.beside("metadata.json").head(), "trial_id_full"), "trial_id_full")
}

// atifTrajectory is what is read of a trajectory.
type atifTrajectory struct {
	Version   value `json:"schema_version"`
	SessionID value `json:"session_id"`
	Agent     struct {
		Name      value `json:"name"`
		Version   value `json:"version"`
		ModelName value `json:"model_name"`
	} `json:"agent"`
	Steps atifSteps `json:"steps"`
	Final struct {
		Prompt     value `json:"total_prompt_tokens"`
		Completion value `json:"total_completion_tokens"`
		Cached     value `json:"total_cached_tokens"`
		Cost       value `json:"total_cost_usd"`
		Steps      value `json:"total_steps"`
	} `json:"final_metrics"`
}

// atifSteps is what is kept of the steps, however many: they are read one by
// one.
type atifSteps struct {
	n, agent    int64
	first, last value // timestamps
	model       value // of the last step that names one
	prompt      atifSum
	completion  atifSum
	cached      atifSum
	cost        atifSum
}

// atifSum adds a metric over the agent's steps.
type atifSum struct {
	n     int64
	whole int64
	real  float64
}

func (s *atifSum) add(v value) {
	x, ok := number(v)
	if !ok {
		return
	}
	whole, _ := integer(v)
	s.n, s.whole, s.real = s.n+1, s.whole+whole, s.real+x
}

// UnmarshalJSONFrom reads the list of steps.
func (s *atifSteps) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return eachOf(dec, func(step *struct {
		Timestamp value `json:"timestamp"`
		Source    value `json:"source"`
		Model     value `json:"model_name"`
		Metrics   struct {
			Prompt     value `json:"prompt_tokens"`
			Completion value `json:"completion_tokens"`
			Cached     value `json:"cached_tokens"`
			Cost       value `json:"cost_usd"`
		} `json:"metrics"`
	},
	) error {
		s.n++
		if given(step.Timestamp) {
			if s.first == nil {
				s.first = step.Timestamp
			}
			s.last = step.Timestamp
		}
		if text(step.Source) != "agent" {
			return nil
		}
		s.agent++
		if given(step.Model) {
			s.model = step.Model
		}
		s.prompt.add(step.Metrics.Prompt)
		s.completion.add(step.Metrics.Completion)
		s.cached.add(step.Metrics.Cached)
		s.cost.add(step.Metrics.Cost)
		return nil
	})
}

func (t *atifTrajectory) isATIF() bool { return strings.HasPrefix(text(t.Version), "ATIF") }

// fill sets what no better source has set. total_prompt_tokens include the
// cached ones. Without totals the steps are added up, if each agent step has
// the metric: a sum over some of them would be too low and look exact.
func (t *atifTrajectory) fill(row *schema.Row) {
	setNew(row, schema.Model, t.Agent.ModelName)
	setNew(row, schema.Model, t.Steps.model)
	setNew(row, schema.CLI, t.Agent.Name)
	if text(t.Agent.Version) != "unknown" {
		setNew(row, schema.CLIVersion, t.Agent.Version)
	}
	setNew(row, schema.InputTokens, t.Final.Prompt)
	setNew(row, schema.CachedInputTokens, t.Final.Cached)
	setNew(row, schema.OutputTokens, t.Final.Completion)
	setNew(row, schema.CostUSD, t.Final.Cost)
	setNew(row, schema.Steps, t.Final.Steps)
	for _, m := range []struct {
		c   schema.Col
		sum atifSum
	}{
		{schema.InputTokens, t.Steps.prompt},
		{schema.CachedInputTokens, t.Steps.cached},
		{schema.OutputTokens, t.Steps.completion},
		{schema.CostUSD, t.Steps.cost},
	} {
		if _, has := row.Get(m.c); has || m.sum.n == 0 || m.sum.n < t.Steps.agent {
			continue
		}
		if m.c == schema.CostUSD {
			row.SetFloat(m.c, m.sum.real)
		} else {
			row.SetInt(m.c, m.sum.whole)
		}
	}
	if _, has := row.Get(schema.Steps); !has && t.Steps.n > 0 {
		row.SetInt(schema.Steps, t.Steps.n)
	}
	setNew(row, schema.StartedAt, t.Steps.first)
	setNew(row, schema.FinishedAt, t.Steps.last)
}

// atifSidecar is metadata.json and signals.json of a corpus of trajectories.
type atifSidecar struct {
	TrialID   value `json:"trial_id_full"`
	Task      value `json:"task_id"`
	Benchmark value `json:"benchmark"`
	Model     value `json:"model"`
	Agent     value `json:"agent"`
	AgentName value `json:"agent_name"`
	Reward    value `json:"reward"`
	Turns     value `json:"total_turns"`
	HasTraj   value `json:"has_trajectory"`
	Duration  value `json:"duration_seconds"`
}

// Read implements Harness.
func (atif) Read(_ context.Context, f File, out Sink) error {
	switch path.Base(stripCompression(f.Path)) {
	case "metadata.json", "signals.json":
		return nil // read with their trajectory
	}
	t, lossy, err := readJSON[atifTrajectory](f)
	if err != nil {
		return err
	}
	if lossy {
		noteLossy(f, out)
	}
	row := &schema.Row{Number: 1, File: f.Name}
	for _, name := range []string{"metadata.json", "signals.json"} {
		side := f.beside(name)
		if !hasAll(headFields(side.head(), "trial_id_full"), "trial_id_full") {
			continue
		}
		s, _, err := readJSON[atifSidecar](side)
		if err != nil {
			return err
		}
		s.fill(row)
	}
	if t.isATIF() {
		t.fill(row)
	}
	setNew(row, schema.RunID, t.SessionID)
	if _, has := row.Get(schema.Task); !has {
		row.SetIf(schema.Task, atifTask(f.Path))
	}
	keep(row, "schema_version", t.Version)
	keep(row, "session_id", t.SessionID)
	return out.Run(row)
}

func (s *atifSidecar) fill(row *schema.Row) {
	setNew(row, schema.RunID, s.TrialID)
	setNew(row, schema.Task, s.Task)
	setNew(row, schema.Benchmark, s.Benchmark)
	setNew(row, schema.Model, s.Model)
	setNew(row, schema.CLI, s.Agent)
	setNew(row, schema.CLI, s.AgentName)
	setNew(row, schema.Reward, s.Reward)
	if string(s.HasTraj) == "true" { // else its 0 turns only mean: not counted
		setNew(row, schema.Steps, s.Turns)
	}
	keep(row, "duration_seconds", s.Duration)
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
	if harborTrialDir.MatchString(base) {
		return base[:strings.LastIndex(base, "__")]
	}
	return base
}
