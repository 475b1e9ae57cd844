package source

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"sync"

	"amdb/schema"
)

// harborJob is what is known of one job folder: what its trials gave, and what
// its own result.json says. Harbor's counts are only compared: after retries
// and resumes they do not add up, and the trial files are the truth.
type harborJob struct {
	mu      sync.Mutex
	dir     File // the folder
	file    *harborJobFile
	shown   string // the job file's name
	results int    // trial results met, readable or not
	read    int    // readable ones
	errors  int    // those with an exception
	groups  map[string]*harborGroup
}

// harborGroup is one agent, model and source of a job, as Harbor averages.
type harborGroup struct {
	trials, scored int
	sum            float64
}

// harborJobFile is what is read of a job's result.json.
type harborJobFile struct {
	Planned value `json:"n_total_trials"`
	Stats   struct {
		Trials    value `json:"n_trials"`
		Completed value `json:"n_completed"`
		Errors    value `json:"n_errors"`
		Errored   value `json:"n_errored"`
		Evals     map[string]struct {
			Metrics []map[string]value `json:"metrics"`
		} `json:"evals"`
	} `json:"stats"`
}

// job is the job of a trial's result.json.
func (h *harbor) job(f File) *harborJob {
	return h.jobIn(File{FS: f.FS, Path: path.Dir(path.Dir(f.Path)), Name: parentName(parentName(f.Name))})
}

func (h *harbor) jobIn(dir File) *harborJob {
	h.mu.Lock()
	defer h.mu.Unlock()
	j := h.jobs[dir.Name]
	if j == nil {
		j = &harborJob{dir: dir, groups: map[string]*harborGroup{}}
		h.jobs[dir.Name] = j
	}
	return j
}

// parentName is the folder of a shown name, whatever the system's separator.
func parentName(name string) string {
	i := strings.LastIndexAny(name, `/\`)
	if i <= 0 {
		return "."
	}
	return name[:i]
}

// readJob keeps a job's own counts until its trials are read.
func (h *harbor) readJob(f content) error {
	file, _, err := decodeJSON[harborJobFile](f)
	if err != nil {
		return err
	}
	j := h.jobIn(File{FS: f.FS, Path: path.Dir(f.Path), Name: parentName(f.Name)})
	j.mu.Lock()
	defer j.mu.Unlock()
	j.file, j.shown = file, f.Name
	return nil
}

// count adds a readable trial.
func (j *harborJob) count(t *harborTrial, reward value) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.read++
	if text(t.Exception.Type) != "" {
		j.errors++
	}
	parts := []string{text(t.AgentInfo.Name), text(t.AgentInfo.ModelInfo.Name), text(t.Source)}
	key := strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "__")
	g := j.groups[key]
	if g == nil {
		g = &harborGroup{}
		j.groups[key] = g
	}
	g.trials++
	if r, ok := number(reward); ok {
		g.scored++
		g.sum += r
	}
}

// Finish implements Finisher: it tells of the trials that were planned and
// never wrote a result, and where a job's own counts differ from its trials.
func (h *harbor) Finish(ctx context.Context, out Sink) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	names := make([]string, 0, len(h.jobs))
	for name := range h.jobs {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		j := h.jobs[name]
		folders, err := j.notePlanned(out)
		if err != nil {
			return err
		}
		j.compare(folders, out)
	}
	clear(h.jobs)
	return nil
}

// notePlanned tells of trial folders without a result, and counts the trial
// folders.
func (j *harborJob) notePlanned(out Sink) (int, error) {
	entries, err := fs.ReadDir(j.dir.FS, j.dir.Path)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", j.dir.Name, err)
	}
	folders := slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() })
	if len(folders) == j.results {
		return j.results, nil // each has its result: nothing to look for
	}
	n := 0
	for _, e := range folders {
		dir := path.Join(j.dir.Path, e.Name())
		if hasResult(j.dir.FS, dir) {
			n++
			continue
		}
		if !looksLikeTrial(j.dir.FS, dir) {
			continue
		}
		n++
		task, _, _ := strings.Cut(e.Name(), "__")
		out.Note(schema.Note{
			File: j.dir.Name + "/" + e.Name(), Kind: "planned",
			Message: fmt.Sprintf("a trial of task %s never wrote a result.json", task),
		})
	}
	return n, nil
}

func hasResult(fsys fs.FS, dir string) bool {
	for _, name := range []string{"result.json", "result.json.gz", "result.json.zst"} {
		if _, err := fs.Stat(fsys, path.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// looksLikeTrial tells a trial's folder from any other folder in a job.
func looksLikeTrial(fsys fs.FS, dir string) bool {
	if harborTrialDir.MatchString(path.Base(dir)) {
		return true
	}
	_, err := fs.Stat(fsys, path.Join(dir, "trial.log"))
	return err == nil
}

// compare tells where the job's own counts are not those of its trials.
func (j *harborJob) compare(folders int, out Sink) {
	if j.file == nil {
		return
	}
	s := j.file.Stats
	planned, hasPlanned := integer(j.file.Planned)
	if missing := planned - int64(folders); hasPlanned && missing > 0 {
		out.Note(schema.Note{File: j.shown, Kind: "planned", Message: fmt.Sprintf("plans %d trials, %d of which have no folder", planned, missing)})
	}
	j.differ(out, "n_trials", s.Trials, j.read, "readable trial results")
	j.differ(out, "n_completed", s.Completed, j.read, "readable trial results")
	j.differ(out, "n_errors", s.Errors, j.errors, "trials with an exception")
	j.differ(out, "n_errored", s.Errored, j.errors, "trials with an exception")
	for _, key := range slices.Sorted(mapKeys(s.Evals)) {
		for _, m := range s.Evals[key].Metrics {
			if mean, ok := number(m["mean"]); ok {
				j.compareMean(out, key, mean, planned, len(s.Evals) == 1)
			}
		}
	}
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func (j *harborJob) differ(out Sink, key string, v value, have int, what string) {
	if n, ok := integer(v); ok && n != int64(have) {
		out.Note(schema.Note{File: j.shown, Kind: "mismatch", Message: fmt.Sprintf("says %s %d; there are %d %s", key, n, have, what)})
	}
}

// compareMean says by which rule a group's mean comes out: Harbor's
// denominator differs from job to job.
func (j *harborJob) compareMean(out Sink, key string, mean float64, planned int64, alone bool) {
	g := j.groups[key]
	if g == nil {
		return
	}
	rules := []struct {
		name string
		n    int
	}{{"missing counts as 0", g.trials}, {"missing is left out", g.scored}, {"all planned, missing counts as 0", 0}}
	if alone {
		rules[2].n = int(planned)
	}
	for _, r := range rules {
		if r.n > 0 && math.Abs(g.sum/float64(r.n)-mean) < 1e-9 {
			out.Note(schema.Note{File: j.shown, Kind: "aggregate", Message: fmt.Sprintf("%s: mean %v is that of the trials (%s)", key, mean, r.name)})
			return
		}
	}
	out.Note(schema.Note{
		File: j.shown, Kind: "mismatch",
		Message: fmt.Sprintf("%s: says mean %v; the trials give %.4g (missing as 0) or %.4g (scored only)", key, mean, g.sum/float64(max(g.trials, 1)), g.sum/float64(max(g.scored, 1))),
	})
}
