package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"amdb/schema"
)

// harbor reads Harbor's job folders: JOB/TRIAL/result.json is a run,
// JOB/TRIAL/agent/trajectory.json completes it, JOB/result.json and the folder
// itself say what was planned.
type harbor struct {
	mu   sync.Mutex
	jobs map[string]*harborJob // by the shown name of the job's folder
}

func (*harbor) Name() string { return "harbor" }

func (*harbor) Doc() string {
	return "Harbor job folders: result.json of each trial, with agent/trajectory.json beside it"
}

// harborTrialDir is how Harbor names a trial: its task and a random suffix.
var harborTrialDir = regexp.MustCompile(`^.+__[A-Za-z0-9]{7}$`)

// Claims implements Harness.
func (h *harbor) Claims(f File, head []byte) bool {
	switch base := path.Base(stripCompression(f.Path)); {
	case base == "trajectory.json" && path.Base(path.Dir(f.Path)) == "agent":
		return isHarborTrial(f.beside("../result.json").head())
	case isHarborTrial(head), isHarborJob(head):
		return true
	case base != "result.json" || len(head) >= HeadSize:
		return false
	case len(head) > 0 && value(head).IsValid():
		return false
	}
	// Nothing, or a piece of JSON: only the surroundings tell whose it was.
	return harborTrialDir.MatchString(path.Base(path.Dir(f.Path))) || isHarborJob(f.beside("../result.json").head())
}

func isHarborTrial(head []byte) bool {
	return hasAll(headFields(head, "task_name", "trial_name"), "task_name", "trial_name")
}

func isHarborJob(head []byte) bool {
	return hasAll(headFields(head, "n_total_trials", "stats"), "n_total_trials", "stats")
}

// harborTrial is what is read of a trial's result.json.
type harborTrial struct {
	ID           value `json:"id"`
	TaskName     value `json:"task_name"`
	TrialName    value `json:"trial_name"`
	Source       value `json:"source"`
	TaskChecksum value `json:"task_checksum"`
	Config       struct {
		JobID value `json:"job_id"`
		Agent struct {
			Name       value `json:"name"`
			ImportPath value `json:"import_path"`
			ModelName  value `json:"model_name"`
		} `json:"agent"`
	} `json:"config"`
	AgentInfo struct {
		Name      value `json:"name"`
		Version   value `json:"version"`
		ModelInfo struct {
			Name     value `json:"name"`
			Provider value `json:"provider"`
		} `json:"model_info"`
	} `json:"agent_info"`
	AgentResult struct {
		Input  value `json:"n_input_tokens"`
		Cache  value `json:"n_cache_tokens"`
		Output value `json:"n_output_tokens"`
		Cost   value `json:"cost_usd"`
	} `json:"agent_result"`
	VerifierResult struct {
		Reward  value `json:"reward"` // of old versions
		Rewards value `json:"rewards"`
	} `json:"verifier_result"`
	Exception struct {
		Type    value `json:"exception_type"`
		Message value `json:"exception_message"`
	} `json:"exception_info"`
	StartedAt      value `json:"started_at"`
	FinishedAt     value `json:"finished_at"`
	AgentExecution value `json:"agent_execution"`
}

// Read implements Harness.
func (h *harbor) Read(_ context.Context, f File, out Sink) error {
	c, err := f.content()
	if err != nil {
		return err
	}
	head := c.head()
	switch base := path.Base(stripCompression(f.Path)); {
	case base == "trajectory.json" && !isHarborTrial(head):
		return nil // read with its trial
	case isHarborJob(head):
		return h.readJob(c)
	}
	job := h.job(f)
	job.mu.Lock()
	job.results++
	job.mu.Unlock()
	t, lossy, err := decodeJSON[harborTrial](c)
	if err != nil {
		return err
	}
	if lossy {
		noteLossy(f, out)
	}
	row := &schema.Row{Number: 1, File: f.Name}
	t.fill(row)
	reward, err := t.setReward(f, row, out)
	if err != nil {
		return err
	}
	if err := t.complete(f, row); err != nil {
		var fe *FileError
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

// noteLossy tells that a file's text was repaired.
func noteLossy(f File, out Sink) {
	out.Note(schema.Note{File: f.Name, Kind: "flag", Message: "holds invalid UTF-8, which is read as U+FFFD"})
}

// fill sets what result.json alone says.
func (t *harborTrial) fill(row *schema.Row) {
	set(row, schema.RunID, t.ID)
	set(row, schema.Task, t.TaskName)
	set(row, schema.Benchmark, t.Source)
	row.SetIf(schema.Model, t.model())
	row.SetIf(schema.CLI, t.cli())
	if v := text(t.AgentInfo.Version); v != "unknown" {
		row.SetIf(schema.CLIVersion, v)
	}
	set(row, schema.InputTokens, t.AgentResult.Input) // cached ones included
	set(row, schema.CachedInputTokens, t.AgentResult.Cache)
	set(row, schema.OutputTokens, t.AgentResult.Output)
	set(row, schema.CostUSD, t.AgentResult.Cost)
	set(row, schema.StartedAt, t.StartedAt)
	set(row, schema.FinishedAt, t.FinishedAt)
	row.Set(schema.Status, "completed")
	if e := text(t.Exception.Type); e != "" {
		row.Set(schema.Status, e)
	}
	if m := text(t.Exception.Message); m != "" {
		row.AddExtra("exception_message", message(m))
	}
	keep(row, "trial_name", t.TrialName)
	keep(row, "task_checksum", t.TaskChecksum)
	keep(row, "job_id", t.Config.JobID)
	keep(row, "provider", t.AgentInfo.ModelInfo.Provider)
	keep(row, "agent_execution", t.AgentExecution)
	if name := text(t.AgentInfo.Name); name != "" && name != t.cli() {
		row.AddExtra("agent_name", name)
	}
}

// model is the id that was asked for, router and date included; Harbor's own
// split of it loses which it was.
func (t *harborTrial) model() string {
	if m := text(t.Config.Agent.ModelName); m != "" {
		return m
	}
	name, provider := text(t.AgentInfo.ModelInfo.Name), text(t.AgentInfo.ModelInfo.Provider)
	if name == "" || provider == "" {
		return name
	}
	return provider + "/" + name
}

// cli is the agent's name; a custom agent is known by its import path, for its
// own word for itself may be any.
func (t *harborTrial) cli() string {
	for _, v := range []value{t.Config.Agent.Name, t.Config.Agent.ImportPath, t.AgentInfo.Name} {
		if s := text(v); s != "" {
			return s
		}
	}
	return ""
}

// setReward sets the reward and keeps the verifier's other numbers. An
// exception does not change it: a timeout may come after the work was done.
func (t *harborTrial) setReward(f File, row *schema.Row, out Sink) (value, error) {
	reward := t.VerifierResult.Reward
	rewards, ok := tree(t.VerifierResult.Rewards).(map[string]any)
	if !ok {
		set(row, schema.Reward, reward)
		return reward, nil
	}
	fields := headFields(t.VerifierResult.Rewards, keysOf(rewards)...)
	others := map[string]any{}
	var dropped []string
	folded := map[string]string{}
	for _, k := range keysOf(rewards) {
		low := strings.ToLower(k)
		if prev, dup := folded[low]; dup {
			return nil, &FileError{File: f.Name, Column: "verifier_result.rewards", Reason: fmt.Sprintf("keys %q and %q differ only in case", prev, k)}
		}
		folded[low] = k
		switch v := fields[k]; {
		case k == "reward":
			reward = v
		case !given(v):
		case v.Kind() == '0' || v.Kind() == 't' || v.Kind() == 'f':
			others[k] = rewards[k]
		default:
			dropped = append(dropped, k)
		}
	}
	set(row, schema.Reward, reward)
	if len(others) > 0 {
		row.AddExtra("rewards", others)
	}
	if len(dropped) > 0 {
		out.Note(schema.Note{File: f.Name, Kind: "flag", Message: "rewards that are no numbers are left out: " + strings.Join(dropped, ", ")})
	}
	if !given(reward) && len(others) > 0 {
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
func (t *harborTrial) complete(f File, row *schema.Row) error {
	tr, _, err := readJSON[atifTrajectory](f.beside("agent/trajectory.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if tr.isATIF() {
		tr.fill(row)
	}
	return nil
}
