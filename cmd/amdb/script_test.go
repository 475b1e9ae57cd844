package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script run the program as a person does; they read
// as documentation. -update writes the golden output into them anew.
var update = flag.Bool("update", false, "update the scripts' golden output")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"amdb": main})
}

func TestScripts(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("TESTDATA", filepath.Join(root, "testdata"))
			e.Setenv("AMDB_DB", "")
			e.Setenv("NO_COLOR", "1")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exit":  exitCode,
			"bytes": writeBytes,
			"same":  sameFiles,
			"head":  headOfFile,
			"lock":  holdLock,
		},
	})
}

// exitCode: exit N amdb ARGS… runs the program and wants exit code N.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit N amdb ARGS…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = codeOf(err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s\nstderr: %s", code, args[0], ts.ReadFile("stderr"))
	}
}

// writeBytes: bytes FILE \xff… writes escaped bytes that a script cannot hold.
func writeBytes(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(unescape(args[1])), 0o644))
}

// sameFiles: same A B wants two files to hold the same bytes.
func sameFiles(ts *testscript.TestScript, neg bool, args []string) {
	a, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	b, err := os.ReadFile(ts.MkAbs(args[1]))
	ts.Check(err)
	if (string(a) == string(b)) == neg {
		ts.Fatalf("%s and %s: same is %v", args[0], args[1], neg)
	}
}

// headOfFile: head N FROM TO copies the first N bytes: a cut-off file.
func headOfFile(ts *testscript.TestScript, _ bool, args []string) {
	b, err := os.ReadFile(ts.MkAbs(args[1]))
	ts.Check(err)
	n := atoi(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), b[:min(n, len(b))], 0o644))
}
