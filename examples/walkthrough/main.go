// Command walkthrough boots a real API server with real storage, runs the
// example operators against it, plays what administrators and upgrades do, and
// says after each step what the objects hold and whether that is as expected.
//
//	go run ./walkthrough [-only regexp] [-stay]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"syscall"

	"github.com/go-logr/logr"
	"google.golang.org/grpc/grpclog"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/polyarch/polyarch/examples/apiserver/server"
)

// apiserverCommand as the first argument makes this executable be the API
// server.
const apiserverCommand = "apiserver"

func main() {
	ctx := context.Background()
	beAPIServer(ctx)
	only := flag.String("only", ".", "tell only the chapters whose name matches this regular expression")
	stay := flag.Bool("stay", false, "tell nothing; boot, run the operators, print the KUBECONFIG line and stay until interrupted")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintf(os.Stderr, "walkthrough: -only: %v\n", err)
		os.Exit(2)
	}
	silence()

	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *stay {
		err = serve(ctx)
	} else {
		err = tell(ctx, os.Stdout, match)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "walkthrough: %v\n", err)
		os.Exit(1)
	}
}

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

// tell plays the chapters and ends with the line that counts the steps.
func tell(ctx context.Context, out io.Writer, match *regexp.Regexp) (err error) {
	t := &tale{out: out}
	fmt.Fprintln(t.out, "walkthrough: booting etcd and the API server ...")
	w, err := newWorld(ctx, t)
	if err != nil {
		return err
	}
	defer func() {
		if e := w.close(); err == nil {
			err = e
		}
	}()
	for _, c := range chapters() {
		if !match.MatchString(c.name) {
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

// serve keeps the same cluster up for kubectl and oc.
func serve(ctx context.Context) (err error) {
	t := &tale{out: os.Stdout}
	fmt.Fprintln(t.out, "cluster: booting etcd and the API server ...")
	w, err := newWorld(ctx, t)
	if err != nil {
		return err
	}
	defer func() {
		if e := w.close(); err == nil {
			err = e
		}
	}()
	stop, err := newCluster(w).start(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "cluster: up, with a single-architecture payload. In another shell:\n\n  export KUBECONFIG=%s\n  kubectl get clusterversion,images.config,openshiftapiservers\n\ncluster: Ctrl-C ends it and removes its data\n", w.server.Kubeconfig())
	<-ctx.Done()
	return stop()
}
