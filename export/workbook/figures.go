package workbook

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"amdb/scoring/study"
)

// Columns of the figures: after those of the table, a gap, then the front.
const (
	figureColumns = 15
	frontSlot     = 17 // column of the front's first figure
	maxFront      = 20 // points of the front that the chart names
)

// figures writes the conventional figures, one row a ranked configuration in
// name order, and beside them the Pareto front by cost, which the chart draws.
func (w *workbook) figures() error {
	columns, err := w.columns(
		columnSpec{"configuration", 34, ""}, columnSpec{"runs", 9, asCount}, columnSpec{"runs with reward", 10, asCount}, columnSpec{"mean reward", 10, asScore},
		columnSpec{"passes", 9, asCount}, columnSpec{"pass rate", 9, asRate},
		columnSpec{"runs with known cost", 11, asCount}, columnSpec{"known cost, USD", 12, asUSD}, columnSpec{"total cost, USD", 12, asUSD},
		columnSpec{"USD per pass", 11, asUSD}, columnSpec{"tokens per pass", 13, asCount},
		columnSpec{"USD per pass, passed runs", 13, asUSD}, columnSpec{"tokens per pass, passed runs", 13, asCount},
		columnSpec{"on Pareto front", 10, ":centre"}, columnSpec{"cost if on front", 12, ":muted"},
		columnSpec{"", 3, ""}, columnSpec{"Pareto front", 8, ":centre"}, columnSpec{"cost, USD", 12, asUSD}, columnSpec{"mean reward", 10, asScore}, columnSpec{"configuration", 34, ""},
	)
	if err != nil {
		return err
	}
	s, err := w.open(figuresSheet, layout{columns: columns, header: 1, freezeCols: 1})
	if err != nil {
		return err
	}
	if err := s.headGap(16); err != nil {
		return err
	}
	front := w.front()
	if err := w.ranked(func(c int, st *study.Standing) error { return s.figure(c, st, front) }); err != nil {
		return err
	}
	s.columns = s.columns[:figureColumns]
	if err := s.table("figures", 1); err != nil {
		return err
	}
	return s.close()
}

// headGap is head with one column left without a title.
func (s *sheet) headGap(gap int) error {
	style, err := s.w.st.named("head")
	if err != nil {
		return err
	}
	s.begin()
	for i, c := range s.columns {
		if i+1 == gap {
			s.put(nil)
			continue
		}
		s.put(excelize.Cell{StyleID: style, Value: c.title})
	}
	return s.end(excelize.RowOpts{Height: headHeight})
}

// front is the standings on the Pareto front, cheapest first.
func (w *workbook) front() []*study.Standing {
	var out []*study.Standing
	_ = w.ranked(func(_ int, st *study.Standing) error {
		if st.Pareto {
			out = append(out, st)
		}
		return nil
	})
	sortByCost(out)
	return out
}

// figure writes one configuration and, in the same row, one point of the front.
func (s *sheet) figure(c int, st *study.Standing, front []*study.Standing) error {
	s.begin()
	w, n, r := s.w, &s.w.notes, strconv.Itoa(s.row)
	cfg := &w.plan.configs[c]
	live := func(formula string, v any) {
		if cfg.sheet < 0 { // no run here: nothing to add up
			s.value(v)
			return
		}
		formula = strings.ReplaceAll(formula, "#", r)
		for _, col := range []string{runConfig, runReward, runCost, runTokens} {
			if strings.Contains(formula, "{"+col+"}") {
				formula = strings.ReplaceAll(formula, "{"+col+"}", span(w.plan.sheetOf(c), col, cfg.first, cfg.last))
			}
		}
		s.live(formula, v)
	}
	maybe := func(x *float64) any {
		if x == nil {
			return nil
		}
		return n.number(*x)
	}
	cells := span(meansSheet, "H", w.plan.meansRow(c, 0), w.plan.meansRow(c, len(w.plan.tasks)-1))
	s.value(n.text(st.Config))
	live("SUMPRODUCT(--({A}=A#))", int64(st.Runs))
	live("COUNT({G})", int64(st.ScoredRuns))
	s.live(fmt.Sprintf(`IF(COUNT(%s)=%d,AVERAGE(%s),"")`, cells, len(w.plan.tasks), cells), n.number(st.MeanReward))
	live("SUMPRODUCT(--({G}>=pass_threshold))", int64(st.Passes))
	live(`IF(C#=0,"",E#/C#)`, maybe(st.PassRate))
	live("COUNT({H})", int64(st.CostKnownRuns))
	live("SUM({H})", n.number(st.KnownCostUSD))
	live(`IF(AND(G#=B#,B#>0),H#,"")`, maybe(st.TotalCostUSD))
	live(`IF(AND(G#=B#,E#>0),H#/E#,"")`, maybe(st.USDPerPass))
	live(`IF(AND(COUNT({M})=B#,E#>0),SUM({M})/E#,"")`, maybe(st.TokensPerPass))
	live(`IF(AND(E#>0,SUMPRODUCT(({G}>=pass_threshold)*ISNUMBER({H}))=E#),SUMPRODUCT(--({G}>=pass_threshold),{H})/E#,"")`, maybe(st.PassUSDPerPass))
	live(`IF(AND(E#>0,SUMPRODUCT(({G}>=pass_threshold)*ISNUMBER({M}))=E#),SUMPRODUCT(--({G}>=pass_threshold),{M})/E#,"")`, maybe(st.PassTokenPerPass))
	// On the front: known cost, and nothing costs at most as much with at least
	// the reward and is strictly better in one.
	s.live(strings.ReplaceAll(`IF(AND(ISNUMBER(I#),ISNUMBER(D#)),IF(SUMPRODUCT(ISNUMBER(figure_cost)*ISNUMBER(figure_reward)*(figure_cost<=I#)*(figure_reward>=D#)*((figure_cost<I#)+(figure_reward>D#)>0))=0,1,0),0)`, "#", r),
		count(st.Pareto))
	var onFront any
	if st.Pareto {
		onFront = maybe(st.TotalCostUSD)
	}
	s.live(fmt.Sprintf(`IF(N%s=1,I%s,"")`, r, r), onFront)
	s.frontPoint(front)
	return s.end()
}

// frontPoint adds a point of the front; rows beyond it repeat the last, which
// a chart draws in the same place.
func (s *sheet) frontPoint(front []*study.Standing) {
	slot := s.row - firstRow
	s.put(nil)
	if slot >= s.w.frontSlots() {
		return
	}
	st := front[min(slot, len(front)-1)]
	r := strconv.Itoa(s.row)
	s.value(int64(slot + 1))
	s.live(fmt.Sprintf(`IF(COUNT(figure_front_cost)=0,"",SMALL(figure_front_cost,MIN(Q%s,COUNT(figure_front_cost))))`, r), s.w.notes.number(*st.TotalCostUSD))
	s.live(fmt.Sprintf(`IF(ISNUMBER(R%s),INDEX(figure_reward,MATCH(R%s,figure_front_cost,0)),"")`, r, r), s.w.notes.number(st.MeanReward))
	s.live(fmt.Sprintf(`IF(ISNUMBER(R%s),INDEX(score_config,MATCH(R%s,figure_front_cost,0)),"")`, r, r), s.w.notes.text(st.Config))
}

// frontSlots is how many points of the front have a row.
func (w *workbook) frontSlots() int {
	for _, st := range w.res.Leaderboard {
		if st.Pareto {
			return min(len(w.res.Leaderboard), maxFront)
		}
	}
	return 0
}
