package study

import (
	"context"

	"amdb/scoring"
	"amdb/sql"
)

// Ablation is the score with each of its parts taken out in turn (section 5.2).
type Ablation struct {
	Basis
	Tasks    int               `json:"tasks"`
	Configs  int               `json:"configs"`
	Variants []scoring.Variant `json:"variants"`
	Scores   []AblationRow     `json:"scores"` // in the order of the full ranking
}

// AblationRow is one configuration's score and rank in full and under every
// variant, by the variant's name.
type AblationRow struct {
	Config string             `json:"config"`
	AMS    map[string]float64 `json:"ams"`
	Rank   map[string]int     `json:"rank"`
}

// FullScore is the name of the score with all its parts, beside the variants'.
const FullScore = "full"

// Ablate takes out each part of the score.
func Ablate(ctx context.Context, db *sql.DB, o ScoreOptions) (*Ablation, error) {
	res, err := ground(ctx, db, o)
	if err != nil {
		return nil, err
	}
	components, err := res.components()
	if err != nil {
		return nil, err
	}
	names := res.Panel.Configs
	out := &Ablation{
		Basis: res.Basis(), Tasks: res.Tasks, Configs: len(names), Scores: []AblationRow{},
		Variants: scoring.Ablate(names, components, res.Alpha),
	}
	full := scoring.AMSOf(components)
	ranks := scoring.Ranks(full)
	rows := make([]AblationRow, len(names))
	fill := func(variant string, scores []float64, ranks []int) {
		for i := range rows {
			rows[i].AMS[variant], rows[i].Rank[variant] = scores[i], ranks[i]
		}
	}
	for i, name := range names {
		rows[i] = AblationRow{name, map[string]float64{}, map[string]int{}}
	}
	fill(FullScore, full, ranks)
	for _, v := range out.Variants {
		fill(v.Name, v.Scores, scoring.Ranks(v.Scores))
	}
	for _, i := range scoring.Order(names, ranks) {
		out.Scores = append(out.Scores, rows[i])
	}
	return out, nil
}
