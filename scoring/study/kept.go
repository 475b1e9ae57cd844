package study

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"amdb/scoring"
	"amdb/sql"
)

// Cells are kept between runs of the program, so that a large database in which
// nothing changed is scored without reading its runs again. They are kept in the
// person's cache folder under a name made of everything that they rest on: the
// state of the database, the figures and policies that decide how runs count,
// the names in force, and the build of amdb. So nothing has to be invalidated,
// and what has changed has another name (docs/decisions/013).
//
// Keeping is a convenience: whatever goes wrong with it, the runs are read.

// keepFrom is the size of a file in bytes from which on keeping pays: below, its
// runs are read in less than a tenth of a second.
var keepFrom int64 = 16 << 20

// The cache is bounded: the newest files stay. It touches no file but its own.
const (
	keptFiles = 64
	keptBytes = 256 << 20
	keptCells = 1 << 20 // of one file: of more, reading the runs is as fast
	keptEnds  = ".cells"
)

// kept is the file of cells of one panel of one state of a database.
type kept struct{ path string }

// keptFor is where the cells of a grid are kept; nil: nowhere.
func keptFor(ctx context.Context, db *sql.DB, g *grid) *kept {
	dir := cacheDir()
	build := build()
	if dir == "" || build == "" || db.Size() < keepFrom || len(g.configs)*len(g.tasks) > keptCells {
		return nil
	}
	state, ok, err := db.State(ctx)
	if err != nil || !ok {
		return nil
	}
	rests, err := json.Marshal(struct {
		State, Build string
		Configs      []string
		Tasks        []scoring.PanelTask
		Config, Task []int32
		Counting     scoring.Counting
		Descriptions []string
	}{state, build, g.configs, g.tasks, g.config, g.task, g.counting, g.words})
	if err != nil {
		return nil
	}
	name := sha256.Sum256(rests)
	return &kept{filepath.Join(dir, hex.EncodeToString(name[:])+keptEnds)}
}

// cacheDir is where cells are kept: $AMDB_CACHE, else the person's cache folder;
// "" where there is none or the variable says off.
func cacheDir() string {
	switch dir := os.Getenv("AMDB_CACHE"); dir {
	case "off":
		return ""
	case "":
		dir, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(dir, "amdb", "cells")
	default:
		return dir
	}
}

// build tells builds of the program apart: one that counts otherwise must not
// take what another kept. It is empty where that is not to be had.
func build() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	b, _ := json.Marshal([]any{path, info.Size(), info.ModTime().UnixNano()})
	return string(b)
}

// read gives the kept panels by description; false where there are none, or what
// is there is not whole.
func (k *kept) read() (map[string]*scoring.Panel, bool) {
	if k == nil {
		return nil, false
	}
	b, err := os.ReadFile(k.path)
	if err != nil || len(b) < sha256.Size {
		return nil, false
	}
	if sum := sha256.Sum256(b[sha256.Size:]); !bytes.Equal(sum[:], b[:sha256.Size]) {
		return nil, false
	}
	var panels map[string]*scoring.Panel
	if err := gob.NewDecoder(bytes.NewReader(b[sha256.Size:])).Decode(&panels); err != nil {
		return nil, false
	}
	return panels, true
}

// write keeps panels: the whole file or none.
func (k *kept) write(panels map[string]*scoring.Panel) {
	if k == nil {
		return
	}
	var b bytes.Buffer
	b.Write(make([]byte, sha256.Size))
	if err := gob.NewEncoder(&b).Encode(panels); err != nil || b.Len() > keptBytes/4 {
		return
	}
	sum := sha256.Sum256(b.Bytes()[sha256.Size:])
	copy(b.Bytes(), sum[:])
	dir := filepath.Dir(k.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return
	}
	f, err := os.CreateTemp(dir, "new-*"+keptEnds)
	if err != nil {
		return
	}
	_, err = f.Write(b.Bytes())
	if cerr := f.Close(); err != nil || cerr != nil || os.Rename(f.Name(), k.path) != nil {
		_ = os.Remove(f.Name())
		return
	}
	prune(dir)
}

// prune removes the oldest files of the cache beyond its bounds.
func prune(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), keptEnds) {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	var bytes int64
	for i, f := range files {
		if bytes += f.Size(); i >= keptFiles || bytes > keptBytes {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}
