package workbook

// SheetRows makes the sheets of a workbook as small as a test needs them.
func SheetRows(o Options, rows int) Options {
	o.rows = rows
	return o
}

// Names and texts as the workbook makes them.
var SheetName = sheetName

func (n *Notes) Text(s string) string      { return n.text(s) }
func (n *Notes) Integer(x int64) any       { return n.integer(x) }
func (n *Notes) Number(x float64) any      { return n.number(x) }
func (n *Notes) GivenNumber(x float64) any { return n.given(x) }
