package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// pairs are the measurements, each against its floor.
func (b *bench) pairs(ctx context.Context) []pair {
	file, plain := filepath.Join(b.dir, "amdb.duckdb"), filepath.Join(b.dir, "plain.duckdb")
	small, smallRuns := filepath.Join(b.dir, "small.duckdb"), filepath.Join("testdata", "golden", "paper.runs.jsonl")
	limits := []string{}
	if b.memory != "" {
		limits = []string{"--memory-limit", b.memory}
	}
	amdb := func(db string, args ...string) func() (cost, error) {
		return func() (cost, error) {
			return process(ctx, ".", b.amdb, append(append([]string{"--db", db}, limits...), args...)...)
		}
	}
	step := func(args ...string) func() (cost, error) {
		return func() (cost, error) {
			return process(ctx, ".", b.self, append([]string{"--step"}, args...)...)
		}
	}
	nothing := func() error { return nil }
	return []pair{
		{
			what: "load", floorIs: "INSERT … SELECT FROM read_parquet",
			before: func() error { return remove(file, plain) },
			floor:  step("load", plain, b.data(), b.memory),
			amdb:   amdb(file, "load", b.data()),
		},
		{
			what: "calibrate", floorIs: "avg(reward) GROUP BY model, cli, task",
			before: func() error {
				_, err := step("prepare", plain, b.data(), file)()
				return err
			},
			floor: step("score", plain, b.memory),
			amdb:  amdb(file, "calibrate", "main"),
		},
		{
			what: "score", floorIs: "avg(reward) GROUP BY model, cli, task",
			before: nothing,
			floor:  step("score", plain, b.memory),
			amdb:   amdb(file, "score", "-f", "csv"),
		},
		{
			what: "small score", floorIs: "open and SELECT 1",
			before: func() error {
				if _, err := os.Stat(small); err == nil {
					return nil
				}
				_, err := amdb(small, "load", smallRuns)()
				_, err2 := amdb(small, "calibrate", "main")()
				return errors.Join(err, err2)
			},
			floor: step("open", small),
			amdb:  amdb(small, "score"),
		},
	}
}

// remove removes databases with what DuckDB keeps beside them.
func remove(files ...string) error {
	for _, f := range files {
		for _, name := range []string{f, f + ".wal"} {
			if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
