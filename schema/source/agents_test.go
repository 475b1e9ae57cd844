package source_test

import (
	"fmt"
	"strings"
	"testing"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// What each trajectory of raw/harbor_atif must give. a22: total_prompt_tokens
// include the cached ones. Two are no ATIF: only the files beside them speak.
func TestATIFReal(t *testing.T) {
	got := read(t, testdata("raw/harbor_atif"), reader.Options{})
	const haiku = " claude-haiku-4-5-20251001 "
	same(t, got.lines(withUsage(schema.Benchmark, schema.Task, schema.Model, schema.CLI, schema.CLIVersion, schema.Reward)...),
		"org_domain ccx-domain-160"+haiku+"openhands 1.5.0 0.0 5.200495999999993 4938236 - 52452 1116",
		"org_migration ccx-migration-107 claude-opus-4-6 cursor-cli - 0.0975 - - - - -",
		"org_migration ccx-migration-279 claude-opus-4-6 cursor-cli - 0.0 - - - - -",
		"org_onboarding mcp_ccx-onboard-search-208_6zocjw"+haiku+"claude-code 2.1.63 1.0 - 592751 592594 2454 16",
		"sdlc_refactor envoy-listener-manager-refac-001"+haiku+"openhands 1.5.0 - 1.391855 1334780 - 11415 329",
		"sdlc_understand argocd-arch-orient-001"+haiku+"claude-code 2.1.50 0.0 - 280753 280639 34 14",
	)
	if len(got.rejects)+len(got.notes) > 0 || got.rows[0].File != "00903c52c51f/trajectory.json" {
		t.Error(got.dump())
	}
}

// Alone, a trajectory is known by its folder; its steps are added up only
// where each of the agent's has the metric.
func TestATIFAlone(t *testing.T) {
	traj := func(second string) string {
		return `{"schema_version":"ATIF-v1.4","session_id":"s` + fmt.Sprint(len(second)) + `","agent":{"name":"a","version":"1","model_name":"m"},"steps":[
			{"source":"user","timestamp":"2026-01-01T00:00:00Z"},
			{"source":"agent","metrics":{"prompt_tokens":10,"completion_tokens":1,"cost_usd":0.5}},
			{"source":"agent","timestamp":"2026-01-01T00:01:00Z","metrics":{` + second + `}}]}`
	}
	got := read(t, tree(map[string]string{
		"fix-x__Ab3xQ9z/agent/trajectory.json": traj(`"prompt_tokens":20,"completion_tokens":2,"cost_usd":0.25`),
		"other/trajectory.json":                traj(`"prompt_tokens":20`),
	}), reader.Options{})
	same(t, got.lines(withUsage(schema.Task, schema.StartedAt, schema.FinishedAt)...),
		"fix-x 2026-01-01T00:00:00Z 2026-01-01T00:01:00Z 0.75 30 - 3 3",
		"other 2026-01-01T00:00:00Z 2026-01-01T00:01:00Z - 30 - - 3")
}

// What each trajectory of the SWE agents must give. They hold no verdict; the
// oldest hold no model either, which the rules then reject.
func TestSWEAgentReal(t *testing.T) {
	cols := withUsage(schema.Task, schema.Model, schema.CLI, schema.CLIVersion, schema.Reward, schema.Status)
	got := read(t, testdata("raw/swe_agent"), reader.Options{})
	same(t, got.lines(cols...),
		"SWE-agent__test-repo-i1 gpt-4o swe-agent - - submitted 0.019520000000000006 7141 - 243 5",
		"ctf_networking_1 - swe-agent - - submitted 0 0 - 0 4",
		"marshmallow-code__marshmallow-1867 gpt-4o swe-agent - - submitted 0 0 - 0 11",
		"pydicom__pydicom-1458 - swe-agent - - submitted 1.26719 122612 - 1369 12",
	)
	for _, r := range got.rows {
		if s := fmt.Sprint(r.Extra); strings.Contains(s, "api_key") {
			t.Errorf("configuration in extra: %s", s)
		}
	}
	same(t, read(t, testdata("raw/mini_swe_agent"), reader.Options{}).lines(cols...),
		"github_issue - mini-swe-agent - - - - - - - 10",
		"local - mini-swe-agent - - - - - - - 2",
	)
}

// Newer versions write the configuration as text, and mini-swe-agent an object
// with the usage of each answer.
func TestSWEAgentNewer(t *testing.T) {
	got := read(t, tree(map[string]string{
		"a/a.traj": `{"environment":"e","trajectory":[{},{}],"info":{"model_stats":{"instance_cost":0.1},"swe_agent_version":"1.1.0"},"replay_config":"{\"agent\":{\"model\":{\"name\":\"m\",\"api_key\":\"secret-key\"}},\"problem_statement\":{\"id\":\"i\"}}"}`,
		"b/b.traj.json": `{"trajectory_format":"mini-swe-agent-1","instance_id":"j","info":{"mini_version":"1.17","exit_status":"Submitted","model_stats":{"instance_cost":0.2,"api_calls":1},"config":{"model":{"model_name":"n"}}},
			"messages":[{"role":"user"},{"role":"assistant","extra":{"response":{"usage":{"prompt_tokens":9,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4}}}}}]}`,
	}), reader.Options{})
	same(t, got.lines(withUsage(schema.Task, schema.Model, schema.CLI, schema.CLIVersion, schema.Status)...),
		"i m swe-agent 1.1.0 - 0.1 - - - 2", "j n mini-swe-agent 1.17 Submitted 0.2 9 4 3 1")
}

// What each file of raw/openhands_output must give.
func TestOpenHandsReal(t *testing.T) {
	got := read(t, testdata("raw/openhands_output"), reader.Options{})
	same(t, got.lines(withUsage(schema.Task, schema.Model, schema.CLI, schema.Reward, schema.Status)...),
		"neubig/pr-viewer#5 - openhands - completed 0.070713 - - - 8",
		"ponylang__ponyc-4593 openai/openrouter-llama-4-maverick openhands - completed 0.0 410169 0 5156 70",
	)
}

// ohLine is one line of an output.jsonl.
func ohLine(task, cost, rest string) string {
	return `{"instance_id":"` + task + `","metrics":{"accumulated_cost":` + cost + `},"metadata":{"llm_config":{"model":"m","api_key":"secret-key"}},"history":[{}]` + rest + "}\n"
}

const ohPass, ohFail, ohError = `,"test_result":{"report":{"resolved":true}}`, `,"test_result":{"report":{"resolved":false}}`, `,"error":"AgentStuckError: x"`

func TestOpenHandsRetries(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		rows  []string // task, reward, cost, status
		extra string   // of the first row
	}{
		"a12 a13 a retry adds cost and no sample": {
			files: map[string]string{"output.jsonl": ohLine("t", "0.40", ohError) + ohLine("t", "0.55", ohPass)},
			rows:  []string{"t true 0.95 completed"}, extra: "map[final_attempt_cost:0.55 retries:1]",
		},
		"a13 a part that is unknown makes the sum unknown": {
			files: map[string]string{"output.jsonl": ohLine("t", "null", ohError) + ohLine("t", "0.55", ohPass)},
			rows:  []string{"t true - completed"}, extra: "map[cost_at_least:0.55 final_attempt_cost:0.55 retries:1]",
		},
		"a15 a resume appends; the errored line is no run of its own": {
			files: map[string]string{"output.jsonl": ohLine("t", "0", ohError) + ohLine("u", "1", ohFail) + ohLine("t", "0", ohPass)},
			rows:  []string{"t true 0 completed", "u false 1 completed"},
		},
		"a35 merging attempts never drops an accepted instance": {
			files: map[string]string{
				"output.critic_attempt_1.jsonl": ohLine("t1", "1", ohPass),
				"output.critic_attempt_2.jsonl": ohLine("t1", "2", "") + ohLine("t2", "3", ohPass),
			},
			rows: []string{"t1 true 3 completed", "t2 true 3 completed"},
		},
		"a35 what output.jsonl repeats of the attempts counts once": {
			files: map[string]string{
				"output.critic_attempt_1.jsonl": ohLine("t1", "1", ohPass) + ohLine("t2", "2", ""),
				"output.critic_attempt_2.jsonl": ohLine("t2", "3", ohPass),
				"output.jsonl":                  ohLine("t1", "1", ohPass) + ohLine("t2", "3", ohPass),
			},
			rows: []string{"t1 true 1 completed", "t2 true 5 completed"},
		},
		"different verdicts are a conflict, both named": {
			files: map[string]string{"output.jsonl": ohLine("t", "1", ohFail) + ohLine("t", "2", ohPass)},
			rows:  []string{"t false 1 completed", "t true 2 completed"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, tree(c.files), reader.Options{})
			same(t, got.lines(schema.Task, schema.Reward, schema.CostUSD, schema.Status), c.rows...)
			if len(got.rejects) > 0 || strings.Contains(got.dump(), "secret-key") {
				t.Error(got.dump())
			}
			if c.extra == "" {
				return
			}
			delete(got.rows[0].Extra, "error")
			if s := fmt.Sprint(got.rows[0].Extra); s != c.extra {
				t.Errorf("extra %s, want %s", s, c.extra)
			}
		})
	}
	got := read(t, tree(map[string]string{"output.jsonl": ohLine("t", "1", "") + `{"instance_id":`}), reader.Options{})
	if len(got.rejects) != 1 || !strings.HasPrefix(got.rejects[0].Reason, "line 2: is cut off") {
		t.Error(got.dump())
	}
}

// What each folder of raw/openhands_index must give: unknown costs are NULL,
// Codex's false zeros are values, and averages that do not fit are told.
func TestOpenHandsIndexReal(t *testing.T) {
	got := read(t, testdata("raw/openhands_index"), reader.Options{})
	counts := map[string]int{}
	for _, r := range got.rows {
		cost, has := r.Get(schema.CostUSD)
		switch {
		case !has:
			cost = "unknown"
		case cost == "0.0":
			cost = "zero"
		default:
			cost = "some"
		}
		counts[cells(r, schema.Benchmark, schema.Model, schema.CLI, schema.Reward)+" "+cost]++
	}
	var lines []string
	for k, n := range counts {
		lines = append(lines, fmt.Sprintf("%s %d", k, n))
	}
	t.Log(strings.Join(lines, "\n"))
	if len(got.rows) != 3*(16+165) {
		t.Errorf("%d rows", len(got.rows))
	}
	for want, n := range map[string]int{
		"commit0 claude-opus-4-6 Claude Code true some":     8,
		"commit0 claude-opus-4-6 Claude Code false unknown": 2,
		"commit0 GPT-5.4 Codex true zero":                   8,
		"commit0 claude-sonnet-4-6 OpenHands false unknown": 3,
	} {
		if counts[want] != n {
			t.Errorf("%s: %d, want %d", want, counts[want], n)
		}
	}
	same(t, got.notesOf("mismatch"), "commit0.json: scores.json says 37.5; 8 of 16 solved is 50.0")
}
