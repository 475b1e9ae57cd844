package source

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"

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
	return &bounded{r: d, left: MaxHarnessFile, close: []io.Closer{d, f}}, nil
}

// bounded reads at most left bytes and then fails: a cut file must not pass
// for a whole one.
type bounded struct {
	r     io.Reader
	left  int64
	close []io.Closer
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("is larger than %d MiB when decompressed", MaxHarnessFile>>20)
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}

func (b *bounded) Close() error {
	var errs []error
	for _, c := range b.close {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
