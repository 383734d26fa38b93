package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/opencontainers/go-digest"

	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/manifestlist"
)

const user, password = "builder", "s3cret"

// guarded refuses whoever does not log in.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u, p, _ := r.BasicAuth(); u != user || p != password {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// setUp starts a registry with login, logs in as docker login does, and pushes an
// image without layers for each architecture.
func setUp(t *testing.T, architectures ...string) (host string, images []string) {
	t.Helper()
	r, err := registry.Start(registry.Options{Wrap: guarded})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("registry: %v", err)
		}
	})
	dir := t.TempDir()
	config := fmt.Sprintf(`{"auths":{%q:{"auth":%q}}}`, r.Host, base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DOCKER_CONFIG", dir)
	for _, a := range architectures {
		img, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{OS: "linux", Architecture: a, RootFS: v1.RootFS{Type: "layers"}})
		if err != nil {
			t.Fatal(err)
		}
		h, err := img.Digest()
		if err != nil {
			t.Fatal(err)
		}
		ref, err := name.NewDigest(r.Host + "/build@" + h.String())
		if err != nil {
			t.Fatal(err)
		}
		if err := remote.Write(ref, img, remote.WithAuth(&authn.Basic{Username: user, Password: password})); err != nil {
			t.Fatal(err)
		}
		images = append(images, ref.String())
	}
	return r.Host, images
}

// execute runs the command, which tries as often as it does for users, but waits
// less between its tries.
func execute(args ...string) (code int, stdout, stderr string) {
	return executeContext(context.Background(), args...)
}

func executeContext(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	c := command{stdout: &out, stderr: &errs, remote: []remote.Option{
		remote.WithRetryBackoff(remote.Backoff{Duration: time.Millisecond, Factor: 1, Steps: 3}),
	}}
	code = c.run(ctx, args)
	return code, out.String(), errs.String()
}

func TestRunPushes(t *testing.T) {
	host, images := setUp(t, "s390x", "amd64")
	code, stdout, stderr := execute(append([]string{"--to", host + "/os:4.20", "--require", "linux/amd64, linux/s390x,"}, images...)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	ref, err := name.NewDigest(strings.TrimSpace(stdout))
	if err != nil {
		t.Fatalf("standard output %q: %v", stdout, err)
	}
	tagged, err := remote.Get(ref.Context().Tag("4.20"), remote.WithAuth(&authn.Basic{Username: user, Password: password}))
	if err != nil {
		t.Fatal(err)
	}
	if tagged.Digest.String() != ref.DigestStr() {
		t.Errorf("the tag leads to %s, printed %s", tagged.Digest, ref)
	}
}

func TestRunDryRunPrintsTheIndexAndPushesNothing(t *testing.T) {
	host, images := setUp(t, "arm64")
	code, stdout, stderr := execute(append([]string{"--dry-run", "--to", host + "/os:4.20"}, images...)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	index, err := manifestlist.Parse([]byte(stdout))
	if err != nil || len(index.Manifests) != 1 || index.Manifests[0].Platform.Architecture != "arm64" {
		t.Errorf("standard output %q: %v", stdout, err)
	}
	ref, err := name.NewTag(host + "/os:4.20")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := remote.Head(ref, remote.WithAuth(&authn.Basic{Username: user, Password: password})); err == nil {
		t.Error("the tag is there")
	}
	if code, again, _ := execute(append([]string{"--dry-run"}, images...)...); code != 0 || again != stdout {
		t.Errorf("without --to: exit code %d, %q", code, again)
	}
}

func TestRunComplains(t *testing.T) {
	host, images := setUp(t, "amd64", "s390x")
	wrongLogin := filepath.Join(t.TempDir(), "none")
	for _, tc := range []struct {
		name    string
		args    []string
		code    int
		says    []string
		noLogin bool
	}{
		{name: "no --to", args: images, code: 64, says: []string{"--to is missing"}},
		{name: "--to without a tag", args: append([]string{"--to", host + "/os"}, images...), code: 64, says: []string{host + "/os", "repository:tag"}},
		{name: "no image", args: []string{"--to", host + "/os:4.20"}, code: 64, says: []string{"sha256"}},
		{name: "image by tag", args: []string{"--to", host + "/os:4.20", host + "/build:latest"}, code: 64, says: []string{host + "/build:latest"}},
		{name: "--require an architecture alone", args: append([]string{"--to", host + "/os:4.20", "--require", "amd64"}, images...), code: 64, says: []string{`"amd64"`, "os/architecture"}},
		{name: "unknown flag", args: []string{"--tag", "x"}, code: 64, says: []string{"--tag", "--help"}},
		{name: "--insecure with a URL", args: append([]string{"--to", host + "/os:4.20", "--insecure=http://" + host}, images...), code: 64, says: []string{"--insecure", `"http://`, "host[:port]"}},
		{name: "--parallel 0", args: append([]string{"--to", host + "/os:4.20", "--parallel", "0"}, images...), code: 64, says: []string{"--parallel: 0"}},
		{name: "--stall-timeout 0s", args: append([]string{"--to", host + "/os:4.20", "--stall-timeout", "0s"}, images...), code: 64, says: []string{"--stall-timeout: 0s"}},
		{name: "--authfile that is not there", args: append([]string{"--to", host + "/os:4.20", "--authfile", wrongLogin}, images...), code: 64, says: []string{"--authfile", wrongLogin}},
		{name: "missing architecture", args: append([]string{"--to", host + "/os:4.20", "--require", "linux/arm64"}, images...), code: 1, says: []string{"linux/arm64", "linux/s390x", "nothing was pushed"}},
		{name: "the same image twice", args: append([]string{"--to", host + "/os:4.20", images[0]}, images...), code: 1, says: []string{"children[" + images[0] + "]: DuplicatePlatform", "nothing was pushed"}},
		{name: "no such image", args: []string{"--to", host + "/os:4.20", absent(host, "0"), images[0], absent(host, "1")}, code: 2,
			says: []string{"read " + absent(host, "0") + ": " + host + " answers 404", "read " + absent(host, "1") + ": " + host + " answers 404", "check name and digest", host + "/os:4.20 was not touched"}},
		{name: "no login", noLogin: true, args: append([]string{"--to", host + "/os:4.20"}, images...), code: 2,
			says: []string{"read " + images[0] + ": " + host + " answers 401 Unauthorized", "no credentials for " + host + " were found", "podman login " + host, "docker login " + host, "--authfile FILE"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.noLogin {
				t.Setenv("DOCKER_CONFIG", wrongLogin)
				t.Setenv("HOME", wrongLogin)
				t.Setenv("XDG_RUNTIME_DIR", wrongLogin)
			}
			code, stdout, stderr := execute(tc.args...)
			if code != tc.code || stdout != "" {
				t.Errorf("exit code %d, standard output %q; want %d and nothing", code, stdout, tc.code)
			}
			for _, s := range tc.says {
				if !strings.Contains(stderr, s) {
					t.Errorf("does not say %s:\n%s", s, stderr)
				}
			}
		})
	}
}

// absent names an image that is not there.
func absent(host, digit string) string {
	return host + "/build@sha256:" + strings.Repeat(digit, 64)
}

func TestProgressIsNotEveryByte(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0).Add(time.Hour)
	p := &progress{out: &out, every: 2 * time.Second, now: func() time.Time { return now }}
	image, err := name.NewDigest("localhost/build@sha256:" + strings.Repeat("0", 64))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		p.report(image, 1_500_000, 3_000_000)
		now = now.Add(500 * time.Millisecond)
	}
	if got := strings.Count(out.String(), "\n"); got != 3 {
		t.Errorf("%d lines in 4.5 s, want 3:\n%s", got, out.String())
	}
	if !strings.Contains(out.String(), image.String()+": 1.5 of 3.0 MB") {
		t.Errorf("got %s", out.String())
	}
}

func digestOf(document string) string {
	return digest.FromString(strings.TrimSuffix(document, "\n")).String()
}
