package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"github.com/spf13/pflag"

	"github.com/polyarch/polyarch/examples/indexpush/push"
	"github.com/polyarch/polyarch/internal/quote"
)

// everyHost is --insecure without hosts.
const everyHost = "*"

type arguments struct {
	to       name.Tag
	images   []name.Digest
	required []ocispec.Platform
	dryRun   bool
	authFile string
	insecure insecure
	parallel int
	stall    time.Duration
}

// parse takes flags before, between and after the images. Every error is one of
// use.
func parse(args []string, environ func(string) string) (arguments, error) {
	var a arguments
	flags := pflag.NewFlagSet("indexpush", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	to := flags.String("to", "", "")
	require := flags.StringSlice("require", nil, "")
	hosts := flags.StringSlice("insecure", nil, "")
	flags.Lookup("insecure").NoOptDefVal = everyHost
	// podman and skopeo take the variable as the default of the flag, too.
	flags.StringVar(&a.authFile, "authfile", environ("REGISTRY_AUTH_FILE"), "")
	flags.BoolVar(&a.dryRun, "dry-run", false, "")
	flags.IntVar(&a.parallel, "parallel", push.DefaultParallel, "")
	flags.DurationVar(&a.stall, "stall-timeout", 2*time.Minute, "")
	if err := flags.Parse(args); err != nil {
		return arguments{}, err
	}
	var err error
	if a.insecure, err = parseInsecure(*hosts); err != nil {
		return arguments{}, err
	}
	if a.required, err = parsePlatforms(*require); err != nil {
		return arguments{}, err
	}
	switch {
	case *to == "" && !a.dryRun:
		return arguments{}, errors.New("--to is missing: the repository and tag to push to")
	case a.parallel < 1:
		return arguments{}, fmt.Errorf("--parallel: %d is too few, want 1 or more", a.parallel)
	case a.stall <= 0:
		return arguments{}, fmt.Errorf("--stall-timeout: %s is too short, want more than 0s", a.stall)
	}
	if *to != "" {
		if a.to, err = name.NewTag(*to, name.StrictValidation); err != nil {
			return arguments{}, fmt.Errorf("--to: %s is not of the form host/repository:tag", quote.Quote(*to))
		}
		if a.insecure.trusts(a.to.RegistryStr()) {
			a.to.Repository, err = a.insecure.repository(a.to.Repository)
		}
		if err != nil {
			return arguments{}, err
		}
	}
	if flags.NArg() == 0 {
		return arguments{}, errors.New("no image: give each as name@sha256:…")
	}
	for _, s := range flags.Args() {
		d, err := name.NewDigest(s)
		if err != nil {
			return arguments{}, fmt.Errorf("%s is not an image by digest, name@sha256:…; a tag may lead elsewhere tomorrow", quote.Quote(s))
		}
		if a.insecure.trusts(d.RegistryStr()) {
			if d.Repository, err = a.insecure.repository(d.Repository); err != nil {
				return arguments{}, err
			}
		}
		a.images = append(a.images, d)
	}
	return a, nil
}

func parsePlatforms(list []string) ([]ocispec.Platform, error) {
	var all []ocispec.Platform
	for _, s := range list {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		parts := strings.Split(s, "/")
		if len(parts) < 2 || len(parts) > 3 || parts[0] == "" || parts[1] == "" {
			return nil, fmt.Errorf("--require: %s is no platform, want os/architecture or os/architecture/variant", quote.Quote(s))
		}
		p := ocispec.Platform{OS: parts[0], Architecture: parts[1]}
		if len(parts) == 3 {
			p.Variant = parts[2]
		}
		all = append(all, p)
	}
	return all, nil
}

// insecure are the registries that need no TLS, or none that can be verified.
type insecure struct {
	every bool
	hosts map[string]bool
}

func parseInsecure(list []string) (insecure, error) {
	in := insecure{hosts: map[string]bool{}}
	for _, s := range list {
		if s == everyHost {
			in.every = true
			continue
		}
		r, err := name.NewRegistry(strings.TrimSpace(s), name.StrictValidation)
		if err != nil {
			return insecure{}, fmt.Errorf("--insecure: %s is no host[:port]", quote.Quote(s))
		}
		in.hosts[r.RegistryStr()] = true
	}
	return in, nil
}

func (in insecure) trusts(host string) bool { return in.every || in.hosts[host] }

// repository is r of a registry that may be spoken to without TLS.
func (in insecure) repository(r name.Repository) (name.Repository, error) {
	return name.NewRepository(r.Name(), name.Insecure)
}
