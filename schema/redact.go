package schema

import (
	"regexp"
	"strings"
)

// secretKey matches names of fields that hold a credential. "token" alone and
// as a suffix of an auth word is one; "input_tokens" is a count.
var secretKey = regexp.MustCompile(`(?i)(api[_-]?key|secret|passw(or)?d|authorization|credential|private[_-]?key|cookie|` +
	`(access|auth|refresh|bearer|id|session|github|gh|hf|oauth)[_-]?token|^token$|^bearer$|^auth$|^key$|_key$)`)

// secretValue matches credentials by their own look, wherever they stand.
var secretValue = regexp.MustCompile(`(?i)\b(sk-[a-z0-9_-]{12,}|sk_(live|test)_[a-z0-9]{10,}|gh[pousr]_[a-z0-9]{20,}|github_pat_[a-z0-9_]{20,}|` +
	`hf_[a-z0-9]{20,}|xox[abprs]-[a-z0-9-]{10,}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|eyJ[a-z0-9_-]{10,}\.eyJ[a-z0-9_-]{10,}\.[a-z0-9_-]+)` +
	`|\bbearer\s+[a-z0-9._~+/=-]{12,}`)

// assigned matches a credential that a text gives a name, as programs print
// their environment and command lines: OPENAI_API_KEY=…, "password": "…",
// --api-key …. The value is group 2.
var assigned = regexp.MustCompile(`(?i)((?:api[_-]?key|secret[a-z_-]*|access[_-]?key(?:[_-]id)?|passw(?:or)?d|authorization|private[_-]?key|cookie|` +
	`(?:access|auth|refresh|bearer|session|github|gh|hf|oauth)[_-]?token)[\\"']*\s*[:=]\s*|` +
	`--[a-z-]*(?:key|token|secret|password|auth)[ =]\s*)` +
	`(\\?"[^"\\]*|'[^']*|(?:(?:basic|bearer|token)\s+)?[^\s"'\\,;&})\]]+)`)

// userInfo matches a name and password inside a URL.
var userInfo = regexp.MustCompile(`://[^/\s:@]+:[^/\s@]+@`)

// hints are what a text that holds a credential has somewhere, in lower case:
// most have none, and are passed through at the cost of a search.
var hints = []string{
	"sk-", "sk_", "gh", "hf_", "xox", "akia", "aiza", "eyj", "bearer", "key", "secret", "passw", "authorization", "token", "cookie", "://",
}

// configKey matches a source's own configuration, which is not data about the
// run and is where credentials hide.
var configKey = regexp.MustCompile(`(?i)^(config|env|environ|environment_variables|headers|kwargs|agent_kwargs|model_args)$`)

// Redacted stands where a credential stood.
const Redacted = "[redacted]"

// Secret says whether a field's name is one that holds a credential or a
// configuration, which is never kept.
func Secret(name string) bool { return configKey.MatchString(name) || secretKey.MatchString(name) }

// RedactText replaces what looks like a credential inside a text, and what the
// text itself names as one.
func RedactText(s string) string {
	if len(s) < 12 || !hinted(s) {
		return s
	}
	s = secretValue.ReplaceAllString(s, Redacted)
	s = userInfo.ReplaceAllString(s, "://"+Redacted+"@")
	return assigned.ReplaceAllString(s, "${1}"+Redacted)
}

func hinted(s string) bool {
	lower := strings.ToLower(s)
	for _, h := range hints {
		if strings.Contains(lower, h) {
			return true
		}
	}
	return false
}

// redactor is RedactText for a column of few different values.
type redactor struct{ seen map[string]string }

// maxRemembered bounds what a redactor keeps.
const maxRemembered = 4096

func (r *redactor) text(s string) string {
	if len(s) < 12 {
		return s
	}
	if clean, ok := r.seen[s]; ok {
		return clean
	}
	clean := RedactText(s)
	if r.seen == nil {
		r.seen = map[string]string{}
	}
	if len(r.seen) < maxRemembered {
		r.seen[strings.Clone(s)] = strings.Clone(clean)
	}
	return clean
}

// RedactExtra takes configuration and credentials out of a tree of JSON
// values, by name and by look. It changes maps and lists in place.
func RedactExtra(v any) any { return new(cleaner).tree(v) }

// cleaner is RedactExtra for many trees: it remembers what it found of names.
type cleaner struct{ names map[string]verdict }

// verdict is what a field's name says.
type verdict struct {
	config, secret bool
	clean          string // the name without a credential in it
}

func (c *cleaner) name(k string) verdict {
	if v, ok := c.names[k]; ok {
		return v
	}
	v := verdict{configKey.MatchString(k), secretKey.MatchString(k), RedactText(k)}
	if c.names == nil {
		c.names = map[string]verdict{}
	}
	if len(c.names) < maxRemembered {
		c.names[strings.Clone(k)] = v
	}
	return v
}

func (c *cleaner) tree(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			name := c.name(k)
			if name.config || name.secret && holdsText(child) {
				delete(v, k)
				continue
			}
			v[k] = c.tree(child)
			if name.clean != k {
				v[name.clean] = v[k]
				delete(v, k)
			}
		}
	case []any:
		for i := range v {
			v[i] = c.tree(v[i])
		}
	case string:
		return RedactText(strings.ToValidUTF8(v, "\uFFFD"))
	}
	return v
}

// holdsText says whether a value could hold a credential: a count or a flag
// under a key-like name is data.
func holdsText(v any) bool {
	switch v.(type) {
	case string, map[string]any, []any:
		return true
	}
	return false
}
