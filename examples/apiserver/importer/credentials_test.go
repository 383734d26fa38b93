package importer_test

import (
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/registry"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/examples/apiserver/importer"
	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// TestRedirects holds that credentials stay with the registry that they are for.
func TestRedirects(t *testing.T) {
	t.Parallel()
	r := startScripted(t)
	var mu sync.Mutex
	var carried []string
	// Another host that has everything, by another name of the same machine.
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		mu.Lock()
		carried = append(carried, req.Header.Get("Authorization")+req.Header.Get("Cookie"))
		mu.Unlock()
		response, err := http.Get("http://" + r.host + "/behind" + req.URL.Path)
		if err != nil {
			t.Error(err)
			return
		}
		defer response.Body.Close()
		w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
		io.Copy(w, response.Body)
	}))
	t.Cleanup(other.Close)
	elsewhere := strings.Replace(strings.TrimPrefix(other.URL, "http://"), "127.0.0.1", "localhost", 1)
	r.play(func(w http.ResponseWriter, req *http.Request) bool {
		if behind, ok := strings.CutPrefix(req.URL.Path, "/behind"); ok {
			req.URL.Path = behind
			return false
		}
		if name, password, _ := req.BasicAuth(); name != user || password != secret {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		if req.URL.Path == "/v2/" {
			return false
		}
		http.Redirect(w, req, "http://"+elsewhere+req.URL.Path, http.StatusTemporaryRedirect)
		return true
	})
	wish := importer.Wish{From: r.host + "/x/y:v1", Mode: preserve, Insecure: true}

	t.Run("12: to a host that is insecure as well", func(t *testing.T) {
		s := importer.New(importer.Options{}).Session(importer.Policy{InsecureRegistries: []string{elsewhere}}, anyPort{keychain()})
		if _, err := s.Import(t.Context(), wish); err != nil {
			t.Fatal(err)
		}
		if len(carried) != 5 || strings.Join(carried, "") != "" {
			t.Errorf("there came %d requests with %q", len(carried), carried)
		}
	})
	t.Run("11: to plain HTTP of a host that is not", func(t *testing.T) {
		s := importer.New(importer.Options{}).Session(importer.Policy{}, anyPort{keychain()})
		_, err := s.Import(t.Context(), wish)
		hold(t, err, metav1.StatusReasonInternalError, "not marked as insecure")
	})
}

// TestTokenRedirect holds that a token server cannot pass on what it is asked with.
func TestTokenRedirect(t *testing.T) {
	t.Parallel()
	r := startScripted(t)
	elsewhere := strings.Replace(r.host, "127.0.0.1", "localhost", 1)
	var carried []string
	r.play(func(w http.ResponseWriter, req *http.Request) bool {
		switch {
		case req.Host == elsewhere:
			body, _ := io.ReadAll(req.Body)
			carried = append(carried, req.Header.Get("Authorization")+string(body))
			io.WriteString(w, `{"token":"t"}`)
		case strings.HasPrefix(req.URL.Path, "/token"):
			http.Redirect(w, req, "http://"+elsewhere+"/token", http.StatusPermanentRedirect)
		case req.Header.Get("Authorization") == "Bearer t":
			return false
		default:
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm="http://%s/token",service="x"`, r.host))
			w.WriteHeader(http.StatusUnauthorized)
		}
		return true
	})
	for name, config := range map[string]authn.AuthConfig{
		"a password":     {Username: user, Password: secret},
		"identity token": {IdentityToken: secret},
	} {
		t.Run("12: "+name, func(t *testing.T) {
			carried = nil
			s := importer.New(importer.Options{}).Session(importer.Policy{InsecureRegistries: []string{elsewhere}}, one{authn.FromConfig(config)})
			_, err := s.Import(t.Context(), importer.Wish{From: r.host + "/x/y:v1", Insecure: true})
			if err != nil {
				hold(t, err, metav1.StatusReasonInternalError, "")
			}
			if strings.Contains(strings.Join(carried, ""), secret) || strings.Contains(strings.Join(carried, ""), "Basic") {
				t.Errorf("carried %q", carried)
			}
		})
	}
}

type one struct{ authn.Authenticator }

func (o one) Resolve(authn.Resource) (authn.Authenticator, error) { return o.Authenticator, nil }

// TestUnauthorized holds what becomes of credentials that are refused.
func TestUnauthorized(t *testing.T) {
	t.Parallel()
	r := startScripted(t)
	public := true
	r.play(func(w http.ResponseWriter, req *http.Request) bool {
		_, password, sent := req.BasicAuth()
		if req.URL.Path != "/v2/" && (!sent && public || password == "right") {
			return false
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"errors":[{"code":"UNAUTHORIZED","message":"fishing"}]}`)
		return true
	})
	login := func(password string) authn.Keychain {
		return one{&authn.Basic{Username: user, Password: password}}
	}
	for _, c := range []struct {
		name     string
		public   bool
		keychain authn.Keychain
		says     string // empty: it is imported
	}{
		{"right", false, login("right"), ""},
		{"14: wrong, and anyone may read", true, login(secret), ""},
		{"14: wrong, and nobody may", false, login(secret), `incorrect username or password for image "the-image"`},
		{"none", false, nil, `you may not have access to the container image "the-image"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			public = c.public
			s := importer.New(importer.Options{}).Session(importer.Policy{}, c.keychain)
			_, err := s.Import(t.Context(), importer.Wish{From: r.host + "/x/y:v1", Insecure: true})
			if c.says == "" {
				if err != nil {
					t.Error(err)
				}
			} else {
				hold(t, err, metav1.StatusReasonUnauthorized, c.says)
			}
			_, err = s.Tags(t.Context(), r.host+"/x/y", true)
			if (err == nil) != (c.says == "") {
				t.Errorf("tags: %v", err)
			}
		})
	}
}

// TestTLS holds which certificates and protocols are taken.
func TestTLS(t *testing.T) {
	t.Parallel()
	inner := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	plain := httptest.NewServer(inner)
	t.Cleanup(plain.Close)
	testimages.Push(t, strings.TrimPrefix(plain.URL, "http://")+"/x/y:v1", testimages.Image(t, "amd64", "x"))
	certified := httptest.NewUnstartedServer(inner)
	certified.Config.ErrorLog = log.New(io.Discard, "", 0)
	certified.StartTLS()
	t.Cleanup(certified.Close)
	cas := x509.NewCertPool()
	cas.AddCert(certified.Certificate())
	http, https := strings.TrimPrefix(plain.URL, "http://"), strings.TrimPrefix(certified.URL, "https://")
	for _, c := range []struct {
		name   string
		host   string
		cas    *x509.CertPool
		policy importer.Policy
		wish   bool // insecure
		says   string
	}{
		{"an unknown certificate", https, nil, importer.Policy{}, false, "certificate of the registry is not trusted"},
		{"a known one", https, cas, importer.Policy{}, false, ""},
		{"an unknown one, insecure by import policy", https, nil, importer.Policy{}, true, ""},
		{"an unknown one, insecure by configuration", https, nil, importer.Policy{InsecureRegistries: []string{https}}, false, ""},
		{"an unknown one, insecure below a path", https, nil, importer.Policy{InsecureRegistries: []string{https + "/x"}}, false, ""},
		{"an unknown one, insecure below another path", https, nil, importer.Policy{InsecureRegistries: []string{https + "/x/yy"}}, false, "not trusted"},
		{"an unknown one, another is insecure", https, nil, importer.Policy{InsecureRegistries: []string{http}}, false, "not trusted"},
		{"plain HTTP", http, nil, importer.Policy{}, false, "HTTP"},
		{"plain HTTP, insecure", http, nil, importer.Policy{}, true, ""},
		{"blocked", http, nil, importer.Policy{Blocked: []string{http}}, true, "blocked"},
		{"blocked below a path", http, nil, importer.Policy{Blocked: []string{http + "/x"}}, true, "blocked"},
		{"another is blocked", http, nil, importer.Policy{Blocked: []string{http + "/x/yy", http[:len(http)-1], "*.0.0.2"}}, true, ""},
	} {
		t.Run("11: "+c.name, func(t *testing.T) {
			s := importer.New(importer.Options{CAs: c.cas}).Session(c.policy, nil)
			_, err := s.Import(t.Context(), importer.Wish{From: c.host + "/x/y:v1", Insecure: c.wish})
			switch {
			case c.says == "blocked":
				hold(t, err, metav1.StatusReasonForbidden, "blocked")
			case c.says != "":
				hold(t, err, metav1.StatusReasonInternalError, c.says)
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// TestKeychain holds whose credentials are found in secrets.
func TestKeychain(t *testing.T) {
	t.Parallel()
	of := func(name, entries string) corev1.Secret {
		return corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}, Type: corev1.SecretTypeDockerConfigJson, Data: map[string][]byte{corev1.DockerConfigJsonKey: []byte(entries)}}
	}
	entry := func(key, password string) string {
		return fmt.Sprintf(`%q:{"auth":%q}`, key, base64.StdEncoding.EncodeToString([]byte("u:"+password)))
	}
	excluded := of("excluded", `{"auths":{`+entry("excluded.example.com", "x")+`}}`)
	excluded.Annotations = map[string]string{imagev1.ExcludeImageSecretAnnotation: "true"}
	opaque := of("opaque", `{"auths":{`+entry("opaque.example.com", "x")+`}}`)
	opaque.Type = corev1.SecretTypeOpaque
	old := corev1.Secret{Type: corev1.SecretTypeDockercfg, Data: map[string][]byte{corev1.DockerConfigKey: []byte(`{` + entry("https://old.example.com", "old") + `}`)}}
	keys := importer.Keychain([]corev1.Secret{
		of("broken", "{"), excluded, opaque, old,
		of("a", `{"auths":{`+strings.Join([]string{entry("https://index.docker.io/v1/", "hub"), entry("quay.example.com", "all"), entry("quay.example.com/team/app", "app")}, ",")+`}}`),
		of("b", `{"auths":{`+entry("quay.example.com", "later")+`,`+entry("docker.io/team", "team")+`}}`),
	})
	for repository, want := range map[string]string{
		"quay.example.com/x/y": "all", "quay.example.com/team/app": "app", "quay.example.com/team/application": "all",
		"index.docker.io/library/nginx": "hub", "index.docker.io/team/x": "team", "old.example.com/x": "old",
		"excluded.example.com/x": "", "opaque.example.com/x": "", "quay.example.com.evil/x": "",
	} {
		auth, err := keys.Resolve(host(repository))
		if err != nil {
			t.Fatal(err)
		}
		config, err := auth.Authorization()
		if err != nil || config.Password != want {
			t.Errorf("%s: %+v, %v, want %q", repository, config, err, want)
		}
	}
}
