// Command indexpush publishes per-architecture images as one image index:
//
//	go run -C examples ./indexpush --to localhost:5000/os:4.20 --require linux/amd64,linux/arm64 \
//		localhost:5000/build@sha256:… registry.example/other@sha256:…
//
// Credentials are those of docker login or podman login. Standard output gets the
// name of the index by digest, or with --dry-run the index itself; standard error
// the rest.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/examples/indexpush/push"
	"github.com/polyarch/polyarch/manifestlist"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run returns 0, or 1 if the index could not be made or pushed, or 2 if the
// arguments are wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "indexpush:", err)
		return 2
	}
	opts := push.Options{
		Index:    manifestlist.Options{Required: a.required},
		Remote:   []remote.Option{remote.WithAuthFromKeychain(authn.DefaultKeychain), remote.WithUserAgent("polyarch-indexpush")},
		Progress: (&progress{out: stderr, every: 2 * time.Second, now: time.Now}).report,
	}
	var result manifestlist.Result
	if a.dryRun {
		result, err = push.Assemble(ctx, a.images, opts)
	} else {
		result, err = push.Push(ctx, a.to, a.images, opts)
	}
	if err != nil {
		complain(stderr, err)
		return 1
	}
	for _, f := range result.Findings {
		fmt.Fprintln(stderr, "indexpush: note:", f)
	}
	if a.dryRun {
		fmt.Fprintf(stdout, "%s\n", result.Bytes)
	} else {
		fmt.Fprintln(stdout, a.to.Context().Digest(string(result.Descriptor.Digest)))
	}
	return 0
}

type arguments struct {
	to       name.Tag
	images   []name.Digest
	required []ocispec.Platform
	dryRun   bool
}

func parse(args []string, stderr io.Writer) (arguments, error) {
	flags := flag.NewFlagSet("indexpush", flag.ContinueOnError)
	flags.SetOutput(stderr)
	to := flags.String("to", "", "repository and `tag` to push to")
	require := flags.String("require", "", "`platforms` that the index must offer, such as linux/amd64,linux/arm64/v8")
	dryRun := flags.Bool("dry-run", false, "print the index and push nothing")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: indexpush --to repository:tag [--require platform,…] [--dry-run] image@digest…")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return arguments{}, err
	}
	a := arguments{dryRun: *dryRun}
	var err error
	if *to == "" {
		if !a.dryRun {
			return a, errors.New("--to is missing: the repository and tag to push to")
		}
	} else if a.to, err = name.NewTag(*to, name.StrictValidation); err != nil {
		return a, fmt.Errorf("--to: %q is not of the form host/repository:tag: %w", *to, err)
	}
	if flags.NArg() == 0 {
		return a, errors.New("no image: give each as name@sha256:…")
	}
	for _, s := range flags.Args() {
		d, err := name.NewDigest(s)
		if err != nil {
			return a, fmt.Errorf("%s: not an image by digest (name@sha256:…), and a tag may lead elsewhere tomorrow: %w", s, err)
		}
		a.images = append(a.images, d)
	}
	for s := range strings.SplitSeq(*require, ",") {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		parts := strings.Split(s, "/")
		if len(parts) < 2 || len(parts) > 3 || parts[0] == "" || parts[1] == "" {
			return a, fmt.Errorf("--require: %q is no platform, want os/architecture or os/architecture/variant", s)
		}
		p := ocispec.Platform{OS: parts[0], Architecture: parts[1]}
		if len(parts) == 3 {
			p.Variant = parts[2]
		}
		a.required = append(a.required, p)
	}
	return a, nil
}

// complain writes a line for each error.
func complain(stderr io.Writer, err error) {
	var all manifestlist.IndexErrors
	if !errors.As(err, &all) {
		fmt.Fprintln(stderr, "indexpush:", err)
		return
	}
	for _, e := range all {
		fmt.Fprintln(stderr, "indexpush:", e)
	}
	fmt.Fprintln(stderr, "indexpush: nothing was pushed")
}

// progress writes a line every so often, so that a copy of gigabytes does not look
// like one that hangs.
type progress struct {
	out   io.Writer
	every time.Duration
	now   func() time.Time

	last time.Time
}

func (p *progress) report(image name.Digest, arrived, total int64) {
	if now := p.now(); now.Sub(p.last) >= p.every {
		p.last = now
		fmt.Fprintf(p.out, "indexpush: %s: %.1f of %.1f MB\n", image, float64(arrived)/1e6, float64(total)/1e6)
	}
}
