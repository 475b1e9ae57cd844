package scoring

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchPanel is a full panel of made-up cells, a third of the tasks a stratum.
func benchPanel(configs, tasks int) *Panel {
	r := rand.New(rand.NewPCG(1, 2))
	p := &Panel{}
	for c := range configs {
		p.Configs = append(p.Configs, fmt.Sprintf("m%03d/c", c))
	}
	for t := range tasks {
		p.Tasks = append(p.Tasks, PanelTask{Key: TaskKey{"b", fmt.Sprintf("t%04d", t)}, Stratum: Strata[t%3]})
	}
	for range configs * tasks {
		reward := float64(r.IntN(2))
		p.Cells = append(p.Cells, Cell{Runs: 1, Reward: reward, Masked: reward * r.Float64(), Failure: (1 - reward) * float64(r.IntN(2))})
	}
	return p
}

// The paper's grid, and one ten times as wide and long.
var benchGrids = []struct{ configs, tasks int }{{28, 30}, {100, 500}}

func BenchmarkBootstrap(b *testing.B) {
	for _, g := range benchGrids {
		p := benchPanel(g.configs, g.tasks)
		b.Run(fmt.Sprintf("%dx%d", g.configs, g.tasks), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Bootstrap(p, .5, DefaultBootstrap()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAdapted1(b *testing.B) {
	for _, g := range benchGrids {
		w := Wordings{Original: benchPanel(g.configs, g.tasks), Sources: map[string]*Panel{}}
		for _, name := range w.Original.Configs[:4] {
			w.Sources[name] = benchPanel(g.configs, g.tasks)
		}
		b.Run(fmt.Sprintf("%dx%d", g.configs, g.tasks), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := SampleAdapted1(w, .5, DefaultAssignments, 1, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSweepAlpha(b *testing.B) {
	for _, g := range benchGrids {
		p := benchPanel(g.configs, g.tasks)
		c, err := Score(p, .5)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%dx%d", g.configs, g.tasks), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				SweepAlpha(p.Configs, c, .5)
			}
		})
	}
}
