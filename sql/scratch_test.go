package sql

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Hurry removes what is under way and nothing that is finished, and lets a
// process that writes end by itself. It is asked in a process of its own, for
// after it nothing is finished any more.
func TestHurry(t *testing.T) {
	if dir := os.Getenv("AMDB_TEST_HURRY"); dir != "" {
		mode := Read
		if os.Getenv("AMDB_TEST_MODE") == "write" {
			mode = Write
		}
		if _, err := Open(t.Context(), filepath.Join(dir, "a.duckdb"), Options{Mode: mode}); err != nil {
			os.Exit(3)
		}
		Scratch(filepath.Join(dir, "underway"))
		Scratch(filepath.Join(dir, "finished"))()
		if Hurry() {
			os.Exit(130)
		}
		os.Exit(4)
	}
	for mode, want := range map[string]struct {
		code int
		left bool
	}{"read": {130, false}, "write": {4, true}} {
		dir := t.TempDir()
		db, err := Open(t.Context(), filepath.Join(dir, "a.duckdb"), Options{Mode: Make})
		if err != nil {
			t.Fatal(err)
		}
		db.Keep()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"underway", "finished"} {
			if err := os.MkdirAll(filepath.Join(dir, name, "inner"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestHurry$")
		cmd.Env = append(os.Environ(), "AMDB_TEST_HURRY="+dir, "AMDB_TEST_MODE="+mode)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want.code {
			t.Errorf("%s: exit code %d, want %d: %s", mode, code, want.code, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "underway")); (err == nil) != want.left {
			t.Errorf("%s: what is under way stays: %v, want %v", mode, err == nil, want.left)
		}
		if _, err := os.Stat(filepath.Join(dir, "finished")); err != nil {
			t.Errorf("%s: what is finished went", mode)
		}
	}
}
