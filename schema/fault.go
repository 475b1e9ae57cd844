package schema

import "fmt"

// Class is what kind of thing went wrong; it is also the exit code.
type Class int

// The classes of fault.
const (
	Failed      Class = 1   // anything not named below
	Usage       Class = 2   // the command was called wrongly
	Rejected    Class = 3   // the data broke a rule; nothing was stored
	Locked      Class = 4   // another process holds the database
	Interrupted Class = 130 // the person stopped it
)

// Fault is an error for a person: what failed, why, and what to do about it.
type Fault struct {
	Class Class
	What  string // the thing at hand: a file, a command, a database
	Err   error  // why
	Hint  string // what to do; "" where there is nothing to say
}

func (f *Fault) Error() string {
	if f.What == "" {
		return f.Err.Error()
	}
	return f.What + ": " + f.Err.Error()
}

func (f *Fault) Unwrap() error { return f.Err }

// Faultf makes a Fault; the reason is formatted as by fmt.Errorf.
func Faultf(class Class, what, hint, format string, args ...any) *Fault {
	return &Fault{Class: class, What: what, Hint: hint, Err: fmt.Errorf(format, args...)}
}
