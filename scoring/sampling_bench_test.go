package scoring

import (
	"fmt"
	"testing"
)

// The paper's grid, and a large one.
var benchGrids = []struct{ configs, perStratum int }{{28, 10}, {100, 167}}

func BenchmarkBootstrap(b *testing.B) {
	for _, g := range benchGrids {
		p := randomPanel(g.configs, g.perStratum, 5)
		b.Run(fmt.Sprintf("%dx%d", g.configs, 3*g.perStratum), func(b *testing.B) {
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
		w := DescriptionPanels{Original: randomPanel(g.configs, g.perStratum, 5), Sources: map[string]*Panel{}}
		for _, name := range w.Original.Configs[:4] {
			w.Sources[name] = randomPanel(g.configs, g.perStratum, 5)
		}
		b.Run(fmt.Sprintf("%dx%d", g.configs, 3*g.perStratum), func(b *testing.B) {
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
		p := randomPanel(g.configs, g.perStratum, 5)
		c, err := Score(p, .5)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%dx%d", g.configs, 3*g.perStratum), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				SweepAlpha(p.Configs, c, .5)
			}
		})
	}
}
