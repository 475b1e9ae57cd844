package workbook

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// readMe writes the first sheet: what this is, what it rests on, how to change
// it, and what was altered or left out. It is written last.
func (w *workbook) readMe() error {
	columns, err := w.columns(columnSpec{"", 26, ":bold"}, columnSpec{"", 118, ":wrap"})
	if err != nil {
		return err
	}
	s, err := w.open(readMeSheet, layout{columns: columns, portrait: true})
	if err != nil {
		return err
	}
	if err := s.line("AgentMeter leaderboard", "title"); err != nil {
		return err
	}
	for _, block := range []struct {
		title string
		lines [][2]string
	}{
		{"What this is", w.whatItIs()},
		{"What it rests on", w.restsOn()},
		{"How to change it", w.howTo()},
		{"Sheets", w.sheetList()},
		{"Warnings", labelled(w.res.Warnings, "none")},
		{"Not ranked", w.notRanked()},
		{"Altered or left out", labelled(append(w.notes.Lines(), w.notes.LeftOut...), "nothing")},
	} {
		if len(block.lines) == 0 {
			continue
		}
		s.row++
		if err := s.line(block.title, "section"); err != nil {
			return err
		}
		for _, l := range block.lines {
			if err := s.readMeLine(block.title, l); err != nil {
				return err
			}
		}
	}
	return s.close()
}

func (s *sheet) readMeLine(block string, l [2]string) error {
	if s.row >= s.w.o.rows {
		return nil
	}
	s.begin()
	if block == "Sheets" {
		link, err := s.w.st.named("link")
		if err != nil {
			return err
		}
		if err := s.w.f.SetCellHyperLink(readMeSheet, cellName(1, s.row), quoted(l[0])+"!A1", "Location"); err != nil {
			return err
		}
		s.put(excelize.Cell{StyleID: link, Value: l[0]})
	} else {
		s.value(s.w.notes.text(l[0]))
	}
	text := s.w.notes.text(l[1])
	s.value(text)
	const perLine = 150 // characters that fit the second column
	if lines := utf8.RuneCountInString(text)/perLine + 1; lines > 1 {
		return s.end(excelize.RowOpts{Height: min(float64(lines)*13.5, 400)})
	}
	return s.end()
}

func labelled(lines []string, none string) [][2]string {
	if len(lines) == 0 {
		return [][2]string{{"", none}}
	}
	var out [][2]string
	for _, l := range lines {
		out = append(out, [2]string{"", l})
	}
	return out
}

func (w *workbook) whatItIs() [][2]string {
	lines := [][2]string{
		{"", "Configurations (a language model that drives a command-line agent), ranked by AMS: quality at matched budgets, discounted for expensive failures."},
	}
	if w.o.ValuesOnly {
		return append(lines, [2]string{"", "This workbook holds values only. Without --values-only, every score is a formula."})
	}
	if !w.plan.carried() {
		return append(lines, [2]string{"", "Every score is a formula over the cell means and alpha in this workbook. The runs behind the means are not in it."})
	}
	return append(lines, [2]string{"", "Every score is a formula over the runs, budgets, thresholds and alpha in this workbook. The values stored beside the formulas are amdb's own."})
}

func (w *workbook) restsOn() [][2]string {
	res, cal := w.res, w.res.Cal
	terms := make([]string, len(cal.EffortTerms))
	for i, t := range cal.EffortTerms {
		terms[i] = string(t)
	}
	return [][2]string{
		{"calibration", res.Calibration.Name},
		{"digest, SHA-256", res.Calibration.Digest},
		{"calibration's rules", fmt.Sprintf("alpha %v · budget levels %d · eta quantile %v · percentile %s · effort %s · %d reference configurations · %d tasks",
			cal.Alpha, cal.BudgetLevels, cal.EtaQuantile, cal.Percentile, strings.Join(terms, "+"), len(cal.Reference), len(cal.Tasks))},
		{"task set", fmt.Sprintf("%s (%d tasks)", res.TaskSet, res.Tasks)},
		{"description", res.Condition},
		{"alpha at export", strconv.FormatFloat(res.Alpha, 'g', -1, 64)},
		{"policies", res.PolicyLine()},
		{"configurations", fmt.Sprintf("%d ranked, %d not ranked", len(res.Leaderboard), len(res.Excluded))},
		{"runs", w.runsLine()},
		{"written by", strings.TrimSpace("amdb " + w.o.Version)},
	}
}

func (w *workbook) runsLine() string {
	if w.plan.carried() {
		return fmt.Sprintf("%d in this workbook", w.plan.runs)
	}
	return fmt.Sprintf("%d, which are not in this workbook", w.plan.runs)
}

func (w *workbook) howTo() [][2]string {
	if w.o.ValuesOnly {
		return nil
	}
	alpha := [2]string{"alpha", "Change the coloured cell beside alpha on sheet Budgets. Scores, ranks, the order of the leaderboard and the charts follow."}
	if !w.plan.carried() {
		return [][2]string{
			alpha,
			{"means", "Change the coloured cells on sheet Cell means: strata, scores and ranks follow. An empty cell is a missing one."},
			{"filters", "Filter any table. Do not sort Cell means: formulas find a configuration's cells by position."},
			{"budgets, runs", "Budgets, thresholds, rewards and costs have done their work in the cell means. amdb export --runs N carries up to N runs, and then they may be changed too."},
		}
	}
	return [][2]string{
		alpha,
		{"budgets, thresholds", "Change the coloured cells on sheet Budgets: masked rewards and failure marks of all runs follow."},
		{"rewards, costs", "Change the coloured cells on sheet Runs. An empty cell is an unknown one, which the policies above treat as they say."},
		{"filters", "Filter any table. Do not sort Runs or Cell means: formulas find a cell's runs by position. If they are sorted, cells show “moved” and scores go blank; undo brings them back."},
		{"averages", "Attempts → cell (Cell means) → stratum (Strata) → AMS (Strata) → Leaderboard. Each step is a formula that can be followed with Trace Precedents."},
	}
}

func (w *workbook) sheetList() [][2]string {
	lines := [][2]string{
		{boardSheet, "configurations by AMS, with the conventional figures, the Pareto front and two charts; a name leads to its " + w.leadsTo()},
		{strataSheet, "TQ, AUBQC, EFR and AMS by stratum, in name order; ranks"},
		{figuresSheet, "runs, passes, cost and tokens by configuration; the Pareto front"},
		{tasksSheet, "tasks of the calibration by effort, with medians and strata"},
		{budgetsSheet, "alpha, budgets and thresholds"},
		{heatSheet, "mean reward of every configuration at every task, coloured"},
		{meansSheet, "the same as a list, with masked reward and failure rate"},
	}
	for _, n := range w.plan.sheets {
		lines = append(lines, [2]string{n, "runs, with masked reward and failure mark"})
	}
	lines = append(lines, [2]string{ablationSheet, "scores without each of the three components"})
	if w.o.Descriptions != nil {
		lines = append(lines, [2]string{descriptionsSheet, "targets under every condition of descriptions, as values at export"})
	}
	lines = append(lines, [2]string{provenanceSheet, "files that the runs were loaded from"})
	if w.facts.loadNotes > 0 {
		lines = append(lines, [2]string{loadNotesSheet, "what the files say that is no run"})
	}
	if w.facts.rejects > 0 {
		lines = append(lines, [2]string{rejectsSheet, "rows that were rejected on loading"})
	}
	return lines
}

// leadsTo is what a link at a configuration's name shows.
func (w *workbook) leadsTo() string {
	if w.plan.carried() {
		return "runs"
	}
	return "cells"
}

func (w *workbook) notRanked() [][2]string {
	var lines [][2]string
	for _, e := range w.res.Excluded {
		lines = append(lines, [2]string{"", fmt.Sprintf("%s lacks %d of %d cells", e.Config, e.MissingCells, w.res.Tasks)})
	}
	return lines
}
