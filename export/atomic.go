package export

import (
	"errors"
	"os"
	"path/filepath"

	"amdb/schema"
	"amdb/sql"
)

// Atomic writes a file so that it appears whole or not at all: write fills a
// temporary file in the same folder, which then takes the name.
func Atomic(path string, write func(f *os.File) error) (err error) {
	if info, serr := os.Stat(path); serr == nil && !info.Mode().IsRegular() {
		// A device or a pipe takes no rename.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	if isDatabase(path) {
		return schema.Faultf(schema.Usage, path, "name another file for the output", "is a database and is not overwritten")
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".amdb-*"+filepath.Ext(path))
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			pe.Path = path // the temporary name would say nothing
		}
		return err
	}
	done := sql.Scratch(f.Name())
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
		done()
	}()
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// isDatabase says whether a file is a DuckDB database, by its first bytes.
func isDatabase(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [12]byte
	_, err = f.ReadAt(head[:], 0)
	return err == nil && string(head[8:]) == "DUCK"
}
