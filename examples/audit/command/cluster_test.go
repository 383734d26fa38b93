package command_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/polyarch/polyarch/examples/audit/command"
	"github.com/polyarch/polyarch/examples/audit/internal/gather"
	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/section"
	"github.com/polyarch/polyarch/examples/audit/source"
	hypershift "github.com/polyarch/polyarch/examples/hypershift/crds"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/examples/ssp/crds"
)

// populate creates the objects with their status.
func populate(t *testing.T, config *rest.Config, objects []*unstructured.Unstructured) {
	t.Helper()
	config = rest.CopyConfig(config)
	config.QPS = -1
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		resource, err := gather.Resource(o)
		if err != nil {
			t.Fatal(err)
		}
		of := client.Resource(o.GroupVersionKind().GroupVersion().WithResource(resource))
		var in dynamic.ResourceInterface = of
		if ns := o.GetNamespace(); ns != "" {
			in = of.Namespace(ns)
			namespace(t, client, ns)
		}
		made, err := in.Create(t.Context(), o, metav1.CreateOptions{})
		if err != nil {
			t.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
		if status, ok := o.Object["status"]; ok {
			made.Object["status"] = status
			if _, err := in.UpdateStatus(t.Context(), made, metav1.UpdateOptions{}); err != nil {
				t.Fatalf("%s %s: status: %v", o.GetKind(), o.GetName(), err)
			}
		}
	}
}

func namespace(t *testing.T, client dynamic.Interface, name string) {
	t.Helper()
	ns := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}}
	_, err := client.Resource(ns.GroupVersionKind().GroupVersion().WithResource("namespaces")).Create(t.Context(), ns, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}

// servable returns the objects of the fixture that the reference API server takes.
func servable(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	// Images come by imports only, and the API server has no pods.
	objects := slices.DeleteFunc(fixture(t, "heterogeneous"), func(o *unstructured.Unstructured) bool {
		return o.GetKind() == "Image" && o.GroupVersionKind().Group == source.Images.Group || o.GetKind() == "Pod"
	})
	// Nobody can write a pool that names a stream which is not offered.
	slices.SortStableFunc(objects, func(a, b *unstructured.Unstructured) int {
		return oneIf(b.GetKind() == "OSImageStream") - oneIf(a.GetKind() == "OSImageStream")
	})
	for _, o := range objects {
		if stream, ok, _ := unstructured.NestedString(o.Object, "spec", "osImageStream", "name"); ok && stream == "rhel-9" {
			if err := unstructured.SetNestedField(o.Object, "rhel-10", "spec", "osImageStream", "name"); err != nil {
				t.Fatal(err)
			}
		}
	}
	return objects
}

func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

// A watcher sees every request, and can answer some itself.
type watcher struct {
	mu       sync.Mutex
	methods  map[string]int
	paths    []string
	forbid   string // paths that contain this are forbidden
	transmit http.RoundTripper
}

func (w *watcher) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.methods[r.Method]++
	w.paths = append(w.paths, r.URL.Path+"?"+r.URL.RawQuery)
	w.mu.Unlock()
	if w.forbid != "" && strings.Contains(r.URL.Path, w.forbid) {
		body := `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"you may not","reason":"Forbidden","code":403}`
		return &http.Response{StatusCode: 403, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	}
	return w.transmit.RoundTrip(r)
}

func watched(config *rest.Config, w *watcher) *rest.Config {
	config = rest.CopyConfig(config)
	w.methods = map[string]int{}
	config.WrapTransport = func(rt http.RoundTripper) http.RoundTripper {
		w.transmit = rt
		return w
	}
	return config
}

func auditCluster(t *testing.T, config *rest.Config, options command.Options) *report.Report {
	t.Helper()
	from, err := source.NewCluster(config)
	if err != nil {
		t.Fatal(err)
	}
	options.From, options.Now, options.Streams = from, now, section.DefaultStreamOptions
	r, err := command.Audit(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCluster audits a real API server: nothing is written, no Secret is read, files of
// the same objects give the same report, and what is forbidden is said.
func TestCluster(t *testing.T) {
	dir := t.TempDir()
	if err := crds.Write(dir); err != nil {
		t.Fatal(err)
	}
	hosted := t.TempDir()
	if err := hypershift.Write(hosted); err != nil {
		t.Fatal(err)
	}
	server := testserver.Start(t, dir, hosted)
	objects := servable(t)
	populate(t, server.Config(), objects)

	w := &watcher{}
	live := auditCluster(t, watched(server.Config(), w), command.Options{})
	for method, n := range w.methods {
		if method != http.MethodGet {
			t.Errorf("%d requests are %s", n, method)
		}
	}
	for _, path := range w.paths {
		if strings.Contains(path, "secret") {
			t.Errorf("reads %s", path)
		}
	}
	if w.methods[http.MethodGet] < 20 {
		t.Errorf("only %d requests were seen", w.methods[http.MethodGet])
	}

	gatheredDir := t.TempDir()
	if err := gather.Write(gatheredDir, objects...); err != nil {
		t.Fatal(err)
	}
	files := audit(t, command.Options{}, gatheredDir)
	if d := cmp.Diff(comparable(files), comparable(live)); d != "" {
		t.Errorf("files and cluster differ (-files +cluster):\n%s", d)
	}
	if !live.Judged {
		t.Errorf("not judged: %v", live.Unjudged)
	}

	w = &watcher{forbid: "/machineconfigpools"}
	r := auditCluster(t, watched(server.Config(), w), command.Options{})
	missing := fmt.Sprint(r.Sections[1].Missing)
	if !strings.Contains(missing, "Forbidden you may not") || !r.Judged || len(r.Sections[2].Hops) == 0 {
		t.Errorf("forbidden pools: %s, judged %v", missing, r.Judged)
	}
	w = &watcher{forbid: "/nodes"}
	if r := auditCluster(t, watched(server.Config(), w), command.Options{}); r.Judged || !strings.Contains(fmt.Sprint(r.Unjudged), "nodes: forbidden") {
		t.Errorf("forbidden nodes: judged %v %v", r.Judged, r.Unjudged)
	}
}

// comparable returns what two reports on one cluster have in common: all but the source,
// and what it did not hold.
func comparable(r *report.Report) *report.Report {
	c := *r
	c.Source, c.Time = source.Info{}, ""
	c.Sections = nil
	for _, s := range r.Sections {
		s.Missing, s.Looked = nil, nil
		c.Sections = append(c.Sections, s)
	}
	return &c
}
