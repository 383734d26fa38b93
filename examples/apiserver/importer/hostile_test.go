package importer_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/registry"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/examples/apiserver/importer"
	"github.com/polyarch/polyarch/examples/internal/testimages"
)

const (
	user   = "robot"
	secret = "correct-horse-battery-staple"
)

// A script answers a request in the registry's place, if it returns true.
type script func(w http.ResponseWriter, r *http.Request) bool

// scripted is a registry with a list at x/y:v1, and a script before it that may be
// set later.
type scripted struct {
	host string
	mu   sync.Mutex
	do   script
}

func (s *scripted) ServeHTTP(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		do := s.do
		s.mu.Unlock()
		if do == nil || !do(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

func (s *scripted) play(do script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.do = do
}

func startScripted(t *testing.T) *scripted {
	t.Helper()
	s := &scripted{}
	server := httptest.NewServer(s.ServeHTTP(registry.New(registry.Logger(log.New(io.Discard, "", 0)))))
	t.Cleanup(server.Close)
	s.host = strings.TrimPrefix(server.URL, "http://")
	testimages.Push(t, s.host+"/x/y:v1", testimages.Multi(t, "x", "amd64", "arm64"))
	return s
}

func keychain() authn.Keychain {
	content := fmt.Sprintf(`{"auths":{"http://127.0.0.1/":{"auth":%q}}}`, base64.StdEncoding.EncodeToString([]byte(user+":"+secret)))
	return importer.Keychain([]corev1.Secret{{Type: corev1.SecretTypeDockerConfigJson, Data: map[string][]byte{corev1.DockerConfigJsonKey: []byte(content)}}})
}

// anyPort finds the credentials of the host whatever its port, which tests do not
// know beforehand.
type anyPort struct{ authn.Keychain }

type host string

func (h host) String() string      { return string(h) }
func (h host) RegistryStr() string { return string(h) }

func (k anyPort) Resolve(r authn.Resource) (authn.Authenticator, error) {
	name, _, _ := strings.Cut(r.RegistryStr(), ":")
	return k.Keychain.Resolve(host(name))
}

var quickly = importer.Limits{Exchange: 2 * time.Second, Body: 64 << 10, Entries: 16, Tags: 20_000}

// hold wants the import to fail so, and no word of the credentials in why.
func hold(t *testing.T, err error, reason metav1.StatusReason, says string) {
	t.Helper()
	if err == nil {
		t.Fatal("imported")
	}
	status := importer.Status(err, "the-image")
	if status.Reason != reason || !strings.Contains(status.Message, says) {
		t.Errorf("%s: %s (%v), want %s: %s", status.Reason, status.Message, err, reason, says)
	}
	for _, word := range []string{secret, base64.StdEncoding.EncodeToString([]byte(user + ":" + secret)), "fishing"} {
		if text, _ := json.Marshal(status); strings.Contains(string(text), word) {
			t.Errorf("13: the status says %s: %s", word, text)
		}
	}
}

// TestHostileRegistry imports from a registry that does what it can.
func TestHostileRegistry(t *testing.T) {
	t.Parallel()
	flood := func(w http.ResponseWriter) {
		line := strings.Repeat(" ", 4096)
		for range 4096 {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
	}
	path := func(part string, do func(w http.ResponseWriter, r *http.Request)) script {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, part) {
				return false
			}
			do(w, r)
			return true
		}
	}
	manifest := func(content string) script {
		return path("/manifests/v1", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", ocispec.MediaTypeImageIndex)
			io.WriteString(w, content)
		})
	}
	entries := func(n int) string {
		entry := `{"mediaType":"application/vnd.oci.image.manifest.v1+json","size":5,"digest":"sha256:` + strings.Repeat("0", 64) + `"}`
		return `{"schemaVersion":2,"mediaType":"` + ocispec.MediaTypeImageIndex + `","manifests":[` + strings.TrimSuffix(strings.Repeat(entry+",", n), ",") + `]}`
	}
	stall := func(r *http.Request) { <-r.Context().Done() }
	internal := metav1.StatusReasonInternalError
	for _, c := range []struct {
		name   string
		do     script
		reason metav1.StatusReason
		says   string
	}{
		{"9: another manifest than the digest says", path("/manifests/sha256:", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, entries(1)) }), internal, "content integrity"},
		{"9: another config than the digest says", path("/blobs/sha256:", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"architecture":"amd64"}`) }), internal, "content integrity"},
		{"10: it says nothing", path("/manifests/v1", func(_ http.ResponseWriter, r *http.Request) { stall(r) }), metav1.StatusReasonTimeout, "in time"},
		{"10: it says nothing from the start", path("/v2/", func(_ http.ResponseWriter, r *http.Request) { stall(r) }), metav1.StatusReasonTimeout, "in time"},
		{"10: it stops within a manifest", path("/manifests/v1", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			stall(r)
		}), metav1.StatusReasonTimeout, "in time"},
		{"10: it stops within a config", path("/blobs/", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			stall(r)
		}), metav1.StatusReasonTimeout, "in time"},
		{"10: a manifest without end", path("/manifests/v1", func(w http.ResponseWriter, _ *http.Request) { flood(w) }), internal, "larger than 65536 bytes"},
		{"10: a config without end", path("/blobs/", func(w http.ResponseWriter, _ *http.Request) { flood(w) }), internal, ""},
		{"10: an error without end", path("/manifests/v1", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			flood(w)
		}), internal, ""},
		{"10: a list of very many", manifest(entries(17)), internal, "17 entries"},
		{"10: a list of nothing", manifest(entries(0)), internal, "is empty"},
		{"a manifest that is nothing", manifest(`[]`), internal, "no JSON object"},
		{"a manifest that is a list and an image", manifest(strings.TrimSuffix(entries(1), "}") + `,"layers":[]}`), internal, "not valid"},
		{"a manifest of schema 1", path("/manifests/v1", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/vnd.docker.distribution.manifest.v1+json")
			io.WriteString(w, `{"schemaVersion":1,"fsLayers":[]}`)
		}), internal, "schema version 1"},
		{"an entry without a digest", manifest(strings.ReplaceAll(entries(1), "sha256:", "md5:")), internal, "digest is not valid"},
		{"13: it repeats credentials in an error", path("/manifests/v1", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprintf(w, `{"errors":[{"code":"DENIED","message":"fishing %s %s"}]}`, r.Header.Get("Authorization"), secret)
		}), metav1.StatusReasonForbidden, "may not have access"},
		{"13: it repeats credentials in the type of a manifest", manifest(`{"schemaVersion":2,"mediaType":"` + secret + `","config":{},"layers":[]}`), internal, "digest of the config"},
		{"13: it repeats credentials in the type of nothing", manifest(`{"schemaVersion":2,"mediaType":"` + secret + `"}`), internal, "not supported"},
		{"13: it repeats credentials in a digest", manifest(strings.Replace(entries(1), "sha256:", secret, 1)), internal, "without a valid digest"},
		{"13: it repeats credentials in a platform", manifest(strings.Replace(entries(1), `"size"`, `"platform":{"os":"linux","architecture":"`+secret+`"},"size"`, 1)), internal, "another platform"},
		{"13: it repeats credentials in the config of an image", manifest(`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{"digest":"` + secret + `"},"layers":[]}`), internal, "digest of the config"},
		{"13: it repeats credentials in a broken list", manifest(strings.Replace(entries(1), `"size"`, `"size":"`+secret+`","Size"`, 1)), internal, "list is not valid"},
		{"13: it repeats credentials where it redirects to", path("/manifests/v1", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+secret+".invalid/?"+url.QueryEscape(secret), http.StatusFound)
		}), internal, ""},
		{"it redirects in a circle", path("/manifests/v1", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }), internal, "redirects without end"},
		{"it has no such image", path("/manifests/v1", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"errors":[{"code":"MANIFEST_UNKNOWN"}]}`)
		}), metav1.StatusReasonNotFound, "the-image"},
		{"2: it has one image of the list less", path("/manifests/sha256:", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
		}), internal, "linux/amd64) of the list: the registry answers 404"},
		{"it has too much to do", path("/manifests/v1", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }), metav1.StatusReasonTooManyRequests, "too many"},
		{"it goes away", path("/manifests/v1", func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }), internal, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := startScripted(t)
			r.play(func(w http.ResponseWriter, req *http.Request) bool {
				if name, password, _ := req.BasicAuth(); name != user || password != secret {
					w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
					w.WriteHeader(http.StatusUnauthorized)
					return true
				}
				return c.do(w, req)
			})
			s := importer.New(importer.Options{Limits: quickly}).Session(importer.Policy{}, anyPort{keychain()})
			_, err := s.Import(t.Context(), importer.Wish{From: r.host + "/x/y:v1", Mode: preserve, Insecure: true})
			hold(t, err, c.reason, c.says)
		})
	}
}

// TestTags lists the tags of a registry, and of one that lists too many.
func TestTags(t *testing.T) {
	t.Parallel()
	list := func(t *testing.T, pages func(page int) (tags []string, more bool)) ([]string, error) {
		t.Helper()
		r := startScripted(t)
		page := 0
		r.play(func(w http.ResponseWriter, req *http.Request) bool {
			if !strings.HasSuffix(req.URL.Path, "/tags/list") {
				return false
			}
			tags, more := pages(page)
			page++
			if more {
				w.Header().Set("Link", fmt.Sprintf(`<%s?last=%d>; rel="next"`, req.URL.Path, page))
			}
			json.NewEncoder(w).Encode(map[string]any{"name": "x/y", "tags": tags})
			return true
		})
		return importer.New(importer.Options{Limits: quickly}).Session(importer.Policy{}, nil).Tags(t.Context(), r.host+"/x/y", true)
	}
	thousand := func(page int) []string {
		var tags []string
		for i := range 1000 {
			tags = append(tags, fmt.Sprintf("t-%d-%d", page, i))
		}
		return tags
	}
	t.Run("those that are wanted most first", func(t *testing.T) {
		t.Parallel()
		tags, err := list(t, func(int) ([]string, bool) {
			return []string{"a", "1.2.3", "v2.0", "latest", "10.0", "v1.10.0", "2.0-rc1", "b", "a", "not a tag", "../up", "10.0.1-x"}, false
		})
		if err != nil || strings.Join(tags, " ") != "latest 10.0 v2.0 2.0-rc1 10.0.1-x v1.10.0 1.2.3 a b" {
			t.Errorf("%v, %v", tags, err)
		}
	})
	t.Run("10: 10,000 tags", func(t *testing.T) {
		t.Parallel()
		tags, err := list(t, func(page int) ([]string, bool) { return thousand(page), page < 9 })
		if err != nil || len(tags) != 10_000 {
			t.Errorf("%d tags, %v", len(tags), err)
		}
	})
	t.Run("10: tags without end", func(t *testing.T) {
		t.Parallel()
		_, err := list(t, func(page int) ([]string, bool) { return thousand(page), true })
		hold(t, err, metav1.StatusReasonInternalError, "more than 20000 tags")
	})
	t.Run("10: pages without end, and without tags", func(t *testing.T) {
		t.Parallel()
		_, err := list(t, func(int) ([]string, bool) { return nil, true })
		hold(t, err, metav1.StatusReasonInternalError, "more than 20000 tags")
	})
	t.Run("10: a page without end", func(t *testing.T) {
		t.Parallel()
		_, err := list(t, func(page int) ([]string, bool) {
			return []string{strings.Repeat("a", 100<<10)}, false
		})
		hold(t, err, metav1.StatusReasonInternalError, "larger than")
	})
}

// TestParallel holds that no more requests are under way than the limit allows.
func TestParallel(t *testing.T) {
	t.Parallel()
	r := startScripted(t)
	var mu sync.Mutex
	now, most := 0, 0
	r.play(func(w http.ResponseWriter, req *http.Request) bool {
		if req.Method != http.MethodGet || req.URL.Path == "/v2/" {
			return false
		}
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		time.Sleep(2 * time.Millisecond)
		mu.Lock()
		now--
		mu.Unlock()
		return false
	})
	for content := range 8 {
		testimages.Push(t, fmt.Sprintf("%s/x/y:%d", r.host, content), testimages.Multi(t, fmt.Sprint(content), "amd64", "arm64", "s390x"))
	}
	i := importer.New(importer.Options{Limits: importer.Limits{Parallel: 3, Requests: 4}})
	var imports sync.WaitGroup
	for range 2 {
		s := i.Session(importer.Policy{}, nil)
		for tag := range 8 {
			imports.Go(func() {
				if _, err := s.Import(t.Context(), importer.Wish{From: fmt.Sprintf("%s/x/y:%d", r.host, tag), Mode: preserve, Insecure: true}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	imports.Wait()
	if most > 4 || most < 2 {
		t.Errorf("10: %d requests at the same time, want at most 4, and more than one", most)
	}
}
