package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/polyarch/polyarch/examples/internal/registry"
)

// The first patience with a registry that stalls, and the last. On a busy machine one
// that is well may stall, too.
const minPatience, maxPatience = 250 * time.Millisecond, 16 * time.Second

// A fault is what a registry does instead of what it is asked for.
type fault struct {
	name    string
	serve   http.HandlerFunc
	says    string // of the registry, which stands for HOST
	remedy  string // if it is a read that fails
	remedyW string // if it is a write that fails
	healed  bool   // a single one is overcome by trying again
}

func answer(status int, code string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"errors":[{"code":%q,"message":%q}]}`, code, strings.Repeat("as the rules have it ", 50))
	}
}

func faults(hang <-chan struct{}) []fault {
	login := "no credentials for HOST were found"
	again := "run the same again, which sends nothing twice"
	return []fault{
		{name: "401", serve: answer(http.StatusUnauthorized, "UNAUTHORIZED"), says: "HOST answers 401 Unauthorized", remedy: login, remedyW: login},
		{name: "403", serve: answer(http.StatusForbidden, "DENIED"), says: "HOST answers 403 Forbidden", remedy: "one may not read HOST/build: podman login HOST", remedyW: "one may not write to HOST/os"},
		{name: "404", serve: answer(http.StatusNotFound, "NAME_UNKNOWN"), says: "HOST answers 404 Not Found", remedy: "check name and digest", remedyW: "to be created before the first push"},
		{name: "429", serve: answer(http.StatusTooManyRequests, "TOOMANYREQUESTS"), says: "HOST answers 429 Too Many Requests", remedy: "--parallel 1", remedyW: "wait, then " + again, healed: true},
		{name: "500", serve: answer(http.StatusInternalServerError, "UNKNOWN"), says: "HOST answers 500 Internal Server Error", remedy: "the fault is in the registry", remedyW: "the fault is in the registry", healed: true},
		{name: "reset", serve: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, says: "the connection to HOST broke: ", remedy: again, remedyW: again, healed: true},
		{name: "stall", serve: func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-hang:
			}
		}, says: "HOST stalls: no byte moved for ", remedy: "--stall-timeout", remedyW: "--stall-timeout"},
	}
}

// A faulty registry fails from a certain request on, or at that one alone.
type faulty struct {
	serve atomic.Pointer[http.HandlerFunc]
	left  atomic.Int64 // requests before the fault
	once  atomic.Bool
	hit   atomic.Bool
}

func (f *faulty) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serve := f.serve.Load()
		if serve == nil {
			next.ServeHTTP(w, r)
			return
		}
		n := f.left.Add(-1)
		if n >= 0 || f.once.Load() && n < -1 {
			next.ServeHTTP(w, r)
			return
		}
		f.hit.Store(true)
		(*serve)(w, r)
	})
}

func (f *faulty) failAt(k int, once bool, serve http.HandlerFunc) {
	f.left.Store(int64(k - 1))
	f.once.Store(once)
	f.hit.Store(false)
	f.serve.Store(&serve)
}

func (f *faulty) mend() { f.serve.Store(nil) }

func startPlain(t *testing.T, wrap func(http.Handler) http.Handler) *registry.Registry {
	t.Helper()
	r, err := registry.Start(registry.Options{Wrap: wrap})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// build pushes an image of one layer for each of two architectures.
func build(t *testing.T, repository string) []string {
	t.Helper()
	var all []string
	for _, a := range []string{"amd64", "arm64"} {
		base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
		base, err := mutate.ConfigFile(base, &v1.ConfigFile{OS: "linux", Architecture: a, RootFS: v1.RootFS{Type: "layers"}})
		if err != nil {
			t.Fatal(err)
		}
		img, err := mutate.AppendLayers(base, static.NewLayer([]byte("layer for "+a), types.OCIUncompressedLayer))
		if err != nil {
			t.Fatal(err)
		}
		h, err := img.Digest()
		if err != nil {
			t.Fatal(err)
		}
		ref, err := name.NewDigest(repository + "@" + h.String())
		if err != nil {
			t.Fatal(err)
		}
		if err := remote.Write(ref, img); err != nil {
			t.Fatal(err)
		}
		all = append(all, ref.String())
	}
	return all
}

// tagged returns the digest that the tag leads to, and fails unless everything
// below is there.
func tagged(t *testing.T, tag string) string {
	t.Helper()
	ref, err := name.NewTag(tag)
	if err != nil {
		t.Fatal(err)
	}
	index, err := remote.Index(ref)
	if err != nil {
		t.Fatal(err)
	}
	m, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range m.Manifests {
		img, err := index.Image(d.Digest)
		if err != nil {
			t.Fatal(err)
		}
		layers, err := img.Layers()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range layers {
			blob, err := l.Compressed()
			if err != nil {
				t.Fatal(err)
			}
			_, err = io.Copy(io.Discard, blob)
			if closed := blob.Close(); err != nil || closed != nil {
				t.Fatal(err, closed)
			}
		}
	}
	h, err := index.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return h.String()
}

// TestEveryRequestFails lets the registry of the images, then that of the index,
// fail at its first request, at its second, and so on until a push does not meet
// the fault any more: from that request on, and at that request alone.
func TestEveryRequestFails(t *testing.T) {
	dir := t.TempDir()
	for _, v := range []string{"DOCKER_CONFIG", "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"} {
		t.Setenv(v, dir)
	}
	t.Setenv("REGISTRY_AUTH_FILE", "")
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	for _, side := range []string{"source", "target"} {
		for _, once := range []bool{false, true} {
			for _, f := range faults(hang) {
				kind := "lasting"
				if once {
					kind = "single"
				}
				t.Run(strings.Join([]string{side, kind, f.name}, "/"), func(t *testing.T) {
					t.Parallel()
					x := exchange{fault: f, side: side, once: once}
					x.run(t)
				})
			}
		}
	}
}

type exchange struct {
	fault fault
	side  string
	once  bool

	faulty         faulty
	source, target *registry.Registry
	images         []string
	old            v1.ImageIndex
	want           string // the digest of the new index
	tries          int
}

func (x *exchange) run(t *testing.T) {
	if x.side == "source" {
		x.source, x.target = startPlain(t, x.faulty.wrap), startPlain(t, nil)
	} else {
		x.source, x.target = startPlain(t, nil), startPlain(t, x.faulty.wrap)
	}
	oldIndex, err := random.Index(16, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	images := build(t, x.source.Host+"/build")
	code, stdout, stderr := execute(append([]string{"--dry-run"}, images...)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	x.images, x.old, x.want = images, oldIndex, digestOf(stdout)
	for k := 1; k <= 200; k++ {
		met, complaints := x.try(t, k, minPatience)
		for p := 4 * minPatience; x.fault.name == "stall" && len(complaints) > 0 && p <= maxPatience; p *= 4 {
			met, complaints = x.try(t, k, p)
		}
		for _, c := range complaints {
			t.Errorf("request %d: %s", k, c)
		}
		if !met {
			// Login, manifest and config of each image; then its blobs, once more;
			// or their uploads, and the index and the tag with a login each.
			if least := map[string]int{"source": 7, "target": 20}[x.side]; k <= least {
				t.Errorf("an exchange of %d requests, want more than %d", k-1, least)
			}
			return
		}
	}
	t.Fatal("no push comes through")
}

// try pushes over an old index while request k fails. It says whether there was a
// request k, and what is wrong.
func (x *exchange) try(t *testing.T, k int, patience time.Duration) (met bool, complaints []string) {
	t.Helper()
	x.tries++
	// A repository of its own, so that every exchange is a whole one.
	tag := fmt.Sprintf("%s/os%d:4.20", x.target.Host, x.tries)
	ref, err := name.NewTag(tag)
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.WriteIndex(ref, x.old); err != nil {
		t.Fatal(err)
	}
	old := tagged(t, tag)
	args := append([]string{"--to", tag}, x.images...)
	if x.fault.name == "stall" {
		args = append(args, "--stall-timeout", patience.String())
	}
	x.faulty.failAt(k, x.once, x.fault.serve)
	code, stdout, stderr := execute(args...)
	x.faulty.mend()
	got, met := tagged(t, tag), x.faulty.hit.Load()
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	switch {
	case !met && (code != 0 || got != x.want):
		complain("no fault met, and exit code %d, tag %s: %s", code, got, stderr)
	case code == 0:
		if got != x.want || !strings.Contains(stdout, x.want) {
			complain("exit code 0, the tag leads to %s, want %s", got, x.want)
		}
		if met && !x.once {
			complain("exit code 0, though all requests from it on failed")
		}
	case code == 2:
		if got != old || stdout != "" {
			complain("exit code 2, the tag leads to %s, want %s; standard output %q", got, old, stdout)
		}
		if x.once && x.fault.healed {
			complain("one fault is not overcome: %s", stderr)
		}
		x.checkMessage(complain, tag, stderr)
	default:
		complain("exit code %d: %s", code, stderr)
	}
	return met, complaints
}

func (x *exchange) checkMessage(complain func(string, ...any), tag, stderr string) {
	repository, _, _ := strings.Cut(tag, ":4.20")
	host, begins, remedy := x.source.Host, "indexpush: read "+x.source.Host+"/build@sha256:", x.fault.remedy
	if x.side == "target" {
		host, remedy = x.target.Host, x.fault.remedyW
		begins = "indexpush: write " + repository + "@sha256:"
		for _, op := range []string{"push " + repository + "@sha256:", "tag " + tag + ": "} {
			if strings.HasPrefix(stderr, "indexpush: "+op) {
				begins = "indexpush: " + op
			}
		}
	}
	if !strings.HasPrefix(stderr, begins) {
		complain("does not begin with %s:\n%s", begins, stderr)
	}
	for _, s := range []string{x.fault.says, remedy} {
		if s = strings.ReplaceAll(s, "HOST", host); !strings.Contains(stderr, s) {
			complain("does not say %s:\n%s", s, stderr)
		}
	}
	if fate := tag + " was not touched"; !strings.Contains(stderr, fate) &&
		!(strings.Contains(stderr, "whether "+tag+" leads to the new index is not known") && strings.HasPrefix(stderr, "indexpush: tag ")) {
		complain("does not say what became of the tag:\n%s", stderr)
	}
	for line := range strings.Lines(stderr) {
		if len(line) > 400 || strings.Contains(line, "://") {
			complain("a line of %d bytes, or with a URL: %s", len(line), line)
		}
	}
	if strings.Contains(stderr, "copy ") {
		complain("%s", stderr)
	}
}
