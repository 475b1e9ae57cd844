package schema

import (
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// Samples are the values of a column that are not NULL, for people to look at,
// credentials out.
func Samples(name string, a arrow.Array) []string {
	var out []string
	secret := Secret(name)
	for i := range a.Len() {
		s := ""
		if a.IsValid(i) {
			s = a.ValueStr(i)
		}
		switch {
		case s == "":
		case secret:
			out = append(out, Redacted)
		case strings.HasPrefix(strings.TrimSpace(s), "{") || strings.HasPrefix(strings.TrimSpace(s), "["):
			if s = redactJSON(s); s != "{}" {
				out = append(out, s)
			}
		default:
			out = append(out, RedactText(strings.ToValidUTF8(s, "\uFFFD")))
		}
	}
	return out
}

// redactJSON takes credentials out of a text that may be JSON.
func redactJSON(s string) string {
	v, err := decodeJSON(s)
	if err != nil {
		return RedactText(strings.ToValidUTF8(s, "\uFFFD"))
	}
	if m, ok := RedactExtra(v).(map[string]any); ok {
		return encodeExtra(m)
	}
	return "[…]"
}
