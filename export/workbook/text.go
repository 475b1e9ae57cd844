package workbook

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of the format, which excelize keeps in silence and Excel in other ways.
const (
	maxCellText   = 32_767                // UTF-16 units in a cell
	maxSheetRows  = 1_048_576             // with the header
	maxSheetCols  = 16_384                //
	maxCellDigits = 1_000_000_000_000_000 // integers from here on lose digits in Excel
)

// Notes count what a workbook cannot hold as it is in the database.
type Notes struct {
	CutTexts       int64    `json:"cut_texts"`        // texts longer than a cell holds, cut with a marker
	ReplacedChars  int64    `json:"replaced_chars"`   // control characters and bad UTF-8, replaced by visible signs
	IntegersAsText int64    `json:"integers_as_text"` // of 10^15 or more: a number cell would lose digits
	RoundedNumbers int64    `json:"rounded_numbers"`  // figures of runs and budgets with more than 15 digits
	NotFinite      int64    `json:"not_finite"`       // NaN or infinite: left blank
	NearTies       int64    `json:"near_ties"`        // costs that a spreadsheet cannot tell from a budget or threshold
	RunSheets      []string `json:"run_sheets"`       // names of the sheets that hold the runs
	LeftOut        []string `json:"left_out"`         // what is in the database and not in the workbook
}

// Lines say what was altered, one sentence each; none where nothing was.
func (n *Notes) Lines() []string {
	var out []string
	say := func(count int64, format string) {
		if count > 0 {
			out = append(out, fmt.Sprintf(format, count))
		}
	}
	say(n.CutTexts, "%d texts were longer than the 32,767 characters of a cell and were cut; each ends with a marker. A Parquet export holds them whole.")
	say(n.ReplacedChars, "%d control characters or bytes that are not UTF-8 were replaced by visible signs (␛, ␀, �).")
	say(n.IntegersAsText, "%d integers of 16 digits or more are text cells: as numbers they would lose digits.")
	say(n.RoundedNumbers, "%d numbers have more than the 15 digits that a workbook holds and stop there; a Parquet export holds them whole.")
	say(n.NotFinite, "%d values were no finite numbers and are blank.")
	say(n.NearTies, "%d times a cost exceeds a budget or threshold by less than a spreadsheet can tell: recalculated values may differ from the stored ones there.")
	if len(n.RunSheets) > 1 {
		out = append(out, fmt.Sprintf("The runs fill %d sheets: %s. A configuration's runs stay on one sheet.", len(n.RunSheets), strings.Join(n.RunSheets, ", ")))
	}
	return out
}

// text is s as a cell can hold it. A text never becomes a formula, a number or
// a date: excelize writes it as an inline string.
func (n *Notes) text(s string) string {
	if plainText(s) && len(s) <= maxCellText {
		return s
	}
	return n.cut(n.visible(s))
}

// plainText says whether every byte is printable ASCII, as nearly always.
func plainText(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// visible replaces what XML cannot hold: control characters by their pictures,
// bad UTF-8 and non-characters by U+FFFD.
func (n *Notes) visible(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1, r == 0xFFFE, r == 0xFFFF:
			b.WriteRune(utf8.RuneError)
			n.ReplacedChars++
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			b.WriteRune(0x2400 + r)
			n.ReplacedChars++
		case r == 0x7f:
			b.WriteRune(0x2421)
			n.ReplacedChars++
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// cut shortens a text to what a cell holds, and says so at its end.
func (n *Notes) cut(s string) string {
	if len(s) <= maxCellText { // a byte is at least a unit
		return s
	}
	units := 0
	for _, r := range s {
		units += utf16.RuneLen(r)
	}
	if units <= maxCellText {
		return s
	}
	n.CutTexts++
	marker := fmt.Sprintf("… [cut: %d characters]", utf8.RuneCountInString(s))
	room := maxCellText - len(marker) // the marker's bytes are no fewer than its units
	units = 0
	for i, r := range s {
		if units += utf16.RuneLen(r); units > room {
			return s[:i] + marker
		}
	}
	return s
}

// integer is n as a number cell, or as text where a number would lose digits.
func (n *Notes) integer(x int64) any {
	if x >= maxCellDigits || x <= -maxCellDigits {
		n.IntegersAsText++
		return strconv.FormatInt(x, 10)
	}
	return x
}

// number is x, or blank where x is none.
func (n *Notes) number(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		n.NotFinite++
		return nil
	}
	return x
}

// given is number for a figure as it was loaded or frozen: one of more than 15
// digits is counted.
func (n *Notes) given(x float64) any {
	v := n.number(x)
	if v != nil && !short(x) {
		n.RoundedNumbers++
	}
	return v
}

// short says whether 15 digits hold x. The first test is the fast one.
func short(x float64) bool {
	if y := x * 1e9; math.Abs(y) < 1e15 && y == math.Trunc(y) && y/1e9 == x {
		return true
	}
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 15, 64), 64)
	return err == nil && y == x
}

// sheetName is a legal sheet name that none of taken has, as near to want as
// can be: at most 31 UTF-16 units, none of []:*?/\, no quote at an end, not the
// reserved History, unique whatever the case. It adds the name to taken.
func sheetName(want string, taken map[string]bool) string {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\`, r) || r < ' ' || r == utf8.RuneError {
			return '_'
		}
		return r
	}, want)
	clean = strings.Trim(strings.TrimSpace(clean), "'")
	if clean == "" {
		clean = "Sheet"
	}
	if strings.EqualFold(clean, "history") {
		clean += "_"
	}
	name := shorten(clean, 31)
	for i := 1; taken[strings.ToLower(name)]; i++ {
		suffix := "~" + strconv.Itoa(i)
		name = shorten(clean, 31-len(suffix)) + suffix
	}
	taken[strings.ToLower(name)] = true
	return name
}

// shorten is the longest start of s of at most max UTF-16 units.
func shorten(s string, most int) string {
	units := 0
	for i, r := range s {
		if units += utf16.RuneLen(r); units > most {
			return strings.TrimRight(s[:i], " '")
		}
	}
	return s
}
