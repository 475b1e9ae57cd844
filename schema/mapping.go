package schema

import (
	"fmt"
	"slices"
	"strings"
)

// Mapping decides which column of a source fills which column of a run: by
// --map first, then by exact name, then by alias. It is kept for one file, so
// that two aliases of one column are found even in different rows.
type Mapping struct {
	explicit  map[Col]string   // column → source name
	sources   map[string]Col   // source name → column, of explicit
	constants map[Col]Constant // what is declared and not read
	used      map[Col]string   // the alias that this file uses for a column
	exact     map[Col]string   // the spelling of an exact name that this file uses
	seen      []Mapped         // the names of this file so far, with what became of each
	lenient   bool
}

// Constant is a column's value that a person declares for a whole source. A
// text column only: a measurement that is the same in every run is made up.
type Constant struct {
	Value   string
	Default bool // only where the source gives none
}

// Mapped is a source's column and what it fills.
type Mapped struct {
	Name string
	Col  Col    // a column, ToExtra or Derived
	By   string // map, name, alias; "" where it fills none
}

// NewMapping reads the values of --map: target=source, target:=value (a
// constant), target?=value (where the source gives none), or @FILE with the
// same as TOML.
func NewMapping(pairs []string) (*Mapping, error) {
	m := &Mapping{explicit: map[Col]string{}, sources: map[string]Col{}, constants: map[Col]Constant{}, used: map[Col]string{}, exact: map[Col]string{}}
	for _, p := range pairs {
		if path, ok := strings.CutPrefix(p, "@"); ok {
			if err := m.file(path); err != nil {
				return nil, err
			}
			continue
		}
		if err := m.pair(p); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *Mapping) pair(p string) error {
	target, src, ok := strings.Cut(p, "=")
	if !ok || target == "" || src == "" {
		return fmt.Errorf("--map %q is not target=source, target:=value, target?=value or @FILE", p)
	}
	var err error
	if name, declared := strings.CutSuffix(target, ":"); declared {
		err = m.declare(name, Constant{Value: src})
	} else if name, declared := strings.CutSuffix(target, "?"); declared {
		err = m.declare(name, Constant{Value: src, Default: true})
	} else {
		err = m.take(target, src)
	}
	if err != nil {
		return fmt.Errorf("--map %s: %w", p, err)
	}
	return nil
}

// take maps a source's column.
func (m *Mapping) take(target, src string) error {
	c, err := m.free(target)
	if err != nil {
		return err
	}
	if prev, dup := m.sources[src]; dup {
		return fmt.Errorf("%q is given to two columns, %s and %s", src, prev, c)
	}
	m.explicit[c], m.sources[src] = src, c
	return nil
}

// declare gives a column a constant.
func (m *Mapping) declare(target string, k Constant) error {
	c, err := m.free(target)
	if err != nil {
		return err
	}
	switch {
	case Columns[c].Kind != Text || c == RunID:
		return fmt.Errorf("%s is measured or the run's own, so it cannot be declared for a whole source", c)
	case k.Value == "":
		return fmt.Errorf("%s: the declared value is empty", c)
	}
	if err := checkText(c, k.Value); err != nil {
		return fmt.Errorf("%s %q: %w", c, k.Value, err)
	}
	m.constants[c] = k
	return nil
}

// free is a column that has no source yet.
func (m *Mapping) free(target string) (Col, error) {
	c, ok := ColumnByName(target)
	if !ok {
		return 0, fmt.Errorf("a run has no column %q", target)
	}
	if prev, dup := m.explicit[c]; dup {
		return 0, fmt.Errorf("%s has two sources; the other is %q", target, prev)
	}
	if prev, dup := m.constants[c]; dup {
		return 0, fmt.Errorf("%s has two sources; the other is the constant %q", target, prev.Value)
	}
	return c, nil
}

// Fresh is the same mapping for another file.
func (m *Mapping) Fresh() *Mapping {
	return &Mapping{explicit: m.explicit, sources: m.sources, constants: m.constants, used: map[Col]string{}, exact: map[Col]string{}, lenient: m.lenient}
}

// Lenient is a fresh mapping for a look at a file: required columns may lack.
func (m *Mapping) Lenient() *Mapping {
	out := m.Fresh()
	out.lenient = true
	return out
}

// Explicit lists the sources that --map names.
func (m *Mapping) Explicit() map[Col]string { return m.explicit }

// Constants lists the declared values.
func (m *Mapping) Constants() map[Col]Constant { return m.constants }

// Declared lists what --map says, one a line, in the order of columns.
func (m *Mapping) Declared() []string {
	var out []string
	for c := range NumColumns {
		if src := m.explicit[c]; src != "" {
			out = append(out, c.String()+"="+src)
		}
		if k, ok := m.constants[c]; ok && k.Default {
			out = append(out, c.String()+"?="+k.Value)
		} else if ok {
			out = append(out, c.String()+":="+k.Value)
		}
	}
	return out
}

// Seen lists the columns of the file that were met so far, in their order; of a
// lenient mapping.
func (m *Mapping) Seen() []Mapped { return m.seen }

// settled says whether a column takes nothing by name or alias.
func (m *Mapping) settled(c Col) bool {
	k, declared := m.constants[c]
	return m.explicit[c] != "" || declared && !k.Default
}

// What Resolve says of a name that is no column of a run.
const (
	ToExtra Col = -1 // it goes to extra
	Derived Col = -2 // it follows from other columns and is passed over
)

// Resolve maps the names of one row or header to columns. The result is
// parallel to names: a column, ToExtra or Derived.
func (m *Mapping) Resolve(names []string) ([]Col, error) {
	out := make([]Col, len(names))
	var exact [NumColumns]string
	seen := map[string]string{}
	for i, name := range names {
		out[i] = ToExtra
		key := fold(name)
		if prev, dup := seen[key]; dup {
			if prev == name {
				return nil, fmt.Errorf("column %q stands twice", name)
			}
			return nil, fmt.Errorf("columns %q and %q differ only in case or blanks", prev, name)
		}
		seen[key] = name
		if c, ok := m.sources[name]; ok {
			out[i], exact[c] = c, name
		}
	}
	for i, name := range names {
		c, ok := byName[fold(name)]
		if out[i] >= 0 || !ok || m.settled(c) {
			continue
		}
		out[i], exact[c] = c, name
		m.exact[c] = name
	}
	for i, name := range names {
		c, ok := byAlias[fold(name)]
		if out[i] >= 0 || !ok || exact[c] != "" || m.settled(c) {
			continue
		}
		if prev := m.used[c]; prev != "" && prev != name {
			return nil, fmt.Errorf("columns %q and %q both stand for %s: choose one with --map %s=%s", prev, name, c, c, name)
		}
		m.used[c] = name
		out[i] = c
	}
	if exact[RunID] != "" {
		for i, name := range names {
			if out[i] == ToExtra && derived[name] {
				out[i] = Derived
			}
		}
	}
	if m.lenient {
		m.record(names, out)
	}
	return out, nil
}

// record keeps what became of names, each once.
func (m *Mapping) record(names []string, columns []Col) {
	for i, name := range names {
		if slices.ContainsFunc(m.seen, func(s Mapped) bool { return s.Name == name }) {
			continue
		}
		s := Mapped{Name: name, Col: columns[i]}
		if c := columns[i]; c >= 0 {
			switch name {
			case m.explicit[c]:
				s.By = "map"
			case m.exact[c]:
				s.By = "name"
			default:
				s.By = "alias"
			}
		}
		m.seen = append(m.seen, s)
	}
}

// Missing names the required columns that neither the mapped columns nor a
// constant fill.
func (m *Mapping) Missing(mapped []Col) []string {
	if m.lenient {
		return nil
	}
	var have [NumColumns]bool
	for _, c := range mapped {
		if c >= 0 {
			have[c] = true
		}
	}
	for c := range m.constants {
		have[c] = true
	}
	var out []string
	for c, col := range Columns {
		if col.Required && !have[c] {
			out = append(out, col.Name)
		}
	}
	return out
}
