// Command soak works the reference apiserver as hard as it can for as long as it is
// told, and holds all the time what must be true whatever happens:
//
//	go run -C examples ./soak -for 10m [-seed n]
//	go run -C examples ./soak -kills 1000 -state file
//
// docs/reliability.md says what it does, what it holds, and what it came to.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-logr/logr"
	"google.golang.org/grpc/grpclog"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/polyarch/polyarch/examples/internal/interrupt"
)

func main() {
	beAPIServer(context.Background())
	silence()
	ctx, stop := interrupt.Context(context.Background())
	status := command(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// command returns the exit status: 0 if all held, 1 if something did not or could not
// be done, 2 for arguments that are none, 130 for an interrupt.
func command(ctx context.Context, args []string, out, errOut io.Writer) int {
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.SetOutput(errOut)
	var (
		long  = flags.Duration("for", 10*time.Minute, "how `long` to soak")
		seed  = flags.Uint64("seed", 0, "the `number` that everything random comes from; 0 takes a new one")
		kills = flags.Int("kills", 0, "instead of soaking, kill the server in this `number` of rounds")
		state = flags.String("state", "", "with -kills: the `file` that keeps the figures; a campaign that was broken off goes on from there")
	)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		fmt.Fprintf(errOut, "soak: unexpected argument %q\n", flags.Arg(0))
		return 2
	case *long < time.Second:
		fmt.Fprintln(errOut, "soak: -for is at least a second")
		return 2
	case *state != "" && *kills == 0 || *kills < 0:
		fmt.Fprintln(errOut, "soak: -kills is the number of rounds, and -state goes with it")
		return 2
	}
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	var err error
	if *kills > 0 {
		err = campaign(ctx, out, *kills, *seed, *state, nil)
	} else {
		err = soakFor(ctx, out, *long, *seed, nil)
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(errOut, "soak: interrupted")
		return 130
	case err != nil:
		fmt.Fprintf(errOut, "soak: %v\n", err)
		return 1
	}
	return 0
}

// silence turns the logs of clients and adapters off: what counts is in the objects.
func silence() {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
}
