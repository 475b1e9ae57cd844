package reader

import (
	"archive/zip"
	"fmt"
	"io"
)

// The bounds of an archive. They are far above any results that people pack,
// and far below what harms a machine.
const (
	maxArchiveEntries = 2 << 20
	maxArchiveBytes   = 64 << 30 // unpacked, all entries together
	maxArchiveRatio   = 1000     // unpacked to packed; text packs to about 1:20
	ratioFloor        = 64 << 20 // small archives may pack better than that
)

// Bounds holds an archive to the limits, entry by entry.
type Bounds struct {
	Name     string
	Packed   int64
	entries  int
	unpacked int64
}

func (b *Bounds) Entry(size int64) error {
	b.entries++
	if size > maxArchiveBytes-b.unpacked {
		return &FileError{File: b.Name, Reason: fmt.Sprintf("unpacks to more than %d GiB", int64(maxArchiveBytes)>>30)}
	}
	b.unpacked += size
	switch {
	case b.entries > maxArchiveEntries:
		return &FileError{File: b.Name, Reason: fmt.Sprintf("holds more than %d entries", maxArchiveEntries)}
	case b.unpacked > ratioFloor && b.unpacked/maxArchiveRatio > b.Packed:
		return &FileError{File: b.Name, Reason: fmt.Sprintf("unpacks to more than %d times its size", maxArchiveRatio)}
	}
	return nil
}

// OpenZip reads a zip's list of entries and holds it to the bounds. That the
// sizes in it are true is held when an entry is read: archive/zip stops there.
func OpenZip(r io.ReaderAt, size int64, name string) (*zip.Reader, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &FileError{File: name, Reason: "is no zip archive: " + err.Error()}
	}
	b := Bounds{Name: name, Packed: size}
	for _, e := range z.File {
		if err := b.Entry(int64(min(e.UncompressedSize64, 1<<62))); err != nil {
			return nil, err
		}
	}
	return z, nil
}
