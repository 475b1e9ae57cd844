package reader

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// MaxHarnessFile bounds one harness file after decompression: these are read
// whole, and a bomb must not be.
const MaxHarnessFile = 512 << 20

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// Decompress wraps a stream that gzip or zstd compressed, told by its first
// bytes, and passes any other through. Closing it does not close r.
func Decompress(r io.Reader) (io.ReadCloser, error) {
	br := bufio.NewReaderSize(r, 256<<10)
	head, err := br.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		return gzip.NewReader(br)
	case bytes.HasPrefix(head, zstdMagic):
		d, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(br), nil
}

// openBounded opens a file of a tree, decompressed, failing past MaxHarnessFile.
func openBounded(fsys fs.FS, path string) (io.ReadCloser, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	d, err := Decompress(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Bounded{R: d, Left: MaxHarnessFile, close: []io.Closer{d, f}}, nil
}

// Bounded reads at most left bytes and then fails: a cut file must not pass
// for a whole one.
type Bounded struct {
	R     io.Reader
	Left  int64
	close []io.Closer
}

func (b *Bounded) Read(p []byte) (int, error) {
	if b.Left <= 0 {
		return 0, fmt.Errorf("is larger than %d MiB when decompressed", MaxHarnessFile>>20)
	}
	if int64(len(p)) > b.Left {
		p = p[:b.Left]
	}
	n, err := b.R.Read(p)
	b.Left -= int64(n)
	return n, err
}

func (b *Bounded) Close() error {
	var errs []error
	for _, c := range b.close {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// ReadHead reads a file's first bytes, decompressed. A file that cannot be
// decompressed gives its raw bytes: whoever reads it says what is wrong.
func ReadHead(fsys fs.FS, p string) ([]byte, error) {
	f, err := fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, HeadSize))
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(raw, gzipMagic) && !bytes.HasPrefix(raw, zstdMagic) {
		return raw, nil
	}
	d, err := Decompress(bytes.NewReader(raw))
	if err != nil {
		return raw, nil //nolint:nilerr // see above
	}
	defer d.Close()
	head, err := io.ReadAll(io.LimitReader(d, HeadSize))
	if err != nil && len(head) == 0 {
		return raw, nil //nolint:nilerr // see above
	}
	return head, nil
}

func PlainReason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// ReadError says that a file could not be read.
func ReadError(name string, err error) error {
	var fe *FileError
	if errors.As(err, &fe) {
		return err
	}
	return &FileError{File: name, Reason: fmt.Sprintf("cannot be read: %v", err)}
}

func StripCompression(p string) string {
	for _, ext := range []string{".gz", ".zst"} {
		if s, ok := strings.CutSuffix(p, ext); ok {
			return s
		}
	}
	return p
}
