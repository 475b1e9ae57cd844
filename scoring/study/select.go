package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// SelectOptions are the choices of one selection.
type SelectOptions struct {
	Gate          []byte // the gate table, CSV
	GateName      string
	MissingReward string // source-side runs without a reward: error, zero, exclude
	Version       string
	Now           time.Time
}

// pairKey is a task and a source.
type pairKey struct {
	task   scoring.TaskKey
	source string
}

// Select chooses among the candidates of every task and source that is not
// frozen yet, and freezes the choice (section 4.4). It refuses where a target
// ran under one of these sources' descriptions first: then the choice would
// not have come before the evaluation.
func Select(ctx context.Context, db *sql.DB, o SelectOptions) (*Selection, error) {
	if err := oneOf("--missing-reward", o.MissingReward, []string{"error", "zero", "exclude"}); err != nil {
		return nil, err
	}
	gate, err := ReadGate(o.Gate, o.GateName)
	if err != nil {
		return nil, err
	}
	frozen, err := frozenChoices(ctx, db)
	if err != nil {
		return nil, err
	}
	done := map[pairKey]bool{}
	for _, c := range frozen {
		done[pairKey{c.TaskKey, c.Source}] = true
	}
	found, err := readCandidates(ctx, db, o.MissingReward)
	if err != nil {
		return nil, err
	}
	runs := slices.DeleteFunc(found.runs, func(r scoring.SourceRun) bool { return done[pairKey{r.TaskKey, r.Source}] })
	gate = slices.DeleteFunc(gate, func(g scoring.GateVerdict) bool { return done[pairKey{g.TaskKey, g.Source}] })
	chosen, err := scoring.Select(runs, gate)
	if err != nil {
		return nil, schema.Faultf(schema.Rejected, "select", "", "%w", err)
	}
	if len(chosen.Choices) == 0 {
		if len(frozen) > 0 {
			return nil, schema.Faultf(schema.Failed, "select", "amdb select without --gate shows them",
				"there is nothing to choose: the %d choices there are were frozen before, and a selection never changes", len(frozen))
		}
		return nil, schema.Faultf(schema.Failed, "select", "a candidate is a run of its source under the description model/cli#N",
			"there are no candidates")
	}
	if err := found.refuse(chosen.Choices); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(o.Gate)
	s := &Selection{Selection: chosen, GateSHA256: hex.EncodeToString(sum[:]), CreatedAt: o.Now.UTC()}
	return s, storeSelection(ctx, db, s, o.Version)
}

// candidates are what the sources did, and how often targets ran already.
type candidates struct {
	runs    []scoring.SourceRun
	targets map[pairKey]int64 // runs under the source's description, or under its candidates by others
}

// refuse says which target runs came before the selection.
func (c *candidates) refuse(choices []scoring.Choice) error {
	var n int64
	var where []string
	for _, choice := range choices {
		if k := c.targets[pairKey{choice.TaskKey, choice.Source}]; k > 0 {
			n += k
			where = append(where, fmt.Sprintf("%s under %s", choice.TaskKey, choice.Source))
		}
	}
	if n == 0 {
		return nil
	}
	return schema.Faultf(schema.Failed, "select", "select from a database that holds the sources' own runs alone, then load the targets'",
		"%d target runs came before the selection: %s", n, some(where))
}

// q60 is the unit of the exact sums in SQL: 2⁻⁶⁰.
const q60 = 1 << 60

// readCandidates reads the sources' runs under their candidates and under the
// original description.
func readCandidates(ctx context.Context, db *sql.DB, missingReward string) (*candidates, error) {
	keys, err := db.Keys(ctx)
	if err != nil {
		return nil, err
	}
	names, tasks := configNames(keys), taskKeys(keys)
	out := &candidates{targets: map[pairKey]int64{}}
	var all, unrewarded int64
	rows, err := db.Rows(ctx, sql.Query("description_cells"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var config, task, description int32
		var runs, rewarded, priced int64
		var reward, cost float64
		if err := rows.Scan(&config, &task, &description, &runs, &rewarded, &priced, &reward, &cost); err != nil {
			return nil, err
		}
		d, by := keys.Descriptions[description], names[config]
		source, n, isCandidate := scoring.ParseCandidate(d)
		switch {
		case d == scoring.Original:
			source = by
		case isCandidate && source == by:
			all, unrewarded = all+runs, unrewarded+runs-rewarded
		case isCandidate:
			out.targets[pairKey{tasks[task], source}] += runs
			continue
		default:
			out.targets[pairKey{tasks[task], d}] += runs
			continue
		}
		r := scoring.SourceRun{TaskKey: tasks[task], Source: source, N: n}
		count := rewarded
		if missingReward == "zero" {
			count = runs
		}
		if count > 0 {
			v := reward / q60 / float64(count)
			r.Reward = &v
		}
		if priced == runs {
			v := cost / q60 / float64(runs)
			r.CostUSD = &v
		}
		out.runs = append(out.runs, r)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if unrewarded > 0 && missingReward == "error" {
		return nil, schema.Faultf(schema.Failed, "select", "--missing-reward zero|exclude", "%d of %d runs under candidates have no reward", unrewarded, all)
	}
	return out, nil
}
