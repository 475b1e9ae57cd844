package reader

import (
	"bytes"
	"io"
)

// QuoteNonFinite passes JSON on with every bare NaN, Infinity and -Infinity
// made the string of that spelling. Python writes them, JSON has none: as
// strings they reach the rules, which reject the one value by its name, where
// a parser would give up the whole file.
func QuoteNonFinite(r io.Reader) io.Reader { return &nonFinite{r: r} }

// nonFiniteWords are the words, in the order in which they are tried.
var nonFiniteWords = [...]string{"NaN", "Infinity", "-Infinity"}

// nonFiniteLook is how much must be seen to know a word and its end.
const nonFiniteLook = len("-Infinity") + 1

type nonFinite struct {
	r                 io.Reader
	buf               []byte
	in, out           []byte // not looked at; looked at and to be given
	err               error
	inString, escaped bool
}

func (q *nonFinite) Read(p []byte) (int, error) {
	for len(p) > 0 {
		switch {
		case len(q.out) > 0:
			n := copy(p, q.out)
			q.out = q.out[n:]
			return n, nil
		case len(q.in) == 0:
			if q.err != nil {
				return 0, q.err
			}
			if n := q.fill(); n == 0 && q.err == nil {
				return 0, nil
			}
		default:
			if n := q.plain(); n > 0 {
				q.out, q.in = q.in[:n], q.in[n:]
			} else if len(q.in) < nonFiniteLook && q.err == nil {
				q.fill()
			} else {
				q.word()
			}
		}
	}
	return 0, nil
}

// fill reads on behind what is not looked at yet.
func (q *nonFinite) fill() int {
	if q.buf == nil {
		q.buf = make([]byte, 32<<10)
	}
	have := copy(q.buf, q.in)
	n, err := q.r.Read(q.buf[have:])
	q.in, q.err = q.buf[:have+n], err
	return n
}

// plain counts the bytes up to one that may begin a word.
func (q *nonFinite) plain() int {
	in := q.in
	for i := 0; i < len(in); i++ {
		if q.escaped {
			q.escaped = false
			continue
		}
		if q.inString {
			n := bytes.IndexByte(in[i:], '"')
			if n < 0 {
				n = len(in) - i
			}
			if e := bytes.IndexByte(in[i:i+n], '\\'); e >= 0 {
				i, q.escaped = i+e, true
				continue
			}
			i += n
			q.inString = i >= len(in)
			continue
		}
		switch in[i] {
		case '"':
			q.inString = true
		case 'N', 'I':
			return i
		case '-':
			if i+1 == len(in) || in[i+1] == 'I' {
				return i
			}
		}
	}
	return len(in)
}

// word gives the word that stands at the front, quoted, or else one byte as it
// is.
func (q *nonFinite) word() {
	for _, w := range nonFiniteWords {
		if !bytes.HasPrefix(q.in, []byte(w)) || (len(q.in) > len(w) && isWordByte(q.in[len(w)])) {
			continue
		}
		q.out, q.in = []byte(`"`+w+`"`), q.in[len(w):]
		return
	}
	q.out, q.in = q.in[:1], q.in[1:]
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
