package study

import (
	"context"

	"amdb/scoring"
	"amdb/sql"
)

// Fidelity says how well a set of tasks keeps the ranking of another, most
// often all (section 5.3).
type Fidelity struct {
	Basis
	Tasks        int `json:"tasks"` // of the subset
	AgainstTasks int `json:"against_tasks"`
	scoring.Fidelity
}

// CompareSubset scores two task sets under one calibration over the
// configurations that are complete on both. o.Tasks is the subset.
func CompareSubset(ctx context.Context, db *sql.DB, o ScoreOptions, against string) (*Fidelity, error) {
	c := o.choice()
	c.tasks = append(c.tasks, against)
	res, err := groundOf(ctx, db, o.Condition, c)
	if err != nil {
		return nil, err
	}
	of := func(set TaskSet) *scoring.Panel {
		in := map[scoring.TaskKey]bool{}
		for _, k := range set.Tasks {
			in[k] = true
		}
		return res.Panel.Subset(func(k scoring.TaskKey) bool { return in[k] })
	}
	sub, whole := of(res.sets[0]), of(res.sets[1])
	f, err := scoring.CompareSubset(res.sets[0].Name, res.sets[1].Name, sub, whole, res.Alpha)
	if err != nil {
		return nil, strataFault(err, res.sets[0].Name)
	}
	return &Fidelity{Basis: res.Basis(), Tasks: len(sub.Tasks), AgainstTasks: len(whole.Tasks), Fidelity: f}, nil
}
