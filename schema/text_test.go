package schema

import (
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Texts in a dictionary are read by their rows' own words, whatever numbers the
// dictionary counts in, in a part of an array too.
func TestTextsInADictionary(t *testing.T) {
	want := []string{"b", "a", "", "b", "c", "", "a"}
	for _, numbers := range []arrow.DataType{arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Uint16} {
		b := array.NewDictionaryBuilder(memory.DefaultAllocator, &arrow.DictionaryType{IndexType: numbers, ValueType: arrow.BinaryTypes.String}).(*array.BinaryDictionaryBuilder)
		for _, word := range want {
			if word == "" {
				b.AppendNull()
			} else if err := b.AppendString(word); err != nil {
				t.Fatal(err)
			}
		}
		whole := b.NewDictionaryArray()
		for from := range want {
			part := array.NewSlice(whole, int64(from), int64(len(want)))
			texts, got := newTexts(part, part.Len()), []string{}
			for i := range part.Len() {
				got = append(got, texts.at(i))
			}
			if !slices.Equal(got, want[from:]) {
				t.Errorf("%s from row %d: %q, want %q", numbers, from, got, want[from:])
			}
			// Two columns with equal texts have a number a text.
			ids, of := newPairs(texts, texts, &Dictionary{}, ""), map[int32]string{}
			seen := map[string]int32{}
			for i, word := range got {
				id := ids.id(i)
				if other, taken := of[id]; taken && other != word {
					t.Errorf("%s from row %d: %q and %q are both %d", numbers, from, other, word, id)
				}
				if before, known := seen[word]; known && before != id {
					t.Errorf("%s from row %d: %q is %d and %d", numbers, from, word, before, id)
				}
				of[id], seen[word] = word, id
			}
		}
	}
}
