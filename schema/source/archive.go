package source

import (
	"archive/tar"
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

	"amdb/schema/source/reader"
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
		return nil, reader.ReadError(name, err)
	}
	if bytes.HasPrefix(magic[:n], []byte("PK\x03\x04")) {
		z, err := reader.OpenZip(f, info.Size(), name)
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

// untar unpacks the regular files of a tar stream below dir. Links and devices
// are passed over; a path that leads out is an error.
func untar(r io.Reader, size int64, name, dir string) error {
	d, err := reader.Decompress(r)
	if err != nil {
		return reader.ReadError(name, err)
	}
	defer d.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	t := tar.NewReader(bufio.NewReaderSize(d, 256<<10))
	b := reader.Bounds{Name: name, Packed: size}
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &reader.FileError{File: name, Reason: "is no whole tar archive: " + err.Error()}
		}
		if err := b.Entry(h.Size); err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		p := filepath.FromSlash(path.Clean(h.Name))
		if !filepath.IsLocal(p) {
			return &reader.FileError{File: name, Reason: fmt.Sprintf("holds a path that leads out of it: %q", h.Name)}
		}
		if err := unpack(root, p, t); err != nil {
			return &reader.FileError{File: name, Reason: fmt.Sprintf("%s: %v", h.Name, err)}
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
