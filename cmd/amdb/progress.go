package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress is one line on a terminal that says how far a load is; elsewhere it
// is silent.
type progress struct {
	a     *app
	on    bool
	mu    sync.Mutex
	began time.Time
	last  time.Time
	rows  int64
}

func (a *app) progress() *progress {
	f, ok := a.stderr.(*os.File)
	return &progress{a: a, on: ok && term.IsTerminal(int(f.Fd())), began: a.now()}
}

// add counts rows of a file.
func (p *progress) add(file string, rows int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rows += rows
	now := p.a.now()
	if !p.on || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last = now
	rate := float64(p.rows) / max(now.Sub(p.began).Seconds(), 1e-3)
	fmt.Fprintf(p.a.stderr, "\r\x1b[K%d runs, %.0f a second · %s", p.rows, rate, oneLine(base(file)))
}

// done takes the line away.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.on && !p.last.IsZero() {
		fmt.Fprint(p.a.stderr, "\r\x1b[K")
	}
	p.on = false
}
