package workbook

import (
	"archive/zip"
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
)

// sortedZip is the archive of a workbook: parts in a fixed order, without
// times, compressed as they come, so that equal workbooks are equal byte for
// byte. (excelize writes its streams in the order of a map, into memory.) Large
// parts wait in temporary files.
type sortedZip struct {
	w     io.Writer
	dir   string // for temporary files
	parts []*zipPart
}

// zipPart is a compressed part of the archive.
type zipPart struct {
	name  string
	flate *flate.Writer
	fix   func([]byte) []byte // what is done to the whole part; nil = nothing
	whole bytes.Buffer        // the part, where fix waits for it
	out   spool
	crc   uint32
	size  uint64
}

// Create begins the next part; the one before is complete.
func (z *sortedZip) Create(name string) (io.Writer, error) {
	if err := z.end(); err != nil {
		return nil, err
	}
	p := &zipPart{name: name, out: spool{dir: z.dir}}
	switch {
	case name == typesPart:
		p.fix = sortTypes
	case strings.HasPrefix(name, "xl/charts/"):
		p.fix = numberX
	}
	var err error
	if p.flate, err = flate.NewWriter(&p.out, flate.DefaultCompression); err != nil {
		return nil, err
	}
	z.parts = append(z.parts, p)
	return p, nil
}

func (p *zipPart) Write(b []byte) (int, error) {
	if p.fix != nil {
		return p.whole.Write(b)
	}
	p.crc = crc32.Update(p.crc, crc32.IEEETable, b)
	p.size += uint64(len(b))
	return p.flate.Write(b)
}

// end completes the newest part.
func (z *sortedZip) end() error {
	if len(z.parts) == 0 {
		return nil
	}
	p := z.parts[len(z.parts)-1]
	if p.flate == nil {
		return nil
	}
	if fix := p.fix; fix != nil {
		p.fix = nil
		if _, err := p.Write(fix(p.whole.Bytes())); err != nil {
			return err
		}
		p.whole = bytes.Buffer{}
	}
	err := p.flate.Close()
	p.flate = nil // a compressor holds most of a megabyte
	return err
}

// typesPart is the list of an archive's parts with their types.
const typesPart = "[Content_Types].xml"

var typeElement = regexp.MustCompile(`<(?:Default|Override) [^>]*>(?:</(?:Default|Override)>)?`)

// sortTypes puts the list of parts in order: excelize writes some of it in the
// order of a map.
func sortTypes(list []byte) []byte {
	var elements []string
	for _, e := range typeElement.FindAll(list, -1) {
		elements = append(elements, string(e))
	}
	slices.Sort(elements)
	return typeElement.ReplaceAllFunc(list, func([]byte) []byte {
		e := elements[0]
		elements = elements[1:]
		return []byte(e)
	})
}

// AddFS is never called by excelize.
func (z *sortedZip) AddFS(fs.FS) error { return errors.ErrUnsupported }

// numberX makes the x values of scatter charts numbers: excelize says that they
// are text, after which a reader may draw them at 1, 2, 3.
func numberX(chart []byte) []byte {
	return textX.ReplaceAll(chart, []byte("<xVal><numRef><f>$1</f></numRef></xVal>"))
}

var textX = regexp.MustCompile(`<xVal><strRef><f>([^<]*)</f></strRef></xVal>`)

// Close writes the archive.
func (z *sortedZip) Close() (err error) {
	defer func() { err = errors.Join(err, z.discard()) }()
	if err := z.end(); err != nil {
		return err
	}
	// The list of parts comes first by custom, then the others by name.
	slices.SortFunc(z.parts, func(a, b *zipPart) int {
		if (a.name == typesPart) != (b.name == typesPart) {
			if a.name == typesPart {
				return -1
			}
			return 1
		}
		return strings.Compare(a.name, b.name)
	})
	zw := zip.NewWriter(z.w)
	for _, p := range z.parts {
		h := &zip.FileHeader{
			Name: p.name, Method: zip.Deflate, CRC32: p.crc,
			CompressedSize64: uint64(p.out.size), UncompressedSize64: p.size, ReaderVersion: 20,
		}
		if h.UncompressedSize64 > math.MaxUint32 || h.CompressedSize64 > math.MaxUint32 {
			// Such a part's sizes stand behind it, and Excel wants the version said in front.
			h.Flags, h.ReaderVersion = 0x8, 45
		}
		w, err := zw.CreateRaw(h)
		if err != nil {
			return err
		}
		r, err := p.out.reader()
		if err != nil {
			return err
		}
		if _, err := io.Copy(w, r); err != nil {
			return err
		}
	}
	return zw.Close()
}

// discard removes the temporary files.
func (z *sortedZip) discard() error {
	var errs []error
	for _, p := range z.parts {
		errs = append(errs, p.out.discard())
	}
	z.parts = nil
	return errors.Join(errs...)
}

// spool holds bytes in memory, and beyond a megabyte in a temporary file.
type spool struct {
	dir  string
	buf  bytes.Buffer
	file *os.File
	size int64
}

func (s *spool) Write(b []byte) (int, error) {
	s.size += int64(len(b))
	s.buf.Write(b)
	if s.buf.Len() < 1<<20 {
		return len(b), nil
	}
	return len(b), s.spill()
}

func (s *spool) spill() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.dir, ".amdb-part-*"); err != nil {
			return err
		}
	}
	_, err = s.buf.WriteTo(s.file)
	return err
}

func (s *spool) reader() (io.Reader, error) {
	if s.file == nil {
		return &s.buf, nil
	}
	if err := s.spill(); err != nil {
		return nil, err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

func (s *spool) discard() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
