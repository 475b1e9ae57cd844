package scoring

// DescriptionsResult is section 4 in full: every condition, the equal-size
// control and the count of cross cells.
type DescriptionsResult struct {
	Tasks      int               `json:"tasks"`
	Targets    []string          `json:"targets"`
	Sources    []string          `json:"sources"`
	Conditions []Condition       `json:"conditions"`
	Adapted1   *Adapted1         `json:"adapted1"` // nil where not asked for or undefined
	Exact      *AdaptedExact     `json:"adapted1_exact,omitempty"`
	CrossCells CrossCells        `json:"cross_cells"`
	Reasons    map[string]string `json:"reasons,omitempty"` // of figures that are undefined
}

// Describe scores every condition of section 4 and counts the cross cells.
// The equal-size control is added by SampleAdapted1 and ExactAdapted1. A
// stratum without a task is an error.
func Describe(w DescriptionPanels, alpha float64) (DescriptionsResult, error) {
	if err := w.Validate(); err != nil {
		return DescriptionsResult{}, err
	}
	tasks, err := w.Original.strataTasks()
	if err != nil {
		return DescriptionsResult{}, err
	}
	out := DescriptionsResult{
		Tasks: len(w.Original.Tasks), Targets: w.Original.Configs, Sources: w.SourceNames(),
		CrossCells: w.CountCrossCells(),
	}
	for _, name := range Conditions {
		out.Conditions = append(out.Conditions, w.scoreCondition(name, tasks, alpha))
	}
	return out, nil
}

// Condition is the condition of that name, nil where there is none.
func (r DescriptionsResult) Condition(name string) *Condition {
	for i := range r.Conditions {
		if r.Conditions[i].Condition == name {
			return &r.Conditions[i]
		}
	}
	return nil
}

// strataTasks are the positions of every stratum's tasks; an empty one is an
// error.
func (p *Panel) strataTasks() (tasks [3][]int, err error) {
	for _, s := range Strata {
		if tasks[s] = p.StratumTasks(s); len(tasks[s]) == 0 {
			return tasks, &EmptyStratumError{s}
		}
	}
	return tasks, nil
}
