package study

import (
	"context"
	"fmt"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// Subset is a proposal of tasks that stand for the whole (section 5.10).
type Subset struct {
	Basis
	scoring.SubsetProposal
}

// ProposeSubset proposes k of the tasks in scope.
func ProposeSubset(ctx context.Context, db *sql.DB, o ScoreOptions, k int, seed uint64) (*Subset, error) {
	res, err := ground(ctx, db, o)
	if err != nil {
		return nil, err
	}
	if _, err := res.components(); err != nil {
		return nil, err
	}
	if len(res.Panel.Configs) == 0 {
		return nil, schema.Faultf(schema.Failed, fmt.Sprintf("subset %d", k), "choose tasks that some share with --tasks NAME|@FILE",
			"no configuration is complete on the %d tasks, so there is no ranking to keep", res.Tasks)
	}
	p, err := scoring.ProposeSubset(res.Panel, k, res.Alpha, seed)
	if err != nil {
		return nil, schema.Faultf(schema.Usage, fmt.Sprintf("subset %d", k), "", "%w", err)
	}
	return &Subset{res.Basis(), p}, nil
}
