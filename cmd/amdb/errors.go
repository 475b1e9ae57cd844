package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"unicode"

	"amdb/schema"
	"amdb/sql"
	"amdb/sql/ingest"
)

// interrupted is what a person who stops the program reads.
const interrupted = "amdb: interrupted: nothing was stored"

// report prints an error as one line and a hint, and gives the exit code.
func (a *app) report(ctx context.Context, err error) int {
	if err == nil {
		return 0
	}
	if isInterrupt(ctx, err) {
		fmt.Fprintln(a.stderr, interrupted)
		return int(schema.Interrupted)
	}
	if errors.Is(err, syscall.EPIPE) {
		return 0 // the reader of our output has seen enough
	}
	var fault *schema.Fault
	var rejected *ingest.RejectedError
	switch {
	case errors.As(err, &rejected):
		a.say(rejected.Error(), "mend the file, or --allow-rejects loads the other runs and keeps these in the table rejects")
		a.rejects("  ", rejected.Rejected, rejected.By, rejected.First)
		return int(schema.Rejected)
	case errors.As(err, &fault):
		a.say(fault.Error(), fault.Hint)
		var conflicts *ingest.ConflictsError
		if errors.As(err, &conflicts) {
			for _, c := range conflicts.First {
				fmt.Fprintln(a.stderr, "  "+oneLine(c.String()))
			}
		}
		return int(fault.Class)
	case errors.Is(err, syscall.ENOSPC):
		a.say("no space left on the disk", "free some space and run the command again")
		return int(schema.Failed)
	case strings.HasPrefix(err.Error(), "unknown command"):
		first, rest, _ := strings.Cut(err.Error(), "\n")
		a.say(first, strings.Join(strings.Fields(rest+" amdb help lists the commands"), " "))
		return int(schema.Usage)
	}
	if full := sql.MemoryFault(err); errors.As(full, &fault) {
		a.say(fault.Error(), fault.Hint)
		return int(fault.Class)
	}
	var pe *os.PathError
	if errors.As(err, &pe) {
		a.say(pe.Path+": "+pe.Err.Error(), "")
		return int(schema.Failed)
	}
	a.say(err.Error(), "")
	return int(schema.Failed)
}

// say prints one line of what and why, and one of what to do.
func (a *app) say(what, hint string) {
	fmt.Fprintln(a.stderr, "amdb: "+oneLine(what))
	if hint != "" {
		fmt.Fprintln(a.stderr, "hint: "+oneLine(hint))
	}
}

// warn prints warnings, one a line.
func (a *app) warn(warnings []string) {
	for _, w := range warnings {
		fmt.Fprintln(a.stderr, "warning: "+oneLine(w))
	}
}

// Bounds of what is said of rejects: rules, and examples.
const (
	maxRules    = 10
	maxExamples = 5
)

// rejects says how many rows broke which rule, and shows the first of them.
// Where each row broke its own, the examples say it all.
func (a *app) rejects(indent string, total int64, by []ingest.RejectCount, first []schema.Reject) {
	if len(by) > 0 && by[0].Rows > 1 {
		for i, r := range by {
			if i == maxRules {
				a.inform("%s… and %d more reasons", indent, len(by)-i)
				break
			}
			a.inform("%s%d rows: %s", indent, r.Rows, oneLine(strings.TrimPrefix(r.Column+": "+r.Reason, ": ")))
		}
	}
	for i, r := range first {
		if i == maxExamples {
			break
		}
		a.inform("%s%s", indent, rejectLine(r))
	}
	if more := total - int64(min(len(first), maxExamples)); more > 0 {
		a.inform("%s… and %d more", indent, more)
	}
}

// rejectLine is a reject as a person reads it.
func rejectLine(r schema.Reject) string {
	s := r.File
	if r.Row > 0 {
		s += fmt.Sprintf(": row %d", r.Row)
	}
	if r.Column != "" {
		s += ": " + r.Column
		if r.Value != "" {
			s += fmt.Sprintf(" %q", r.Value)
		}
	}
	return oneLine(s + ": " + r.Reason)
}

// oneLine keeps a hostile text from drawing on the terminal, and a credential
// out of it: line breaks and control characters become visible signs.
func oneLine(s string) string {
	s = schema.RedactText(s)
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return '\u00b7' // Cf: marks that turn or hide text
		}
		return r
	}, strings.TrimSpace(s))
}
