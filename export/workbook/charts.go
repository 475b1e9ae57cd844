package workbook

import (
	"fmt"

	"github.com/xuri/excelize/v2"
)

// charts puts two charts below the leaderboard of n rows: AMS by configuration,
// and cost against reward.
func (w *workbook) charts(sheet string, n int) error {
	top := chartRow(n)
	if err := w.f.AddChart(sheet, cellName(1, top), w.scoreChart(n)); err != nil {
		return err
	}
	if w.frontSlots() == 0 { // no known cost, nothing to set against
		return nil
	}
	return w.f.AddChart(sheet, cellName(8, top), w.costChart(n))
}

// chartRow is the row below a leaderboard of n where the charts begin.
func chartRow(n int) int { return boardFirst + n + 1 }

func chartTitle(text string) excelize.ChartTitle {
	return excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: text, Font: &excelize.Font{Bold: true, Size: 12, Color: headColour, Family: fontName}}}}
}

func axisTitle(text string) excelize.ChartTitle {
	return excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: text, Font: &excelize.Font{Size: 10, Color: mutedColour, Family: fontName}}}}
}

// scoreChart is a bar a configuration, the best at the top.
func (w *workbook) scoreChart(n int) *excelize.Chart {
	title := "AMS by configuration"
	shown := min(n, maxChartedScores)
	if shown < n {
		title += fmt.Sprintf(" (the first %d of %d)", shown, n)
	}
	zero, gap := 0.0, uint(40)
	return &excelize.Chart{
		Type: excelize.Bar, Title: chartTitle(title), Legend: excelize.ChartLegend{Position: "none"}, GapWidth: &gap,
		Series: []excelize.ChartSeries{{
			Name:       fixedCell(boardSheet, "D", boardHeader),
			Categories: fixedSpan(boardSheet, "C", boardFirst, boardFirst+shown-1),
			Values:     fixedSpan(boardSheet, "D", boardFirst, boardFirst+shown-1),
			Fill:       solid(seriesColour),
		}},
		XAxis:     excelize.ChartAxis{ReverseOrder: true, Font: excelize.Font{Size: 9, Color: inkColour}},
		YAxis:     excelize.ChartAxis{MajorGridLines: true, Minimum: &zero, Font: excelize.Font{Size: 9, Color: mutedColour}, NumFmt: excelize.ChartNumFmt{CustomNumFmt: "0.0"}},
		PlotArea:  excelize.ChartPlotArea{ShowVal: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: "0.000"}},
		Dimension: excelize.ChartDimension{Width: 680, Height: uint(max(420, 120+shown*20))},
	}
}

// costChart is a point a configuration, and the Pareto front as a line.
func (w *workbook) costChart(n int) *excelize.Chart {
	cost, reward := fixedSpan(figuresSheet, "I", firstRow, firstRow+n-1), fixedSpan(figuresSheet, "D", firstRow, firstRow+n-1)
	slots := w.frontSlots()
	return &excelize.Chart{
		Type: excelize.Scatter, Title: chartTitle("Total cost against mean reward"), Legend: excelize.ChartLegend{Position: "bottom"},
		Series: []excelize.ChartSeries{
			{
				Name: fixedCell(figuresSheet, "A", 1), Categories: cost, Values: reward,
				Marker: excelize.ChartMarker{Symbol: "circle", Size: 7, Fill: solid(seriesColour)},
				Line:   excelize.LineOptions{Type: excelize.LineNone},
			},
			{
				Name:       fixedCell(figuresSheet, "Q", 1),
				Categories: fixedSpan(figuresSheet, "R", firstRow, firstRow+slots-1), Values: fixedSpan(figuresSheet, "S", firstRow, firstRow+slots-1),
				Marker: excelize.ChartMarker{Symbol: "diamond", Size: 11, Fill: solid(markColour)},
				Line:   excelize.LineOptions{Type: excelize.LineSolid, Width: 1.25, Fill: solid(markColour)},
			},
		},
		XAxis:     excelize.ChartAxis{Title: axisTitle("total cost, USD"), Font: excelize.Font{Size: 9, Color: mutedColour}, NumFmt: excelize.ChartNumFmt{CustomNumFmt: "#,##0.##"}},
		YAxis:     excelize.ChartAxis{Title: axisTitle("mean reward"), MajorGridLines: true, Font: excelize.Font{Size: 9, Color: mutedColour}, NumFmt: excelize.ChartNumFmt{CustomNumFmt: "0.00"}},
		Dimension: excelize.ChartDimension{Width: 680, Height: uint(max(420, 120+min(n, maxChartedScores)*20))},
	}
}
