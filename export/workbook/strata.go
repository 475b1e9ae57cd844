package workbook

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"amdb/scoring"
	"amdb/scoring/study"
)

// strataFirst is the first row of data: two rows of headers stand above.
const strataFirst = 3

// ranked calls f with each ranked configuration's number in the plan and its
// standing, in name order.
func (w *workbook) ranked(f func(c int, st *study.Standing) error) error {
	byName := map[string]*study.Standing{}
	for i := range w.res.Leaderboard {
		byName[w.res.Leaderboard[i].Config] = &w.res.Leaderboard[i]
	}
	for c := range w.plan.configs {
		if st := byName[w.plan.configs[c].name]; st != nil {
			if err := f(c, st); err != nil {
				return err
			}
		}
	}
	return nil
}

// strata writes one row a ranked configuration, in name order: the means over
// the tasks of each stratum, the score of each, their mean, rank and place.
func (w *workbook) strata() error {
	specs := []columnSpec{
		{"configuration", 34, ""},
		{"AMS", 10, asScore},
		{"TQ", 10, asScore},
		{"AUBQC", 10, asScore},
		{"EFR", 10, asScore},
		{"AMS at 12 decimals", 15, ":muted12"},
		{"rank", 7, ":rank"},
		{"place", 7, ":centre"},
	}
	for _, s := range scoring.Strata {
		for _, part := range []string{"TQ", "AUBQC", "EFR", "AMS"} {
			specs = append(specs, columnSpec{s.String() + " " + part, 10, asScore})
		}
	}
	columns, err := w.columns(append(specs, columnSpec{"runs at", 16, ":note"})...)
	if err != nil {
		return err
	}
	n := len(w.res.Leaderboard)
	s, err := w.open(strataSheet, layout{columns: columns, header: 2, freezeCols: 1, before: func(sheet string) error {
		if n == 0 {
			return nil
		}
		for _, col := range []string{"B", "L", "P", "T"} {
			if err := w.scale(sheet, col, strataFirst, n, false); err != nil {
				return err
			}
		}
		for _, col := range []string{"K", "O", "S"} {
			if err := w.scale(sheet, col, strataFirst, n, true); err != nil {
				return err
			}
		}
		return nil
	}})
	if err != nil {
		return err
	}
	if err := s.groups(); err != nil {
		return err
	}
	if err := s.head(); err != nil {
		return err
	}
	places := w.places()
	if err := w.ranked(func(c int, st *study.Standing) error { return s.stratumRow(c, st, places[st.Config]) }); err != nil {
		return err
	}
	if err := s.table("strata", 2); err != nil {
		return err
	}
	return s.close()
}

// places is each configuration's position on the leaderboard.
func (w *workbook) places() map[string]int64 {
	out := map[string]int64{}
	for i, st := range w.res.Leaderboard {
		out[st.Config] = int64(i + 1)
	}
	return out
}

// groups writes the row above the header: which columns belong together.
func (s *sheet) groups() error {
	style, err := s.w.st.named("group")
	if err != nil {
		return err
	}
	s.begin()
	titles := map[int]string{2: "Mean of the three strata", 9: "Easy", 13: "Medium", 17: "Hard"}
	for i := range s.columns {
		s.put(excelize.Cell{StyleID: style, Value: titles[i+1]})
	}
	for _, m := range [][2]string{{"B1", "H1"}, {"I1", "L1"}, {"M1", "P1"}, {"Q1", "T1"}} {
		if err := s.sw.MergeCell(m[0], m[1]); err != nil {
			return err
		}
	}
	return s.end()
}

// stratumRow writes one configuration.
func (s *sheet) stratumRow(c int, st *study.Standing, place int64) error {
	s.begin()
	w, n := s.w, &s.w.notes
	r := strconv.Itoa(s.row)
	mean := func(cols string, v float64) {
		parts := strings.ReplaceAll(cols, "#", r)
		s.live(fmt.Sprintf(`IF(COUNT(%s)=3,AVERAGE(%s),"")`, parts, parts), n.number(v))
	}
	s.value(n.text(st.Config))
	mean("L#,P#,T#", st.AMS)
	mean("I#,M#,Q#", st.TQ)
	mean("J#,N#,R#", st.AUBQC)
	mean("K#,O#,S#", st.EFR)
	// Ranks are taken at 12 decimals, so that float noise breaks no tie; equal
	// ranks stand in name order, which is the order of these rows.
	s.live(fmt.Sprintf(`IF(ISNUMBER(B%s),ROUND(B%s,12),"")`, r, r), n.number(st.AMS))
	s.live(fmt.Sprintf(`IF(ISNUMBER(F%s),RANK(F%s,score_ams12),"")`, r, r), int64(st.Rank))
	above := fmt.Sprintf("G$%d:G%d", strataFirst-1, s.row-1)
	s.live(fmt.Sprintf(`IF(ISNUMBER(G%s),G%s+COUNTIF(%s,G%s),COUNT(score_rank)+COUNTIF(%s,"")+1)`, r, r, above, r, above), place)
	for i, stratum := range scoring.Strata {
		tq, aubqc, efr := columnName(9+4*i), columnName(10+4*i), columnName(11+4*i)
		x := st.Strata[stratum]
		of := func(col string) string { return w.stratumSpan(c, stratum, col) }
		s.live(fmt.Sprintf(`IF(SUMPRODUCT((%s=A%s)*(%s="%s")*ISNUMBER(%s))=%d,AVERAGE(%s),"")`,
			of("A"), r, of("D"), stratum, of("H"), x.Tasks, of("H")), n.number(x.TQ))
		s.live(fmt.Sprintf(`IF(ISNUMBER(%s%s),AVERAGE(%s),"")`, tq, r, of("I")), n.number(x.AUBQC))
		s.live(fmt.Sprintf(`IF(ISNUMBER(%s%s),AVERAGE(%s),"")`, tq, r, of("J")), n.number(x.EFR))
		s.live(fmt.Sprintf(`IF(ISNUMBER(%s%s),(%s*%s%s+(1-%s)*%s%s)*(1-%s%s),"")`, tq, r, alphaName, tq, r, alphaName, aubqc, r, efr, r), n.number(x.AMS))
	}
	s.value(w.runsAt(c))
	return s.end()
}

// runsAt is the address of a configuration's first run, or cell where no run is
// here, as a link takes it.
func (w *workbook) runsAt(c int) string {
	cfg := &w.plan.configs[c]
	if cfg.sheet < 0 {
		return fmt.Sprintf("#%s!A%d", quoted(meansSheet), w.plan.meansRow(c, 0))
	}
	return fmt.Sprintf("#%s!A%d", quoted(w.plan.sheetOf(c)), cfg.first)
}

// scale colours n rows of a column from low to high; worse is high for rates of
// failure.
func (w *workbook) scale(sheet, col string, first, n int, worse bool) error {
	low, high := "FFFFFF", highColour
	if worse {
		high = lowColour
	}
	return w.f.SetConditionalFormat(sheet, fmt.Sprintf("%s%d:%s%d", col, first, col, first+n-1), []excelize.ConditionalFormatOptions{{
		Type: "2_color_scale", Criteria: "=", MinType: "num", MinValue: "0", MaxType: "max", MinColor: low, MaxColor: high,
	}})
}
