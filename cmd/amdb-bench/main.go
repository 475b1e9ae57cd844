// Command amdb-bench measures amdb against what DuckDB needs for the least that
// the job could cost, on the same made-up data and in the same run, and prints
// ratios: of medians of several runs, each in a process of its own, with the
// peak of its memory. just bench runs it; docs/performance.md reads it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

func main() {
	var b bench
	var step string
	flag.Int64Var(&b.runs, "runs", 1_000_000, "runs to make up")
	flag.IntVar(&b.configs, "configs", 100, "configurations")
	flag.IntVar(&b.tasks, "tasks", 500, "tasks")
	flag.IntVar(&b.repeat, "repeat", 3, "runs of each measurement")
	flag.StringVar(&b.memory, "memory-limit", "", "memory limit of the database, as 512MB")
	flag.StringVar(&b.only, "only", "", "measure only what begins with this: load, score, …")
	flag.StringVar(&b.dir, "dir", filepath.Join(os.TempDir(), "amdb-bench"), "where data and databases go; data is kept for the next time")
	flag.StringVar(&b.python, "python", "python3", "Python for the comparison with pandas and polars, which are on PyPI")
	flag.StringVar(&step, "step", "", "internal: one step in a process of its own")
	flag.Parse()
	var err error
	if step != "" {
		err = runStep(context.Background(), step, flag.Args())
	} else {
		err = b.run(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "amdb-bench:", err)
		os.Exit(1)
	}
}

// bench is one run of all measurements.
type bench struct {
	runs           int64
	configs, tasks int
	repeat         int
	memory, only   string
	dir            string
	python         string
	amdb, self     string
}

func (b *bench) run(ctx context.Context) error {
	if err := b.prepare(ctx); err != nil {
		return err
	}
	fmt.Printf("%d runs · %d configurations · %d tasks · %s · %d cores\n\n", b.runs, b.configs, b.tasks, runtime.Version(), runtime.NumCPU())
	fmt.Println("| what | against | its s | amdb s | ratio, time | ratio, processor | its peak MB | amdb's peak MB |")
	fmt.Println("|---|---|---:|---:|---:|---:|---:|---:|")
	return b.measure(ctx)
}
