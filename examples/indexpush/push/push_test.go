package push_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/examples/indexpush/push"
	"github.com/polyarch/polyarch/manifestlist"
)

func TestPushedIndexIsPulledPerPlatform(t *testing.T) {
	r := start(t, nil)
	images := build(t, r.Host+"/os", "4.20")
	to := tag(t, r.Host+"/os:4.20")
	result, err := push.Push(context.Background(), to, images, options(architectures...))
	must(t, err)
	for i, a := range architectures {
		img, err := remote.Image(to, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: a}))
		must(t, err)
		h, err := img.Digest()
		must(t, err)
		if h.String() != images[i].DigestStr() {
			t.Errorf("%s: pulled %s, built %s", a, h, images[i])
		}
		if got := file(t, img); got != a+" 4.20" {
			t.Errorf("%s: the image says %q", a, got)
		}
	}
	got, err := remote.Get(to)
	must(t, err)
	if !bytes.Equal(got.Manifest, result.Bytes) || got.Digest.String() != string(result.Descriptor.Digest) || string(got.MediaType) != ocispec.MediaTypeImageIndex {
		t.Errorf("the registry has %s %s\n%s\npushed\n%s", got.MediaType, got.Digest, got.Manifest, result.Bytes)
	}
}

func TestOrderOfImagesDoesNotShow(t *testing.T) {
	r := start(t, nil)
	images := build(t, r.Host+"/os", "4.20")
	first, err := push.Push(context.Background(), tag(t, r.Host+"/os:a"), images, options())
	must(t, err)
	slices.Reverse(images)
	second, err := push.Push(context.Background(), tag(t, r.Host+"/os:b"), images, options())
	must(t, err)
	if first.Descriptor.Digest != second.Descriptor.Digest {
		t.Errorf("%s, in another order %s", first.Descriptor.Digest, second.Descriptor.Digest)
	}
}

// A requests log has method and path of each request.
type requests struct {
	sync.Mutex
	seen []string
}

func (l *requests) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.Lock()
		l.seen = append(l.seen, r.Method+" "+r.URL.Path+"?"+r.URL.RawQuery)
		l.Unlock()
		next.ServeHTTP(w, r)
	})
}

func (l *requests) of(method, part string) []string {
	l.Lock()
	defer l.Unlock()
	var found []string
	for _, s := range l.seen {
		if strings.HasPrefix(s, method) && strings.Contains(s, part) {
			found = append(found, s)
		}
	}
	return found
}

func (l *requests) forget() {
	l.Lock()
	defer l.Unlock()
	l.seen = nil
}

func TestChildrenThenIndexThenTag(t *testing.T) {
	var log requests
	r := start(t, log.wrap)
	images := build(t, r.Host+"/build", "4.20")
	log.forget()
	result, err := push.Push(context.Background(), tag(t, r.Host+"/os:4.20"), images, options())
	must(t, err)
	var want []string
	for _, i := range images {
		want = append(want, "PUT /v2/os/manifests/"+i.DigestStr()+"?")
	}
	want = append(want, "PUT /v2/os/manifests/"+string(result.Descriptor.Digest)+"?", "PUT /v2/os/manifests/4.20?")
	if diff := cmp.Diff(want, log.of("PUT", "/manifests/")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestImagesOfTheRepositoryAreNotCopied(t *testing.T) {
	var log requests
	r := start(t, log.wrap)
	images := build(t, r.Host+"/os", "4.20")
	log.forget()
	_, err := push.Push(context.Background(), tag(t, r.Host+"/os:4.20"), images, options())
	must(t, err)
	if got := append(log.of("POST", ""), log.of("PATCH", "")...); len(got) > 0 {
		t.Errorf("uploads: %q", got)
	}
}

func TestImagesOfAnotherRepositoryAreMounted(t *testing.T) {
	var log requests
	r := start(t, log.wrap)
	images := build(t, r.Host+"/build", "4.20")
	log.forget()
	to := tag(t, r.Host+"/os:4.20")
	_, err := push.Push(context.Background(), to, images, options())
	must(t, err)
	mounts, uploads := log.of("POST", "from=build"), log.of("PATCH", "")
	if len(mounts) != 2*len(images) || len(uploads) > 0 { // a config and a layer each
		t.Errorf("mounts %q, uploads %q", mounts, uploads)
	}
	checkContents(t, to, "4.20")
}

func checkContents(t *testing.T, to name.Tag, version string) {
	t.Helper()
	want := map[string]string{}
	for _, a := range architectures {
		want[a] = a + " " + version
	}
	if _, got := pullable(t, to); !cmp.Equal(want, got) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

func TestImagesOfOtherRegistriesAreCopied(t *testing.T) {
	amd64, others, target := start(t, nil), start(t, nil), start(t, nil)
	images := append(build(t, amd64.Host+"/build", "4.20")[:1], build(t, others.Host+"/build", "4.20")[1:]...)
	to := tag(t, target.Host+"/os:4.20")
	reported := map[string]bool{}
	opts := options(architectures...)
	opts.Progress = func(image name.Digest, arrived, total int64) {
		if arrived > total {
			t.Errorf("%s: %d of %d bytes", image, arrived, total)
		}
		reported[image.String()] = true
	}
	_, err := push.Push(context.Background(), to, images, opts)
	must(t, err)
	checkContents(t, to, "4.20")
	for _, i := range images {
		if !reported[i.String()] {
			t.Errorf("no progress of %s", i)
		}
	}
}

// TestBlobsAreStreamed: the source holds back the second half of a layer until
// the target has got some of the first. Who waits for the whole blob waits in
// vain.
func TestBlobsAreStreamed(t *testing.T) {
	const half = 4 << 20
	layer := make([]byte, 2*half)
	_, _ = rand.Read(layer)
	digest := digest.FromBytes(layer)
	arrived := make(chan struct{})
	var once sync.Once
	var inVain atomic.Bool
	source := start(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/blobs/"+string(digest)) {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Length", "8388608")
			_, _ = w.Write(layer[:half])
			_ = http.NewResponseController(w).Flush()
			select {
			case <-arrived:
			case <-time.After(10 * time.Second):
				inVain.Store(true)
			}
			_, _ = w.Write(layer[half:])
		})
	})
	target := start(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if body := r.Body; r.Method == http.MethodPatch {
				r.Body = struct {
					io.Reader
					io.Closer
				}{readerFunc(func(b []byte) (int, error) {
					n, err := body.Read(b)
					if n > 512 { // more than a config
						once.Do(func() { close(arrived) })
					}
					return n, err
				}), body}
			}
			next.ServeHTTP(w, r)
		})
	})
	images := []name.Digest{upload(t, source.Host+"/build", imageOf(t, "arm64", layer))}
	_, err := push.Push(context.Background(), tag(t, target.Host+"/os:4.20"), images, options())
	must(t, err)
	if inVain.Load() {
		t.Error("the layer was held whole before any of it was sent on")
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// TestInterruptedPushLeavesAWholeTag cuts the connection at the first request,
// then at the second, and so on until a push comes through; before the registry
// sees the request, and after it has done what was asked but has not said so.
func TestInterruptedPushLeavesAWholeTag(t *testing.T) {
	for name, after := range map[string]bool{"before the request": false, "before the response": true} {
		t.Run(name, func(t *testing.T) {
			var left atomic.Int64 // requests until the cut
			left.Store(1 << 40)
			cut := func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					n := left.Add(-1)
					if n >= 0 {
						next.ServeHTTP(w, r)
						return
					}
					if after && n == -1 {
						next.ServeHTTP(discard{http.Header{}}, r)
					}
					panic(http.ErrAbortHandler) // net/http cuts the connection
				})
			}
			source, target := start(t, nil), start(t, cut)
			to := tag(t, target.Host+"/os:latest")
			_, err := push.Push(context.Background(), to, build(t, source.Host+"/build", "old"), options())
			must(t, err)
			old, oldContents := pullable(t, to)
			images := build(t, source.Host+"/build", "new")
			want, err := push.Assemble(context.Background(), images, options())
			must(t, err)

			kept := 0
			for n := int64(1); ; n++ {
				left.Store(n - 1)
				_, err := push.Push(context.Background(), to, images, options(architectures...))
				left.Store(1 << 40)
				got, contents := pullable(t, to) // fails if anything is missing
				switch {
				case err == nil:
					if got != string(want.Descriptor.Digest) {
						t.Fatalf("pushed, and the tag leads to %s, want %s", got, want.Descriptor.Digest)
					}
					checkContents(t, to, "new")
					// Blobs that arrived are not sent again, so some cuts go
					// further than the one before, but no push is short.
					if kept < 10 {
						t.Errorf("only %d cuts before a push came through", kept)
					}
					return
				case got == old:
					if !cmp.Equal(oldContents, contents) {
						t.Fatalf("cut at request %d: the old index has other images: %v", n, contents)
					}
					kept++
				case !after || got != string(want.Descriptor.Digest):
					t.Fatalf("cut at request %d: the tag leads to %s, want %s", n, got, old)
				}
				if n > 1000 {
					t.Fatal("no push comes through")
				}
			}
		})
	}
}

// discard is the response that nobody gets.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

func TestNothingIsWrittenUnlessTheIndexIsRight(t *testing.T) {
	var log requests
	source, target := start(t, nil), start(t, log.wrap)
	images := build(t, source.Host+"/build", "4.20")
	index, err := push.Push(context.Background(), tag(t, source.Host+"/build:index"), images, options())
	must(t, err)
	nested := images[0].Context().Digest(string(index.Descriptor.Digest))
	for name, tc := range map[string]struct {
		images []name.Digest
		opts   push.Options
		code   manifestlist.Code
	}{
		"missing architecture": {images[:3], options(architectures...), manifestlist.CodeMissingPlatform},
		"the same twice":       {append(images[:1:1], images...), options(), manifestlist.CodeDuplicatePlatform},
		"an index":             {append(images[:1:1], nested), options(), manifestlist.CodeNestedIndex},
	} {
		t.Run(name, func(t *testing.T) {
			log.forget()
			_, err := push.Push(context.Background(), tag(t, target.Host+"/os:4.20"), tc.images, tc.opts)
			var e *manifestlist.IndexError
			if !errors.As(err, &e) || e.Code != tc.code {
				t.Errorf("error %v, want %s", err, tc.code)
			}
			if len(log.seen) > 0 {
				t.Errorf("requests to the target: %q", log.seen)
			}
		})
	}
}

func TestErrorsNameTheImage(t *testing.T) {
	r := start(t, nil)
	images := build(t, r.Host+"/build", "4.20")
	missing := images[0].Context().Digest("sha256:" + strings.Repeat("0", 64))
	_, err := push.Push(context.Background(), tag(t, r.Host+"/os:4.20"), append(images[:1:1], missing), options())
	var e *push.Error
	if !errors.As(err, &e) || e.Op != push.OpRead || e.Reference.String() != missing.String() || e.Reason != push.ReasonNotFound {
		t.Errorf("error %v", err)
	}
	_, err = push.Push(context.Background(), tag(t, "127.0.0.1:1/os:4.20"), images, options())
	if !errors.As(err, &e) || e.Op != push.OpWrite || e.Reference.String() != "127.0.0.1:1/os@"+images[0].DigestStr() || e.Reason != push.ReasonUnreachable {
		t.Errorf("error %v", err)
	}
}

func TestPushStopsWithItsContext(t *testing.T) {
	r := start(t, nil)
	images := build(t, r.Host+"/build", "4.20")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := push.Push(ctx, tag(t, r.Host+"/os:4.20"), images, options()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
