package source

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

var zipMagic = []byte("PK\x03\x04")

// maxZipInMemory bounds a zip that must be held in memory, because it lies in
// an archive itself.
const maxZipInMemory = 256 << 20

// zip opens a file that is a zip, held to the bounds of archives.
func (f File) zip() (z *zip.Reader, done func(), err error) {
	r, err := f.FS.Open(f.Path)
	if err != nil {
		return nil, nil, err
	}
	done = func() { r.Close() }
	var at io.ReaderAt
	info, err := r.Stat()
	if err == nil {
		size := info.Size()
		if ra, ok := r.(io.ReaderAt); ok {
			at = ra
		} else {
			var b []byte
			b, err = io.ReadAll(io.LimitReader(r, maxZipInMemory+1))
			if len(b) > maxZipInMemory {
				err = &FileError{File: f.Name, Reason: "is a zip inside an archive, larger than 256 MiB: unpack it first"}
			}
			at, size = bytes.NewReader(b), int64(len(b))
		}
		if err == nil {
			z, err = openZip(at, size, f.Name)
		}
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20)))
	return z, done, nil
}

func entryOf(z *zip.Reader, name string) *zip.File {
	for _, e := range z.File {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// readEval reads an .eval: its header, and the samples one file each.
func readEval(ctx context.Context, f File) (log *inspectLog, lossy bool, err error) {
	z, done, err := f.zip()
	if err != nil {
		return nil, false, err
	}
	defer done()
	header := "header.json"
	if entryOf(z, header) == nil {
		header = "_journal/start.json" // a run that did not end
	}
	log, lossy, err = readJSON[inspectLog](f.within(z, header))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, &FileError{File: f.Name, Reason: "has no header.json: it is no Inspect log"}
	}
	if err != nil {
		return nil, false, err
	}
	var names []string
	for _, e := range z.File {
		if strings.HasPrefix(e.Name, "samples/") && strings.HasSuffix(e.Name, ".json") {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	if err := tooMany(len(names)); err != nil {
		return nil, false, &FileError{File: f.Name, Reason: err.Error()}
	}
	log.Samples = nil
	for _, name := range slices.Compact(names) {
		if ctx.Err() != nil {
			return nil, false, context.Cause(ctx)
		}
		s, bad, err := readJSON[inspectSample](f.within(z, name))
		if err != nil {
			return nil, false, err
		}
		log.Samples, lossy = append(log.Samples, *s), lossy || bad
	}
	return log, lossy, nil
}

// within is an entry of a zip, shown behind the zip's name.
func (f File) within(z *zip.Reader, name string) File {
	return File{FS: z, Path: name, Name: f.Name + "/" + name}
}
