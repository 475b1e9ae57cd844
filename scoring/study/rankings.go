package study

import (
	"context"

	"amdb/scoring"
	"amdb/sql"
)

// Rankings puts the rank by conventional criteria beside that by AMS
// (section 5.11).
type Rankings struct {
	Basis
	Tasks int `json:"tasks"`
	scoring.Rankings
}

// Rank ranks the configurations by every criterion, in the order of AMS.
func Rank(ctx context.Context, db *sql.DB, o ScoreOptions) (*Rankings, error) {
	res, err := Score(ctx, db, o)
	if err != nil {
		return nil, err
	}
	var names []string
	var components []scoring.Components
	var figures []scoring.Figures
	for _, s := range res.Leaderboard {
		names, components, figures = append(names, s.Config), append(components, s.Components), append(figures, s.Figures)
	}
	return &Rankings{Basis: res.Basis(), Tasks: res.Tasks, Rankings: scoring.RankByCriteria(names, components, figures)}, nil
}
