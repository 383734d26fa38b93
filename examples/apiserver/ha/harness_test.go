// Package ha_test holds what two reference API servers in front of a cluster of three
// etcd members promise while members and servers go and come back. All of them are
// processes, and all connections speak TLS.
package ha_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/etcdtest"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

const (
	legacy   = imagev1.ImportModeLegacy
	preserve = imagev1.ImportModePreserveOriginal
	// patience is for what takes seconds, on a machine that is busy with other things.
	patience = 90 * time.Second
)

func TestMain(m *testing.M) { testserver.Main(m) }

// openshiftAPIDir spares each server the search.
var openshiftAPIDir = sync.OnceValue(func() string {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/openshift/api").Output()
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(dir))
})

// An apiServer is one of the API servers, with a client of it.
type apiServer struct {
	*launch.Server
	client.Client
	name   string
	config string // the file

	mu sync.Mutex
	// modes are those that a request may meet at the moment: while the server is
	// restarted with another mode, the old and the new one.
	modes []imagev1.ImportModeType
	// refusals are the messages of answers that tell a client to try again.
	refusals []string
}

// bootAll starts API servers on the cluster, all of them at the same time.
func bootAll(t *testing.T, etcd *etcdtest.Cluster, authority *etcdtest.Authority, names ...string) []*apiServer {
	t.Helper()
	command, dir := testserver.Command(t), openshiftAPIDir()
	servers, errs := make([]*apiServer, len(names)), make([]error, len(names))
	var group sync.WaitGroup
	for i, name := range names {
		s := &apiServer{name: name, config: filepath.Join(t.TempDir(), "config.yaml"), modes: []imagev1.ImportModeType{legacy}}
		s.writeConfig(t, legacy)
		servers[i] = s
		options := launch.Options{
			Command: command, DataDir: t.TempDir(), ConfigFile: s.config, EtcdServers: etcd.Endpoints(),
			Flags: append(tlsFlags(authority.File, authority.Issue(t, name)), "--openshift-api-dir="+dir),
		}
		group.Go(func() { s.Server, errs[i] = launch.Start(t.Context(), options) })
	}
	group.Wait()
	for i, s := range servers {
		if errs[i] != nil {
			continue
		}
		t.Cleanup(func() {
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return servers
}

func tlsFlags(ca string, pair etcdtest.Pair) []string {
	return []string{"--etcd-cafile=" + ca, "--etcd-certfile=" + pair.CertFile, "--etcd-keyfile=" + pair.KeyFile}
}

func (s *apiServer) writeConfig(t *testing.T, mode imagev1.ImportModeType) {
	t.Helper()
	content := fmt.Sprintf(`apiVersion: openshiftcontrolplane.config.openshift.io/v1
kind: OpenShiftAPIServerConfig
imagePolicyConfig:
  imageStreamImportMode: %s
`, mode)
	if err := os.WriteFile(s.config, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// roll restarts the server with another mode.
func (s *apiServer) roll(t *testing.T, to imagev1.ImportModeType) {
	t.Helper()
	s.writeConfig(t, to)
	s.setModes(append(s.modesNow(), to)...)
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.setModes(to)
}

func (s *apiServer) setModes(modes ...imagev1.ImportModeType) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.modes = modes
}

func (s *apiServer) modesNow() []imagev1.ImportModeType {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.modes)
}

// connect makes the server's client. What the server answers while it cannot do what
// it is asked is held against what clients need to know to go on.
func (s *apiServer) connect(t *testing.T) {
	t.Helper()
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, imagev1.Install} {
		if err := add(types); err != nil {
			t.Fatal(err)
		}
	}
	config := s.Config()
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(r)
			if err == nil && response.StatusCode >= 500 {
				s.checkRefusal(t, r, response)
			}
			return response, err
		})
	})
	var err error
	if s.Client, err = client.New(config, client.Options{Scheme: types}); err != nil {
		t.Fatal(err)
	}
}

// refused reports whether an answer that tells to try again gave that cause.
func (s *apiServer) refused(cause string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.refusals, func(message string) bool { return strings.Contains(message, cause) })
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// checkRefusal wants a reason that stands for "try again", and a message.
func (s *apiServer) checkRefusal(t *testing.T, r *http.Request, response *http.Response) {
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		return // the connection went, which the client sees as well
	}
	var status metav1.Status
	if err := json.Unmarshal(body, &status); err != nil {
		t.Errorf("%s: %s %s: %s, which is no status: %s", s.name, r.Method, r.URL.Path, response.Status, body)
		return
	}
	switch status.Reason {
	case metav1.StatusReasonServerTimeout, metav1.StatusReasonTimeout, metav1.StatusReasonServiceUnavailable:
		if status.Message != "" {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.refusals = append(s.refusals, status.Message)
			return
		}
	}
	t.Errorf("%s: %s %s: %s, which does not tell a client to try again: %s", s.name, r.Method, r.URL.Path, response.Status, body)
}

// await polls until done says so, or a writer has found something wrong.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		if t.Failed() {
			t.FailNow()
		}
		if time.Now().After(deadline) {
			t.Fatalf("not after %s: %s", patience, what)
		}
	}
}

// get asks the server at a path with its own credentials.
func get(ctx context.Context, config *rest.Config, path string) (int, error) {
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host+path, nil)
	if err != nil {
		return 0, err
	}
	response, err := c.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}
