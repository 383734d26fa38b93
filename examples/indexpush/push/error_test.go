package push_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/polyarch/polyarch/examples/indexpush/push"
)

func TestZeroValuesAreTexts(t *testing.T) {
	var none *push.Error
	for _, err := range []error{none, &push.Error{}, push.Errors{}, push.Errors{nil}, (*push.StalledError)(nil), &push.StalledError{}} {
		_ = err.Error()
	}
	if none.Unwrap() != nil || len(push.Errors{}.Unwrap()) != 0 {
		t.Error("nothing has a cause")
	}
}

// TestWhatIsNoImage is the images' trouble, not the registry's.
func TestWhatIsNoImage(t *testing.T) {
	const long = "application/vnd.example."
	for what, tc := range map[string]struct{ mediaType, body, says string }{
		"a media type":      {long + strings.Repeat("x", 1000), "{}", "… (128 of 1024 characters), want that of an image manifest"},
		"bytes":             {"application/vnd.oci.image.manifest.v1+json", "no JSON", "its manifest: invalid character"},
		"an endless config": {"application/vnd.oci.image.manifest.v1+json", `{"config":{"mediaType":"application/vnd.oci.image.config.v1+json","size":4194305}}`, "its config is 4194305 bytes, want at most 4194304"},
	} {
		t.Run(what, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", tc.mediaType)
				_, _ = io.WriteString(w, tc.body)
			}))
			defer server.Close()
			digest, _, err := v1.SHA256(strings.NewReader(tc.body))
			must(t, err)
			ref, err := name.NewDigest(strings.TrimPrefix(server.URL, "http://") + "/build@" + digest.String())
			must(t, err)
			_, err = push.Assemble(context.Background(), []name.Digest{ref}, options())
			var e *push.Error
			if !errors.As(err, &e) || e.Reason != push.ReasonNotImage || !strings.Contains(e.Error(), tc.says) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestContentThatIsNotOfTheDigest is told from every other failure.
func TestContentThatIsNotOfTheDigest(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	ref := many(t, strings.TrimPrefix(server.URL, "http://"), 1)
	_, err := push.Assemble(context.Background(), ref, options())
	var e *push.Error
	if !errors.As(err, &e) || e.Reason != push.ReasonOther || !strings.Contains(e.Error(), "does not match requested digest") {
		t.Errorf("error %v", err)
	}
}

// TestTokenServerIsNamed: it is another host than the registry that it is for.
func TestTokenServerIsNamed(t *testing.T) {
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer tokens.Close()
	// By name: go-containerregistry takes no address of a private network here.
	tokenHost := strings.Replace(strings.TrimPrefix(tokens.URL, "http://"), "127.0.0.1", "localhost", 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="http://`+tokenHost+`/token",service="test"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	_, err := push.Assemble(context.Background(), many(t, host, 1), options())
	var e *push.Error
	if !errors.As(err, &e) || e.Reason != push.ReasonUnauthorized || e.Host != tokenHost ||
		!strings.Contains(e.Error(), ": "+host+" (its server "+tokenHost+") answers 401 Unauthorized") {
		t.Errorf("error %v", err)
	}
}

// TestSlowIsNotStalled: an upload and a download that take several times the
// limit, but move, come through; and their halves that do not move do not.
func TestSlowIsNotStalled(t *testing.T) {
	const limit = time.Second
	hang := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := 0
		buffer := make([]byte, 64<<10)
		for {
			read, err := r.Body.Read(buffer)
			if n += read; err != nil {
				break
			}
			if n > 4<<20 && r.URL.Path == "/upload-stalls" {
				<-hang
			}
			if n%(2<<20) < len(buffer) {
				time.Sleep(limit / 10) // the kernel holds some megabytes of what was sent
			}
		}
		w.WriteHeader(http.StatusOK)
		for i := range 8 {
			_, _ = w.Write(buffer)
			_ = http.NewResponseController(w).Flush()
			time.Sleep(limit / 4)
			if i == 4 && r.URL.Path == "/download-stalls" {
				<-hang
			}
		}
	}))
	t.Cleanup(server.Close) // waits for its handlers
	t.Cleanup(func() { close(hang) })
	client := http.Client{Transport: push.Stall(http.DefaultTransport, limit)}
	for path, stalls := range map[string]bool{"/": false, "/upload-stalls": true, "/download-stalls": true} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			resp, err := client.Post(server.URL+path, "", io.LimitReader(rand.Reader, 16<<20))
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				must(t, resp.Body.Close())
			}
			var stalled *push.StalledError
			if errors.As(err, &stalled) != stalls || !stalls && err != nil {
				t.Errorf("error %v", err)
			}
			if took := time.Since(start); !stalls && took < 2*limit {
				t.Errorf("it took %s, which tells nothing of a limit of %s", took, limit)
			}
		})
	}
}

// TestErrorsAreOfBoundedLength, whatever a registry says.
func TestErrorsAreOfBoundedLength(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		_ = json.NewEncoder(w).Encode(map[string]any{"errors": []any{map[string]string{"code": "DENIED", "message": "over\nquota " + strings.Repeat("x", 10000)}}})
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	_, err := push.Assemble(context.Background(), many(t, host, 1), push.Options{Remote: []remote.Option{remote.WithJobs(1)}})
	var e *push.Error
	if !errors.As(err, &e) || e.Reason != push.ReasonRefused || e.Status != 413 || !strings.Contains(e.Error(), "413 Request Entity Too Large: over quota xxx") || len(e.Error()) > 400 {
		t.Errorf("error %v", err)
	}
}
