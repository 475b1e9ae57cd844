package schema

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The rules, in the words of a reject's reason.
var (
	errEmpty   = errors.New("is empty")
	errUTF8    = errors.New("is not valid UTF-8")
	errNumber  = errors.New("is not a number")
	errFinite  = errors.New("is not finite")
	errWhole   = errors.New("is not a whole number")
	errRange64 = errors.New("is beyond 64 bits")
	errTime    = errors.New("is not an ISO 8601 time")
	errSlash   = errors.New("holds a slash, so model/cli could not be split again")
)

// checkText holds the rules of a text column.
func checkText(c Col, s string) error {
	switch {
	case Columns[c].NotEmpty && s == "":
		return errEmpty
	case !utf8.ValidString(s):
		return errUTF8
	case c == CLI && strings.Contains(s, "/"):
		return errSlash
	case c == CostSource && s != "" && s != "reported" && s != "priced":
		return errors.New("is not reported or priced")
	}
	return nil
}

// bounds are the least and the greatest number of a column: all that nearly every
// value is compared with.
func bounds(c Col) (lo, hi float64) {
	lo, hi = -math.MaxFloat64, math.MaxFloat64
	if least := Columns[c].Min; least != nil {
		lo = *least
	}
	if most := Columns[c].Max; most != nil {
		hi = *most
	}
	return lo, hi
}

// checkRange holds a column's bounds.
func checkRange(c Col, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return errFinite
	}
	lo, hi := bounds(c)
	switch {
	case c == Reward && (v < lo || v > hi):
		return fmt.Errorf("is outside [%v,%v]", lo, hi)
	case v < lo:
		return fmt.Errorf("is below %v", lo)
	case v > hi:
		return fmt.Errorf("is above %v", hi)
	}
	return nil
}

// parseNumber reads a decimal number; a reward may also be true or false.
func parseNumber(c Col, s string) (float64, error) {
	if c == Reward {
		switch strings.TrimSpace(s) {
		case "true", "True", "TRUE":
			return 1, nil
		case "false", "False", "FALSE":
			return 0, nil
		}
	}
	v, err := parseFloat(s)
	if err != nil {
		return 0, err
	}
	return v, checkRange(c, v)
}

// parseFloat reads a finite decimal number.
func parseFloat(s string) (float64, error) {
	s = strings.TrimSpace(s)
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case err == nil && plainNumber(s):
		return v, nil
	case err == nil && !strings.ContainsAny(s, "xX_"):
		return 0, errFinite // NaN, Inf, Infinity
	case errors.Is(err, strconv.ErrRange) && plainNumber(s):
		return 0, errors.New("is beyond a double's range")
	}
	return 0, errNumber
}

// plainNumber says whether s has only the characters of a decimal number, so
// that hexadecimal, underscores and NaN are not read as one.
func plainNumber(s string) bool {
	for i := range len(s) {
		switch ch := s[i]; {
		case ch >= '0' && ch <= '9', ch == '.', ch == '-', ch == '+', ch == 'e', ch == 'E':
		default:
			return false
		}
	}
	return s != ""
}

// parseInteger reads a whole number in 64 bits. 42.0 and 1e3 are whole.
func parseInteger(c Col, s string) (int64, error) {
	s = strings.TrimSpace(s)
	v, err := strconv.ParseInt(s, 10, 64)
	if err == nil {
		return v, checkRange(c, float64(v))
	}
	if errors.Is(err, strconv.ErrRange) {
		return 0, errRange64
	}
	x, err := parseFloat(s)
	if err != nil {
		return 0, err
	}
	return wholeFloat(c, x)
}

// wholeFloat is a double as a whole number, where it is one.
func wholeFloat(c Col, x float64) (int64, error) {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, errFinite
	case x != math.Trunc(x):
		return 0, errWhole
	case x >= 1<<63 || x < -(1<<63):
		return 0, errRange64
	}
	return int64(x), checkRange(c, x)
}

// timeLayouts are the spellings of a time that are read; fractions of a second
// may follow the seconds in each.
var timeLayouts = []string{
	"2006-01-02T15:04:05Z07:00",
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02 15:04:05Z0700",
	"2006-01-02 15:04:05Z07",
	"2006-01-02 15:04:05 MST",
	"2006-01-02",
}

// ParseTime reads an ISO 8601 time to microseconds since 1970 UTC, finer
// fractions cut. A time without a zone is UTC, whatever the machine's zone.
func ParseTime(s string) (int64, error) {
	s = strings.TrimSpace(s)
	for _, layout := range timeLayouts {
		t, err := time.ParseInLocation(layout, s, time.UTC)
		if err != nil {
			continue
		}
		if strings.HasSuffix(layout, "MST") && !strings.HasSuffix(s, " UTC") && !strings.HasSuffix(s, " GMT") {
			return 0, errors.New("names a zone other than UTC by letters, which is ambiguous")
		}
		if y := t.Year(); y < 1970 || y > 2261 {
			return 0, fmt.Errorf("is in the year %d", y)
		}
		return t.UnixMicro(), nil
	}
	return 0, errTime
}
