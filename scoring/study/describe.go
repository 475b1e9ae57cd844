package study

import (
	"context"
	"errors"
	"fmt"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// DescribeOptions are the choices of a comparison of descriptions.
type DescribeOptions struct {
	ScoreOptions
	Assignments int
	Seed        uint64
	Exact       bool // the distribution over all assignments, too
}

// Descriptions is every condition of section 4 beside the others.
type Descriptions struct {
	Basis
	scoring.DescriptionsResult
	Selections []string `json:"selections"` // digests of the selections whose wordings entered
}

// Describe scores every target under every condition, over the tasks that were
// run under all of them.
func Describe(ctx context.Context, db *sql.DB, o DescribeOptions) (*Descriptions, error) {
	if o.Assignments < 1 || o.Assignments > maxAssignments {
		return nil, schema.Faultf(schema.Usage, "--assignments", "", "%d is outside 1 to %d", o.Assignments, maxAssignments)
	}
	s, warnings, err := openScope(ctx, db, o.choice())
	if err != nil {
		return nil, err
	}
	panels, err := s.panels(ctx, db)
	if err != nil {
		return nil, err
	}
	selections, err := Selections(ctx, db)
	if err != nil {
		return nil, err
	}
	out := &Descriptions{Selections: []string{}}
	var frozen []scoring.Choice
	for _, sel := range selections {
		frozen = append(frozen, sel.Choices...)
		out.Selections = append(out.Selections, sel.Digest)
	}
	sources := sourcesOf(panels, frozen)
	if len(sources) == 0 {
		return nil, schema.Faultf(schema.Failed, "descriptions", "such a run has its source's name, model/cli, as description",
			"these tasks have no runs under a source-conditioned description")
	}
	w := s.wordings(panels, frozen, sources)
	w.keep(w.ranTasks(true), s.tasks)
	if w.kept == 0 {
		return nil, schema.Faultf(schema.Failed, "descriptions", "", "no task was run under every description: original, generic and those of %s", some(sources))
	}
	res := s.result("all", w.panels[scoring.Original], append(warnings, w.leftOut("every description")...))
	res.Policies.Policies = o.Policies
	more, err := res.Policies.admit(w.rows(), w.rows())
	if err != nil {
		return nil, err
	}
	res.Warnings = append(append(res.Warnings, more...), w.strangers(panels[scoring.Original])...)
	out.Basis = res.Basis()
	return out, out.describe(w.Wordings(), res, o)
}

// maxAssignments bounds the sample: every target's score under each is held.
const maxAssignments = 1_000_000

// describe fills in the figures. What is undefined stays nil, with a reason.
func (d *Descriptions) describe(w scoring.DescriptionPanels, res *Scores, o DescribeOptions) (err error) {
	if d.DescriptionsResult, err = scoring.Describe(w, res.Alpha); err != nil {
		return strataFault(err, res.TaskSet)
	}
	d.Reasons = map[string]string{}
	sampled, err := scoring.SampleAdapted1(w, res.Alpha, o.Assignments, o.Seed, 0)
	if err != nil {
		d.Reasons["adapted1"] = err.Error()
	} else {
		d.Adapted1 = &sampled
	}
	if !o.Exact {
		return nil
	}
	exact, err := scoring.ExactAdapted1(w, res.Alpha, 0)
	var tooMany *scoring.TooManyStatesError
	switch {
	case errors.As(err, &tooMany):
		return schema.Faultf(schema.Failed, "--exact", "leave out --exact: the sample's standard errors are given", "%w", err)
	case err != nil:
		d.Reasons["adapted1_exact"] = err.Error()
	default:
		d.Exact = &exact
	}
	return nil
}

// Line says what was compared.
func (d *Descriptions) Line() string {
	return fmt.Sprintf("calibration %s (%.12s) · %d tasks (%s) with every description · %d targets · %d sources · alpha %v",
		d.Calibration.Name, d.Calibration.Digest, d.Tasks, d.TaskSet, len(d.Targets), len(d.Sources), d.Alpha)
}
