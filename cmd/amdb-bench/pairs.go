package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// pairs are the measurements, each against its floor.
func (b *bench) pairs(ctx context.Context) []pair {
	file, plain := filepath.Join(b.dir, "amdb.duckdb"), filepath.Join(b.dir, "plain.duckdb")
	sheet, folder := filepath.Join(b.dir, "sheet.duckdb"), filepath.Join(b.dir, "folder.duckdb")
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
	// Elsewhere no cells are kept, so that every score reads the runs.
	_ = os.Setenv("AMDB_CACHE", "off")
	keeping := func(run func() (cost, error)) func() (cost, error) {
		return func() (cost, error) {
			_ = os.Setenv("AMDB_CACHE", filepath.Join(b.dir, "cells"))
			defer os.Setenv("AMDB_CACHE", "off")
			return run()
		}
	}
	peer := func(engine string) pair {
		return pair{
			what: "load and score", floorIs: engine + ", the same scoring written plainly",
			before: func() error {
				err := remove(file)
				_, e1 := amdb(file, "load", b.data())()
				_, e2 := amdb(file, "calibrate", "main")()
				_, e3 := amdb(file, "calibration", "export", "main", "-o", filepath.Join(b.dir, "main.json"))()
				_, e4 := amdb(file, "score", "-f", "json", "-o", filepath.Join(b.dir, "score.json"))()
				return errors.Join(err, e1, e2, e3, e4)
			},
			floor: func() (cost, error) {
				return process(ctx, ".", b.python, "cmd/amdb-bench/peer.py", engine, b.data(), filepath.Join(b.dir, "main.json"), filepath.Join(b.dir, "score.json"))
			},
			amdb: func() (cost, error) {
				err := remove(file)
				c, e1 := amdb(file, "load", b.data())()
				_, e2 := amdb(file, "calibration", "import", filepath.Join(b.dir, "main.json"))()
				d, e3 := amdb(file, "score", "-f", "csv")()
				return cost{c.seconds + d.seconds, c.cpu + d.cpu, max(c.peakMB, d.peakMB)}, errors.Join(err, e1, e2, e3)
			},
		}
	}
	out := []pair{
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
			what: "score, nothing changed", floorIs: "avg(reward) GROUP BY model, cli, task",
			before: func() error { // cells are kept from the score before
				_, err := keeping(amdb(file, "score", "-f", "csv"))()
				return err
			},
			floor: step("score", plain, b.memory),
			amdb:  keeping(amdb(file, "score", "-f", "csv")),
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
		{
			what: fmt.Sprintf("workbook of %d runs", sheetRuns), floorIs: "bare excelize stream writer",
			before: func() error {
				if _, err := os.Stat(sheet); err == nil {
					return nil
				}
				_, e1 := amdb(sheet, "load", b.sheetData())()
				_, e2 := amdb(sheet, "calibrate", "main")()
				return errors.Join(e1, e2)
			},
			floor: step("sheet", filepath.Join(b.dir, "bare.xlsx"), fmt.Sprint(sheetRuns)),
			amdb:  amdb(sheet, "export", filepath.Join(b.dir, "review.xlsx")),
		},
		{
			what: fmt.Sprintf("folder of %d Harbor trials", trials), floorIs: "reading the bytes",
			before: func() error { return remove(folder) },
			floor:  step("read", b.trials()),
			amdb:   amdb(folder, "load", b.trials()),
		},
	}
	for _, engine := range []string{"pandas", "polars"} {
		if _, err := process(ctx, ".", b.python, "-c", "import "+engine+", numpy"); err != nil {
			fmt.Printf("(no %s to compare with: --python names a Python that has it)\n", engine)
			continue
		}
		out = append(out, peer(engine))
	}
	return out
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
