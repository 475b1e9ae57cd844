package study

import (
	"slices"

	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/stat"
)

// family is drafts of the same reference tasks under the same policy for missing
// rewards. What the configurations show there is summed and sorted once for all.
type family struct {
	*reference
	missingReward string
	tasks         []scoring.TaskKey
	numbers       []int32      // of the tasks
	lack          []lack       // by configuration number
	configs       []int32      // those that are a reference in some draft
	values        []taskValues // of these, by task
}

// lack is what a configuration's runs at the reference tasks lack.
type lack struct {
	runs, noReward, noCost, noTokens, noSteps int64
	tasks                                     int // without a run that counts
}

// taskValues are what configurations show at a task, ready for medians and the
// mean of all but some.
type taskValues struct {
	tokens, steps []float64 // means over attempts, ascending, of those that have them
	zeros         stat.ShareSum
}

// drafts settles everything about calibrations on the same tasks but what their
// costs decide.
func (r *reference) drafts(tasks []scoring.TaskKey, options []CalibrateOptions) ([]*draft, error) {
	f := &family{reference: r, tasks: tasks, missingReward: options[0].Rules.MissingReward}
	if err := f.locate(); err != nil {
		return nil, err
	}
	f.lack = make([]lack, len(r.names))
	for _, c := range r.known {
		f.lack[c] = f.lacks(c)
	}
	out := make([]*draft, len(options))
	in := make([]bool, len(r.names))
	for i, o := range options {
		d := &draft{family: f, o: o}
		if err := d.choose(); err != nil {
			return nil, err
		}
		if err := d.complete(); err != nil {
			return nil, err
		}
		for _, c := range d.configs {
			in[c] = true
		}
		out[i] = d
	}
	for _, c := range r.known {
		if in[c] {
			f.configs = append(f.configs, c)
		}
	}
	f.values = make([]taskValues, len(tasks))
	err := each(len(tasks), func(i int) error {
		f.values[i] = f.valuesAt(f.numbers[i])
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, each(len(out), func(i int) (err error) {
		d := out[i]
		d.of, err = scoring.Calibrate(d.o.Rules, r.prices, d.referenceNames(), d.stats(), d.o.Budgets)
		return calibrateFault(err)
	})
}

// locate finds the numbers of the tasks.
func (f *family) locate() error {
	f.numbers = make([]int32, len(f.tasks))
	for i, t := range f.tasks {
		n, known := f.number[t]
		if !known {
			return schema.Faultf(schema.Failed, "calibration", `amdb sql "SELECT benchmark, task FROM tasks" lists the tasks`, "there is no task %s", t)
		}
		f.numbers[i] = n
	}
	return nil
}

// counted is how many attempts of a cell count under the reward policy.
func (f *family) counted(c *refCell) int64 {
	if f.missingReward == "exclude" {
		return int64(c.rewarded)
	}
	return int64(c.runs)
}

// zeroShare is the share of a cell's attempts that have no reward above 0.
func (f *family) zeroShare(c *refCell) float64 {
	zero := c.zeros
	if f.missingReward == "zero" {
		zero += c.runs - c.rewarded
	}
	return float64(zero) / float64(f.counted(c))
}

// lacks counts what a configuration lacks.
func (f *family) lacks(config int32) (out lack) {
	for _, task := range f.numbers {
		cell := f.cell(config, task)
		out.runs += int64(cell.runs)
		out.noReward += int64(cell.runs - cell.rewarded)
		out.noCost += int64(cell.runs - cell.priced)
		out.noTokens += int64(cell.runs - cell.withTokens)
		out.noSteps += int64(cell.runs - cell.withSteps)
		if f.counted(cell) == 0 {
			out.tasks++
		}
	}
	return out
}

// missing names the reference tasks that a configuration lacks.
func (f *family) missing(config int32) []string {
	var out []string
	for i, t := range f.numbers {
		if f.counted(f.cell(config, t)) == 0 {
			out = append(out, f.names[config]+" at "+f.tasks[i].String())
		}
	}
	return out
}

// valuesAt are what the reference configurations show at a task.
func (f *family) valuesAt(task int32) (out taskValues) {
	for _, c := range f.configs {
		cell := f.cell(c, task)
		if mean, ok := cell.meanTokens(); ok {
			out.tokens = append(out.tokens, mean)
		}
		if mean, ok := cell.meanSteps(); ok {
			out.steps = append(out.steps, mean)
		}
		out.zeros.Add(f.zeroShare(cell))
	}
	slices.Sort(out.tokens)
	slices.Sort(out.steps)
	return out
}
