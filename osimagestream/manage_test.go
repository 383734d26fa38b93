package osimagestream_test

import (
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/api/features"

	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

func TestManage(t *testing.T) {
	for _, c := range osimagestreamtest.KeepCases() {
		t.Run(c.Name, func(t *testing.T) {
			m := osimagestream.Manage(ours.Platform(c.Platform))
			diff(t, "reason", c.Reason, string(m.Reason))
			diff(t, "field", c.Field, m.Field)
			findings(t, c.Findings, m.Findings)
		})
	}
	t.Run("111: feature set OKD, flavor OCP, gate not known yet", func(t *testing.T) {
		m := osimagestream.Manage(osimagestream.Platform{FeatureGate: osimagestreamtest.Gates(configv1.OKD),
			Infrastructure: osimagestreamtest.Infrastructure(configv1.HighlyAvailableTopologyMode)})
		findings(t, osimagestreamtest.Codes("FlavorMismatch"), m.Findings)
	})
	if osimagestream.Gate != features.FeatureGateOSStreams {
		t.Errorf("Gate is %s, the API calls it %s", osimagestream.Gate, features.FeatureGateOSStreams)
	}
}

func TestFlavorText(t *testing.T) {
	for f, want := range map[osimagestream.Flavor]string{osimagestream.OCP: "OCP", osimagestream.OKD: "OKD", 7: "OCP"} {
		if got := f.String(); got != want {
			t.Errorf("%d reads %q", f, got)
		}
	}
}
