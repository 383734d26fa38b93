package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/polyarch/polyarch/examples/audit/patchfile"
	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
)

// Run runs the command and returns its exit status.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a, err := parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, help)
		return report.ExitClean
	}
	var suppressions []report.Suppression
	if err == nil {
		suppressions, err = a.suppressions()
	}
	if err == nil {
		err = a.patchesDir()
	}
	if err != nil {
		fmt.Fprintf(stderr, "audit: %v\naudit: --help says how to use it\n", err)
		return report.ExitUsage
	}
	if a.printInspect {
		fmt.Fprintln(stdout, source.InspectAll())
		return report.ExitClean
	}
	from, err := a.source()
	if err != nil {
		return unread(stderr, err)
	}
	r, err := Audit(ctx, Options{From: from, Now: time.Now(), Suppressions: suppressions, Streams: a.streams, WhatIf: a.whatIf})
	if err != nil {
		return unread(stderr, err)
	}
	if a.patches != "" {
		if err := writePatches(stderr, a.patches, r); err != nil {
			return unread(stderr, fmt.Errorf("--patches: %w", err))
		}
	}
	switch a.output {
	case "json":
		err = r.WriteJSON(stdout)
	case "html":
		err = r.WriteHTML(stdout)
	default:
		err = r.WriteText(stdout, colored(stdout))
	}
	if err != nil {
		return unread(stderr, fmt.Errorf("standard output: %w", err))
	}
	return r.ExitStatus(a.failOn)
}

// writePatches writes the files, and says what is in none.
func writePatches(stderr io.Writer, dir string, r *report.Report) error {
	files, withheld := patchfile.Files(r)
	if err := patchfile.Write(dir, files); err != nil {
		return err
	}
	for _, text := range withheld {
		fmt.Fprintf(stderr, "audit: --patches: no file: %s\n", text)
	}
	if len(files) == 0 {
		fmt.Fprintln(stderr, "audit: --patches: nothing to write")
		return nil
	}
	dir = report.Shell(dir)
	fmt.Fprintf(stderr, "audit: --patches: %d files; kubectl apply --dry-run=server -f %s tries them, kubectl apply -f %s applies them\n", len(files), dir, dir)
	return nil
}

func unread(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "audit: %s\n", report.Redact(err.Error()))
	return report.ExitUnjudged
}

// source returns where to read from.
func (a *arguments) source() (source.Source, error) {
	if len(a.mustGathers) > 0 {
		return source.NewFiles(source.DefaultLimits, a.mustGathers...), nil
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = a.kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: a.context}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if err != nil {
		return nil, err
	}
	return source.NewCluster(config)
}

// colored reports whether the output is a terminal that wants colors (no-color.org).
func colored(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(file.Fd()))
}
