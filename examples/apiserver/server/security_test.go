package server_test

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// do sends one request with the client's credentials.
func (e *env) do(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	return send(t, e.Config(), method, path, body)
}

func send(t *testing.T, config *rest.Config, method, path, body string) (int, string) {
	t.Helper()
	return sendAs(t, config, method, path, "application/json", body)
}

func sendAs(t *testing.T, config *rest.Config, method, path, contentType, body string) (int, string) {
	t.Helper()
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, config.Host+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}

// TestAnonymousRefused asks for everything there is, without the token.
func TestAnonymousRefused(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy)
	paths := []string{"/", "/nonsense", "/healthz", "/livez", "/readyz", "/metrics", "/metrics/slis", "/version", "/statusz", "/flagz",
		"/debug/pprof/", "/logs/", "/swagger.json", "/openapi/v2", "/openapi/v3", "/api", "/apis", "/apis/", "/api/v1", "/.well-known/openid-configuration"}
	var index struct{ Paths []string }
	_, answer := e.do(t, http.MethodGet, "/", "")
	if err := json.Unmarshal([]byte(answer), &index); err != nil || len(index.Paths) < 30 {
		t.Fatalf("index: %v, %d paths", err, len(index.Paths))
	}
	paths = append(paths, index.Paths...)
	var v3 struct {
		Paths map[string]struct{ ServerRelativeURL string }
	}
	_, answer = e.do(t, http.MethodGet, "/openapi/v3", "")
	if err := json.Unmarshal([]byte(answer), &v3); err != nil || len(v3.Paths) == 0 {
		t.Fatalf("openapi: %v, %d paths", err, len(v3.Paths))
	}
	for _, p := range v3.Paths {
		paths = append(paths, p.ServerRelativeURL)
	}
	d, err := discovery.NewDiscoveryClientForConfig(e.Config())
	if err != nil {
		t.Fatal(err)
	}
	_, lists, err := d.ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		root := "/apis/"
		if list.GroupVersion == "v1" {
			root = "/api/"
		}
		group, _, _ := strings.Cut(list.GroupVersion, "/")
		paths = append(paths, root+group, root+list.GroupVersion)
		for _, r := range list.APIResources {
			plural, sub, isSub := strings.Cut(r.Name, "/")
			at := root + list.GroupVersion
			if r.Namespaced {
				at += "/namespaces/demo"
			}
			at += "/" + plural
			if !isSub {
				paths = append(paths, at, at+"?watch=true")
				at += "/some"
			} else {
				at += "/some/" + sub
			}
			paths = append(paths, at)
		}
	}
	t.Logf("%d paths", len(paths))

	for who, change := range map[string]func(*rest.Config){
		"nobody":           func(c *rest.Config) { c.BearerToken = "" },
		"another token":    func(c *rest.Config) { c.BearerToken = strings.Repeat("0", len(c.BearerToken)) },
		"a longer token":   func(c *rest.Config) { c.BearerToken += "0" },
		"a password":       func(c *rest.Config) { c.BearerToken, c.Username, c.Password = "", "admin", c.BearerToken },
		"system:anonymous": func(c *rest.Config) { c.BearerToken, c.Impersonate.UserName = "", "system:anonymous" },
	} {
		config := e.Config()
		change(config)
		methods := []string{http.MethodGet}
		if who == "nobody" {
			methods = append(methods, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions)
		}
		for _, method := range methods {
			for _, path := range paths {
				if code, answer := send(t, config, method, path, ""); code != http.StatusUnauthorized {
					t.Errorf("%s: %s %s: %d %.200s, want 401", who, method, path, code, answer)
				}
			}
		}
	}
	t.Run("a user without rights", func(t *testing.T) {
		config := e.Config()
		config.Impersonate.UserName = "somebody"
		for _, path := range paths {
			if code, answer := send(t, config, http.MethodGet, path, ""); code != http.StatusForbidden {
				t.Errorf("%s: %d %.200s, want 403", path, code, answer)
			}
		}
	})
	t.Run("plain HTTP", func(t *testing.T) {
		response, err := http.Get("http://" + strings.TrimPrefix(e.Config().Host, "https://") + "/healthz")
		if err == nil {
			response.Body.Close()
			if response.StatusCode != http.StatusBadRequest {
				t.Errorf("got %s, want a refusal", response.Status)
			}
		}
	})
	t.Run("files", func(t *testing.T) {
		token := []byte(e.Config().BearerToken)
		err := filepath.WalkDir(filepath.Dir(e.Kubeconfig()), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			// What guards a socket is its directory.
			if info.Mode().Perm()&0o077 != 0 && info.Mode().Type() != fs.ModeSocket {
				t.Errorf("%s has mode %s", path, info.Mode())
			}
			if entry.Name() == filepath.Base(e.LogFile()) {
				if content, err := os.ReadFile(path); err != nil || bytes.Contains(content, token) {
					t.Errorf("%s: error %v, or the token is in it", path, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
