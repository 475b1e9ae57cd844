package study_test

import (
	"context"
	"testing"

	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

// The paper-sized grid: 28 configurations on the 30 core tasks, 16 tasks with
// four source-conditioned descriptions. docs/performance.md gives the times as
// multiples of BenchmarkSamplingScoringPass.

func paper(b *testing.B) *sql.DB {
	db := database(b, [][][]byte{lines(b, "paper")}, 0)
	calibrate(b, db)
	b.ResetTimer()
	return db
}

// One full scoring pass: runs → cells → scores, through the database.
func BenchmarkSamplingScoringPass(b *testing.B) {
	db := paper(b)
	for b.Loop() {
		if _, err := study.Score(context.Background(), db, options(coreFile("paper"))); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSamplingBootstrap10000(b *testing.B) {
	db := paper(b)
	res, err := study.Score(context.Background(), db, options(coreFile("paper")))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := scoring.Bootstrap(res.Panel, res.Alpha, scoring.DefaultBootstrap()); err != nil {
			b.Fatal(err)
		}
	}
}

// With the reading of the cells and all conditions, less one assignment's time.
func BenchmarkSamplingDescriptions(b *testing.B) {
	for name, n := range map[string]int{"1": 1, "10000": scoring.DefaultAssignments} {
		b.Run(name, func(b *testing.B) {
			db := paper(b)
			for b.Loop() {
				if _, err := study.Describe(context.Background(), db, study.DescribeOptions{ScoreOptions: options("all"), Assignments: n, Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSamplingSensitivity(b *testing.B) {
	db := paper(b)
	o := study.SensitivityOptions{ScoreOptions: options(coreFile("paper")), EtaQuantiles: study.DefaultEtaQuantiles, BudgetLevels: study.DefaultBudgetLevels}
	for b.Loop() {
		if _, err := study.Analyse(context.Background(), db, o); err != nil {
			b.Fatal(err)
		}
	}
}
