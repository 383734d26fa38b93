package controller_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/ssp/controller"
)

// run runs the adapter under a manager until the test ends. It returns how many
// times the adapter has looked at the cluster.
func (s *site) run(t *testing.T) *atomic.Int64 {
	t.Helper()
	mgr, err := operator.NewManager(s.server.Config(), s.Scheme())
	if err != nil {
		t.Fatal(err)
	}
	var looks atomic.Int64
	adapter := s.operator(mgr.GetClient())
	adapter.Client = counting(mgr.GetClient(), &looks)
	if err := adapter.SetupWithManager(mgr); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return &looks
}

// counting counts the lists of nodes.
func counting(c client.Client, looks *atomic.Int64) client.Client {
	return interceptor.NewClient(noWatch{c}, interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			if _, nodes := list.(*corev1.NodeList); nodes {
				looks.Add(1)
			}
			return c.List(ctx, list, opts...)
		},
	})
}

// noWatch lets the interceptor take a client of a manager.
type noWatch struct{ client.Client }

func (noWatch) Watch(context.Context, client.ObjectList, ...client.ListOption) (watch.Interface, error) {
	return nil, errors.ErrUnsupported
}

func (s *site) eventually(t *testing.T, when string, want ...string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if s.state(t) == strings.Join(want, "\n") {
			return
		}
	}
	s.expect(t, when, want...)
}

// testWatches runs the adapter under a manager: each kind of object that it
// watches makes it act.
func testWatches(t *testing.T, start starter) {
	s := start(t)
	s.run(t)
	amd64, arm64, ref := "cron fedora-amd64 manages fedora-amd64", "cron fedora-arm64 manages fedora-arm64", "DataSource fedora leads to fedora-amd64"
	s.change(t, true, template("fedora", "fedora", "amd64,arm64,s390x"))
	s.eventually(t, "the SSP object changed", amd64, arm64, ref)
	s.node(t, "c", "s390x")
	s.eventually(t, "a node joined", amd64, arm64, "cron fedora-s390x manages fedora-s390x", ref)
	if err := s.Delete(t.Context(), &s.crons(t)[0]); err != nil {
		t.Fatal(err)
	}
	s.eventually(t, "somebody deleted a cron", amd64, arm64, "cron fedora-s390x manages fedora-s390x", ref)
	if err := s.Delete(t.Context(), &s.dataSources(t)[0]); err != nil {
		t.Fatal(err)
	}
	s.eventually(t, "somebody deleted the reference", amd64, arm64, "cron fedora-s390x manages fedora-s390x", ref)
	changed := template("fedora", "fedora", "amd64")
	changed.Spec.Schedule = "0 0 * * *"
	s.change(t, true, changed)
	s.eventually(t, "another spec, and architectures left", amd64, ref)
	if err := s.Delete(t.Context(), s.ssp(t, true)); err != nil {
		t.Fatal(err)
	}
	s.eventually(t, "the SSP object is deleted", "")
	// Its last update, which lets it go, must not meet the object of the next test.
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if err := s.Get(t.Context(), s.key, s.ssp(t, true)); apierrors.IsNotFound(err) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the SSP object does not go")
		}
	}
}

// quiet waits until what the adapter wrote itself has come back to it.
func (s *site) quiet(looks *atomic.Int64) int64 {
	before, since := looks.Load(), time.Now()
	for ; time.Since(since) < time.Second; time.Sleep(50 * time.Millisecond) {
		if now := looks.Load(); now != before {
			before, since = now, time.Now()
		}
	}
	return before
}

// Kubelets update their nodes all the time: nobody plans because of that.
func testHeartbeats(t *testing.T, start starter) {
	s := start(t, template("fedora", "fedora", "amd64"))
	looks := s.run(t)
	s.eventually(t, "at first", "cron fedora-amd64 manages fedora-amd64", "DataSource fedora leads to fedora-amd64")
	before := s.quiet(looks)
	beat := func(i int) {
		t.Helper()
		var n corev1.Node
		if err := s.Get(t.Context(), client.ObjectKey{Name: "a"}, &n); err != nil {
			t.Fatal(err)
		}
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: metav1.NewTime(time.Unix(int64(i), 0))}}
		if err := s.Status().Update(t.Context(), &n); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		beat(i)
	}
	if after := s.quiet(looks); after != before {
		t.Errorf("%d plans because of 10 heartbeats", after-before)
	}
	s.node(t, "c", "s390x")
	for deadline := time.Now().Add(10 * time.Second); looks.Load() == before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a node that joins goes unnoticed too, so this test shows nothing")
		}
	}
}

func TestNodesThatMatter(t *testing.T) {
	node := func(edit func(*corev1.Node)) *corev1.Node {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{
			corev1.LabelArchStable: "amd64", corev1.LabelOSStable: "linux",
		}}}
		n.Status.NodeInfo.Architecture, n.Status.NodeInfo.OperatingSystem = "amd64", "linux"
		edit(n)
		return n
	}
	for _, tc := range []struct {
		name string
		edit func(*corev1.Node)
		want bool
	}{
		{"nothing", func(*corev1.Node) {}, false},
		{"a heartbeat", func(n *corev1.Node) {
			n.ResourceVersion, n.Status.Conditions = "2", []corev1.NodeCondition{{LastHeartbeatTime: metav1.Now()}}
		}, false},
		{"images", func(n *corev1.Node) { n.Status.Images = []corev1.ContainerImage{{Names: []string{"a"}}} }, false},
		{"another label", func(n *corev1.Node) { n.Labels["zone"] = "z" }, false},
		{"the architecture", func(n *corev1.Node) {
			n.Labels[corev1.LabelArchStable], n.Status.NodeInfo.Architecture = "arm64", "arm64"
		}, true},
		{"the architecture's label goes", func(n *corev1.Node) { delete(n.Labels, corev1.LabelArchStable); n.Status.NodeInfo.Architecture = "" }, true},
		{"label and kubelet differ", func(n *corev1.Node) { n.Status.NodeInfo.Architecture = "arm64" }, true},
		{"the operating system", func(n *corev1.Node) {
			n.Labels[corev1.LabelOSStable], n.Status.NodeInfo.OperatingSystem = "windows", "windows"
		}, true},
		{"no workload any more", func(n *corev1.Node) {
			n.Labels["node-role.kubernetes.io/control-plane"] = ""
			n.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
		}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := event.UpdateEvent{ObjectOld: node(func(*corev1.Node) {}), ObjectNew: node(tc.edit)}
			if got := controller.NodesThatMatter().Update(e); got != tc.want {
				t.Errorf("matters %t, want %t", got, tc.want)
			}
		})
	}
	joins := event.CreateEvent{Object: node(func(*corev1.Node) {})}
	leaves := event.DeleteEvent{Object: joins.Object}
	if p := controller.NodesThatMatter(); !p.Create(joins) || !p.Delete(leaves) {
		t.Error("a node that joins or leaves does not matter")
	}
}
