package sql

import (
	"os"
	"sync"
)

// Files under way: what has to go when the process ends in a hurry.
var (
	scratchMu sync.Mutex
	scratch   = map[string]bool{}
	writing   bool // a database is open for writing
)

// Scratch says that a file or folder is not finished: Hurry removes it. done
// says that it is finished, or gone.
func Scratch(path string) (done func()) {
	scratchMu.Lock()
	defer scratchMu.Unlock()
	scratch[path] = true
	return func() {
		scratchMu.Lock()
		defer scratchMu.Unlock()
		delete(scratch, path)
	}
}

// Hurry makes ready for the process to end at once, because whoever stopped it
// should not wait for a sort to wind down: files under way are removed, and none
// is finished any more. It reports false where a database is open for writing:
// then the process must say itself what is stored.
func Hurry() bool {
	scratchMu.Lock() // and kept where it goes on: what is under way stays so
	if writing {
		scratchMu.Unlock()
		return false
	}
	for path := range scratch {
		_ = os.RemoveAll(path)
	}
	return true
}

// opened notes that a database is open.
func opened(mode Mode) {
	scratchMu.Lock()
	defer scratchMu.Unlock()
	writing = writing || mode != Read
}
