package main

import "testing"

// What a run file says must not draw on the terminal, turn the text round or
// hide in it.
func TestOneLineShowsWhatHides(t *testing.T) {
	for in, want := range map[string]string{
		"a\nb\tc":               "a b c",
		"a\x1b[31mb":            "a·[31mb",
		"gpt\u202e4-tpg":        "gpt·4-tpg", // right-to-left override
		"zero\u200bwidth\ufeff": "zero·width·",
		"\u2066isolated\u2069":  "·isolated·",
		"c1\u009bcsi":           "c1·csi",
		"Émile 模型":              "Émile 模型",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("oneLine(%q) = %q, want %q", in, got, want)
		}
	}
}
