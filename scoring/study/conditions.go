package study

import (
	"context"
	"fmt"
	"slices"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// cells is what conditions are made of: the panel of every description that was
// run, and the wordings that selections froze.
type cells struct {
	panels map[string]*scoring.Panel
	frozen []scoring.Choice
}

// cells reads them.
func (s *scope) cells(ctx context.Context, db *sql.DB) (c *cells, err error) {
	c = &cells{}
	if c.panels, err = s.panels(ctx, db); err != nil {
		return nil, err
	}
	c.frozen, err = frozenChoices(ctx, db)
	return c, err
}

// condition is the panel of a condition (section 4.1): a description that was
// run, or self, cross, pooled, which average source-conditioned ones. Tasks
// that nobody ran under it are left out, and a warning counts them.
func (s *scope) condition(c *cells, name string) (*scoring.Panel, []string, error) {
	panels, frozen := c.panels, c.frozen
	sources := sourcesOf(panels, frozen)
	average := averages(name)
	if c.plain(name) {
		return s.ran(panels[name], name)
	}
	if len(sources) == 0 || !average && !slices.Contains(sources, name) {
		return nil, nil, unknownCondition(name, panels, sources)
	}
	if !average { // one source's description, the selected wording included
		only := map[string]*scoring.Panel{}
		for d, p := range panels {
			if d == name || !slices.Contains(sources, d) {
				only[d] = p
			}
		}
		w := s.wordings(only, frozen, []string{name})
		return s.ran(w.panels[name], name)
	}
	w := s.wordings(panels, frozen, sources)
	w.keep(w.ranTasks(false), s.tasks)
	return w.Wordings().Panel(name), append(w.warnings, w.leftOut(name)...), nil
}

// averages says whether a condition is the mean over descriptions, unless one is
// named so.
func averages(condition string) bool {
	return condition == scoring.Self || condition == scoring.Cross || condition == scoring.Pooled
}

// plain says whether a condition is what was run under the description of its name,
// and nothing else.
func (c *cells) plain(condition string) bool {
	_, run := c.panels[condition]
	return run && (averages(condition) || !slices.Contains(sourcesOf(c.panels, c.frozen), condition))
}

// ran is the panel of the tasks that anyone ran under a description.
func (s *scope) ran(p *scoring.Panel, name string) (*scoring.Panel, []string, error) {
	if name == scoring.Original {
		return p, nil, nil
	}
	ran := map[scoring.TaskKey]bool{}
	for c := range p.Configs {
		for t, cell := range p.Row(c) {
			if cell.Totals.Runs > 0 {
				ran[p.Tasks[t].Key] = true
			}
		}
	}
	out := p.Subset(func(k scoring.TaskKey) bool { return ran[k] })
	return out, leftOut(len(p.Tasks)-len(out.Tasks), len(p.Tasks), name), nil
}

// leftOut is the warning that tasks have no run under a condition.
func leftOut(n, of int, condition string) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d tasks have no run under %s and are left out", n, of, condition)}
}

func unknownCondition(name string, panels map[string]*scoring.Panel, sources []string) error {
	var known, others []string
	for _, c := range scoring.Conditions { // the short names first
		_, run := panels[c]
		if run || averages(c) && len(sources) > 0 {
			known = append(known, c)
		}
	}
	for d := range panels {
		if !slices.Contains(known, d) {
			others = append(others, d)
		}
	}
	slices.Sort(others)
	why := "no run of these tasks has this description"
	if averages(name) {
		why = "these tasks have no runs under a source-conditioned description, named by its source as model/cli"
	}
	return schema.Faultf(schema.Failed, "--condition "+name, "these tasks have runs under: "+some(append(known, others...)), "%s", why)
}

// sourcesOf are the configurations whose descriptions were run or selected,
// sorted: a description named model/cli is that of its source.
func sourcesOf(panels map[string]*scoring.Panel, frozen []scoring.Choice) []string {
	var out []string
	for d := range panels {
		if isSource(d) {
			out = append(out, d)
		}
	}
	for _, c := range frozen {
		out = append(out, c.Source)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isSource says whether a description is named by its source.
func isSource(description string) bool {
	if _, _, candidate := scoring.ParseCandidate(description); candidate {
		return false
	}
	_, _, ok := scoring.SplitConfig(description)
	return ok
}
