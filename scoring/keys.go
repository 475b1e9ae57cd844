package scoring

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// TaskKey identifies a task. Task ids collide between suites, so the suite is
// part of the key.
type TaskKey struct {
	Benchmark string `json:"benchmark"`
	Task      string `json:"task"`
}

// Compare orders by benchmark, then task, byte by byte.
func (k TaskKey) Compare(o TaskKey) int {
	return cmp.Or(strings.Compare(k.Benchmark, o.Benchmark), strings.Compare(k.Task, o.Task))
}

// String is benchmark/task, or the bare task where there is no benchmark.
func (k TaskKey) String() string {
	if k.Benchmark == "" {
		return k.Task
	}
	return k.Benchmark + "/" + k.Task
}

// ConfigName joins a model and a CLI to a configuration's name.
func ConfigName(model, cli string) string { return model + "/" + cli }

// SplitConfig splits a configuration's name at its last slash: a model may
// hold slashes, a CLI may not.
func SplitConfig(name string) (model, cli string, ok bool) {
	i := strings.LastIndexByte(name, '/')
	if i <= 0 || i == len(name)-1 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}

// Stratum is one of the three groups of tasks by effort.
type Stratum int

// The strata, least effort first.
const (
	Easy Stratum = iota
	Medium
	Hard
)

// Strata lists the strata in order.
var Strata = [3]Stratum{Easy, Medium, Hard}

// String is the stratum's name in the paper.
func (s Stratum) String() string {
	switch s {
	case Easy:
		return "Easy"
	case Medium:
		return "Medium"
	case Hard:
		return "Hard"
	}
	return fmt.Sprintf("Stratum(%d)", int(s))
}

// ParseStratum reads a stratum's name.
func ParseStratum(name string) (Stratum, error) {
	for _, s := range Strata {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("stratum %q is not one of Easy, Medium, Hard", name)
}

// MarshalJSON writes the name.
func (s Stratum) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }

// UnmarshalJSON reads the name.
func (s *Stratum) UnmarshalJSON(b []byte) error {
	var name string
	if err := json.Unmarshal(b, &name); err != nil {
		return err
	}
	v, err := ParseStratum(name)
	*s = v
	return err
}
