// Command conformance plays the Test Plan of the enhancement
// dynamic-imagestream-importmode-setting on a cluster, and reports what became of
// each step.
//
//	go run ./conformance [--kubeconfig PATH] [--disruptive] [--json FILE] [--junit FILE] [--dump DIR]
//	go run ./conformance [--kubeconfig PATH] --cleanup RUN-ID
//
// By default it only looks, and makes image streams in a namespace of its own. The
// exit status is
//
//	0    nothing fails
//	1    a step fails
//	2    the command line is wrong
//	3    nothing fails, but something could not be judged
//	4    something could not be set back, removed or written
//	130  interrupted, and all set back and removed
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
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/polyarch/polyarch/examples/conformance/judge"
	"github.com/polyarch/polyarch/examples/conformance/report"
	"github.com/polyarch/polyarch/examples/internal/interrupt"
	"github.com/polyarch/polyarch/payloadarch"
)

func main() {
	// What clients log is in the steps.
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	os.Exit(command(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// exitUsage is for a command line that cannot be run; report has the others.
const exitUsage = 2

// An invocation is what the command line says.
type invocation struct {
	options             judge.Options
	kubeconfig, context string
	cleanup, payload    string
	jsonFile, junitFile string
	flags               *flag.FlagSet
}

func parse(args []string, errOut io.Writer) (*invocation, error) {
	i := &invocation{options: judge.Options{Run: judge.NewRun(), Timeouts: judge.DefaultTimeouts()}}
	f := flag.NewFlagSet("conformance", flag.ContinueOnError)
	f.SetOutput(errOut)
	o, t := &i.options, &i.options.Timeouts
	f.StringVar(&i.kubeconfig, "kubeconfig", "", "`file` (default: $KUBECONFIG, ~/.kube/config, or the service account)")
	f.StringVar(&i.context, "context", "", "`name` of the context in the kubeconfig (default: the current one)")
	f.StringVar(&o.Namespace, "namespace", "", "`name` of a namespace to make image streams in (default: one of the run's own)")
	f.BoolVar(&o.Disruptive, "disruptive", false, "set spec.imageStreamImportMode to the other mode and back, which rolls openshift-apiserver out twice; on the reference apiserver, move the payload too")
	f.BoolVar(&o.Reference, "reference", false, "this is the reference apiserver, though its version does not say so")
	f.StringVar(&i.payload, "payload", "", "`single or multi`, the payload that is installed, to judge what the ClusterVersion reports")
	f.StringVar(&o.Dump, "dump", "", "`directory` to write the objects to, before they are removed; nothing is redacted there")
	f.StringVar(&i.jsonFile, "json", "", "`file` to write the report to as JSON")
	f.StringVar(&i.junitFile, "junit", "", "`file` to write the report to as JUnit XML")
	f.StringVar(&i.cleanup, "cleanup", "", "run nothing; set back and remove what the run with this `id` left")
	for name, timeout := range map[string]struct {
		into *time.Duration
		what string
	}{
		"timeout-payload":     {&t.Payload, "an update of the payload to complete"},
		"timeout-report":      {&t.Report, "the ClusterVersion to report the payload"},
		"timeout-status":      {&t.Status, "the status of the image config to follow"},
		"timeout-observed":    {&t.Observed, "the observed config to follow"},
		"timeout-rollout":     {&t.Rollout, "openshift-apiserver to be rolled out"},
		"timeout-unreachable": {&t.Unreachable, "an API server that is away to be back"},
		"timeout-request":     {&t.Request, "one answer"},
		"timeout-cleanup":     {&t.Cleanup, "everything after the last step"},
	} {
		f.DurationVar(timeout.into, name, *timeout.into, "how long to wait for "+timeout.what)
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	i.flags = f
	switch i.payload {
	case "":
	case "single":
		o.Payload = payloadarch.Single
	case "multi":
		o.Payload = payloadarch.Multi
	default:
		return nil, fmt.Errorf("--payload is %q, must be single or multi", i.payload)
	}
	if i.cleanup != "" {
		o.Run = i.cleanup
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	return i, o.Validate()
}

// command returns the exit status.
func command(ctx context.Context, args []string, out, errOut io.Writer) int {
	i, err := parse(args, errOut)
	if errors.Is(err, flag.ErrHelp) {
		return report.ExitHolds
	}
	var config *rest.Config
	if err == nil {
		config, err = i.config()
	}
	if err != nil {
		fmt.Fprintf(errOut, "conformance: %v\n", err)
		return exitUsage
	}
	if i.cleanup != "" {
		return i.clean(ctx, config, errOut)
	}

	run := i.options.Run
	fmt.Fprintf(errOut, "conformance: run %s; should it crash, --cleanup %s sets back and removes what it leaves\n", run, run)
	defer context.AfterFunc(ctx, func() {
		fmt.Fprintf(errOut, "conformance: interrupted; setting back and removing what the run changed and made ...\n")
	})()
	i.options.Redact = &report.Redactor{}
	i.options.Redact.HideFile(i.kubeconfig, "kubeconfig")
	i.options.Redact.HideFile(i.options.Dump, "dump")
	i.options.Told = func(s report.Step) { fmt.Fprintln(errOut, s.Line()) }
	result, err := judge.Run(ctx, config, i.options)
	if err != nil {
		fmt.Fprintf(errOut, "conformance: %v\n", err)
		return exitUsage
	}
	result.Configuration = i.configuration()
	fmt.Fprint(out, result.Text())
	for _, form := range []struct {
		file    string
		content func() ([]byte, error)
	}{{i.jsonFile, result.JSON}, {i.junitFile, result.JUnit}} {
		if form.file == "" {
			continue
		}
		content, err := form.content()
		if err == nil {
			err = os.WriteFile(form.file, content, 0o600)
		}
		if err != nil {
			fmt.Fprintf(errOut, "conformance: the report: %v\n", err)
			return report.ExitLeft
		}
	}
	return result.Exit()
}

func (i *invocation) clean(ctx context.Context, config *rest.Config, errOut io.Writer) int {
	switch err := judge.Cleanup(ctx, config, i.options); {
	case errors.Is(err, judge.ErrNothing):
		fmt.Fprintf(errOut, "conformance: %v; if the run was given a --namespace, so must --cleanup be\n", err)
		return exitUsage
	case err != nil:
		fmt.Fprintf(errOut, "conformance: %v\n", err)
		return report.ExitLeft
	}
	fmt.Fprintf(errOut, "conformance: what run %s left is set back and removed\n", i.cleanup)
	return report.ExitHolds
}

func (i *invocation) config() (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = i.kubeconfig
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: i.context}).ClientConfig()
}

// configuration is what the report says of the flags. Where files are, and what
// contexts are called, is nobody else's business.
func (i *invocation) configuration() map[string]string {
	all := map[string]string{}
	i.flags.VisitAll(func(f *flag.Flag) {
		value := f.Value.String()
		switch f.Name {
		case "kubeconfig", "context", "dump", "json", "junit":
			if value != "" {
				value = "[given]"
			}
		case "cleanup":
			return
		}
		all[f.Name] = value
	})
	return all
}
