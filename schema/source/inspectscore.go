package source

import (
	"fmt"
	"slices"
	"strings"

	"amdb/schema"
)

// scorer is the one scorer whose verdict is the reward.
func (log *inspectLog) scorer(f File, want string) (string, error) {
	names := map[string]bool{}
	for _, s := range log.Samples {
		for name := range s.Scores {
			names[name] = true
		}
	}
	list := slices.Sorted(mapKeys(names))
	switch {
	case want != "" && len(list) > 0 && !names[want]:
		return "", &FileError{File: f.Name, Column: "scores", Value: want, Reason: fmt.Sprintf("has no scorer %q; it has %s", want, strings.Join(list, ", "))}
	case want != "":
		return want, nil
	case len(list) > 1:
		return "", &FileError{File: f.Name, Column: "scores", Reason: fmt.Sprintf("has several scorers (%s): choose one with --scorer", strings.Join(list, ", "))}
	case len(list) == 1:
		return list[0], nil
	}
	return "", nil
}

// inspectReward is a score as Inspect itself turns it into a number; what it
// could not turn stays as it is, for the rules to reject.
func inspectReward(v value) string {
	s := text(v)
	if s == "" {
		return string(v)
	}
	switch strings.ToLower(s) {
	case "c", "yes", "true":
		return "1"
	case "p":
		return "0.5"
	case "i", "n", "no", "false":
		return "0"
	}
	return s
}

// setUsage sets the tokens of the model under test. Inspect counts cached
// input apart; total_tokens tells the providers that do not.
func (log *inspectLog) setUsage(row *schema.Row, s *inspectSample) {
	model := text(log.Eval.Model)
	u, ok := s.Usage[model]
	if !ok && len(s.Usage) == 1 {
		for m, only := range s.Usage {
			u, model = only, m
		}
	}
	others := map[string]any{}
	for m, o := range s.Usage {
		if m != model {
			others[m] = map[string]any{"input_tokens": tree(o.Input), "output_tokens": tree(o.Output)}
		}
	}
	if len(others) > 0 {
		row.AddExtra("other_model_usage", others)
	}
	set(row, schema.InputTokens, u.Input)
	set(row, schema.OutputTokens, u.Output)
	set(row, schema.TotalTokens, u.Total)
	set(row, schema.CachedInputTokens, u.CacheRead)
	set(row, schema.CostUSD, u.Cost)
	in, okIn := integer(u.Input)
	cacheRead, _ := integer(u.CacheRead)
	cacheWrite, _ := integer(u.CacheWrite)
	if !okIn || cacheRead+cacheWrite <= 0 {
		return
	}
	output, okOut := integer(u.Output)
	total, okTotal := integer(u.Total)
	if okOut && okTotal && total == in+output {
		row.AddExtra("cached_tokens", "included by the source")
		return
	}
	row.AddExtra("cached_tokens", "added to input_tokens")
	row.SetInt(schema.InputTokens, in+cacheRead+cacheWrite)
}
