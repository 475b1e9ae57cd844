package source_test

import (
	"fmt"
	"strings"
	"testing"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// What each file of formats/harbor must give.
func TestHarborFormats(t *testing.T) {
	got := read(t, testdata("formats/harbor"), reader.Options{})
	const glm, sonnet = "openrouter/z-ai/glm-5.1", "anthropic/claude-sonnet-4-5-20250929"
	same(t, got.lines(withUsage(schema.RunID, schema.Benchmark, schema.Task, schema.Model, schema.CLI, schema.CLIVersion, schema.Reward, schema.Status)...),
		// the run, its labels, reward, status; cost, input, cached, output, steps
		"00000000-0000-4000-8000-000000001657 skillsbench pdf-merge "+sonnet+" claude-code - 0.0 completed 0.168 90000 60000 4000 -",
		"00000000-0000-4000-8000-000000001671 skillsbench pdf-merge "+sonnet+" claude-code 2.1.47 1.0 completed 0.0435 50000 45000 1000 3",
		"00000000-0000-4000-8000-000000001770 skillsbench gantt-plan "+glm+" qwen-code - - DockerComposeError - - - - -",
		"00000000-0000-4000-8000-000000001776 skillsbench gantt-plan "+glm+" qwen-code - 1 completed - 30000 - 900 -",
		"00000000-0000-4000-8000-000000001894 skillsbench naive-clock "+glm+" my_agents.shell:ShellAgent - 0.9999999 completed 0.0 1000 200 50 -",
		"00000000-0000-4000-8000-000000002010 skillsbench seismic-pick "+sonnet+" claude-code - 0.33 AgentTimeoutError - - - - -",
		"00000000-0000-4000-8000-000000002060 skillsbench seismic-pick "+sonnet+" claude-code - - VerifierTimeoutError 0.39 120000 0 2000 -",
	)
	var rejects []string
	for _, e := range got.rejects {
		rejects = append(rejects, e.Error())
	}
	same(t, rejects,
		"jobs/demo/broken__Ee3dDs4/result.json: is cut off: the JSON does not end",
		"jobs/demo/empty__Tt5rRe3/result.json: is empty",
	)
	same(t, got.notesOf("planned"), "never-started__Hh6gGf7: a trial of task never-started never wrote a result.json")
	same(t, got.notesOf("mismatch"),
		"result.json: says n_trials 8; there are 7 readable trial results",
		"result.json: claude-code__claude-sonnet-4-5-20250929__skillsbench: says mean 0.33; the trials give 0.3325 (missing as 0) or 0.4433 (scored only)")
	for _, r := range got.rows {
		if s := fmt.Sprint(r.Extra); strings.Contains(s, "NOT-A-REAL-KEY") || strings.Contains(s, "kwargs") {
			t.Errorf("configuration in extra: %s", s)
		}
	}
}

// trial is a Harbor result; fields replace or add top-level members.
func trial(id, task string, members ...string) string {
	s := fmt.Sprintf(`{"id":%q,"task_name":%q,"trial_name":"%s__%s","source":"s","config":{"agent":{"name":"a","model_name":"p/m"}},"agent_info":{"name":"a","model_info":{"name":"m","provider":"p"}}`, id, task, task, id)
	for _, m := range members {
		s += "," + m
	}
	return s + "}"
}

func reward(x string) string { return `"verifier_result":{"rewards":{"reward":` + x + `}}` }

func exception(name string) string {
	return `"exception_info":{"exception_type":"` + name + `","exception_message":"m"}`
}

func TestHarborRules(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		rows  []string // run, reward, status
		extra string
		notes []string // kind: message
	}{
		"a02 an exception does not take the reward away": {
			files: map[string]string{"j/t__1/result.json": trial("1", "t", exception("RuntimeError"), reward("1.0")), "j/t__2/result.json": trial("2", "t", reward("0"))},
			rows:  []string{"1 1.0 RuntimeError", "2 0 completed"},
		},
		"a04 a timeout keeps a valid reward, and none is not 0": {
			files: map[string]string{
				"j/t__1/result.json": trial("1", "t", reward("1")),
				"j/t__2/result.json": trial("2", "t", reward("1")),
				"j/t__3/result.json": trial("3", "t", reward("1"), exception("AgentTimeoutError")),
				"j/t__4/result.json": trial("4", "t", reward("0"), exception("AgentTimeoutError")),
				"j/t__5/result.json": trial("5", "t", `"verifier_result":null`, exception("AgentTimeoutError")),
			},
			rows: []string{"1 1 completed", "2 1 completed", "3 1 AgentTimeoutError", "4 0 AgentTimeoutError", "5 - AgentTimeoutError"},
		},
		"a16 the suffix of a trial is no order and no duplicate": {
			files: map[string]string{"j/fix-x__Ab3xQ9z/result.json": trial("A", "fix-x", reward("1")), "j/fix-x__k2LmN0p/result.json": trial("B", "fix-x", reward("1"))},
			rows:  []string{"A 1 completed", "B 1 completed"},
		},
		"a17 counts of the job are compared and not used": {
			files: map[string]string{
				"j/result.json":      `{"id":"j","n_total_trials":2,"stats":{"n_completed":2,"n_errored":1}}`,
				"j/t__1/result.json": trial("1", "t", reward("1")), "j/t__2/result.json": trial("2", "t", reward("1")),
			},
			rows:  []string{"1 1 completed", "2 1 completed"},
			notes: []string{"mismatch: says n_errored 1; there are 0 trials with an exception"},
		},
		"a18 planned trials are told, and by which rule the job's mean comes out": {
			files: map[string]string{
				"j/result.json":               `{"id":"j","n_total_trials":5,"stats":{"evals":{"a__m__s":{"metrics":[{"mean":0.6}]}}}}`,
				"j/t__1/result.json":          trial("1", "t", reward("1")),
				"j/t__2/result.json":          trial("2", "t", reward("1")),
				"j/t__3/result.json":          trial("3", "t", reward("1")),
				"j/t__4/result.json":          trial("4", "t", reward("0")),
				"j/u__Abcdef5/agent/out.text": "",
				"j/logs/a.text":               "",
			},
			rows: []string{"1 1 completed", "2 1 completed", "3 1 completed", "4 0 completed"},
			notes: []string{
				"planned: a trial of task u never wrote a result.json",
				"aggregate: a__m__s: mean 0.6 is that of the trials (all planned, missing counts as 0)",
			},
		},
		"a18 a planned trial without even a folder": {
			files: map[string]string{
				"j/result.json":      `{"id":"j","n_total_trials":3,"stats":{}}`,
				"j/t__1/result.json": trial("1", "t", reward("1")),
			},
			rows:  []string{"1 1 completed"},
			notes: []string{"planned: plans 3 trials, 2 of which have no folder"},
		},
		"a19 extra rewards are kept beside, no numbers are left out with a word": {
			files: map[string]string{"j/t__1/result.json": trial("1", "t", `"verifier_result":{"rewards":{"reward":1.0,"tests_passed":7,"lint":0.2,"notes":[]}}`)},
			rows:  []string{"1 1.0 completed"}, extra: "map[lint:0.2 tests_passed:7]",
			notes: []string{"flag: rewards that are no numbers are left out: notes"},
		},
		"a38 a bare NaN stays by its name, for the rules to reject": {
			files: map[string]string{"j/t__1/result.json": trial("1", "t", reward("NaN")), "j/t__2/result.json": trial("2", "t", reward("1.0"))},
			rows:  []string{"1 NaN completed", "2 1.0 completed"},
		},
		"old versions have one reward": {
			files: map[string]string{"j/t__1/result.json": trial("1", "t", `"verifier_result":{"reward":0.5}`)},
			rows:  []string{"1 0.5 completed"},
		},
		"a broken trajectory costs only itself": {
			files: map[string]string{"j/t__1/result.json": trial("1", "t", reward("1")), "j/t__1/agent/trajectory.json": `{"schema_version":"ATIF-v1.2","steps":[`},
			rows:  []string{"1 1 completed"},
			notes: []string{"flag: the trajectory is left out: is cut off: the JSON does not end"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, tree(c.files), reader.Options{})
			same(t, got.lines(schema.RunID, schema.Reward, schema.Status), c.rows...)
			var notes []string
			for _, n := range got.notes {
				notes = append(notes, n.Kind+": "+n.Message)
			}
			same(t, notes, c.notes...)
			if c.extra != "" && fmt.Sprint(got.rows[0].Extra["rewards"]) != c.extra {
				t.Errorf("extra rewards %v, want %s", got.rows[0].Extra["rewards"], c.extra)
			}
			if len(got.rejects) > 0 {
				t.Errorf("rejected: %v", got.rejects)
			}
		})
	}
}

// x4, x5: two values for one key are an error that names the file, never a choice.
func TestHarborRepeatedKeys(t *testing.T) {
	for _, rewards := range []string{`{"reward":1,"reward":0}`, `{"Reward":1,"reward":0}`} {
		got := read(t, tree(map[string]string{"j/t__1/result.json": trial("1", "t", `"verifier_result":{"rewards":`+rewards+`}`)}), reader.Options{})
		if len(got.rows) != 0 || len(got.rejects) != 1 || got.rejects[0].File != "j/t__1/result.json" {
			t.Errorf("%s: %s", rewards, got.dump())
		}
	}
	for _, extra := range []string{`"id":"2"`, `"ID":"2"`} {
		got := read(t, tree(map[string]string{"j/t__1/result.json": trial("1", "t", extra)}), reader.Options{})
		if len(got.rows) != 0 || len(got.rejects) != 1 || !strings.Contains(got.rejects[0].Reason, "twice") {
			t.Errorf("%s: %s", extra, got.dump())
		}
	}
}

// a22, a24: Harbor's input tokens include the cached ones, as ours do; a cost
// that is null stays unknown.
func TestHarborTokensIncludeCached(t *testing.T) {
	got := read(t, tree(map[string]string{
		"j/t__1/result.json": trial("1", "t", `"agent_result":{"n_input_tokens":50000,"n_cache_tokens":45000,"n_output_tokens":1000,"cost_usd":null}`),
	}), reader.Options{})
	same(t, got.lines(usage...), "- 50000 45000 1000 -")
}

// a37: clocks are passed on as written; one without a zone is UTC by the rule
// of the column, on every machine.
func TestHarborClocks(t *testing.T) {
	got := read(t, tree(map[string]string{
		"j/t__1/result.json": trial("1", "t", `"started_at":"2026-06-17T04:23:38.642104","finished_at":"2026-06-17T05:00:00Z"`),
	}), reader.Options{})
	from, _ := got.rows[0].Get(schema.StartedAt)
	to, _ := got.rows[0].Get(schema.FinishedAt)
	a, err := schema.ParseTime(from)
	if err != nil {
		t.Fatal(err)
	}
	b, err := schema.ParseTime(to)
	if err != nil {
		t.Fatal(err)
	}
	if b-a != 2181357896 {
		t.Errorf("took %d µs", b-a)
	}
}
