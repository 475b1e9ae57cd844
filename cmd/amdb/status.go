package main

import (
	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/scoring/study"
	"amdb/sql"
)

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Say what the database holds", Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), sql.Read, func(db *sql.DB) error {
				s, err := study.ReadStatus(cmd.Context(), db)
				if err != nil {
					return err
				}
				rows := [][]any{
					{"database", s.Path},
					{"runs", s.Runs},
					{"configurations", s.Configs},
					{"tasks", s.Tasks},
					{"benchmarks", s.Benchmarks},
					{"descriptions", s.Descriptions},
					{"runs without a reward", s.MissingReward},
					{"runs without a cost", s.MissingCost},
					{"runs priced from tokens", s.Priced},
					{"runs without tokens", s.MissingTokens},
					{"runs without steps", s.MissingSteps},
					{"loads", s.Loads},
					{"rejected rows", s.Rejects},
					{"prices", s.Prices},
					{"task sets", s.Sets},
					{"calibrations", s.Calibrations},
					{"saved scores", s.Saved},
				}
				return a.printResult(s, export.NewTable([]export.Column{{Name: "what"}, {Name: "value", Kind: export.Integer}}, rows))
			})
		},
	}
}
