package inspect

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

	"amdb/schema/source/reader"
)

var zipMagic = []byte("PK\x03\x04")

// maxZipInMemory bounds a zip that must be held in memory, because it lies in
// an archive itself.
const maxZipInMemory = 256 << 20

// openEval opens a file that is a zip, held to the bounds of archives.
func openEval(f reader.File) (z *zip.Reader, done func(), err error) {
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
				err = &reader.FileError{File: f.Name, Reason: "is a zip inside an archive, larger than 256 MiB: unpack it first"}
			}
			at, size = bytes.NewReader(b), int64(len(b))
		}
		if err == nil {
			z, err = reader.OpenZip(at, size, f.Name)
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
func readEval(ctx context.Context, f reader.File) (log *inspectLog, lossy bool, err error) {
	z, done, err := openEval(f)
	if err != nil {
		return nil, false, err
	}
	defer done()
	header := "header.json"
	if entryOf(z, header) == nil {
		header = "_journal/start.json" // a run that did not end
	}
	log, lossy, err = reader.ReadJSON[inspectLog](entryFile(f, z, header))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, &reader.FileError{File: f.Name, Reason: "has no header.json: it is no Inspect log"}
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
	if err := reader.TooMany(len(names)); err != nil {
		return nil, false, &reader.FileError{File: f.Name, Reason: err.Error()}
	}
	log.Samples = nil
	for _, name := range slices.Compact(names) {
		if ctx.Err() != nil {
			return nil, false, context.Cause(ctx)
		}
		s, bad, err := reader.ReadJSON[inspectSample](entryFile(f, z, name))
		if err != nil {
			return nil, false, err
		}
		log.Samples, lossy = append(log.Samples, *s), lossy || bad
	}
	return log, lossy, nil
}

// entryFile is an entry of a zip, shown behind the zip's name.
func entryFile(f reader.File, z *zip.Reader, name string) reader.File {
	return reader.File{FS: z, Path: name, Name: f.Name + "/" + name}
}
