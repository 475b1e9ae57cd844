package reader

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// a38: Python writes bare NaN. It reaches the rules as a named value.
func TestQuoteNonFinite(t *testing.T) {
	for in, want := range map[string]string{
		`{"r":NaN,"s":1}`:                     `{"r":"NaN","s":1}`,
		`[NaN,Infinity,-Infinity]`:            `["NaN","Infinity","-Infinity"]`,
		`[-1,-2.5e-3,null,-Infinity ,NaN]`:    `[-1,-2.5e-3,null,"-Infinity" ,"NaN"]`,
		`{"NaN":"-Infinity \" NaN \\","b":1}`: `{"NaN":"-Infinity \" NaN \\","b":1}`,
		`"\\\\\""`:                            `"\\\\\""`,
		`NaN`:                                 `"NaN"`,
		`-Infinity`:                           `"-Infinity"`,
		`[NaNny,Infinite,-Inf,-]`:             `[NaNny,Infinite,-Inf,-]`,
		``:                                    ``,
	} {
		for name, wrap := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r },
			"bytes": iotest.OneByteReader,
			"early": iotest.DataErrReader,
		} {
			got, err := io.ReadAll(iotest.OneByteReader(QuoteNonFinite(wrap(strings.NewReader(in)))))
			if err != nil || string(got) != want {
				t.Errorf("%s %s: got %s, %v; want %s", name, in, got, err, want)
			}
		}
	}
}

// Whatever the bytes, valid JSON passes through unchanged.
func FuzzQuoteNonFinite(f *testing.F) {
	for _, s := range []string{`{"a":[-1,NaN]}`, `"x\\"`, `[-Infinity`, `{"N":"I"}`, `-`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, err := io.ReadAll(QuoteNonFinite(bytes.NewReader(in)))
		if err != nil {
			t.Fatal(err)
		}
		split, _ := io.ReadAll(QuoteNonFinite(iotest.OneByteReader(bytes.NewReader(in))))
		if !bytes.Equal(whole, split) {
			t.Fatalf("depends on how it is read: %q, %q", whole, split)
		}
		if json.Valid(in) && !bytes.Equal(whole, in) {
			t.Fatalf("changed valid JSON %q to %q", in, whole)
		}
	})
}
