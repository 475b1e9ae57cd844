package sql

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// headers is where a DuckDB file says which version of its content is in force:
// three blocks, of which every checkpoint writes one anew with a number that
// only grows.
const headers = 3 * 4096

// State names what the database holds: no two contents have one name, whoever
// changed the file and with whatever program. It reports false where that is not
// to be had: the file is open for writing, or changes wait in its log.
//
// The name rests on the file's headers, size and time, which any writer
// changes, and on what was loaded, so that one file put in place of another is
// told apart too.
func (db *DB) State(ctx context.Context) (string, bool, error) {
	if db.options.Mode != Read {
		return "", false, nil
	}
	if _, err := os.Stat(db.Path + ".wal"); !errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	f, err := os.Open(db.Path)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", false, err
	}
	h := sha256.New()
	fmt.Fprintln(h, info.Size(), info.ModTime().UnixNano())
	if _, err := io.CopyN(h, f, headers); err != nil {
		return "", false, err
	}
	var rests string
	if err := db.Row(ctx, Query("state"), nil, &rests); err != nil {
		return "", false, err
	}
	fmt.Fprintln(h, rests)
	return hex.EncodeToString(h.Sum(nil)), true, nil
}

// Size is how large the file is in bytes.
func (db *DB) Size() int64 {
	info, err := os.Stat(db.Path)
	if err != nil {
		return 0
	}
	return info.Size()
}
