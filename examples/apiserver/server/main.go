package server

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"k8s.io/klog/v2"

	"github.com/polyarch/polyarch/examples/internal/interrupt"
)

// Main is the command: it parses args (without the program's name), serves
// until a signal or the end of ctx, and prints on out, when everything is
// served, the one line that a shell wants:
//
//	export KUBECONFIG=/path
//
// Other programs call it to be the apiserver of their own child process.
func Main(ctx context.Context, args []string, out, errOut io.Writer) error {
	ctx, stop := interrupt.Context(ctx)
	defer stop()

	o := Defaults()
	flags := flag.NewFlagSet("apiserver", flag.ContinueOnError)
	flags.SetOutput(errOut)
	o.AddFlags(flags)
	withStdin := flags.Bool("exit-with-stdin", false, "stop at the end of standard input, that is with the process that holds its other end")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	logTo(errOut, o.Verbosity)
	if *withStdin {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		go func() {
			io.Copy(io.Discard, os.Stdin)
			cancel()
		}()
	}
	return Run(ctx, o, func(kubeconfig string) {
		fmt.Fprintf(out, "export KUBECONFIG=%s\n", kubeconfig)
	})
}

// logTo sends klog's errors to w, and the rest only on demand: among the
// warnings are all that gRPC meets while it connects and disconnects.
func logTo(w io.Writer, verbosity int) {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	info := io.Discard
	if verbosity > 0 {
		info = w
	}
	for name, value := range map[string]string{
		"logtostderr": "false", "alsologtostderr": "false", "stderrthreshold": "FATAL", "one_output": "true",
		"v": fmt.Sprint(verbosity),
	} {
		// The flags are klog's own, so setting them does not fail.
		_ = flags.Set(name, value)
	}
	for severity, w := range map[string]io.Writer{"INFO": info, "WARNING": info, "ERROR": w, "FATAL": w} {
		klog.SetOutputBySeverity(severity, w)
	}
}
