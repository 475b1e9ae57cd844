package source_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"amdb/schema"
	"amdb/schema/source"
	"amdb/schema/source/reader"
)

// packTar packs a tree; extra entries may be added raw.
func packTar(t testing.TB, fsys fs.FS, extra ...*tar.Header) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	if fsys != nil {
		if err := w.AddFS(fsys); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range extra {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, h.Size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func gz(t testing.TB, b []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func zst(t testing.TB, b []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(b, nil)
}

func packZip(t testing.TB, fsys fs.FS) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	if err := w.AddFS(fsys); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func put(t testing.TB, name string, b []byte) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// An archive of a tree gives the runs of the tree, however it is packed.
func TestArchiveReadsAsItsTree(t *testing.T) {
	fsys := testdata("formats")
	want := read(t, fsys, reader.Options{}).lines(schema.RunID, schema.Reward)
	if len(want) != 13 {
		t.Fatalf("%d runs in the tree", len(want))
	}
	plain := packTar(t, fsys)
	for name, b := range map[string][]byte{
		"a.zip": packZip(t, fsys), "a.tar": plain, "a.tar.gz": gz(t, plain), "a.tar.zst": zst(t, plain),
	} {
		p := put(t, name, b)
		head, err := reader.File{FS: os.DirFS(filepath.Dir(p)), Path: name}.ReadHead()
		if err != nil || !source.IsArchive(name, head) {
			t.Errorf("%s is not taken for an archive (%v)", name, err)
		}
		a, err := source.OpenArchive(p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same(t, read(t, a, reader.Options{}).lines(schema.RunID, schema.Reward), want...)
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Bombs, paths that lead out, links and cut archives do no harm.
func TestArchiveBounds(t *testing.T) {
	var zeros bytes.Buffer
	w := gzip.NewWriter(&zeros)
	tw := tar.NewWriter(w)
	size := int64(512 << 20)
	if err := tw.WriteHeader(&tar.Header{Name: "a", Typeflag: tar.TypeReg, Size: size}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(tw, zeroReader{}, 1<<20); err != nil { // the header alone must be enough to refuse
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	small := tree(map[string]string{"a": strings.Repeat("x", 3000)})
	for name, c := range map[string]struct {
		bytes  []byte
		reason string
	}{
		"bomb.tar.gz": {zeros.Bytes(), "times its size"},
		"up.tar":      {packTar(t, nil, &tar.Header{Name: "../up", Typeflag: tar.TypeReg, Size: 1}), "leads out"},
		"abs.tar":     {packTar(t, nil, &tar.Header{Name: "/etc/x", Typeflag: tar.TypeReg, Size: 1}), "leads out"},
		"cut.tar":     {packTar(t, small)[:1200], "unexpected EOF"},
		"cut.zip":     {packZip(t, small)[:40], "no zip"},
	} {
		_, err := source.OpenArchive(put(t, name, c.bytes))
		var fe *reader.FileError
		if !errors.As(err, &fe) || !strings.Contains(fe.Reason, c.reason) {
			t.Errorf("%s: got %v, want %q", name, err, c.reason)
		}
	}
	link := packTar(t, small, &tar.Header{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"})
	a, err := source.OpenArchive(put(t, "link.tar", link))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := fs.Stat(a, "l"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link was unpacked: %v", err)
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }
