package main

import (
	"context"
	"fmt"
	"time"
)

// How soon a line says that work goes on, and how often it moves.
const (
	patience = time.Second
	beat     = 100 * time.Millisecond
)

// waiting runs f. On a terminal, a line says from the first second on what is
// done and since when; it goes when f ends or the person stops the program.
func waiting[T any](ctx context.Context, a *app, what string, f func() (T, error)) (T, error) {
	p := a.progress()
	if p.on {
		defer p.beats(ctx, what)()
	}
	return f()
}

// working is waiting for work that gives nothing but an error.
func (a *app) working(ctx context.Context, what string, f func() error) error {
	_, err := waiting(ctx, a, what, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

// beats shows what is done until stop is called.
func (p *progress) beats(ctx context.Context, what string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		defer p.done()
		for tick := time.Tick(beat); ; {
			select {
			case <-ctx.Done():
				return
			case <-tick:
				p.beat(what)
			}
		}
	}()
	return func() { cancel(); <-gone }
}

// beat shows the line once there is something to wait for.
func (p *progress) beat(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.a.now()
	if since := now.Sub(p.began); since >= patience {
		p.last = now
		fmt.Fprintf(p.a.stderr, "\r\x1b[K%s · %.0f s", what, since.Seconds())
	}
}
