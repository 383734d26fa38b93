package main

import (
	"encoding/base64"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
)

// offLoopback serves a registry at an address that go-containerregistry does not
// take for loopback, and returns its host and the names of two images in it.
func offLoopback(t *testing.T, tls bool) (host string, images []string) {
	t.Helper()
	var handler http.Handler
	r := startPlain(t, func(next http.Handler) http.Handler { handler = next; return next })
	listener, err := net.Listen("tcp", "127.0.0.2:0") // Linux answers for all of 127/8
	if err != nil {
		t.Skipf("NOT TESTED with a registry off loopback: %v", err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(&strings.Builder{}, "", 0)
	_ = server.Listener.Close()
	server.Listener = listener
	if tls {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	host = listener.Addr().String()
	for _, i := range build(t, r.Host+"/build") {
		images = append(images, strings.Replace(i, r.Host, host, 1))
	}
	return host, images
}

func TestInsecureRegistries(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	for _, tc := range []struct {
		name string
		tls  bool
		says []string
	}{
		{name: "plain HTTP", says: []string{"HOST speaks HTTP without TLS"}},
		{name: "unverified TLS", tls: true, says: []string{"the certificate of HOST is not trusted: ", "SSL_CERT_FILE"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			host, images := offLoopback(t, tc.tls)
			push := func(flags ...string) (int, string) {
				code, _, stderr := execute(append(append(flags, "--to", host+"/os:4.20"), images...)...)
				return code, stderr
			}
			for _, flags := range [][]string{{}, {"--insecure=quay.io"}, {"--insecure=127.0.0.2"}} {
				code, stderr := push(flags...)
				if code != exitRegistry {
					t.Errorf("%q: exit code %d: %s", flags, code, stderr)
				}
				for _, s := range append(tc.says, "--insecure=HOST") {
					if s = strings.ReplaceAll(s, "HOST", host); !strings.Contains(stderr, s) {
						t.Errorf("%q: does not say %s:\n%s", flags, s, stderr)
					}
				}
			}
			for _, flags := range [][]string{{"--insecure"}, {"--insecure=quay.io," + host}, {"--insecure=quay.io", "--insecure=" + host}} {
				if code, stderr := push(flags...); code != exitPushed {
					t.Errorf("%q: exit code %d: %s", flags, code, stderr)
				}
			}
		})
	}
}

func authOf(user, password string) string {
	return base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
}

func TestAuthFile(t *testing.T) {
	host, images := setUp(t, "amd64", "arm64")
	none := filepath.Join(t.TempDir(), "none")
	for _, v := range []string{"DOCKER_CONFIG", "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"} {
		t.Setenv(v, none)
	}
	right, wrong := authOf(user, password), authOf("somebody", "else")
	file := func(auths string) string {
		path := filepath.Join(t.TempDir(), "auth.json")
		if err := os.WriteFile(path, []byte(`{"auths":{`+auths+`}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	entry := func(key, auth string) string { return fmt.Sprintf(`%q:{"auth":%q}`, key, auth) }
	for _, tc := range []struct {
		name  string
		auths string
		code  int
		says  []string
	}{
		{name: "of the registry", auths: entry(host, right)},
		{name: "of the repositories before the registry", auths: entry(host, wrong) + "," + entry(host+"/build", right) + "," + entry(host+"/demo", right)},
		{name: "of another registry", auths: entry("quay.io", right), code: exitRegistry, says: []string{"401 Unauthorized", "no credentials for " + host + " were found"}},
		{name: "refused", auths: entry(host, wrong), code: exitRegistry, says: []string{"401 Unauthorized", host + " does not accept the credentials that were found for it"}},
		{name: "not JSON", auths: "{", code: exitUsage, says: []string{"--authfile", "auth.json"}},
	} {
		for _, how := range []string{"flag", "environment"} {
			t.Run(tc.name+"/"+how, func(t *testing.T) {
				args := append([]string{"--to", host + "/demo/os:4.20"}, images...)
				if path := file(tc.auths); how == "flag" {
					args = append(args, "--authfile", path)
				} else {
					t.Setenv("REGISTRY_AUTH_FILE", path)
				}
				code, _, stderr := execute(args...)
				if code != tc.code {
					t.Errorf("exit code %d, want %d: %s", code, tc.code, stderr)
				}
				for _, s := range tc.says {
					if !strings.Contains(stderr, s) {
						t.Errorf("does not say %s:\n%s", s, stderr)
					}
				}
			})
		}
	}
}

// TestAuthFileKeys: from the most particular key to the registry, and Docker Hub by
// both names.
func TestAuthFileKeys(t *testing.T) {
	for want, tc := range map[string]struct{ target, auths string }{
		"repository": {"quay.io/demo/os", `"quay.io":{"auth":"REGISTRY"},"quay.io/demo/os":{"auth":"RIGHT"},"quay.io/demo":{"auth":"OTHER"}`},
		"namespace":  {"quay.io/demo/os", `"quay.io":{"auth":"OTHER"},"quay.io/demo":{"auth":"RIGHT"},"quay.io/demo/os/more":{"auth":"OTHER"}`},
		"registry":   {"quay.io/demo/os", `"quay.io":{"auth":"RIGHT"},"quay.io/dem":{"auth":"OTHER"}`},
		"docker":     {"library/os", `"https://index.docker.io/v1/":{"auth":"RIGHT"}`},
		"podman":     {"library/os", `"docker.io":{"auth":"RIGHT"}`},
		"podman ns":  {"library/os", `"docker.io":{"auth":"OTHER"},"docker.io/library":{"auth":"RIGHT"}`},
		"none":       {"library/os", `"quay.io":{"auth":"OTHER"}`},
	} {
		auths := strings.NewReplacer("RIGHT", authOf("right", "x"), "REGISTRY", authOf("registry", "x"), "OTHER", authOf("other", "x")).Replace(tc.auths)
		path := filepath.Join(t.TempDir(), "auth.json")
		if err := os.WriteFile(path, []byte(`{"auths":{`+auths+`}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		a := arguments{authFile: path}
		keychain, err := a.keychain()
		if err != nil {
			t.Fatal(err)
		}
		repository, err := name.NewRepository(tc.target)
		if err != nil {
			t.Fatal(err)
		}
		found, err := keychain.Resolve(repository)
		if err != nil {
			t.Fatal(err)
		}
		if want == "none" {
			if found != authn.Anonymous {
				t.Errorf("%s: found %v", want, found)
			}
			continue
		}
		auth, err := found.Authorization()
		if err != nil || auth.Username != "right" {
			t.Errorf("%s: found %+v, %v", want, auth, err)
		}
	}
}
