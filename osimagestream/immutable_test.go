package osimagestream

import (
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

func copyCluster(c Cluster) Cluster {
	c.Stored = c.Stored.DeepCopy()
	c.Discovery.Streams = append([]mcfgv1.OSImageStreamSet(nil), c.Discovery.Streams...)
	return c
}

func TestObjectsAreNotChanged(t *testing.T) {
	singleton, worker, infra := stored("b", "b", sets("b", "a")...), pool("worker", "b"), pool("infra", "gone")
	wasSingleton, wasWorker := singleton.DeepCopy(), worker.DeepCopy()
	infra.Spec.MachineConfigSelector = &metav1.LabelSelector{MatchLabels: map[string]string{LabelRole: "infra"}}
	configs := []*mcfgv1.MachineConfig{config("z", "infra", "z"), nil, config("a", "infra", "a")}
	wasConfigs := []*mcfgv1.MachineConfig{configs[0].DeepCopy(), nil, configs[2].DeepCopy()}
	wasInfra := infra.DeepCopy()
	ForPool(Pool{Pool: infra, Worker: worker, Stored: singleton, Configs: configs})
	ValidatePool(infra, worker, singleton)
	diff(t, "singleton", wasSingleton, singleton)
	diff(t, "worker", wasWorker, worker)
	diff(t, "infra", wasInfra, infra)
	diff(t, "machine configs", wasConfigs, configs)

	platform := Platform{FeatureGate: osimagestreamtest.Gates("", osimagestreamtest.Enabled("5.0.0", Gate)), Infrastructure: osimagestreamtest.Infrastructure(configv1.HighlyAvailableTopologyMode), Version: "5.0.0"}
	wasGate := platform.FeatureGate.DeepCopy()
	Manage(platform)
	diff(t, "feature gate", wasGate, platform.FeatureGate)
}

// Results share no memory with the arguments or with each other: what the caller
// does to one shows in no other.
func TestResultsAreNotAliased(t *testing.T) {
	c := Cluster{Discovery: complete(sets("rhel-10", "rhel-11")...), Stored: stored("rhel-9", "rhel-9", set("rhel-9")), Release: release}
	want := Plan(copyCluster(c))

	got := Plan(c)
	for i := range c.Discovery.Streams {
		c.Discovery.Streams[i] = set("changed")
	}
	c.Stored.Status.AvailableStreams[0] = set("changed")
	c.Stored.Annotations["changed"] = "1"
	diff(t, "plan after the arguments changed", want, got)

	step := got.Steps[0]
	sent := step.On(stored("rhel-9", "rhel-9", set("rhel-9")))
	sent.Status.AvailableStreams[0] = set("changed")
	sent.Annotations["changed"] = "1"
	diff(t, "step after what was sent changed", want.Steps[0], step)

	annotated := func() *mcfgv1.OSImageStream {
		o := New("a")
		o.Annotations = release.annotations()
		return o
	}
	created := Step{VerbCreate, ReasonCreate, annotated()}
	created.On(nil).Annotations["changed"] = "1"
	diff(t, "creation after what was sent changed", annotated(), created.Object)

	parsed := func() ([]byte, *imagev1.ImageStream) {
		data, _ := references(t, 4)
		p, err := ParseImageReferences(data)
		if err != nil {
			t.Fatal(err)
		}
		return data, p
	}
	_, wantPayload := parsed()
	data, payload := parsed()
	for i := range data {
		data[i] = 'x'
	}
	diff(t, "payload after the bytes changed", wantPayload, payload)
}
