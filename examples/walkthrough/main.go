// Command walkthrough boots a real API server with real storage, runs the
// example operators against it, plays what administrators and upgrades do, and
// says after each step what the objects hold and whether that is as expected.
//
//	go run ./walkthrough [-only regexp] [-stay [-ignore-legacy-from prefixes]]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/go-logr/logr"
	"google.golang.org/grpc/grpclog"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/polyarch/polyarch/examples/apiserver/server"
	"github.com/polyarch/polyarch/examples/internal/interrupt"
)

// apiserverCommand as the first argument makes this executable be the API
// server.
const apiserverCommand = "apiserver"

func main() {
	beAPIServer(context.Background())
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintf(os.Stderr, "walkthrough: %v\n", err)
		os.Exit(1)
	}
	os.Exit(command(os.Args[1:], []string{self, apiserverCommand}))
}

// command returns the exit status. Its API servers are run by the command line
// apiserver.
func command(args, apiserver []string) int {
	flags := flag.NewFlagSet("walkthrough", flag.ContinueOnError)
	only := flags.String("only", ".", "tell only the chapters whose name matches this regular expression")
	stay := flags.Bool("stay", false, "tell nothing; boot, run the operators, print the KUBECONFIG line and stay until interrupted")
	ignore := flags.String("ignore-legacy-from", "", "with -stay: comma separated `beginnings` of User-Agents, such as oc/, whose Legacy in image stream tags and imports counts as not given")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintf(os.Stderr, "walkthrough: -only: %v\n", err)
		return 2
	}
	silence()

	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	if *stay {
		err = serve(ctx, os.Stdout, apiserver, *ignore)
	} else {
		err = tell(ctx, os.Stdout, apiserver, match)
	}
	switch {
	case errors.Is(err, errInterrupted):
		fmt.Fprintln(os.Stderr, "walkthrough: interrupted")
		return 130 // as a shell says it
	case err != nil:
		fmt.Fprintf(os.Stderr, "walkthrough: %v\n", err)
		return 1
	}
	return 0
}

// errInterrupted is all that is to be said when somebody ends the story.
var errInterrupted = errors.New("interrupted")

// beAPIServer runs the API server and exits, if that is what this process was
// started for.
func beAPIServer(ctx context.Context) {
	if len(os.Args) < 2 || os.Args[1] != apiserverCommand {
		return
	}
	if err := server.Main(ctx, os.Args[2:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "apiserver: %v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// silence turns the logs of the operators and clients off: what happens is in
// the objects.
func silence() {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
}

// tell plays the chapters and ends with the line that counts the steps. If ctx
// ends, so does the story, at once: what fails then fails for that.
func tell(ctx context.Context, out io.Writer, apiserver []string, match *regexp.Regexp) (err error) {
	t := &tale{out: untilDone{ctx, out}}
	defer func() {
		if ctx.Err() != nil {
			err = errInterrupted
		}
	}()
	fmt.Fprintln(t.out, "walkthrough: booting etcd and the API server ...")
	w, err := newWorld(ctx, t, apiserver, "--import-platform=linux/amd64")
	if err != nil {
		return err
	}
	defer func() {
		if e := w.close(ctx); err == nil {
			err = e
		}
	}()
	for _, c := range chapters() {
		if !match.MatchString(c.name) || ctx.Err() != nil {
			continue
		}
		fmt.Fprintf(t.out, "\n=== %s\n", c.title)
		if err := c.run(ctx, w); err != nil {
			t.step("the chapter ends early", func(*step) error { return err })
		}
	}
	fmt.Fprintf(t.out, "\nwalkthrough: %d steps, %d as expected\n", t.steps, t.asItShall)
	if t.steps == 0 || t.asItShall < t.steps {
		return fmt.Errorf("%d of %d steps are not as expected", t.steps-t.asItShall, t.steps)
	}
	return nil
}

// untilDone writes as long as there is somebody to write for.
type untilDone struct {
	ctx context.Context
	out io.Writer
}

func (u untilDone) Write(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return len(p), nil
	}
	return u.out.Write(p)
}
