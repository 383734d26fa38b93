package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/polyarch/polyarch/examples/audit/patchfile"
	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/section"
	"github.com/polyarch/polyarch/examples/audit/whatif"
)

// maxAssumed is how many children a list can be taken to have: more than any has.
const maxAssumed = 100

type arguments struct {
	kubeconfig, context string
	mustGathers         []string
	output              string
	failOn              report.Level
	suppress            string
	printInspect        bool
	patches             string
	streams             section.StreamOptions
	whatIf              []whatif.Change
}

// parse reads the arguments. Every error is one of use.
func parse(args []string) (arguments, error) {
	var a arguments
	flags := pflag.NewFlagSet("audit", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	flags.StringVar(&a.kubeconfig, "kubeconfig", "", "")
	flags.StringVar(&a.context, "context", "", "")
	flags.StringArrayVar(&a.mustGathers, "must-gather", nil, "")
	flags.StringVarP(&a.output, "output", "o", "text", "")
	failOn := flags.String("fail-on", string(report.Broken), "")
	flags.StringVar(&a.suppress, "suppress", "", "")
	flags.BoolVar(&a.printInspect, "print-inspect", false, "")
	flags.StringVar(&a.patches, "patches", "", "")
	changes := flags.StringArray("what-if", nil, "")
	a.streams = section.DefaultStreamOptions
	flags.IntVar(&a.streams.Limit, "limit", a.streams.Limit, "")
	flags.IntVar(&a.streams.Images, "max-images", a.streams.Images, "")
	flags.IntVar(&a.streams.AssumeChildren, "assume-children", 0, "")
	if err := flags.Parse(args); err != nil {
		return a, err
	}
	a.streams.Apply = a.patches != ""
	var err error
	if a.failOn, err = report.ParseFailOn(*failOn); err != nil {
		return a, err
	}
	if a.whatIf, err = whatif.Parse(*changes); err != nil {
		return a, err
	}
	switch {
	case flags.NArg() > 0:
		return a, fmt.Errorf("%q is no flag; see --help", flags.Arg(0))
	case !slices.Contains([]string{"text", "json", "html"}, a.output):
		return a, fmt.Errorf("--output is %q, want text, json or html", a.output)
	case a.streams.Limit < 1 || a.streams.Images < 0:
		return a, errors.New("--limit has to be 1 or more, and --max-images 0 or more")
	case a.streams.AssumeChildren < 0 || a.streams.AssumeChildren > maxAssumed:
		return a, fmt.Errorf("--assume-children has to be 1 to %d", maxAssumed)
	case len(a.mustGathers) > 0 && (a.kubeconfig != "" || a.context != ""):
		return a, errors.New("--must-gather reads files: --kubeconfig and --context are for a running cluster")
	}
	return a, nil
}

// patchesDir looks that nothing is in the directory of --patches.
func (a *arguments) patchesDir() error {
	if a.patches == "" {
		return nil
	}
	if err := patchfile.Empty(a.patches); err != nil {
		return fmt.Errorf("--patches: %w", err)
	}
	return nil
}

// suppressions reads the file of --suppress.
func (a *arguments) suppressions() ([]report.Suppression, error) {
	if a.suppress == "" {
		return nil, nil
	}
	file, err := os.Open(a.suppress)
	if err != nil {
		return nil, fmt.Errorf("--suppress: %w", err)
	}
	defer file.Close()
	list, err := report.ParseSuppressions(file)
	if err != nil {
		return nil, fmt.Errorf("--suppress %s: %w", a.suppress, err)
	}
	return list, nil
}
