// Package harbor reads the result folders of Harbor: jobs and their trials.
package harbor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"amdb/schema"
	"amdb/schema/source/atif"
	"amdb/schema/source/reader"
)

// harbor reads Harbor's job folders: JOB/TRIAL/result.json is a run,
// JOB/TRIAL/agent/trajectory.json completes it, JOB/result.json and the folder
// itself say what was planned.
type harbor struct {
	mu   sync.Mutex
	jobs map[string]*harborJob // by the shown name of the job's folder
}

// New makes a reader for one tree.
func New() reader.Harness { return &harbor{jobs: map[string]*harborJob{}} }

func (*harbor) Name() string { return "harbor" }

func (*harbor) Doc() string {
	return "Harbor job folders: result.json of each trial, with agent/trajectory.json beside it"
}

// Claims implements Harness.
func (h *harbor) Claims(f reader.File, head []byte) bool {
	switch base := path.Base(reader.StripCompression(f.Path)); {
	case base == "trajectory.json" && path.Base(path.Dir(f.Path)) == "agent":
		return isHarborTrial(f.Beside("../result.json").Head())
	case isHarborTrial(head), isHarborJob(head):
		return true
	case base != "result.json" || len(head) >= reader.HeadSize:
		return false
	case len(head) > 0 && reader.Value(head).IsValid():
		return false
	}
	// Nothing, or a piece of JSON: only the surroundings tell whose it was.
	return atif.HarborTrialFolder.MatchString(path.Base(path.Dir(f.Path))) || isHarborJob(f.Beside("../result.json").Head())
}

func isHarborTrial(head []byte) bool {
	return reader.HasAll(reader.HeadFields(head, "task_name", "trial_name"), "task_name", "trial_name")
}

func isHarborJob(head []byte) bool {
	return reader.HasAll(reader.HeadFields(head, "n_total_trials", "stats"), "n_total_trials", "stats")
}

// harborTrial is what is read of a trial's result.json.
type harborTrial struct {
	ID           reader.Value `json:"id"`
	TaskName     reader.Value `json:"task_name"`
	TrialName    reader.Value `json:"trial_name"`
	Source       reader.Value `json:"source"`
	TaskChecksum reader.Value `json:"task_checksum"`
	Config       struct {
		JobID reader.Value `json:"job_id"`
		Agent struct {
			Name       reader.Value `json:"name"`
			ImportPath reader.Value `json:"import_path"`
			ModelName  reader.Value `json:"model_name"`
		} `json:"agent"`
	} `json:"config"`
	AgentInfo struct {
		Name      reader.Value `json:"name"`
		Version   reader.Value `json:"version"`
		ModelInfo struct {
			Name     reader.Value `json:"name"`
			Provider reader.Value `json:"provider"`
		} `json:"model_info"`
	} `json:"agent_info"`
	AgentResult struct {
		Input  reader.Value `json:"n_input_tokens"`
		Cache  reader.Value `json:"n_cache_tokens"`
		Output reader.Value `json:"n_output_tokens"`
		Cost   reader.Value `json:"cost_usd"`
	} `json:"agent_result"`
	VerifierResult struct {
		Reward  reader.Value `json:"reward"` // of old versions
		Rewards reader.Value `json:"rewards"`
	} `json:"verifier_result"`
	Exception struct {
		Type    reader.Value `json:"exception_type"`
		Message reader.Value `json:"exception_message"`
	} `json:"exception_info"`
	StartedAt      reader.Value `json:"started_at"`
	FinishedAt     reader.Value `json:"finished_at"`
	AgentExecution reader.Value `json:"agent_execution"`
}

// Read implements Harness.
func (h *harbor) Read(_ context.Context, f reader.File, out reader.Sink) error {
	c, err := f.Content()
	if err != nil {
		return err
	}
	head := c.Head()
	switch base := path.Base(reader.StripCompression(f.Path)); {
	case base == "trajectory.json" && !isHarborTrial(head):
		return nil // read with its trial
	case isHarborJob(head):
		return h.readJob(c)
	}
	job := h.job(f)
	job.mu.Lock()
	job.results++
	job.mu.Unlock()
	t, lossy, err := reader.DecodeJSON[harborTrial](c)
	if err != nil {
		return err
	}
	if lossy {
		reader.NoteLossyText(f, out)
	}
	row := &schema.Row{Number: 1, File: f.Name}
	t.fill(row)
	reward, err := t.setReward(f, row, out)
	if err != nil {
		return err
	}
	if err := t.complete(f, row); err != nil {
		var fe *reader.FileError
		if !errors.As(err, &fe) {
			return err
		}
		// The verdict stands in result.json; a broken trajectory loses only
		// what it alone would have told.
		out.Note(schema.Note{File: fe.File, Kind: "flag", Message: "the trajectory is left out: " + fe.Reason})
	}
	job.count(t, reward)
	return out.Run(row)
}

// fill sets what result.json alone says.
func (t *harborTrial) fill(row *schema.Row) {
	reader.Set(row, schema.RunID, t.ID)
	reader.Set(row, schema.Task, t.TaskName)
	reader.Set(row, schema.Benchmark, t.Source)
	row.SetIf(schema.Model, t.model())
	row.SetIf(schema.CLI, t.cli())
	if v := reader.Text(t.AgentInfo.Version); v != "unknown" {
		row.SetIf(schema.CLIVersion, v)
	}
	reader.Set(row, schema.InputTokens, t.AgentResult.Input) // cached ones included
	reader.Set(row, schema.CachedInputTokens, t.AgentResult.Cache)
	reader.Set(row, schema.OutputTokens, t.AgentResult.Output)
	reader.Set(row, schema.CostUSD, t.AgentResult.Cost)
	reader.Set(row, schema.StartedAt, t.StartedAt)
	reader.Set(row, schema.FinishedAt, t.FinishedAt)
	row.Set(schema.Status, "completed")
	if e := reader.Text(t.Exception.Type); e != "" {
		row.Set(schema.Status, e)
	}
	if m := reader.Text(t.Exception.Message); m != "" {
		row.AddExtra("exception_message", reader.Message(m))
	}
	reader.Keep(row, "trial_name", t.TrialName)
	reader.Keep(row, "task_checksum", t.TaskChecksum)
	reader.Keep(row, "job_id", t.Config.JobID)
	reader.Keep(row, "provider", t.AgentInfo.ModelInfo.Provider)
	reader.Keep(row, "agent_execution", t.AgentExecution)
	if name := reader.Text(t.AgentInfo.Name); name != "" && name != t.cli() {
		row.AddExtra("agent_name", name)
	}
}

// model is the id that was asked for, router and date included; Harbor's own
// split of it loses which it was.
func (t *harborTrial) model() string {
	if m := reader.Text(t.Config.Agent.ModelName); m != "" {
		return m
	}
	name, provider := reader.Text(t.AgentInfo.ModelInfo.Name), reader.Text(t.AgentInfo.ModelInfo.Provider)
	if name == "" || provider == "" {
		return name
	}
	return provider + "/" + name
}

// cli is the agent's name; a custom agent is known by its import path, for its
// own word for itself may be any.
func (t *harborTrial) cli() string {
	for _, v := range []reader.Value{t.Config.Agent.Name, t.Config.Agent.ImportPath, t.AgentInfo.Name} {
		if s := reader.Text(v); s != "" {
			return s
		}
	}
	return ""
}

// setReward sets the reward and keeps the verifier's other numbers. An
// exception does not change it: a timeout may come after the work was done.
func (t *harborTrial) setReward(f reader.File, row *schema.Row, out reader.Sink) (reader.Value, error) {
	reward := t.VerifierResult.Reward
	rewards, ok := reader.Tree(t.VerifierResult.Rewards).(map[string]any)
	if !ok {
		reader.Set(row, schema.Reward, reward)
		return reward, nil
	}
	fields := reader.HeadFields(t.VerifierResult.Rewards, keysOf(rewards)...)
	others := map[string]any{}
	var dropped []string
	folded := map[string]string{}
	for _, k := range keysOf(rewards) {
		low := strings.ToLower(k)
		if prev, dup := folded[low]; dup {
			return nil, &reader.FileError{File: f.Name, Column: "verifier_result.rewards", Reason: fmt.Sprintf("keys %q and %q differ only in case", prev, k)}
		}
		folded[low] = k
		switch v := fields[k]; {
		case k == "reward":
			reward = v
		case !reader.Given(v):
		case v.Kind() == '0' || v.Kind() == 't' || v.Kind() == 'f':
			others[k] = rewards[k]
		default:
			dropped = append(dropped, k)
		}
	}
	reader.Set(row, schema.Reward, reward)
	if len(others) > 0 {
		row.AddExtra("rewards", others)
	}
	if len(dropped) > 0 {
		out.Note(schema.Note{File: f.Name, Kind: "flag", Message: "rewards that are no numbers are left out: " + strings.Join(dropped, ", ")})
	}
	if !reader.Given(reward) && len(others) > 0 {
		out.Note(schema.Note{File: f.Name, Kind: "flag", Message: "has rewards but none named reward: it counts as missing"})
	}
	return reward, nil
}

// keysOf lists an object's keys in order.
func keysOf(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// complete takes from the trajectory what the result lacks.
func (t *harborTrial) complete(f reader.File, row *schema.Row) error {
	tr, _, err := reader.ReadJSON[atif.Trajectory](f.Beside("agent/trajectory.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if tr.IsATIF() {
		tr.Fill(row)
	}
	return nil
}
