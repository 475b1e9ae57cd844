package harbor

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"sync"

	"amdb/schema"
	"amdb/schema/source/atif"
	"amdb/schema/source/reader"
)

// harborJob is what is known of one job folder: what its trials gave, and what
// its own result.json says. Harbor's counts are only compared: after retries
// and resumes they do not add up, and the trial files are the truth.
type harborJob struct {
	mu      sync.Mutex
	dir     reader.File // the folder
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
	Planned reader.Value `json:"n_total_trials"`
	Stats   struct {
		Trials    reader.Value `json:"n_trials"`
		Completed reader.Value `json:"n_completed"`
		Errors    reader.Value `json:"n_errors"`
		Errored   reader.Value `json:"n_errored"`
		Evals     map[string]struct {
			Metrics []map[string]reader.Value `json:"metrics"`
		} `json:"evals"`
	} `json:"stats"`
}

// job is the job of a trial's result.json.
func (h *harbor) job(f reader.File) *harborJob {
	return h.jobIn(reader.File{FS: f.FS, Path: path.Dir(path.Dir(f.Path)), Name: parentName(parentName(f.Name))})
}

func (h *harbor) jobIn(dir reader.File) *harborJob {
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
func (h *harbor) readJob(f reader.Content) error {
	file, _, err := reader.DecodeJSON[harborJobFile](f)
	if err != nil {
		return err
	}
	j := h.jobIn(reader.File{FS: f.FS, Path: path.Dir(f.Path), Name: parentName(f.Name)})
	j.mu.Lock()
	defer j.mu.Unlock()
	j.file, j.shown = file, f.Name
	return nil
}

// count adds a readable trial.
func (j *harborJob) count(t *harborTrial, reward reader.Value) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.read++
	if reader.Text(t.Exception.Type) != "" {
		j.errors++
	}
	parts := []string{reader.Text(t.AgentInfo.Name), reader.Text(t.AgentInfo.ModelInfo.Name), reader.Text(t.Source)}
	key := strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "__")
	g := j.groups[key]
	if g == nil {
		g = &harborGroup{}
		j.groups[key] = g
	}
	g.trials++
	if r, ok := reader.Number(reward); ok {
		g.scored++
		g.sum += r
	}
}

// Finish implements Finisher: it tells of the trials that were planned and
// never wrote a result, and where a job's own counts differ from its trials.
func (h *harbor) Finish(ctx context.Context, out reader.Sink) error {
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
func (j *harborJob) notePlanned(out reader.Sink) (int, error) {
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
	if atif.HarborTrialFolder.MatchString(path.Base(dir)) {
		return true
	}
	_, err := fs.Stat(fsys, path.Join(dir, "trial.log"))
	return err == nil
}

// compare tells where the job's own counts are not those of its trials.
func (j *harborJob) compare(folders int, out reader.Sink) {
	if j.file == nil {
		return
	}
	s := j.file.Stats
	planned, hasPlanned := reader.Integer(j.file.Planned)
	if missing := planned - int64(folders); hasPlanned && missing > 0 {
		out.Note(schema.Note{File: j.shown, Kind: "planned", Message: fmt.Sprintf("plans %d trials, %d of which have no folder", planned, missing)})
	}
	j.differ(out, "n_trials", s.Trials, j.read, "readable trial results")
	j.differ(out, "n_completed", s.Completed, j.read, "readable trial results")
	j.differ(out, "n_errors", s.Errors, j.errors, "trials with an exception")
	j.differ(out, "n_errored", s.Errored, j.errors, "trials with an exception")
	for _, key := range slices.Sorted(maps.Keys(s.Evals)) {
		for _, m := range s.Evals[key].Metrics {
			if mean, ok := reader.Number(m["mean"]); ok {
				j.compareMean(out, key, mean, planned, len(s.Evals) == 1)
			}
		}
	}
}

func (j *harborJob) differ(out reader.Sink, key string, v reader.Value, have int, what string) {
	if n, ok := reader.Integer(v); ok && n != int64(have) {
		out.Note(schema.Note{File: j.shown, Kind: "mismatch", Message: fmt.Sprintf("says %s %d; there are %d %s", key, n, have, what)})
	}
}

// compareMean says by which rule a group's mean comes out: Harbor's
// denominator differs from job to job.
func (j *harborJob) compareMean(out reader.Sink, key string, mean float64, planned int64, alone bool) {
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
