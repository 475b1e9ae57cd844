package source

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// The bounds of an archive. They are far above any results that people pack,
// and far below what harms a machine.
const (
	maxArchiveEntries = 2 << 20
	maxArchiveBytes   = 64 << 30 // unpacked, all entries together
	maxArchiveRatio   = 1000     // unpacked to packed; text packs to about 1:20
	ratioFloor        = 64 << 20 // small archives may pack better than that
)

// Archive is an opened archive as a file system. Close removes what it needed
// on disk.
type Archive struct {
	fs.FS
	close []func() error
}

// Close implements io.Closer.
func (a *Archive) Close() error {
	var errs []error
	for i := len(a.close) - 1; i >= 0; i-- {
		errs = append(errs, a.close[i]())
	}
	return errors.Join(errs...)
}

// IsArchive says whether a file is an archive of files: a zip, or a tar, plain
// or compressed. An Inspect log (.eval) and a workbook (.xlsx) are zips too,
// but each is one source and no folder.
func IsArchive(name string, head []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".eval", ".xlsx", ".xlsm":
		return false
	}
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || isTar(head)
}

// isTar tells a tar by its first header; head is decompressed.
func isTar(head []byte) bool {
	return len(head) >= 512 && bytes.HasPrefix(head[257:], []byte("ustar"))
}

// OpenArchive opens an archive. A zip is read in place; a tar, which can only
// be read from front to back, is unpacked into a folder for the time.
func OpenArchive(name string) (*Archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a, err := openArchive(f, name)
	if err != nil {
		f.Close()
		return nil, err
	}
	return a, nil
}

func openArchive(f *os.File, name string) (*Archive, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	magic := make([]byte, 4)
	n, err := f.ReadAt(magic, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, readError(name, err)
	}
	if bytes.HasPrefix(magic[:n], []byte("PK\x03\x04")) {
		z, err := openZip(f, info.Size(), name)
		if err != nil {
			return nil, err
		}
		return &Archive{FS: z, close: []func() error{f.Close}}, nil
	}
	dir, err := os.MkdirTemp("", "amdb-archive-*")
	if err != nil {
		return nil, err
	}
	remove := func() error { return os.RemoveAll(dir) }
	if err := untar(f, info.Size(), name, dir); err != nil {
		return nil, errors.Join(err, remove())
	}
	return &Archive{FS: os.DirFS(dir), close: []func() error{f.Close, remove}}, nil
}

// openZip reads a zip's list of entries and holds it to the bounds. That the
// sizes in it are true is held when an entry is read: archive/zip stops there.
func openZip(r io.ReaderAt, size int64, name string) (*zip.Reader, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &FileError{File: name, Reason: "is no zip archive: " + err.Error()}
	}
	b := bounds{name: name, packed: size}
	for _, e := range z.File {
		if err := b.entry(int64(min(e.UncompressedSize64, 1<<62))); err != nil {
			return nil, err
		}
	}
	return z, nil
}

// untar unpacks the regular files of a tar stream below dir. Links and devices
// are passed over; a path that leads out is an error.
func untar(r io.Reader, size int64, name, dir string) error {
	d, err := Decompress(r)
	if err != nil {
		return readError(name, err)
	}
	defer d.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	t := tar.NewReader(bufio.NewReaderSize(d, 256<<10))
	b := bounds{name: name, packed: size}
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &FileError{File: name, Reason: "is no whole tar archive: " + err.Error()}
		}
		if err := b.entry(h.Size); err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		p := filepath.FromSlash(path.Clean(h.Name))
		if !filepath.IsLocal(p) {
			return &FileError{File: name, Reason: fmt.Sprintf("holds a path that leads out of it: %q", h.Name)}
		}
		if err := unpack(root, p, t); err != nil {
			return &FileError{File: name, Reason: fmt.Sprintf("%s: %v", h.Name, err)}
		}
	}
}

// unpack writes one file below root; what stands twice counts as it stood last.
func unpack(root *os.Root, p string, r io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r) // the header's size, already counted, ends it
	return errors.Join(err, f.Close())
}

// bounds holds an archive to the limits, entry by entry.
type bounds struct {
	name     string
	packed   int64
	entries  int
	unpacked int64
}

func (b *bounds) entry(size int64) error {
	b.entries++
	if size > maxArchiveBytes-b.unpacked {
		return &FileError{File: b.name, Reason: fmt.Sprintf("unpacks to more than %d GiB", int64(maxArchiveBytes)>>30)}
	}
	b.unpacked += size
	switch {
	case b.entries > maxArchiveEntries:
		return &FileError{File: b.name, Reason: fmt.Sprintf("holds more than %d entries", maxArchiveEntries)}
	case b.unpacked > ratioFloor && b.unpacked/maxArchiveRatio > b.packed:
		return &FileError{File: b.name, Reason: fmt.Sprintf("unpacks to more than %d times its size", maxArchiveRatio)}
	}
	return nil
}
