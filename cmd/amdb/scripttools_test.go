package main

import (
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"amdb/sql"
)

// codeOf is the exit code behind an error of a program that ran.
func codeOf(err error) string {
	var ee *exec.ExitError
	if errors.As(err, &ee) {
		return strconv.Itoa(ee.ExitCode())
	}
	return err.Error()
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func unescape(s string) string {
	u, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	if err != nil {
		panic(err)
	}
	return u
}

// holdLock: lock FILE keeps a database open for writing until the script ends.
func holdLock(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open(context.Background(), ts.MkAbs(args[0]), sql.Options{Mode: sql.Write})
	ts.Check(err)
	ts.Defer(func() { db.Close() })
}
