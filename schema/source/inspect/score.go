package inspect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// scorer is the one scorer whose verdict is the reward.
func (log *inspectLog) scorer(f reader.File, want string) (string, error) {
	names := map[string]bool{}
	for _, s := range log.Samples {
		for name := range s.Scores {
			names[name] = true
		}
	}
	list := slices.Sorted(maps.Keys(names))
	switch {
	case want != "" && len(list) > 0 && !names[want]:
		return "", &reader.FileError{File: f.Name, Column: "scores", Value: want, Reason: fmt.Sprintf("has no scorer %q; it has %s", want, strings.Join(list, ", "))}
	case want != "":
		return want, nil
	case len(list) > 1:
		return "", &reader.FileError{File: f.Name, Column: "scores", Reason: fmt.Sprintf("has several scorers (%s): choose one with --scorer", strings.Join(list, ", "))}
	case len(list) == 1:
		return list[0], nil
	}
	return "", nil
}

// inspectReward is a score as Inspect itself turns it into a number; what it
// could not turn stays as it is, for the rules to reject.
func inspectReward(v reader.Value) string {
	s := reader.Text(v)
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
	model := reader.Text(log.Eval.Model)
	u, ok := s.Usage[model]
	if !ok && len(s.Usage) == 1 {
		for m, only := range s.Usage {
			u, model = only, m
		}
	}
	others := map[string]any{}
	for m, o := range s.Usage {
		if m != model {
			others[m] = map[string]any{"input_tokens": reader.Tree(o.Input), "output_tokens": reader.Tree(o.Output)}
		}
	}
	if len(others) > 0 {
		row.AddExtra("other_model_usage", others)
	}
	reader.Set(row, schema.InputTokens, u.Input)
	reader.Set(row, schema.OutputTokens, u.Output)
	reader.Set(row, schema.TotalTokens, u.Total)
	reader.Set(row, schema.CachedInputTokens, u.CacheRead)
	reader.Set(row, schema.CostUSD, u.Cost)
	in, okIn := reader.Integer(u.Input)
	cacheRead, _ := reader.Integer(u.CacheRead)
	cacheWrite, _ := reader.Integer(u.CacheWrite)
	if !okIn || cacheRead+cacheWrite <= 0 {
		return
	}
	output, okOut := reader.Integer(u.Output)
	total, okTotal := reader.Integer(u.Total)
	if okOut && okTotal && total == in+output {
		row.AddExtra("cached_tokens", "included by the source")
		return
	}
	row.AddExtra("cached_tokens", "added to input_tokens")
	row.SetInt(schema.InputTokens, in+cacheRead+cacheWrite)
}
