package workbook

import (
	"strings"

	"github.com/xuri/excelize/v2"
)

// Colours of the workbook, few and quiet.
const (
	inkColour    = "1F2A37"
	headColour   = "26425F"
	bandColour   = "E8EEF4"
	mutedColour  = "6B7280"
	inputInk     = "1D4E9E"
	inputColour  = "FFF7DB"
	lineColour   = "D5DCE4"
	barColour    = "8FB3D9"
	markColour   = "C8553D"
	seriesColour = "3D6FA5"
	lowColour    = "F4B6A6"
	midColour    = "FDF6E3"
	highColour   = "8CC6A0"
)

// Formats of numbers.
const (
	asGeneral = "General"
	asScore   = "0.0000"
	asUSD     = `#,##0.0000`
	asRate    = "0.0%"
	asCount   = "#,##0"
	asTime    = `yyyy\-mm\-dd\ hh:mm:ss`
	asFigure  = "#,##0.0###"
)

// styles are the ids of the workbook's cell styles, made when first asked for.
type styles struct {
	f   *excelize.File
	ids map[string]int
}

// of is the id of a named style.
func (s *styles) of(name string, style func() *excelize.Style) (int, error) {
	if id, ok := s.ids[name]; ok {
		return id, nil
	}
	id, err := s.f.NewStyle(style())
	if err != nil {
		return 0, err
	}
	s.ids[name] = id
	return id, nil
}

// number is a figure in a format.
func (s *styles) number(format string) (int, error) {
	return s.of("n:"+format, func() *excelize.Style {
		return &excelize.Style{CustomNumFmt: &format, Font: &excelize.Font{Family: fontName, Size: 10, Color: inkColour}}
	})
}

// input is a figure that a reviewer may change.
func (s *styles) input(format string) (int, error) {
	return s.of("i:"+format, func() *excelize.Style {
		return &excelize.Style{
			CustomNumFmt: &format, Font: &excelize.Font{Family: fontName, Size: 10, Color: inputInk},
			Fill: solid(inputColour),
		}
	})
}

const fontName = "Calibri"

// named gives one of the fixed styles.
func (s *styles) named(name string) (int, error) {
	return s.of(name, func() *excelize.Style {
		font := &excelize.Font{Family: fontName, Size: 10, Color: inkColour}
		st := &excelize.Style{Font: font}
		switch name {
		case "title":
			font.Size, font.Bold, font.Color = 16, true, headColour
		case "section":
			font.Size, font.Bold, font.Color = 12, true, headColour
		case "muted":
			font.Color = mutedColour
		case "bold":
			font.Bold = true
			st.Alignment = &excelize.Alignment{Vertical: "top"}
		case "wrap":
			st.Alignment = &excelize.Alignment{WrapText: true, Vertical: "top"}
		case "text":
			st.Alignment = &excelize.Alignment{Horizontal: "left", Indent: 1}
		case "note":
			font.Color = mutedColour
			st.Alignment = &excelize.Alignment{Horizontal: "left", Indent: 1}
		case "muted12":
			font.Color = mutedColour
			format := "0.000000000000"
			st.CustomNumFmt = &format
		case "centre":
			st.Alignment = &excelize.Alignment{Horizontal: "center"}
		case "rank":
			font.Bold = true
			st.Alignment = &excelize.Alignment{Horizontal: "center"}
		case "mark":
			font.Color, font.Bold = markColour, true
			st.Alignment = &excelize.Alignment{Horizontal: "center"}
		case "link":
			font.Color, font.Underline = inputInk, "single"
			st.Alignment = &excelize.Alignment{Horizontal: "left", Indent: 1}
		case "head":
			font.Color, font.Bold = "FFFFFF", true
			st.Fill = solid(headColour)
			st.Alignment = &excelize.Alignment{WrapText: true, Vertical: "center", Horizontal: "center"}
		case "headUp":
			font.Color, font.Bold, font.Size = "FFFFFF", true, 9
			st.Fill = solid(headColour)
			st.Alignment = &excelize.Alignment{TextRotation: 90, Vertical: "bottom", Horizontal: "center"}
		case "group":
			font.Bold, font.Color = true, headColour
			st.Fill = solid(bandColour)
			st.Alignment = &excelize.Alignment{Horizontal: "center"}
		case "heat":
			format := "0.00"
			st.CustomNumFmt = &format
			font.Size = 9
			st.Alignment = &excelize.Alignment{Horizontal: "center"}
			st.Border = []excelize.Border{
				{Type: "left", Color: "FFFFFF", Style: 1},
				{Type: "right", Color: "FFFFFF", Style: 1},
				{Type: "top", Color: "FFFFFF", Style: 1},
				{Type: "bottom", Color: "FFFFFF", Style: 1},
			}
		}
		return st
	})
}

func solid(colour string) excelize.Fill {
	return excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{colour}}
}

// format is the style of a column: "" for text, ":NAME" for a fixed style,
// "input FORMAT" for what may be changed, else a format of numbers.
func (s *styles) format(format string) (int, error) {
	if format == "" {
		return s.named("text")
	}
	if name, ok := strings.CutPrefix(format, ":"); ok {
		return s.named(name)
	}
	if f, ok := strings.CutPrefix(format, "input "); ok {
		return s.input(f)
	}
	return s.number(format)
}
