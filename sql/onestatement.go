package sql

import (
	"regexp"
	"strings"
)

// oneStatement says whether a text holds at most one SQL statement: nothing but
// blanks and comments behind the first semicolon. DuckDB would run the others
// while it prepares the last.
func oneStatement(query string) bool {
	rest := query
	ended := false
	for rest != "" {
		n, code := lexeme(rest)
		switch {
		case !code:
		case rest[0] == ';':
			ended = true
		case ended:
			return false
		}
		rest = rest[n:]
	}
	return true
}

// lexeme is the length of the blank, comment, quoted text or single byte at the
// start of s, and whether it is more than a blank or a comment.
func lexeme(s string) (n int, code bool) {
	switch {
	case strings.ContainsRune(" \t\r\n\f\v", rune(s[0])):
		return 1, false
	case strings.HasPrefix(s, "--"):
		return through(s, 2, "\n"), false
	case strings.HasPrefix(s, "/*"):
		return through(s, 2, "*/"), false
	case s[0] == '\'' || s[0] == '"':
		return through(s, 1, s[:1]), true
	case s[0] == '$':
		if end := strings.IndexByte(s[1:], '$'); end >= 0 && !strings.ContainsAny(s[1:end+1], " \t\n'\";") {
			tag := s[:end+2]
			return through(s, len(tag), tag), true
		}
	}
	return 1, true
}

// through is the length of s up to and with the first end behind from; all of s
// where there is none.
func through(s string, from int, end string) int {
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}

// ordersItself says whether a query ends in an ORDER BY of its own, and not only
// inside of parentheses.
func ordersItself(query string) bool {
	depth := 0
	for rest := strings.ToLower(query); rest != ""; {
		n, code := lexeme(rest)
		if code {
			switch {
			case rest[0] == '(' || rest[0] == '[' || rest[0] == '{':
				depth++
			case rest[0] == ')' || rest[0] == ']' || rest[0] == '}':
				depth--
			case depth == 0 && orderBy.MatchString(rest):
				return true
			default:
				if word := wordStart.FindString(rest); word != "" {
					n = len(word) // words are read whole: "reorder by" is none
				}
			}
		}
		rest = rest[n:]
	}
	return false
}

var (
	orderBy   = regexp.MustCompile(`^order\s+by\b`)
	wordStart = regexp.MustCompile(`^[a-z0-9_]+`)
)
