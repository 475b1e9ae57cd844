package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// selectionFormat is the format of files that can hold selections.
const selectionFormat = 2

// Selection is a frozen choice of wordings (section 4.4).
type Selection struct {
	scoring.Selection
	GateSHA256 string    `json:"gate_sha256"`
	CreatedAt  time.Time `json:"created_at"`
}

// Selections lists the frozen selections, oldest first, and proves each one's
// digest.
func Selections(ctx context.Context, db *sql.DB) ([]Selection, error) {
	out := []Selection{}
	if !db.Has(selectionFormat) {
		return out, nil
	}
	rows, err := db.Rows(ctx, "SELECT digest, gate_sha256, created_at, document FROM selections ORDER BY created_at, digest")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s Selection
		var digest, doc string
		if err := rows.Scan(&digest, &s.GateSHA256, &s.CreatedAt, &doc); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(doc), &s.Selection); err != nil {
			return nil, fmt.Errorf("selection %.12s: %w", digest, err)
		}
		proof, err := s.ComputeDigest()
		if err != nil {
			return nil, err
		}
		if proof != digest || proof != s.Digest {
			return nil, schema.Faultf(schema.Failed, fmt.Sprintf("selection %.12s", digest), "", "its digest is not that of its content: it was changed")
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// frozenChoices are the choices of all selections; no two are for one task and
// source.
func frozenChoices(ctx context.Context, db *sql.DB) ([]scoring.Choice, error) {
	all, err := Selections(ctx, db)
	var out []scoring.Choice
	for _, s := range all {
		out = append(out, s.Choices...)
	}
	return out, err
}

// storeSelection writes a selection into the database.
func storeSelection(ctx context.Context, db *sql.DB, s *Selection, version string) error {
	doc, err := json.Marshal(s.Selection)
	if err != nil {
		return err
	}
	var rows [][]any
	for _, c := range s.Choices {
		rows = append(rows, []any{
			s.Digest, c.Benchmark, c.Task, c.Source, c.Selected, nullable(c.Reward), nullable(c.CostUSD),
			nullable(c.OriginalReward), nullable(c.OriginalCostUSD), int32(c.Candidates), int32(c.Preserved), c.Reason,
		})
	}
	return db.Tx(ctx, func() error {
		return errors.Join(
			db.Insert("selections", [][]any{{
				s.Digest, s.GateSHA256, int32(len(s.Choices)), int32(s.Selected), int32(s.Fallbacks), s.CreatedAt, version, string(doc),
			}}),
			db.Insert("selection_choices", rows),
		)
	})
}
