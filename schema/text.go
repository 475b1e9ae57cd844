package schema

import (
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// texts is a text column as it is read row by row. Three shapes: plain strings,
// a dictionary of strings, whose few words are looked at once each, and any
// other array through its text. A nil array is all NULL.
type texts struct {
	values arrow.Array
	str    *array.String // values, where they are plain strings
	dict   *array.Dictionary
	words  *array.String // the dictionary's
	places []int32       // of the rows in the dictionary, where it numbers so, as our readers do
	rows   int
}

func newTexts(values arrow.Array, rows int) *texts {
	t := &texts{values: values, rows: rows}
	switch a := values.(type) {
	case *array.String:
		t.str = a
	case *array.Dictionary:
		if words, ok := a.Dictionary().(*array.String); ok {
			t.dict, t.words = a, words
			if numbers, ok := a.Indices().(*array.Int32); ok {
				t.places = numbers.Int32Values()
			}
		}
	}
	return t
}

// word is the place of row i's text in the dictionary, -1 for NULL.
func (t *texts) word(i int) int {
	if t.dict.IsNull(i) {
		return -1
	}
	if t.places != nil {
		return int(t.places[i])
	}
	return t.dict.GetValueIndex(i)
}

// at is row i's text; "" for NULL.
func (t *texts) at(i int) string {
	switch {
	case t.str != nil:
		if t.str.IsNull(i) {
			return ""
		}
		return t.str.Value(i)
	case t.dict != nil:
		if w := t.word(i); w >= 0 && t.words.IsValid(w) {
			return t.words.Value(w)
		}
		return ""
	case t.values == nil || t.values.IsNull(i):
		return ""
	}
	return t.values.ValueStr(i)
}

// plainASCII says whether all texts are surely valid UTF-8, at the price of one
// look at their bytes.
func (t *texts) plainASCII() bool {
	a := t.str
	if t.dict != nil {
		a = t.words
	}
	if a == nil {
		return false
	}
	for _, b := range a.ValueBytes() {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// array is the column as an array of strings, "" as NULL, credentials out.
func (t *texts) array() arrow.Array {
	if t.values == nil {
		return array.MakeArrayOfNull(memory.DefaultAllocator, arrow.BinaryTypes.String, t.rows)
	}
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Reserve(t.rows)
	last, clean := "", ""
	var redact redactor // statuses and versions repeat: each is looked at once
	for i := range t.rows {
		s := t.at(i)
		if s == "" {
			b.AppendNull()
			continue
		}
		if s != last {
			last, clean = s, redact.text(s)
			if !utf8.ValidString(clean) {
				clean = "" // the row is rejected; its text must not reach the database
			}
		}
		b.Append(clean)
	}
	return b.NewArray()
}

// pairs numbers the key of two text columns row by row. Where both are
// dictionaries, a pair of words is looked up once a batch.
type pairs struct {
	a, b         *texts
	to           *Dictionary
	seen         map[uint64]int32
	lastA, lastB int
	last         int32
	or           string // what an empty a means
}

func newPairs(a, b *texts, to *Dictionary, or string) *pairs {
	return &pairs{a: a, b: b, to: to, or: or, seen: map[uint64]int32{}, lastA: -2, lastB: -2}
}

func (p *pairs) id(i int) int32 {
	if p.a.dict == nil && p.a.values != nil || p.b.dict == nil && p.b.values != nil {
		return p.to.ID(Key{p.first(i), p.b.at(i)})
	}
	wa, wb := -1, -1
	if p.a.dict != nil {
		wa = p.a.word(i)
	}
	if p.b.dict != nil {
		wb = p.b.word(i)
	}
	if wa == p.lastA && wb == p.lastB {
		return p.last
	}
	key := uint64(uint32(wa))<<32 | uint64(uint32(wb))
	n, ok := p.seen[key]
	if !ok {
		n = p.to.ID(Key{p.first(i), p.b.at(i)})
		p.seen[key] = n
	}
	p.lastA, p.lastB, p.last = wa, wb, n
	return n
}

func (p *pairs) first(i int) string {
	if s := p.a.at(i); s != "" {
		return s
	}
	return p.or
}
