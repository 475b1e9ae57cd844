package study

import (
	"fmt"
	"slices"
	"testing"

	"amdb/scoring"
	"amdb/scoring/stat"
)

// The statistics of drafts that are made together, each with other reference
// configurations, are those of their definition (section 2.1): medians and means
// over configurations of what the database says of each one's attempts, a term
// that some lack included.
func TestStatisticsOfDraftsMadeTogether(t *testing.T) {
	ctx, db := t.Context(), holed(t)
	// Some configurations lack tokens at some tasks, and one lacks steps.
	if err := db.Exec(ctx, `UPDATE stored_runs SET
		total_tokens = CASE WHEN (config_key + task_key) % 5 = 1 THEN NULL ELSE total_tokens END,
		steps = CASE WHEN config_key = 2 OR source_row % 6 = 0 THEN NULL ELSE steps END`); err != nil {
		t.Fatal(err)
	}
	r := must(readReference(ctx, db))
	cal, _, err := ReadCalibration(ctx, db, "main")
	if err != nil {
		t.Fatal(err)
	}
	var tasks []scoring.TaskKey
	for _, c := range cal.Tasks {
		tasks = append(tasks, c.Key())
	}
	slices.SortFunc(tasks, scoring.TaskKey.Compare)
	all := cal.Reference
	unknown, without := 0, 0
	for missing, zero := range map[string]string{"zero": "avg(CASE WHEN coalesce(reward, 0) = 0 THEN 1 ELSE 0 END)", "exclude": "avg(CASE WHEN reward = 0 THEN 1 WHEN reward > 0 THEN 0 END)"} {
		var options []CalibrateOptions
		for _, terms := range [][]scoring.Term{scoring.AllTerms, {scoring.TermZero}} {
			for _, names := range [][]string{all[:2], all, all[1:], all[3:], {all[4], all[0], all[2]}} {
				rules := holedRules(missing)
				rules.MissingTerms, rules.EffortTerms = "known", terms
				options = append(options, CalibrateOptions{Rules: rules, Reference: names})
			}
		}
		shown := map[string][3]*float64{}
		rows := must(db.Rows(ctx, `SELECT model || '/' || cli || ' at ' || task, avg(total_tokens), avg(steps), `+zero+`
			FROM runs WHERE description = 'original' GROUP BY ALL`))
		for rows.Next() {
			var cell string
			var v [3]*float64
			if err := rows.Scan(&cell, &v[0], &v[1], &v[2]); err != nil {
				t.Fatal(err)
			}
			shown[cell] = v
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		_ = rows.Close()
		drafts, err := r.drafts(tasks, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range drafts {
			for i, got := range d.stats() {
				want := scoring.TaskStats{Key: tasks[i]}
				var of [3][]float64
				for _, config := range d.o.Reference {
					for term, v := range shown[config+" at "+tasks[i].Task] {
						if v != nil {
							of[term] = append(of[term], *v)
						}
					}
				}
				for term, at := range []**float64{&want.MedianTokens, &want.MedianSteps} {
					m, ok := stat.Median(of[term])
					switch {
					case ok && (len(of[term]) == len(d.o.Reference) || len(d.o.Rules.EffortTerms) > 1):
						*at = &m
						if len(of[term]) < len(d.o.Reference) {
							without++
						}
					case ok:
						unknown++
					}
				}
				sum := 0.0
				for _, x := range of[2] {
					sum += x
				}
				want.ZeroRate = sum / float64(len(of[2]))
				if says(got) != says(want) || len(of[2]) != len(d.o.Reference) {
					t.Errorf("--missing-reward %s, %v, reference %v, %s: %s, want %s", missing, d.o.Rules.EffortTerms, d.o.Reference, tasks[i], says(got), says(want))
				}
			}
		}
	}
	if unknown == 0 || without == 0 {
		t.Errorf("%d medians are unknown, %d are of those that have the term: both should happen", unknown, without)
	}
}

// says writes statistics with 12 digits, for sums in another order differ in the
// last.
func says(s scoring.TaskStats) string {
	median := func(x *float64) string {
		if x == nil {
			return "unknown"
		}
		return fmt.Sprintf("%.12g", *x)
	}
	return fmt.Sprintf("%s tokens, %s steps, zero rate %.12g", median(s.MedianTokens), median(s.MedianSteps), s.ZeroRate)
}

// Runs that changed since are warned of once, however many passes there are.
func TestChangedRunsAreWarnedOfOnce(t *testing.T) {
	ctx, db := t.Context(), holed(t)
	o := SensitivityOptions{ScoreOptions: keptOptions(), EtaQuantiles: []float64{.3, .9}, BudgetLevels: []int{4}}
	o.Calibration, o.Policies.MissingReward, o.Policies.MissingCost = "main", "zero", "exclude"
	before := len(must(Analyse(ctx, db, o)).Warnings)
	if err := db.Exec(ctx, "UPDATE stored_runs SET reported_cost_usd = 2 * reported_cost_usd"); err != nil {
		t.Fatal(err)
	}
	atOnce := draftTasks
	draftTasks = 1
	defer func() { draftTasks = atOnce }()
	if after := len(must(Analyse(ctx, db, o)).Warnings); after != before+1 {
		t.Errorf("%d warnings, %d before", after, before)
	}
}
