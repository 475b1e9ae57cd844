package report

import (
	"html/template"
	"math"
	"strconv"
	"strings"
	"unicode"

	"amdb/export/table"
	"amdb/scoring"
)

// unknown is what stands for a figure that is not known: never 0.
const unknown = template.HTML(`<span class="unknown" title="unknown">–<span class="vh"> unknown</span></span>`)

// clean makes a name from the data fit to be shown: control characters, which
// draw nothing, break lines or turn the reading direction so that a name looks
// like another, become visible signs. Text that is written from right to left
// needs none of them.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) {
			return '\u2423'
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

func cleanAll(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = clean(n)
	}
	return out
}

// grouped writes an integer with thin spaces between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "−", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return sign + s
}

// fixed writes x with digits behind the point.
func fixed(x float64, digits int) string {
	s := strconv.FormatFloat(x, 'f', digits, 64)
	if strings.HasPrefix(s, "-") {
		s = "−" + s[1:]
	}
	return s
}

// dollars writes an amount with the digits that matter.
func dollars(x float64) string {
	switch abs := math.Abs(x); {
	case x == 0:
		return "$0"
	case abs < 1e-4:
		return "$" + strconv.FormatFloat(x, 'g', 3, 64)
	case abs < 1:
		return "$" + fixed(x, 4)
	case abs < 1000:
		return "$" + fixed(x, 2)
	}
	return "$" + grouped(int64(math.Round(x)))
}

// maybeText writes a figure that may be unknown. What it writes is text, which
// the template escapes; only the sign for unknown is markup.
func maybeText(x *float64, write func(float64) string) any {
	if x == nil {
		return unknown
	}
	return write(*x)
}

// sortKey is a figure as a sorting key: all digits, empty where unknown.
func sortKey(x any) string {
	switch x := x.(type) {
	case *float64:
		if x == nil {
			return ""
		}
		return strconv.FormatFloat(*x, 'g', -1, 64)
	case *int:
		if x == nil {
			return ""
		}
		return strconv.Itoa(*x)
	}
	return table.Plain(x)
}

// funcs are the template's functions.
var funcs = template.FuncMap{
	"clean": clean,
	"raw":   sortKey,
	"int":   func(n any) string { return grouped(asInt(n)) },
	"f4":    func(x float64) string { return fixed(x, 4) },
	"f3":    func(x float64) string { return fixed(x, 3) },
	"num":   func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) },
	"usd":   dollars,
	"f4p":   func(x *float64) any { return maybeText(x, func(v float64) string { return fixed(v, 4) }) },
	"f3p":   func(x *float64) any { return maybeText(x, func(v float64) string { return fixed(v, 3) }) },
	"pctp":  func(x *float64) any { return maybeText(x, percent) },
	"pct":   percent,
	"usdp":  func(x *float64) any { return maybeText(x, dollars) },
	"tokp": func(x *float64) any {
		return maybeText(x, func(v float64) string { return grouped(int64(math.Round(v))) })
	},
	"svg":    func(x float64) string { return strconv.FormatFloat(math.Max(0, math.Min(100, x*100)), 'f', 2, 64) },
	"cell":   gridCell,
	"join":   func(names []string) string { return strings.Join(cleanAll(names), ", ") },
	"plural": plural,
	"deref":  func(x *float64) float64 { return *x },
	"derefi": func(x *int) int { return *x },
	"inc":    func(i int) int { return i + 1 },
	"gridOf": func(g *grid, id, title, empty string) map[string]any {
		return map[string]any{"Grid": g, "ID": id, "Title": title, "Empty": empty}
	},
	"criterion": func(name string) string {
		if words, ok := criteria[name]; ok {
			return words
		}
		return clean(name)
	},
}

// criteria are the criteria of scoring.RankByCriteria in words.
var criteria = map[string]string{
	scoring.ByPasses:                  "passes",
	scoring.ByMeanReward:              "mean reward",
	scoring.ByUSDPerPass:              "USD per pass",
	scoring.ByTokensPerPass:           "tokens per pass",
	scoring.BySuccessfulUSDPerPass:    "USD per pass, successful runs alone",
	scoring.BySuccessfulTokensPerPass: "tokens per pass, successful runs alone",
}

func percent(x float64) string {
	if x > 0 && x < 0.001 {
		return "<0.1\u202f%"
	}
	if x < 1 && x > 0.999 {
		return ">99.9\u202f%"
	}
	return fixed(x*100, 1) + "\u202f%"
}

func plural(n any, one, many string) string {
	if k := asInt(n); k != 1 {
		return grouped(k) + " " + many
	}
	return "1 " + one
}

func asInt(n any) int64 {
	switch n := n.(type) {
	case int:
		return int64(n)
	case int64:
		return n
	}
	return 0
}

// gridCell is a value of a table of any columns.
func gridCell(v any) any {
	switch v := v.(type) {
	case nil:
		return unknown
	case int64:
		return grouped(v)
	}
	return clean(table.Plain(v))
}
