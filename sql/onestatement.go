package sql

import "strings"

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
