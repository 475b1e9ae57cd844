package workbook

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"amdb/scoring"
	"amdb/scoring/study"
)

// ablationFirst is the first configuration's row: the variants stand above.
const ablationFirst = 11

// Columns of the ablation by variant: score, score at 12 decimals, rank.
var ablationColumns = [3][3]string{{"D", "J", "E"}, {"F", "K", "G"}, {"H", "L", "I"}}

// ablation writes the score with each component taken out, by formulas over the
// strata, and how far each ranking agrees with the full one.
func (w *workbook) ablation() error {
	columns, err := w.columns(
		columnSpec{"configuration", 34, ""}, columnSpec{"AMS", 12, asScore}, columnSpec{"rank", 12, ":rank"},
		columnSpec{"no_aubqc", 12, asScore}, columnSpec{"rank no_aubqc", 12, ":centre"},
		columnSpec{"no_tq", 12, asScore}, columnSpec{"rank no_tq", 12, ":centre"},
		columnSpec{"no_efr", 12, asScore}, columnSpec{"rank no_efr", 12, ":centre"},
		columnSpec{"no_aubqc, 12 decimals", 15, ":muted12"}, columnSpec{"no_tq, 12 decimals", 15, ":muted12"}, columnSpec{"no_efr, 12 decimals", 15, ":muted12"},
	)
	if err != nil {
		return err
	}
	s, err := w.open(ablationSheet, layout{columns: columns, freezeCols: 0})
	if err != nil {
		return err
	}
	variants := w.variants()
	if err := s.ablationTop(variants); err != nil {
		return err
	}
	if err := s.head(); err != nil {
		return err
	}
	i := 0
	if err := w.ranked(func(_ int, st *study.Standing) error {
		defer func() { i++ }()
		return s.ablated(i, st, variants)
	}); err != nil {
		return err
	}
	if err := s.table("ablation", ablationFirst-1); err != nil {
		return err
	}
	return s.close()
}

// variants are the ablations of the ranked configurations, in name order.
func (w *workbook) variants() []scoring.Variant {
	var names []string
	var components []scoring.Components
	_ = w.ranked(func(_ int, st *study.Standing) error {
		names, components = append(names, st.Config), append(components, st.Components)
		return nil
	})
	return scoring.Ablate(names, components, w.res.Alpha)
}

// ablationTop writes one row a variant.
func (s *sheet) ablationTop(variants []scoring.Variant) error {
	if err := s.line("Ablation", "title"); err != nil {
		return err
	}
	if err := s.line("no_aubqc: alpha = 1 · no_tq: alpha = 0 · no_efr: no discount for expensive failures", "muted"); err != nil {
		return err
	}
	if err := s.line("The correlations are those at export; all other figures follow what is changed.", "muted"); err != nil {
		return err
	}
	s.row++
	if err := s.strataHead("variant", "Spearman ρ at export", "Kendall τ-b at export", "mean absolute difference", "largest rank shift", "first place"); err != nil {
		return err
	}
	score, err := s.w.st.number(asScore)
	if err != nil {
		return err
	}
	whole, err := s.w.st.number(asCount)
	if err != nil {
		return err
	}
	text, err := s.w.st.named("text")
	if err != nil {
		return err
	}
	bold, err := s.w.st.named("bold")
	if err != nil {
		return err
	}
	last := ablationFirst + len(s.w.res.Leaderboard) - 1
	full, ranks := fmt.Sprintf("$B$%d:$B$%d", ablationFirst, last), fmt.Sprintf("$C$%d:$C$%d", ablationFirst, last)
	for i, v := range variants {
		col := func(k int) string {
			c := ablationColumns[i][k]
			return fmt.Sprintf("$%s$%d:$%s$%d", c, ablationFirst, c, last)
		}
		s.begin()
		s.put(excelize.Cell{StyleID: bold, Value: v.Name})
		s.put(s.w.orReason(v.Spearman, v.Reason, score), s.w.orReason(v.Kendall, v.Reason, score))
		if len(s.w.res.Leaderboard) > 0 {
			s.put(
				s.w.liveCell(score, fmt.Sprintf(`IFERROR(SUMPRODUCT(ABS(%s-%s))/COUNT(%s),"")`, col(0), full, full), s.w.notes.number(*v.MAE)),
				s.w.liveCell(whole, fmt.Sprintf(`IFERROR(SUMPRODUCT(MAX(ABS(%s-%s))),"")`, col(2), ranks), int64(*v.MaxRankShift)),
				s.w.liveCell(text, fmt.Sprintf(`IFERROR(INDEX($A$%d:$A$%d,MATCH(1,%s,0))&IF(COUNTIF(%s,1)>1," and "&(COUNTIF(%s,1)-1)&" more",""),"")`,
					ablationFirst, last, col(2), col(2), col(2)), s.w.notes.text(winners(v.Winner))))
		}
		if err := s.end(); err != nil {
			return err
		}
	}
	s.row++
	return nil
}

// liveCell is a formula with its value, or the value alone.
func (w *workbook) liveCell(style int, formula string, v any) excelize.Cell {
	if w.o.ValuesOnly {
		formula = ""
	}
	return excelize.Cell{StyleID: style, Formula: formula, Value: v}
}

// orReason is a figure, or why it is undefined.
func (w *workbook) orReason(x *float64, reason string, style int) excelize.Cell {
	if x == nil {
		return excelize.Cell{Value: reason}
	}
	return excelize.Cell{StyleID: style, Value: w.notes.number(*x)}
}

func winners(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
}

// ablated writes the i-th configuration, in name order.
func (s *sheet) ablated(i int, st *study.Standing, variants []scoring.Variant) error {
	s.begin()
	n, row, strata := &s.w.notes, strconv.Itoa(s.row), strconv.Itoa(strataFirst+i)
	from := func(col string) string { return quoted(strataSheet) + "!" + col + strata }
	s.live(from("A"), n.text(st.Config))
	s.live(from("B"), n.number(st.AMS))
	s.live(from("G"), int64(st.Rank))
	discounted := func(col [3]string) string {
		var parts []string
		for k := range col {
			parts = append(parts, fmt.Sprintf("%s*(1-%s)", from(col[k]), from([]string{"K", "O", "S"}[k])))
		}
		return strings.Join(parts, ",")
	}
	mixed := func() string {
		var parts []string
		for _, c := range [][2]string{{"I", "J"}, {"M", "N"}, {"Q", "R"}} {
			parts = append(parts, fmt.Sprintf("%s*%s+(1-%s)*%s", alphaName, from(c[0]), alphaName, from(c[1])))
		}
		return strings.Join(parts, ",")
	}
	for k, parts := range []string{discounted([3]string{"I", "M", "Q"}), discounted([3]string{"J", "N", "R"}), mixed()} {
		s.live(fmt.Sprintf(`IF(ISNUMBER(B%s),AVERAGE(%s),"")`, row, parts), n.number(variants[k].Scores[i]))
		col := ablationColumns[k][1]
		last := ablationFirst + len(s.w.res.Leaderboard) - 1
		s.live(fmt.Sprintf(`IF(ISNUMBER(%s%s),RANK(%s%s,%s$%d:%s$%d),"")`, col, row, col, row, col, ablationFirst, col, last),
			int64(scoring.Ranks(variants[k].Scores)[i]))
	}
	for k := range variants {
		score := ablationColumns[k][0]
		s.live(fmt.Sprintf(`IF(ISNUMBER(%s%s),ROUND(%s%s,12),"")`, score, row, score, row), n.number(variants[k].Scores[i]))
	}
	return s.end()
}
