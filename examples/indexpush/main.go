// Command indexpush publishes per-architecture images as one image index:
//
//	go run -C examples ./indexpush --to localhost:5000/os:4.20 --require linux/amd64,linux/arm64 \
//		localhost:5000/build@sha256:… registry.example/other@sha256:…
//
// Credentials are those of docker login, podman login or --authfile. Standard
// output gets the name of the index by digest, or with --dry-run the index itself;
// standard error the rest. --help lists flags, credentials, exit codes and examples.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/spf13/pflag"

	"github.com/polyarch/polyarch/examples/indexpush/push"
	"github.com/polyarch/polyarch/manifestlist"
)

// The exit codes, as help.go documents them.
const (
	exitPushed      = 0
	exitRefused     = 1
	exitRegistry    = 2
	exitUsage       = 64 // EX_USAGE of sysexits.h
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := (&command{stdout: os.Stdout, stderr: os.Stderr}).run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// A command is one call.
type command struct {
	stdout, stderr io.Writer
	// remote is added to the options that the arguments lead to.
	remote []remote.Option
}

// run returns the exit code.
func (c *command) run(ctx context.Context, args []string) int {
	a, err := parse(args, os.Getenv)
	if errors.Is(err, pflag.ErrHelp) {
		return c.print(help)
	}
	if err != nil {
		return c.misused(err)
	}
	keychain, err := a.keychain()
	if err != nil {
		return c.misused(err)
	}
	progress := &progress{out: c.stderr, every: 2 * time.Second, now: time.Now, last: time.Now()}
	defer progress.stop()
	opts := push.Options{
		Index: manifestlist.Options{Required: a.required},
		Remote: append([]remote.Option{
			remote.WithAuthFromKeychain(keychain), remote.WithTransport(a.transport()), remote.WithUserAgent("polyarch-indexpush"),
		}, c.remote...),
		Parallel: a.parallel,
		Progress: progress.report,
	}
	result, err := interruptible(ctx, func() (manifestlist.Result, error) {
		if a.dryRun {
			return push.Assemble(ctx, a.images, opts)
		}
		return push.Push(ctx, a.to, a.images, opts)
	})
	if err != nil {
		progress.stop()
		return c.complain(ctx, &a, keychain, err)
	}
	for _, f := range result.Findings {
		fmt.Fprintln(c.stderr, "indexpush: note:", f)
	}
	if a.dryRun {
		return c.print(string(result.Bytes) + "\n")
	}
	return c.print(a.to.Context().Digest(string(result.Descriptor.Digest)).String() + "\n")
}

func (c *command) print(s string) int {
	if _, err := io.WriteString(c.stdout, s); err != nil {
		fmt.Fprintln(c.stderr, "indexpush: standard output:", err)
		return exitRegistry
	}
	return exitPushed
}

func (c *command) misused(err error) int {
	fmt.Fprintf(c.stderr, "indexpush: %v\nindexpush: --help says how to use it\n", err)
	return exitUsage
}

// interruptible leaves do behind when the context ends: between two tries
// go-containerregistry sleeps for seconds, and nothing wakes it up.
func interruptible(ctx context.Context, do func() (manifestlist.Result, error)) (manifestlist.Result, error) {
	type outcome struct {
		result manifestlist.Result
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := do()
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done: // it may just have come through
		return o.result, o.err
	case <-time.After(300 * time.Millisecond):
		return manifestlist.Result{}, context.Cause(ctx)
	}
}
