package study

import "unsafe"

// slotBytes is what a sparse grid takes for a cell, be there a value or not.
const slotBytes = 4

// sparse holds a value a cell of a grid: four bytes for every place, and the
// value itself only where there is one.
type sparse[T any] struct {
	width int
	slots []int32 // place among the values plus 1; 0 = none
	slabs [][]T   // the values, in slabs, so that growing copies none
	used  int32
}

// slab is how many values a slab holds, as a power of 2.
const slab = 12

func newSparse[T any](rows, width int) *sparse[T] {
	s := &sparse[T]{width: width}
	s.reset(rows)
	return s
}

// reset makes it an empty grid of so many rows, in the memory that it has.
func (s *sparse[T]) reset(rows int) {
	if n := rows * s.width; n <= cap(s.slots) {
		s.slots = s.slots[:n]
		clear(s.slots)
	} else {
		s.slots = make([]int32, n)
	}
	for _, values := range s.slabs {
		clear(values)
	}
	s.used = 0
}

// at is the value of a cell, made where there is none.
func (s *sparse[T]) at(row, column int32) *T {
	slot := &s.slots[int(row)*s.width+int(column)]
	if *slot == 0 {
		if int(s.used>>slab) == len(s.slabs) {
			s.slabs = append(s.slabs, make([]T, 1<<slab))
		}
		s.used++
		*slot = s.used
	}
	return s.value(*slot)
}

// find is the value of a cell by its place, row by row; nil where there is none.
func (s *sparse[T]) find(place int) *T {
	if s == nil || s.slots[place] == 0 {
		return nil
	}
	return s.value(s.slots[place])
}

func (s *sparse[T]) value(slot int32) *T {
	return &s.slabs[(slot-1)>>slab][(slot-1)&(1<<slab-1)]
}

// bytes is about how much room it takes.
func (s *sparse[T]) bytes() int64 {
	var value T
	return int64(len(s.slots))*slotBytes + int64(len(s.slabs)<<slab)*int64(unsafe.Sizeof(value))
}

// place is where a cell stands.
func (s *sparse[T]) place(row, column int32) int { return int(row)*s.width + int(column) }
