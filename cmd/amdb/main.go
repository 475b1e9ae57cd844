// Command amdb is an embedded analytics database for benchmarks of
// command-line agents. amdb help says what it does; docs/ says how.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"amdb/schema"
	"amdb/sql"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		// The first signal asks politely; a second one ends the process. What only
		// reads is not waited for: nobody should wait for a sort to wind down. What
		// writes is, for only it can say what is stored.
		<-ctx.Done()
		stop()
		time.Sleep(100 * time.Millisecond)
		if sql.Hurry() {
			fmt.Fprintln(os.Stderr, interrupted)
			os.Exit(int(schema.Interrupted))
		}
		fmt.Fprintln(os.Stderr, "amdb: stopping")
	}()
	// Sixteen megabytes that nobody touches, so that no memory stands behind them:
	// Go collects garbage first when as much again is used, which a small command
	// never does. It was a tenth of its time.
	ballast := make([]byte, 16<<20)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	runtime.KeepAlive(&ballast[0])
	os.Exit(code)
}
