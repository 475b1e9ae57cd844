package workbook

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"amdb/scoring/study"
)

// Rows of the leaderboard.
const (
	boardHeader = 4
	boardFirst  = boardHeader + 1
)

// boardColumn is a column of the leaderboard that looks a figure up by place.
type boardColumn struct {
	spec  columnSpec
	from  string // the named range that it reads
	value func(*study.Standing) any
}

func (w *workbook) boardColumns() []boardColumn {
	num := func(f func(*study.Standing) float64) func(*study.Standing) any {
		return func(st *study.Standing) any { return w.notes.number(f(st)) }
	}
	opt := func(f func(*study.Standing) *float64) func(*study.Standing) any {
		return func(st *study.Standing) any {
			if x := f(st); x != nil {
				return w.notes.number(*x)
			}
			return nil
		}
	}
	return []boardColumn{
		{columnSpec{"AMS", 12, asScore}, "score_ams", num(func(s *study.Standing) float64 { return s.AMS })},
		{columnSpec{"TQ", 9, asScore}, "score_tq", num(func(s *study.Standing) float64 { return s.TQ })},
		{columnSpec{"AUBQC", 9, asScore}, "score_aubqc", num(func(s *study.Standing) float64 { return s.AUBQC })},
		{columnSpec{"EFR", 9, asScore}, "score_efr", num(func(s *study.Standing) float64 { return s.EFR })},
		{columnSpec{"AMS Easy", 9, asScore}, "score_ams_Easy", num(func(s *study.Standing) float64 { return s.Strata[0].AMS })},
		{columnSpec{"AMS Medium", 9, asScore}, "score_ams_Medium", num(func(s *study.Standing) float64 { return s.Strata[1].AMS })},
		{columnSpec{"AMS Hard", 9, asScore}, "score_ams_Hard", num(func(s *study.Standing) float64 { return s.Strata[2].AMS })},
		{columnSpec{"mean reward", 9, asScore}, "figure_reward", num(func(s *study.Standing) float64 { return s.MeanReward })},
		{columnSpec{"passes", 8, asCount}, "figure_passes", func(s *study.Standing) any { return int64(s.Passes) }},
		{columnSpec{"runs", 8, asCount}, "figure_runs", func(s *study.Standing) any { return int64(s.Runs) }},
		{columnSpec{"pass rate", 8, asRate}, "figure_pass_rate", opt(func(s *study.Standing) *float64 { return s.PassRate })},
		{columnSpec{"total cost, USD", 11, asUSD}, "figure_cost", opt(func(s *study.Standing) *float64 { return s.TotalCostUSD })},
		{columnSpec{"USD per pass", 10, asUSD}, "figure_usd_per_pass", opt(func(s *study.Standing) *float64 { return s.USDPerPass })},
		{columnSpec{"tokens per pass", 12, asCount}, "figure_tokens_per_pass", opt(func(s *study.Standing) *float64 { return s.TokensPerPass })},
	}
}

// leaderboard writes the configurations by place. Each row looks its figures up
// by place, so that the order follows when a score changes.
func (w *workbook) leaderboard() error {
	board := w.boardColumns()
	specs := []columnSpec{{"#", 5, asCount}, {"rank", 6, ":rank"}, {"configuration", 34, ":link"}}
	for _, c := range board {
		specs = append(specs, c.spec)
	}
	specs = append(specs, columnSpec{"Pareto", 8, ":mark"}, columnSpec{"row in Strata", 8, ":muted"})
	columns, err := w.columns(specs...)
	if err != nil {
		return err
	}
	s, err := w.open(boardSheet, layout{columns: columns, header: boardHeader, freezeCols: 3, before: w.boardFormats})
	if err != nil {
		return err
	}
	if err := s.boardTitle(); err != nil {
		return err
	}
	if err := s.head(); err != nil {
		return err
	}
	for i := range w.res.Leaderboard {
		if err := s.standing(&w.res.Leaderboard[i], board); err != nil {
			return err
		}
	}
	if err := s.table("leaderboard", boardHeader); err != nil {
		return err
	}
	if len(w.res.Leaderboard) > 0 { // the charts print on a page of their own
		if err := s.sw.InsertPageBreak(cellName(1, chartRow(len(w.res.Leaderboard)))); err != nil {
			return err
		}
	}
	return s.close()
}

func (s *sheet) boardTitle() error {
	res := s.w.res
	if err := s.line("Leaderboard", "title"); err != nil {
		return err
	}
	if err := s.line(fmt.Sprintf("Calibration %s (%.12s) · %d tasks (%s) · description %s · %d configurations ranked, %d not (Read me)",
		res.Calibration.Name, res.Calibration.Digest, res.Tasks, res.TaskSet, res.Condition, len(res.Leaderboard), len(res.Excluded)), "muted"); err != nil {
		return err
	}
	muted, err := s.w.st.named("muted")
	if err != nil {
		return err
	}
	s.begin()
	text := " · Pareto front of total cost and mean reward: ●"
	shown := "alpha " + strconv.FormatFloat(res.Alpha, 'g', -1, 64) + text
	if s.w.o.ValuesOnly {
		s.put(excelize.Cell{StyleID: muted, Value: shown})
	} else {
		s.put(excelize.Cell{StyleID: muted, Formula: `"alpha "&` + alphaName + `&"` + text + `"`, Value: shown})
	}
	return s.end()
}

// standing writes one place of the leaderboard.
func (s *sheet) standing(st *study.Standing, board []boardColumn) error {
	s.begin()
	place := int64(s.row - boardFirst + 1)
	at := columnName(len(board) + 5)
	look := func(name string) string { return fmt.Sprintf("INDEX(%s,$%s%d)", name, at, s.row) }
	s.value(place)
	s.live(look("score_rank"), int64(st.Rank))
	s.live("HYPERLINK("+look("score_link")+","+look("score_config")+")", s.w.notes.text(st.Config))
	for _, c := range board {
		s.live(look(c.from), c.value(st))
	}
	mark := ""
	if st.Pareto {
		mark = "●"
	}
	s.live(`IF(`+look("figure_pareto")+`=1,"●","")`, mark)
	s.live(fmt.Sprintf("MATCH($A%d,score_place,0)", s.row), s.w.strataPosition(st.Config))
	if s.w.o.ValuesOnly {
		if err := s.w.f.SetCellHyperLink(boardSheet, cellName(3, s.row), strings.TrimPrefix(s.w.linkOf(st.Config), "#"), "Location"); err != nil {
			return err
		}
	}
	return s.end()
}

// strataPosition is a configuration's position among the ranked, in name order.
func (w *workbook) strataPosition(config string) int64 {
	i, _ := slices.BinarySearch(w.res.Panel.Configs, config)
	return int64(i + 1)
}

func (w *workbook) linkOf(config string) string {
	c, _ := slices.BinarySearchFunc(w.plan.configs, config, func(p planConfig, name string) int { return cmp.Compare(p.name, name) })
	return w.runsAt(c)
}

func sortByCost(list []*study.Standing) {
	slices.SortStableFunc(list, func(a, b *study.Standing) int { return cmp.Compare(*a.TotalCostUSD, *b.TotalCostUSD) })
}

// boardFormats puts bars behind the scores, colours behind their parts, and
// the charts below; excelize drops what comes after the rows.
func (w *workbook) boardFormats(sheet string) error {
	n := len(w.res.Leaderboard)
	if n == 0 {
		return nil
	}
	bars := fmt.Sprintf("D%d:D%d", boardFirst, boardFirst+n-1)
	if err := w.f.SetConditionalFormat(sheet, bars, []excelize.ConditionalFormatOptions{{
		Type: "data_bar", Criteria: "=", MinType: "num", MinValue: "0", MaxType: "max", BarColor: "#" + barColour,
	}}); err != nil {
		return err
	}
	for _, col := range []string{"E", "F", "G", "H", "I", "J"} {
		if err := w.scale(sheet, col, boardFirst, n, col == "G"); err != nil {
			return err
		}
	}
	return w.charts(sheet, n)
}
