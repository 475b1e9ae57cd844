package schema

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// hashID is the run_id of a run whose source gives none: a hash of its
// identity alone, so that the file's place and its order of rows never matter.
func hashID(buf []byte, benchmark, task, model, cli, description string, attempt int64) (string, []byte) {
	buf = buf[:0]
	for _, s := range [...]string{benchmark, task, model, cli, description} {
		buf = binary.AppendUvarint(buf, uint64(len(s)))
		buf = append(buf, s...)
	}
	buf = binary.AppendUvarint(buf, uint64(attempt))
	sum := sha256.Sum256(buf)
	return "auto-" + hex.EncodeToString(sum[:12]), buf
}

// Keys numbers the tasks, configurations and descriptions that a load meets,
// so that runs hold small integers for them. The numbers are the database's
// own and never shown.
type Keys struct {
	Tasks, Configs, Descriptions Dictionary
}

// Key is a pair of texts: (benchmark, task), (model, cli) or (description, "").
type Key [2]string

// Dictionary numbers keys in the order in which they come.
type Dictionary struct {
	ids   map[Key]int32
	keys  []Key
	known int // keys that the database already holds
	last  Key // runs come in sorted files: the same key again is the rule
	lastN int32
}

// Seed takes a key with the number that the database gave it. Numbers come in
// order from 0.
func (d *Dictionary) Seed(k Key) {
	if d.ids == nil {
		d.ids = map[Key]int32{}
	}
	d.ids[k] = int32(len(d.keys))
	d.keys = append(d.keys, k)
	d.known = len(d.keys)
	d.last, d.lastN = k, int32(d.known-1)
}

// ID numbers a key.
func (d *Dictionary) ID(k Key) int32 {
	if len(d.keys) > 0 && k == d.last {
		return d.lastN
	}
	n, ok := d.ids[k]
	if !ok {
		if d.ids == nil {
			d.ids = map[Key]int32{}
		}
		k = Key{cloneString(k[0]), cloneString(k[1])}
		// A command line that serves as a name may hold a credential: it is the
		// same name without it.
		clean := Key{RedactText(k[0]), RedactText(k[1])}
		if n, ok = d.ids[clean]; !ok {
			n = int32(len(d.keys))
			d.ids[clean] = n
			d.keys = append(d.keys, clean)
		}
		d.ids[k] = n
	}
	d.last, d.lastN = d.keys[n], n
	return n
}

// New lists the keys that the database does not hold yet, and the number of
// the first.
func (d *Dictionary) New() (first int, keys []Key) { return d.known, d.keys[d.known:] }

// Len counts the keys.
func (d *Dictionary) Len() int { return len(d.keys) }

// cloneString frees a key from the buffer that it was read into.
func cloneString(s string) string { return string(append([]byte(nil), s...)) }
