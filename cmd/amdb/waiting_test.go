package main

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"
)

// safeBuffer is a buffer that one goroutine may read while another writes.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// The line comes when work takes longer than a second, and goes with the work,
// and with the person's patience.
func TestALineSaysThatWorkGoesOn(t *testing.T) {
	for _, c := range []struct {
		name  string
		since time.Duration
		shown bool
	}{{"long", 12 * time.Second, true}, {"short", 300 * time.Millisecond, false}} {
		var errs safeBuffer
		now := time.Unix(1000, 0)
		a := &app{stderr: &errs, now: func() time.Time { return now }}
		p := &progress{a: a, on: true, began: now.Add(-c.since)}
		ctx, cancel := context.WithCancel(t.Context())
		stop := p.beats(ctx, "checking")
		deadline := time.Now().Add(10 * time.Second)
		for c.shown && !strings.Contains(errs.String(), "checking · 12 s") && time.Now().Before(deadline) {
			time.Sleep(beat / 10)
		}
		if !c.shown {
			time.Sleep(3 * beat)
		}
		cancel() // the person's Ctrl-C
		stop()
		got := errs.String()
		if strings.Contains(got, "checking · 12 s") != c.shown {
			t.Errorf("%s work shows %q", c.name, got)
		}
		if c.shown != strings.HasSuffix(got, "\r\x1b[K") {
			t.Errorf("%s work leaves %q", c.name, got)
		}
	}
	// Nothing where nobody watches.
	var errs safeBuffer
	a := &app{stderr: &errs, now: time.Now}
	if n, err := waiting(t.Context(), a, "checking", func() (int, error) { return 7, nil }); n != 7 || err != nil || errs.String() != "" {
		t.Errorf("%d, %v, %q", n, err, errs.String())
	}
}
