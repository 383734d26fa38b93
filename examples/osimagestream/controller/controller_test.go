package controller_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/osimagestream"
)

func osLabels(stream string) map[string]string {
	return map[string]string{osimagestream.LabelStream: stream, osimagestream.LabelOS: "1"}
}

func extLabels(stream string) map[string]string {
	return map[string]string{osimagestream.LabelStream: stream, osimagestream.LabelExtensions: "true"}
}

// pool makes a machine config pool that selects the machine configs of its role.
func (s *site) pool(t *testing.T, name, stream string) {
	t.Helper()
	p := &mcfgv1.MachineConfigPool{ObjectMeta: metav1.ObjectMeta{Name: name}}
	p.Spec.OSImageStream.Name = stream
	p.Spec.MachineConfigSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"role": name}}
	if err := s.Create(t.Context(), p); err != nil {
		t.Fatal(err)
	}
}

// A row is what became of a pool.
type row struct {
	Status, OSImage, Extensions string
	Degraded                    string // its reason
}

func (s *site) row(t *testing.T, name string) row {
	t.Helper()
	var p mcfgv1.MachineConfigPool
	if err := s.Get(t.Context(), client.ObjectKey{Name: name}, &p); err != nil {
		t.Fatal(err)
	}
	r := row{Status: p.Status.OSImageStream.Name}
	for _, c := range p.Status.Conditions {
		if c.Type == mcfgv1.MachineConfigPoolRenderDegraded && c.Status == corev1.ConditionTrue {
			r.Degraded = c.Reason
		}
	}
	var m mcfgv1.MachineConfig
	if err := s.Get(t.Context(), client.ObjectKey{Name: controller.RenderedPrefix + name}, &m); client.IgnoreNotFound(err) != nil {
		t.Fatal(err)
	}
	r.OSImage, r.Extensions = m.Spec.OSImageURL, m.Spec.BaseOSExtensionsContainerImage
	return r
}

func diff(t *testing.T, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func streamNames(o *mcfgv1.OSImageStream) string {
	var names []string
	for _, s := range o.Status.AvailableStreams {
		names = append(names, s.Name)
	}
	return o.Spec.DefaultStream + " " + o.Status.DefaultStream + ": " + strings.Join(names, ",")
}

// TestOKD follows an OKD cluster from its installation, with a multi payload whose
// images are indexes, over a release whose only stream has a new name.
func TestOKD(t *testing.T) {
	s := newSite(t, osimagestream.OKD)
	os10 := s.push(t, "os", osLabels("centos-10"), "amd64", "arm64")
	ext10 := s.push(t, "ext", extLabels("centos-10"), "amd64", "arm64")
	s.pool(t, "master", "")
	s.pool(t, "worker", "")

	s.gates(t)
	s.release(t, 1, map[string]string{"stream-coreos": os10, "stream-coreos-extensions": ext10, "etcd": "quay.io/okd/etcd:1"})
	s.reconcile(t)
	if o := s.singleton(t.Context(), t); o != nil {
		t.Fatalf("made while the gate is off: %+v", o)
	}

	s.gates(t, osimagestream.Gate)
	s.reconcile(t)
	o := s.singleton(t.Context(), t)
	diff(t, "installed", "centos-10 centos-10: centos-10", streamNames(o))
	diff(t, "annotation", build, o.Annotations[osimagestream.AnnotationReleaseVersion])
	diff(t, "worker", row{Status: "centos-10", OSImage: os10, Extensions: ext10}, s.row(t, "worker"))

	was := o.ResourceVersion
	s.reconcile(t)
	diff(t, "resourceVersion after nothing happened", was, s.singleton(t.Context(), t).ResourceVersion)

	os11, ext11 := s.push(t, "os", osLabels("centos-11")), s.push(t, "ext", extLabels("centos-11"))
	s.release(t, 2, map[string]string{"stream-coreos": os11, "stream-coreos-extensions": ext11})
	s.reconcile(t)
	diff(t, "after the update", "centos-11 centos-11: centos-11", streamNames(s.singleton(t.Context(), t)))
	diff(t, "worker", row{Status: "centos-11", OSImage: os11, Extensions: ext11}, s.row(t, "worker"))

	// The next release lacks its extensions image; the ConfigMap has a pair.
	s.release(t, 3, map[string]string{"stream-coreos": os11})
	s.reconcile(t)
	diff(t, "incomplete pair", "centos-11 centos-11: centos-11", streamNames(s.singleton(t.Context(), t)))
	if !s.saw(osimagestream.FindingIncompletePair) {
		t.Error("the incomplete pair is not reported")
	}
	if err := s.Create(t.Context(), configMap(os10, ext10)); err != nil {
		t.Fatal(err)
	}
	s.reconcile(t)
	diff(t, "ConfigMap only", "centos-10 centos-10: centos-10", streamNames(s.singleton(t.Context(), t)))
}

// saw reports whether an event of that reason was recorded since the last call.
func (s *site) saw(code osimagestream.FindingCode) bool {
	seen := false
	for {
		select {
		case e := <-s.events.Events:
			seen = seen || strings.Contains(e, " "+string(code)+" ")
		default:
			return seen
		}
	}
}

// TestOCP follows an OCP cluster of two streams: inheritance, override, and a
// release without the stream that is the default.
func TestOCP(t *testing.T) {
	s := newSite(t, osimagestream.OCP)
	image := map[string]string{}
	for _, stream := range []string{"rhel-9", "rhel-10"} {
		image[stream] = s.push(t, "os", osLabels(stream))
		image[stream+"x"] = s.push(t, "ext", extLabels(stream))
	}
	s.pool(t, "master", "")
	s.pool(t, "worker", "")
	s.pool(t, "infra", "")
	tags := map[string]string{
		"rhel-coreos": image["rhel-9"], "rhel-coreos-extensions": image["rhel-9x"],
		"rhel-coreos-10": image["rhel-10"], "rhel-coreos-10-extensions": image["rhel-10x"],
	}
	s.release(t, 1, tags)
	cv := new(configv1.ClusterVersion)
	if err := s.Get(t.Context(), client.ObjectKey{Name: "version"}, cv); err != nil {
		t.Fatal(err)
	}
	done := metav1.Now()
	cv.Status.History = []configv1.UpdateHistory{{State: configv1.CompletedUpdate, Version: "4.18.0", Image: "old", StartedTime: done, CompletionTime: &done}}
	if err := s.Status().Update(t.Context(), cv); err != nil {
		t.Fatal(err)
	}
	s.reconcile(t)
	diff(t, "installed as 4.18", "rhel-9 rhel-9: rhel-10,rhel-9", streamNames(s.singleton(t.Context(), t)))
	rhel9 := row{Status: "rhel-9", OSImage: image["rhel-9"], Extensions: image["rhel-9x"]}
	rhel10 := row{Status: "rhel-10", OSImage: image["rhel-10"], Extensions: image["rhel-10x"]}

	s.name(t, "worker", "rhel-10")
	s.reconcile(t)
	diff(t, "master: default", rhel9, s.row(t, "master"))
	diff(t, "worker: own", rhel10, s.row(t, "worker"))
	diff(t, "infra: the worker's", rhel10, s.row(t, "infra"))

	mine := &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: "99-mine", Labels: map[string]string{"role": "worker"}}, Spec: mcfgv1.MachineConfigSpec{OSImageURL: "quay.io/me/os:1"}}
	if err := s.Create(t.Context(), mine); err != nil {
		t.Fatal(err)
	}
	s.reconcile(t)
	conflict := rhel10
	conflict.Degraded = string(osimagestream.ReasonURLConflict)
	diff(t, "worker: osImageURL beside its own stream", conflict, s.row(t, "worker"))
	s.name(t, "worker", "")
	s.reconcile(t)
	diff(t, "worker: osImageURL over the default", row{OSImage: "quay.io/me/os:1", Extensions: image["rhel-9x"]}, s.row(t, "worker"))
	if err := s.Delete(t.Context(), mine); err != nil {
		t.Fatal(err)
	}
	s.name(t, "worker", "rhel-9")
	s.reconcile(t)

	// The next release has no rhel-9: nothing moves until somebody chooses.
	s.streams.Build, s.pools.Build = "next", "next"
	delete(tags, "rhel-coreos")
	delete(tags, "rhel-coreos-extensions")
	s.release(t, 2, tags)
	s.reconcile(t)
	diff(t, "rhel-9 has left", "rhel-9 rhel-9: rhel-10,rhel-9", streamNames(s.singleton(t.Context(), t)))
	diff(t, "master keeps what it has", rhel9, s.row(t, "master"))
	diff(t, "worker keeps what it has", rhel9, s.row(t, "worker"))

	o := s.singleton(t.Context(), t)
	o.Spec.DefaultStream = "rhel-10"
	if err := s.Update(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	s.reconcile(t)
	diff(t, "chosen", "rhel-10 rhel-10: rhel-10", streamNames(s.singleton(t.Context(), t)))
	diff(t, "master: the new default", rhel10, s.row(t, "master"))
	retired := rhel9
	retired.Degraded = string(osimagestream.ReasonStreamNotOffered)
	diff(t, "worker: its own stream is retired, no image takes its place", retired, s.row(t, "worker"))
	diff(t, "infra: the worker's stream is retired", retired, s.row(t, "infra"))
}

// name sets a pool's stream.
func (s *site) name(t *testing.T, pool, stream string) {
	t.Helper()
	var p mcfgv1.MachineConfigPool
	if err := s.Get(t.Context(), client.ObjectKey{Name: pool}, &p); err != nil {
		t.Fatal(err)
	}
	p.Spec.OSImageStream.Name = stream
	if err := s.Update(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
}
