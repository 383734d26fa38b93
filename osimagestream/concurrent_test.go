package osimagestream

import (
	"strconv"
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// With the race detector this sees a write to what several callers share, even one that is
// undone before they return.
func TestConcurrentCallers(t *testing.T) {
	c := Cluster{Discovery: complete(sets("rhel-10", "rhel-11")...), Stored: stored("rhel-9", "rhel-9", set("rhel-9")), Release: release}
	worker, infra := pool("worker", "b"), pool("infra", "gone")
	configs := []*mcfgv1.MachineConfig{config("z", "infra", "z"), nil, config("a", "infra", "a")}
	platform := Platform{
		FeatureGate:    osimagestreamtest.Gates("", osimagestreamtest.Enabled("5.0.0", Gate)),
		Infrastructure: osimagestreamtest.Infrastructure(configv1.HighlyAvailableTopologyMode), Version: "5.0.0",
	}
	data, labels := references(t, 4)
	step := Plan(c).Steps[0]
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			Plan(c)
			Default(c)
			Single(c)
			step.On(c.Stored)
			ForPool(Pool{Pool: infra, Worker: worker, Stored: c.Stored, Configs: configs})
			ValidatePool(infra, worker, c.Stored)
			Manage(platform)
			payload, err := ParseImageReferences(data)
			if err != nil {
				t.Fatal(err)
			}
			Discover(Sources{Payload: payload, Labels: labels})
		})
	}
}
