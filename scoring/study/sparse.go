package study

// sparse holds a value a cell of a grid: four bytes for every place, and the
// value itself only where there is one.
type sparse[T any] struct {
	width  int
	slots  []int32 // place in values plus 1; 0 = none
	values []T
}

func newSparse[T any](rows, width int) *sparse[T] {
	return &sparse[T]{width: width, slots: make([]int32, rows*width)}
}

// at is the value of a cell, made where there is none. It stands there until at
// is asked again.
func (s *sparse[T]) at(row, column int32) *T {
	slot := &s.slots[int(row)*s.width+int(column)]
	if *slot == 0 {
		var none T
		s.values = append(s.values, none)
		*slot = int32(len(s.values))
	}
	return &s.values[*slot-1]
}

// find is the value of a cell by its place; nil where there is none.
func (s *sparse[T]) find(place int) *T {
	if s == nil || s.slots[place] == 0 {
		return nil
	}
	return &s.values[s.slots[place]-1]
}
