package scoring

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// blockSize is how many draws one generator makes. Blocks are the unit of
// parallel work, so the draws do not depend on the number of workers.
const blockSize = 256

// drawStream derives the generators of a resampling from its seed and the tasks,
// and from nothing else: not from the configurations that are present, the
// order of rows, or the number of workers.
type drawStream [sha256.Size]byte

// newDrawStream hashes the purpose, the seed and the task keys with their strata.
// tasks are in key order, as a panel's are.
func newDrawStream(purpose string, seed uint64, tasks []PanelTask) drawStream {
	h := sha256.New()
	word := func(v uint64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v)
		h.Write(b[:])
	}
	text := func(s string) { word(uint64(len(s))); h.Write([]byte(s)) }
	text(purpose)
	word(seed)
	for _, t := range tasks {
		text(t.Key.Benchmark)
		text(t.Key.Task)
		word(uint64(t.Stratum))
	}
	return drawStream(h.Sum(nil))
}

// block is the generator of one block of draws.
func (s drawStream) block(i int) *rand.Rand {
	var b [sha256.Size + 8]byte
	copy(b[:], s[:])
	binary.LittleEndian.PutUint64(b[sha256.Size:], uint64(i))
	sum := sha256.Sum256(b[:])
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:8]), binary.LittleEndian.Uint64(sum[8:16])))
}

// forBlocks runs work over [0, n) in blocks of size draws. work gets the block
// and its bounds; blocks run at once on up to workers goroutines (0: one a
// processor), each of which calls start once for a work function of its own,
// so that it can keep its scratch space.
func forBlocks(n, size, workers int, start func() (work func(block, from, to int))) {
	blocks := (n + size - 1) / size
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(1, min(workers, blocks))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			work := start()
			for {
				b := int(next.Add(1)) - 1
				if b >= blocks {
					return
				}
				work(b, b*size, min(n, (b+1)*size))
			}
		})
	}
	wg.Wait()
}
