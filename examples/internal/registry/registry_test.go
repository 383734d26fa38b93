package registry_test

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/polyarch/polyarch/examples/internal/registry"
)

func TestAnImageComesBackAsItWasPushed(t *testing.T) {
	var requests atomic.Int64
	r, err := registry.Start(registry.Options{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			requests.Add(1)
			next.ServeHTTP(w, req)
		})
	}})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := name.ParseReference(r.Host + "/os/image:latest")
	if err != nil {
		t.Fatal(err)
	}
	image, err := random.Image(1024, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.Write(ref, image); err != nil {
		t.Fatal(err)
	}
	got, err := remote.Image(ref)
	if err != nil {
		t.Fatal(err)
	}
	wantDigest, err := image.Digest()
	if err != nil {
		t.Fatal(err)
	}
	gotDigest, err := got.Digest()
	if err != nil {
		t.Fatal(err)
	}
	if gotDigest != wantDigest {
		t.Errorf("pulled %s, pushed %s", gotDigest, wantDigest)
	}
	if requests.Load() == 0 {
		t.Error("Wrap saw no request")
	}
	if err := r.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if resp, err := http.Get("http://" + r.Host + "/v2/"); err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		t.Error("the registry answers after Close")
	}
}
