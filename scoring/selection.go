package scoring

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// CandidateName is the description of a source's N-th candidate.
func CandidateName(source string, n int) string { return source + "#" + strconv.Itoa(n) }

// ParseCandidate splits a candidate's description, model/cli#N with N ≥ 1.
func ParseCandidate(description string) (source string, n int, ok bool) {
	i := strings.LastIndexByte(description, '#')
	if i <= 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(description[i+1:])
	if err != nil || n < 1 || strconv.Itoa(n) != description[i+1:] {
		return "", 0, false
	}
	return description[:i], n, true
}

// SourceRun is what a source did at a task under its own candidate N, or under
// the original description where N is 0: means over attempts. nil is unknown.
type SourceRun struct {
	TaskKey
	Source  string
	N       int
	Reward  *float64
	CostUSD *float64
}

// GateVerdict is one verdict of the preservation gate.
type GateVerdict struct {
	TaskKey
	Source    string
	N         int
	Preserved bool
	Reason    string
}

// Choice is the description chosen for one task and source.
type Choice struct {
	TaskKey
	Source          string   `json:"source"`
	Selected        string   `json:"selected"` // a candidate's name, or original
	Reward          *float64 `json:"reward"`   // of the source under it
	CostUSD         *float64 `json:"cost_usd"`
	OriginalReward  *float64 `json:"original_reward"`
	OriginalCostUSD *float64 `json:"original_cost_usd"`
	Candidates      int      `json:"candidates"`
	Preserved       int      `json:"preserved"` // of them, past the gate
	Reason          string   `json:"reason"`
}

// Selection is the frozen choice for every task and source.
type Selection struct {
	Digest    string   `json:"digest"`
	Choices   []Choice `json:"choices"` // by task, then source
	Selected  int      `json:"selected"`
	Fallbacks int      `json:"fallbacks"` // to original
	Warnings  []string `json:"warnings"`
}

// pair is a task and a source.
type pair struct {
	TaskKey
	source string
}

func (p pair) String() string { return p.TaskKey.String() + ", source " + p.source }

func (p pair) compare(o pair) int {
	return cmp.Or(p.Compare(o.TaskKey), cmp.Compare(p.source, o.source))
}

// Select chooses, for each task and source with a candidate, among the
// candidates that the gate passed: the highest source-side reward, then the
// lowest cost, then the lowest N; original where the best neither improves the
// reward nor keeps it at lower cost (section 4). An unknown cost is never the
// lower one. No target run enters.
func Select(runs []SourceRun, gate []GateVerdict) (Selection, error) {
	out := Selection{Choices: []Choice{}, Warnings: []string{}}
	verdicts := map[pair]map[int]GateVerdict{}
	for _, g := range gate {
		at := pair{g.TaskKey, g.Source}
		if old, ok := verdicts[at][g.N]; ok && old != g {
			return out, fmt.Errorf("the gate has two rows for %s, candidate %d", at, g.N)
		}
		if verdicts[at] == nil {
			verdicts[at] = map[int]GateVerdict{}
		}
		verdicts[at][g.N] = g
	}
	byPair := map[pair]map[int]SourceRun{}
	for _, r := range runs {
		at := pair{r.TaskKey, r.Source}
		if _, ok := byPair[at][r.N]; ok {
			return out, fmt.Errorf("%s has two rows for candidate %d", at, r.N)
		}
		if byPair[at] == nil {
			byPair[at] = map[int]SourceRun{}
		}
		byPair[at][r.N] = r
	}
	pairs := make([]pair, 0, len(byPair))
	for at := range byPair {
		pairs = append(pairs, at)
	}
	slices.SortFunc(pairs, pair.compare)
	for _, at := range pairs {
		candidates := byPair[at]
		original, ok := candidates[0]
		delete(candidates, 0)
		if len(candidates) == 0 {
			continue // an original run alone: nothing to choose from
		}
		if !ok || original.Reward == nil {
			return out, fmt.Errorf("%s has candidates but no rewarded run under the original description to compare them with", at)
		}
		out.Choices = append(out.Choices, choose(at, original, candidates, verdicts[at]))
	}
	out.Warnings = append(out.Warnings, gateWarnings(byPair, verdicts)...)
	for _, c := range out.Choices {
		if c.Selected == Original {
			out.Fallbacks++
		} else {
			out.Selected++
		}
	}
	var err error
	out.Digest, err = out.ComputeDigest()
	return out, err
}

// choose picks the description of one task and source.
func choose(at pair, original SourceRun, candidates map[int]SourceRun, gate map[int]GateVerdict) Choice {
	c := Choice{
		TaskKey: at.TaskKey, Source: at.source, Selected: Original, Reward: original.Reward, CostUSD: original.CostUSD,
		OriginalReward: original.Reward, OriginalCostUSD: original.CostUSD, Candidates: len(candidates),
	}
	var eligible []SourceRun
	for n, r := range candidates {
		if gate[n].Preserved {
			c.Preserved++
			if r.Reward != nil {
				eligible = append(eligible, r)
			}
		}
	}
	if len(eligible) == 0 {
		c.Reason = "no candidate passed the preservation gate"
		if c.Preserved > 0 {
			c.Reason = "no candidate that passed the gate has a reward"
		}
		return c
	}
	best := slices.MinFunc(eligible, func(a, b SourceRun) int {
		return cmp.Or(
			cmp.Compare(round12(*b.Reward), round12(*a.Reward)),
			compareCost(a.CostUSD, b.CostUSD),
			cmp.Compare(a.N, b.N),
		)
	})
	switch improves(*original.Reward, *best.Reward, original.CostUSD, best.CostUSD) {
	case improved:
		c.Reason = "improves the reward"
	case cheaper:
		c.Reason = "keeps the reward at lower cost"
	case undecided:
		c.Reason = fmt.Sprintf("the best, #%d, keeps the reward, but whether at lower cost is unknown", best.N)
		return c
	default:
		c.Reason = fmt.Sprintf("the best, #%d, neither improves the reward nor keeps it at lower cost", best.N)
		return c
	}
	c.Selected, c.Reward, c.CostUSD = CandidateName(at.source, best.N), best.Reward, best.CostUSD
	return c
}

// compareCost orders costs at 12 decimals, unknown last.
func compareCost(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(round12(*a), round12(*b))
}

// gateWarnings counts candidates without a verdict, and verdicts without a
// candidate: neither can be selected.
func gateWarnings(runs map[pair]map[int]SourceRun, gate map[pair]map[int]GateVerdict) (warnings []string) {
	noVerdict, noRun := 0, 0
	for at, candidates := range runs {
		for n := range candidates {
			if _, ok := gate[at][n]; !ok && n > 0 {
				noVerdict++
			}
		}
	}
	for at, rows := range gate {
		for n := range rows {
			if _, ok := runs[at][n]; !ok {
				noRun++
			}
		}
	}
	if noVerdict > 0 {
		warnings = append(warnings, fmt.Sprintf("%d candidates have no row in the gate table and are not eligible", noVerdict))
	}
	if noRun > 0 {
		warnings = append(warnings, fmt.Sprintf("%d rows of the gate table name a candidate without a run", noRun))
	}
	return warnings
}

// ComputeDigest is the SHA-256 of the choices' JSON with sorted keys: equal
// runs and verdicts give an equal digest in any row order.
func (s Selection) ComputeDigest() (string, error) {
	b, err := json.Marshal(s.Choices)
	if err != nil {
		return "", err
	}
	var tree any
	dec := json.NewDecoder(strings.NewReader(string(b)))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		return "", err
	}
	if b, err = json.Marshal(tree); err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
