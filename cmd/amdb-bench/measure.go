package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"amdb/schema/sample"
)

// prepare builds the program and makes up the data, once for each size.
func (b *bench) prepare(ctx context.Context) error {
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	var err error
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	b.amdb = filepath.Join(b.dir, "amdb")
	build := exec.CommandContext(ctx, "go", "build", "-tags", "duckdb_arrow", "-o", b.amdb, "./cmd/amdb")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building amdb: %w", err)
	}
	return errors.Join(
		b.make(ctx, b.data(), "data", fmt.Sprint(b.runs), fmt.Sprint(b.configs), fmt.Sprint(b.tasks)),
		b.make(ctx, b.sheetData(), "data", fmt.Sprint(sheetRuns), "20", "200"),
		b.make(ctx, b.trials(), "trials", fmt.Sprint(trials)),
	)
}

// make makes up data where it is not there yet, in a process of its own: what a
// child's memory peaks at starts from ours.
func (b *bench) make(ctx context.Context, path, step string, args ...string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	_, err := process(ctx, ".", b.self, append([]string{"--step", step, path}, args...)...)
	return err
}

// makeData writes made-up runs.
func makeData(path string, runs int64, configs, tasks int) error {
	g := sample.Wide(1, configs, tasks, max(1, int(runs)/(configs*tasks)))
	f, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	next, left := g.Runs(), runs
	_, err = sample.WriteParquet(f, func() (sample.Run, bool) {
		if left == 0 {
			return sample.Run{}, false
		}
		left--
		return next()
	})
	return errors.Join(err, f.Close(), os.Rename(path+".part", path))
}

func (b *bench) data() string {
	return filepath.Join(b.dir, fmt.Sprintf("runs-%d-%d-%d.parquet", b.runs, b.configs, b.tasks))
}

// How much the measurements have that do not grow with --runs.
const (
	sheetRuns = 200_000 // in a workbook
	trials    = 20_000  // in a folder
)

func (b *bench) sheetData() string {
	return filepath.Join(b.dir, fmt.Sprintf("sheet-%d.parquet", sheetRuns))
}

func (b *bench) trials() string { return filepath.Join(b.dir, fmt.Sprintf("trials-%d", trials)) }

// cost is what one measurement took.
type cost struct {
	seconds float64
	cpu     float64 // processor seconds: what a busy machine distorts least
	peakMB  float64
}

// process runs a program and says what it took.
func process(ctx context.Context, dir string, name string, args ...string) (cost, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var errs strings.Builder
	cmd.Stderr = &errs
	began := time.Now()
	err := cmd.Run()
	c := cost{seconds: time.Since(began).Seconds()}
	if err != nil {
		return c, fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, errs.String())
	}
	if ru, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.peakMB = float64(ru.Maxrss) / 1024
		c.cpu = cmd.ProcessState.UserTime().Seconds() + cmd.ProcessState.SystemTime().Seconds()
	}
	return c, nil
}

// pair is a measurement and its floor. before makes ready for one run of
// either, and is not measured.
type pair struct {
	what, floorIs string
	before        func() error
	floor, amdb   func() (cost, error)
}

func (b *bench) measure(ctx context.Context) error {
	for _, p := range b.pairs(ctx) {
		if !strings.HasPrefix(p.what, b.only) {
			// What follows may need what this one leaves.
			if err := p.before(); err != nil {
				return err
			}
			if _, err := p.amdb(); err != nil {
				return err
			}
			continue
		}
		var floors, ours []cost
		// By turns, so that a slow minute of the machine hits both.
		for range b.repeat {
			for _, side := range []struct {
				run  func() (cost, error)
				into *[]cost
			}{{p.floor, &floors}, {p.amdb, &ours}} {
				if err := p.before(); err != nil {
					return err
				}
				c, err := side.run()
				if err != nil {
					return err
				}
				*side.into = append(*side.into, c)
			}
		}
		f, o := median(floors), median(ours)
		fmt.Printf("| %s | %s | %.2f | %.2f | **%.2f** | **%.2f** | %.0f | %.0f |\n",
			p.what, p.floorIs, f.seconds, o.seconds, o.seconds/f.seconds, o.cpu/f.cpu, f.peakMB, o.peakMB)
	}
	return nil
}

// median is the middle time, the middle processor time and the highest memory.
func median(cs []cost) cost {
	var m cost
	middle := func(of func(cost) float64) float64 {
		var xs []float64
		for _, c := range cs {
			xs = append(xs, of(c))
		}
		slices.Sort(xs)
		return xs[len(xs)/2]
	}
	m.seconds = middle(func(c cost) float64 { return c.seconds })
	m.cpu = middle(func(c cost) float64 { return c.cpu })
	for _, c := range cs {
		m.peakMB = max(m.peakMB, c.peakMB)
	}
	return m
}
