package push_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/polyarch/polyarch/examples/indexpush/push"
)

// many are as many names as asked for, of images that need not be there.
func many(t *testing.T, host string, n int) []name.Digest {
	t.Helper()
	var all []name.Digest
	for i := range n {
		hex := strings.Repeat("0", 60) + string("0123456789abcdef"[i/16%16]) + string("0123456789abcdef"[i%16]) + "00"
		ref, err := name.NewDigest(host + "/build@sha256:" + hex)
		must(t, err)
		all = append(all, ref)
	}
	return all
}

// TestImagesAreReadEightAtATime: each manifest is held back until eight are asked
// for, so who asks for fewer gets none; and none may come on top.
func TestImagesAreReadEightAtATime(t *testing.T) {
	var logins atomic.Int64
	var mu sync.Mutex
	var now, most int
	count := func(by int) int {
		mu.Lock()
		defer mu.Unlock()
		now += by
		most = max(most, now)
		return now
	}
	full := make(chan struct{})
	var once sync.Once
	r := start(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.URL.Path, "/manifests/") {
				if r.URL.Path == "/v2/" {
					logins.Add(1)
				}
				next.ServeHTTP(w, r)
				return
			}
			defer count(-1)
			if count(1) == push.DefaultParallel {
				once.Do(func() { close(full) })
			}
			select {
			case <-full:
			case <-time.After(10 * time.Second):
			}
			time.Sleep(time.Millisecond) // for a ninth to come
			next.ServeHTTP(w, r)
		})
	})
	images := many(t, r.Host, 200)
	_, err := push.Assemble(context.Background(), images, push.Options{})
	var errs push.Errors
	if !errors.As(err, &errs) || len(errs) != len(images) {
		t.Fatalf("%d errors, want one for each of the %d images: %v", len(errs), len(images), err)
	}
	for i, e := range errs {
		if e.Reference.String() != images[i].String() || e.Reason != push.ReasonNotFound {
			t.Fatalf("error %d is %v, want that of %s", i, e, images[i])
		}
	}
	if most != push.DefaultParallel {
		t.Errorf("%d manifests at the same time, want %d", most, push.DefaultParallel)
	}
	if logins.Load() != 1 {
		t.Errorf("%d logins to one repository, want 1", logins.Load())
	}
}

// TestAFailingRegistryIsNotAskedOnAndOn: every image would fail in the same way.
func TestAFailingRegistryIsNotAskedOnAndOn(t *testing.T) {
	var asked atomic.Int64
	r := start(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/manifests/") {
				asked.Add(1)
				w.WriteHeader(http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	images := many(t, r.Host, 200)
	_, err := push.Assemble(context.Background(), images, push.Options{Parallel: 3})
	var errs push.Errors
	if !errors.As(err, &errs) || errs[0].Reference.String() != images[0].String() || errs[0].Reason != push.ReasonForbidden {
		t.Fatalf("error %v, want that of the first image first", err)
	}
	if n := asked.Load(); n > 2*3 {
		t.Errorf("%d images were asked for", n)
	}
}

// TestResultDoesNotDependOnTheOrderOfAnswers: the first image is the last to come.
func TestResultDoesNotDependOnTheOrderOfAnswers(t *testing.T) {
	var first atomic.Pointer[string]
	var others sync.WaitGroup
	r := start(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if s := first.Load(); s != nil && strings.Contains(r.URL.Path, "/manifests/") {
				if strings.HasSuffix(r.URL.Path, *s) {
					others.Wait()
				} else {
					defer others.Done()
				}
			}
			next.ServeHTTP(w, r)
		})
	})
	images := build(t, r.Host+"/build", "4.20")
	want, err := push.Assemble(context.Background(), images, options())
	must(t, err)
	others.Add(len(images) - 1)
	s := images[0].DigestStr()
	first.Store(&s)
	got, err := push.Assemble(context.Background(), images, push.Options{Remote: []remote.Option{remote.WithJobs(8)}})
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-in order +overtaken):\n%s", diff)
	}
}
