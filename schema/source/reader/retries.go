package reader

import (
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"strconv"
	"strings"

	"amdb/schema"
)

// MergeRetries makes the executions of one trial, in their order, one run: a
// retry adds cost, not a sample. The verdict and everything else are those of
// the last execution that has a verdict, else of the last; cost and tokens are
// added up, and one that is unknown makes the sum unknown. Executions with
// different verdicts are no retries but a conflict: ok is false.
func MergeRetries(executions []*schema.Row) (run *schema.Row, ok bool) {
	if len(executions) == 1 {
		return executions[0], true
	}
	run = executions[len(executions)-1]
	verdict := ""
	for _, e := range executions {
		r, has := e.Get(schema.Reward)
		if !has {
			continue
		}
		if verdict != "" && r != verdict {
			return nil, false
		}
		run, verdict = e, r
	}
	last := run
	run = copyOf(last)
	if cost, has := last.Get(schema.CostUSD); has && isNumber(cost) {
		run.AddExtra("final_attempt_cost", json.Number(cost))
	}
	run.AddExtra("retries", len(executions)-1)
	if sum, known, all := sumOf(executions, schema.CostUSD); all {
		run.SetFloat(schema.CostUSD, sum)
	} else {
		if known > 0 {
			run.AddExtra("cost_at_least", sum)
		}
	}
	for _, c := range []schema.Col{schema.InputTokens, schema.CachedInputTokens, schema.OutputTokens, schema.TotalTokens} {
		if sum, _, all := sumOf(executions, c); all {
			run.SetInt(c, int64(sum))
		}
	}
	if t, has := executions[0].Get(schema.StartedAt); has {
		run.Set(schema.StartedAt, t)
	}
	return run, true
}

// copyOf is a row without the columns that are sums.
func copyOf(r *schema.Row) *schema.Row {
	out := &schema.Row{Number: r.Number, File: r.File, Extra: maps.Clone(r.Extra)}
	for c := range schema.NumColumns {
		switch c {
		case schema.CostUSD, schema.InputTokens, schema.CachedInputTokens, schema.OutputTokens, schema.TotalTokens:
		default:
			if s, has := r.Get(c); has {
				out.Set(c, s)
			}
		}
	}
	return out
}

// sumOf adds a column up, and counts the executions that have it. The numbers
// are added as they are written: 0.40 and 0.55 are 0.95.
func sumOf(executions []*schema.Row, c schema.Col) (sum float64, known int, all bool) {
	exact := new(big.Rat)
	for _, e := range executions {
		s, _ := e.Get(c)
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			continue
		}
		known++
		sum += x
		// An exponent of millions would be digits of millions.
		if term, ok := new(big.Rat).SetString(shortNumber(s)); exact != nil && ok {
			exact.Add(exact, term)
		} else {
			exact = nil
		}
	}
	if exact != nil {
		sum, _ = exact.Float64()
	}
	return sum, known, known == len(executions)
}

// shortNumber is a number's text, or nothing where it is too long or too far
// from 1 to be added digit by digit.
func shortNumber(s string) string {
	s = strings.TrimSpace(s)
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || len(s) > 64 || x != 0 && (math.Abs(x) < 1e-60 || math.Abs(x) > 1e60) || x == 0 && strings.ContainsAny(s, "eE") {
		return ""
	}
	return s
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && json.Valid([]byte(s))
}
