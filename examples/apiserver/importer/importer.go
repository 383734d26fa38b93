package importer

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	imagev1 "github.com/openshift/api/image/v1"
)

// Options are how to import. The zero value imports for the platform of this
// process, within the default limits.
type Options struct {
	// Host stands in for what a wanted platform leaves out. Upstream knows only that of
	// the apiserver's own process, which is the default.
	Host ocispec.Platform
	// CAs certify registries, beside those that the system trusts.
	CAs *x509.CertPool
	// Limits that are 0 are the default ones.
	Limits Limits
}

// Limits bound what one registry can make of an import (rule 10).
type Limits struct {
	// Body is how many bytes a manifest, a config or a page of tags has at most.
	Body int64
	// Entries is how many a list has at most.
	Entries int
	// Tags is how many a repository lists at most.
	Tags int
	// Parallel is how many requests of an import, and Requests how many of all imports,
	// are under way at the same time.
	Parallel, Requests int
	// Exchange is how long one request takes at most, its answer read.
	Exchange time.Duration
}

// DefaultLimits are what registries themselves keep to, with room.
var DefaultLimits = Limits{Body: 4 << 20, Entries: 512, Tags: 20_000, Parallel: 8, Requests: 64, Exchange: 20 * time.Second}

// An Importer imports for many requests at the same time.
type Importer struct {
	host                ocispec.Platform
	limits              Limits
	verifying, trusting http.RoundTripper
	requests            chan struct{}
}

// New returns an importer.
func New(o Options) *Importer {
	l := o.Limits
	orDefault(&l.Body, DefaultLimits.Body)
	orDefault(&l.Entries, DefaultLimits.Entries)
	orDefault(&l.Tags, DefaultLimits.Tags)
	orDefault(&l.Parallel, DefaultLimits.Parallel)
	orDefault(&l.Requests, DefaultLimits.Requests)
	orDefault(&l.Exchange, DefaultLimits.Exchange)
	orDefault(&o.Host.OS, runtime.GOOS)
	orDefault(&o.Host.Architecture, runtime.GOARCH)
	verifying := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: l.Exchange}).DialContext,
		ForceAttemptHTTP2:      true,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.CAs},
		MaxIdleConns:           l.Requests,
		MaxIdleConnsPerHost:    l.Parallel,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}
	trusting := verifying.Clone()
	trusting.TLSClientConfig.InsecureSkipVerify = true //nolint:gosec // only for hosts of which the policy says so
	return &Importer{host: o.Host, limits: l, verifying: verifying, trusting: trusting, requests: make(chan struct{}, l.Requests)}
}

func orDefault[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}

// A Wish is one image as one import wants it. Wishes that are equal have equal
// results.
type Wish struct {
	// From names the image as users do: [registry/]path[:tag][@digest].
	From string
	// Mode is the mode to import by, where empty is Legacy.
	Mode imagev1.ImportModeType
	// PreferArch and PreferOS are the annotations of the tag that is stored.
	PreferArch, PreferOS string
	// Insecure is the import policy's.
	Insecure bool
}

// A Result is what an image comes to.
type Result struct {
	// Image is what the tag points to, with the bytes of its manifest and config.
	Image *imagev1.Image
	// Manifests are the images of a list, in its order.
	Manifests []imagev1.Image
	// Notes say what is odd: attestations, lists in lists, another platform than the
	// wanted one.
	Notes []string
}

// A Session is the import of several images for one request. What it has read from
// a registry it does not read again.
type Session struct {
	importer *Importer
	policy   Policy
	keychain authn.Keychain
	parallel chan struct{}

	mu      sync.Mutex
	pullers map[pullerKey]*remote.Puller
	fetched map[string]*fetch
}

type pullerKey struct {
	insecure  string // the host that the import policy says is insecure, if any
	anonymous bool
}

// Session begins one. The keychain may be nil.
func (i *Importer) Session(policy Policy, keychain authn.Keychain) *Session {
	if keychain == nil {
		keychain = authn.NewMultiKeychain()
	}
	return &Session{
		importer: i, policy: policy, keychain: keychain, parallel: make(chan struct{}, i.limits.Parallel),
		pullers: map[pullerKey]*remote.Puller{}, fetched: map[string]*fetch{},
	}
}

// puller reads from registries with one set of credentials and of hosts that are
// insecure.
func (s *Session) puller(key pullerKey) (*remote.Puller, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.pullers[key]; p != nil {
		return p, nil
	}
	options := []remote.Option{
		remote.WithTransport(guard{s, key.insecure}),
		remote.WithRetryBackoff(remote.Backoff{Duration: 200 * time.Millisecond, Factor: 3, Jitter: 0.1, Steps: 3}),
		remote.WithRetryPredicate(worthRetrying),
		remote.WithUserAgent("polyarch-apiserver"),
	}
	if !key.anonymous {
		options = append(options, remote.WithAuthFromKeychain(s.keychain))
	}
	p, err := remote.NewPuller(options...)
	if err == nil {
		s.pullers[key] = p
	}
	return p, err
}

// slot waits until a request may go out, and returns what frees its place.
func (s *Session) slot(ctx context.Context) (func(), error) {
	for i, places := range []chan struct{}{s.parallel, s.importer.requests} {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			if i > 0 {
				<-s.parallel
			}
			return nil, context.Cause(ctx)
		}
	}
	return func() { <-s.importer.requests; <-s.parallel }, nil
}
