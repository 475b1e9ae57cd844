package study

import (
	"fmt"
	"slices"

	"amdb/scoring"
)

// wordings are the runs under every description that section 4 compares: one
// panel each over the same targets and tasks.
type wordings struct {
	targets  []string
	sources  []string
	panels   map[string]*scoring.Panel // original, generic (where it was run) and every source
	tasks    int                       // before keep
	kept     int
	warnings []string
}

// wordings gathers them. Targets are the configurations with runs under a
// source's description. A source's cell at a task is what was run under the
// description of its name; where nothing was, what was run under the wording
// that amdb select froze for the task and source.
func (s *scope) wordings(panels map[string]*scoring.Panel, frozen []scoring.Choice, sources []string) *wordings {
	w := &wordings{sources: sources, panels: map[string]*scoring.Panel{}, tasks: len(s.tasks), kept: len(s.tasks)}
	selected := map[string]map[scoring.TaskKey]string{}
	for _, c := range frozen {
		if selected[c.Source] == nil {
			selected[c.Source] = map[scoring.TaskKey]string{}
		}
		selected[c.Source][c.TaskKey] = c.Selected
	}
	inScope := map[scoring.TaskKey]bool{}
	for _, t := range s.tasks {
		inScope[t.Key] = true
	}
	targets := map[string]bool{}
	ranUnder := func(description string, tasks func(scoring.TaskKey) bool) {
		p := panels[description]
		if p == nil {
			return
		}
		for c, config := range p.Configs {
			for t, cell := range p.Row(c) {
				if cell.Totals.Runs > 0 && tasks(p.Tasks[t].Key) {
					targets[config] = true
				}
			}
		}
	}
	for _, source := range sources {
		ranUnder(source, func(scoring.TaskKey) bool { return true })
		for task, wording := range selected[source] {
			if wording != scoring.Original && inScope[task] {
				ranUnder(wording, func(k scoring.TaskKey) bool { return k == task })
			}
		}
	}
	for t := range targets {
		w.targets = append(w.targets, t)
	}
	slices.Sort(w.targets)
	for _, name := range []string{scoring.Original, scoring.Generic} {
		if p := panels[name]; p != nil || name == scoring.Original {
			w.panels[name] = s.pick(w.targets, func(scoring.TaskKey) []*scoring.Panel { return []*scoring.Panel{p} })
		}
	}
	for _, source := range sources {
		w.panels[source] = s.pick(w.targets, func(k scoring.TaskKey) []*scoring.Panel {
			return []*scoring.Panel{panels[source], panels[selected[source][k]]}
		})
	}
	return w
}

// pick is a panel of the targets whose cells come from the first of some panels
// that has runs there.
func (s *scope) pick(targets []string, from func(scoring.TaskKey) []*scoring.Panel) *scoring.Panel {
	out := scoring.NewPanel(targets, s.tasks)
	for t, task := range out.Tasks {
		for _, p := range from(task.Key) {
			if p == nil {
				continue
			}
			for c, target := range out.Configs {
				at, ok := slices.BinarySearch(p.Configs, target)
				if ok && out.At(c, t).Totals.Runs == 0 {
					*out.At(c, t) = *p.At(at, t) // all panels of a scope have its tasks, in key order
				}
			}
		}
	}
	return out
}

// ranTasks are the tasks that some target ran under the original and every
// source's description, and, where that is asked for, the generic one.
func (w *wordings) ranTasks(generic bool) map[scoring.TaskKey]bool {
	ran := map[scoring.TaskKey]bool{}
	for _, t := range w.panels[scoring.Original].Tasks {
		ran[t.Key] = true
	}
	for name, p := range w.panels {
		if name == scoring.Generic && !generic {
			continue
		}
		for t, task := range p.Tasks {
			some := false
			for c := range p.Configs {
				some = some || p.At(c, t).Totals.Runs > 0
			}
			ran[task.Key] = ran[task.Key] && some
		}
	}
	return ran
}

// keep leaves the other tasks out.
func (w *wordings) keep(tasks map[scoring.TaskKey]bool, all []scoring.PanelTask) {
	for name, p := range w.panels {
		w.panels[name] = p.Subset(func(k scoring.TaskKey) bool { return tasks[k] })
	}
	w.kept = 0
	for _, t := range all {
		if tasks[t.Key] {
			w.kept++
		}
	}
}

// leftOut is the warning that keep left tasks out.
func (w *wordings) leftOut(condition string) []string {
	return leftOut(w.tasks-w.kept, w.tasks, condition)
}

// Wordings are the panels as the method takes them.
func (w *wordings) Wordings() scoring.DescriptionPanels {
	out := scoring.DescriptionPanels{Original: w.panels[scoring.Original], Generic: w.panels[scoring.Generic], Sources: map[string]*scoring.Panel{}}
	for _, s := range w.sources {
		out.Sources[s] = w.panels[s]
	}
	return out
}

// rows are all cells of all panels, for the policies to count what they lack.
func (w *wordings) rows() [][]scoring.Cell {
	var out [][]scoring.Cell
	for _, p := range w.panels {
		out = append(out, p.Rows...)
	}
	return out
}

// strangers names the sources that have no runs of their own, which is what a
// misspelt name looks like.
func (w *wordings) strangers(original *scoring.Panel) []string {
	var out []string
	for _, s := range w.sources {
		if original == nil || !slices.Contains(original.Configs, s) {
			out = append(out, fmt.Sprintf("description %s is named like a source, but no configuration of that name ran these tasks under original", s))
		}
	}
	return out
}
