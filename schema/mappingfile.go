package schema

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// file reads a mapping file: TOML whose keys are columns of a run.
//
//	reward = "score"                    # the source's column of this name
//	task   = { source = "instance" }    # the same
//	cli    = { value = "terminus-2" }   # for every run; a column cli goes to extra
//	model  = { default = "unknown" }    # where the source gives none
func (m *Mapping) file(path string) error {
	text, err := os.ReadFile(path)
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if err != nil {
		return fmt.Errorf("--map @%s: %w", path, err)
	}
	var entries map[string]any
	if err := toml.Unmarshal(text, &entries); err != nil {
		return fmt.Errorf("--map @%s: is not TOML: %s", path, strings.TrimPrefix(err.Error(), "toml: "))
	}
	targets := make([]string, 0, len(entries))
	for t := range entries {
		targets = append(targets, t)
	}
	slices.Sort(targets)
	for _, t := range targets {
		if err := m.entry(t, entries[t]); err != nil {
			return fmt.Errorf("--map @%s: %w", path, err)
		}
	}
	return nil
}

// entry takes one key of a mapping file.
func (m *Mapping) entry(target string, v any) error {
	switch v := v.(type) {
	case string:
		return m.take(target, v)
	case map[string]any:
		if len(v) != 1 {
			return fmt.Errorf("%s has %d keys; one of source, value, default is wanted", target, len(v))
		}
		for key, inner := range v {
			s, ok := inner.(string)
			if !ok {
				return fmt.Errorf("%s: %s is no text", target, key)
			}
			switch key {
			case "source":
				return m.take(target, s)
			case "value":
				return m.declare(target, Constant{Value: s})
			case "default":
				return m.declare(target, Constant{Value: s, Default: true})
			}
			return fmt.Errorf("%s has the key %q; one of source, value, default is wanted", target, key)
		}
	}
	return fmt.Errorf("%s is neither a column's name nor a table with source, value or default", target)
}
