package source_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/polyarch/polyarch/examples/audit/source"
)

// A server answers lists of nodes in pieces, and the rest as the test says.
type server struct {
	t       *testing.T
	nodes   int
	expire  int // the piece whose token has expired, 0 for none
	fail    int // the piece that fails, 0 for none
	answers map[string]int
	pieces  []int
	methods map[string]int
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.methods[r.Method]++
	status := func(code int, reason, more string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":"the server says %s","code":%d%s}`, reason, reason, code, more)
	}
	if r.URL.Path != "/api/v1/nodes" {
		switch code := s.answers[r.URL.Path]; code {
		case 0:
			status(404, "NotFound", "")
		case 200:
			fmt.Fprint(w, `{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}`)
		default:
			status(code, map[int]string{401: "Unauthorized", 403: "Forbidden", 500: "InternalError"}[code], "")
		}
		return
	}
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || limit != source.Chunk {
		s.t.Errorf("asks for %q at once", r.URL.Query().Get("limit"))
	}
	from := 0
	token := r.URL.Query().Get("continue")
	if token != "" {
		from, _ = strconv.Atoi(strings.TrimPrefix(token, "again-"))
	}
	piece := from/source.Chunk + 1
	switch {
	case piece == s.expire && !strings.HasPrefix(token, "again-"):
		status(410, "Expired", fmt.Sprintf(`,"metadata":{"continue":"again-%d"}`, from))
		return
	case piece == s.fail:
		status(500, "InternalError", "")
		return
	}
	var items []any
	for i := from; i < min(from+limit, s.nodes); i++ {
		items = append(items, map[string]any{"metadata": map[string]any{"name": fmt.Sprintf("node-%04d", i), "managedFields": []any{}}})
	}
	next := ""
	if from+limit < s.nodes {
		next = strconv.Itoa(from + limit)
	}
	s.pieces = append(s.pieces, len(items))
	if err := json.NewEncoder(w).Encode(map[string]any{"kind": "NodeList", "apiVersion": "v1", "metadata": map[string]any{"continue": next}, "items": items}); err != nil {
		s.t.Error(err)
	}
}

func serve(t *testing.T, s *server) *source.Cluster {
	t.Helper()
	s.t, s.methods = t, map[string]int{}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	c, err := source.NewCluster(&rest.Config{Host: h.URL})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPieces holds that lists come in pieces, also when the state of a list expires
// between two of them, and that an error in the middle is told with what came before.
func TestPieces(t *testing.T) {
	for _, tc := range []struct {
		name   string
		server server
		want   source.State
		names  int
	}{
		{"none", server{}, source.Read, 0},
		{"one piece", server{nodes: 500}, source.Read, 500},
		{"several", server{nodes: 1203}, source.Read, 1203},
		{"the state expires", server{nodes: 1203, expire: 2}, source.Read, 1203},
		{"an error", server{nodes: 1203, fail: 3}, source.Failed, 1000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := serve(t, &tc.server)
			names := map[string]bool{}
			err := c.Read(t.Context(), func(k *source.Kind, o source.Object) error {
				if k == source.Nodes {
					names[o.Name] = true
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			got := c.Coverage(source.Nodes)
			if got.State != tc.want || got.Objects != tc.names || len(names) != tc.names {
				t.Errorf("%+v, %d names, want %s and %d", got, len(names), tc.want, tc.names)
			}
			if tc.want == source.Failed && !strings.Contains(got.Detail, "the server says InternalError") {
				t.Errorf("detail %q", got.Detail)
			}
			for _, n := range tc.server.pieces {
				if n > source.Chunk {
					t.Errorf("a piece of %d", n)
				}
			}
			if len(tc.server.methods) != 1 || tc.server.methods[http.MethodGet] == 0 {
				t.Errorf("requests %v", tc.server.methods)
			}
		})
	}
}

// TestAnswers holds what each answer makes of a kind.
func TestAnswers(t *testing.T) {
	s := &server{answers: map[string]int{
		"/apis/config.openshift.io/v1/featuregates":     200,
		"/apis/config.openshift.io/v1/images":           403,
		"/apis/config.openshift.io/v1/infrastructures":  401,
		"/apis/config.openshift.io/v1/clusteroperators": 500,
		"/apis/ssp.kubevirt.io/v1beta2/ssps":            200,
		"/apis/image.openshift.io/v1/images/gone":       404,
		"/apis/image.openshift.io/v1/images/forbidden":  403,
	}}
	c := serve(t, s)
	if err := c.Read(t.Context(), func(*source.Kind, source.Object) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for k, want := range map[*source.Kind]source.State{
		source.ClusterVersions: source.NotServed, source.FeatureGates: source.Read, source.ImageConfigs: source.Forbidden,
		source.Infrastructures: source.Forbidden, source.ClusterOperators: source.Failed, source.SSPs: source.Read,
		source.ImageStreams: source.NotRead,
	} {
		if got := c.Coverage(k).State; got != want {
			t.Errorf("%s: %s, want %s", k.Name(), got, want)
		}
	}
	pick := func(names ...string) source.Coverage {
		var keys []source.Key
		for _, n := range names {
			keys = append(keys, source.Key{Name: n})
		}
		if err := c.Pick(t.Context(), source.Images, keys, func(source.Object) error { return nil }); err != nil {
			t.Fatal(err)
		}
		return c.Coverage(source.Images)
	}
	if got := pick("gone"); got.State != source.Read || got.Objects != 0 {
		t.Errorf("an image that is gone: %+v", got)
	}
	if got := pick("forbidden", "gone"); got.State != source.Forbidden || !strings.Contains(got.Detail, "the server says Forbidden") {
		t.Errorf("an image that is forbidden: %+v", got)
	}
}

// TestNobodyThere holds that a server that does not answer is no error of its own: every
// kind says so, and whoever reads them knows that nothing was read.
func TestNobodyThere(t *testing.T) {
	h := httptest.NewServer(http.NotFoundHandler())
	h.Close()
	c, err := source.NewCluster(&rest.Config{Host: h.URL})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Read(t.Context(), func(*source.Kind, source.Object) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if got := c.Coverage(source.Nodes); got.State != source.Failed || got.Detail == "" {
		t.Errorf("%+v", got)
	}
}

// TestInspect holds that the commands are those of a shell, and that the one for
// everything names each kind.
func TestInspect(t *testing.T) {
	all := source.InspectAll()
	for _, k := range source.Kinds() {
		if !strings.Contains(all, k.Name()) {
			t.Errorf("%s is not fetched by %s", k.Name(), all)
		}
		commands := []string{source.InspectCommand(k)}
		if k == source.Nodes {
			commands = append(commands, all)
		}
		for _, command := range commands {
			if !strings.HasPrefix(command, "oc adm inspect ") {
				t.Errorf("%s: %s", k.Name(), command)
			}
			if out, err := exec.Command("sh", "-n", "-c", command).CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", command, err, out)
			}
		}
	}
}
