package osimagestreamtest_test

import (
	"slices"
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// A rule that nothing can break holds nothing.
func TestEveryRuleCanFail(t *testing.T) {
	right := ours.Impl()
	flip := func(err error) error {
		if err == nil {
			return errNo
		}
		return nil
	}
	found := failing(t, impl{
		ReadPayload: func(data []byte) (*imagev1.ImageStream, error) {
			_, err := right.ReadPayload(data)
			return osimagestreamtest.Payload(), flip(err)
		},
		Candidate: func(tag imagev1.TagReference) bool { return !right.Candidate(tag) },
		Images:    func(sources) []string { return []string{"?"} },
		Role: func(labels map[string]string) osimagestreamtest.Role {
			if right.Role(labels) == osimagestreamtest.OS {
				return osimagestreamtest.Extensions
			}
			return osimagestreamtest.OS
		},
		Discover: func(s sources) ([]mcfgv1.OSImageStreamSet, bool, error) {
			_, complete, err := right.Discover(s)
			return osimagestreamtest.Sets("nonsense"), !complete, flip(err)
		},
		Single:         func(offer) (mcfgv1.OSImageStreamSet, error) { return osimagestreamtest.Set("nonsense"), nil },
		Default:        func(offer) (string, error) { return "nonsense", nil },
		BuiltInDefault: func(osimagestreamtest.Flavor, string) string { return "nonsense" },
		InstallVersion: func(*configv1.ClusterVersion) string { return "nonsense" },
		// It writes in the wrong order, does not look, and never ends.
		Reconcile: func(c osimagestreamtest.Cluster) error {
			o := c.Server.Stored()
			if o == nil {
				made := osimagestreamtest.Stored("nonsense", "")
				made.Annotations = map[string]string{"machineconfiguration.openshift.io/release-image-version": c.Version}
				_, err := c.Server.Create(made)
				return err
			}
			o.Annotations = map[string]string{"machineconfiguration.openshift.io/release-image-version": c.Version}
			if _, err := c.Server.Update(o); err != nil {
				return err
			}
			o = c.Server.Stored()
			o.Status = osimagestreamtest.Stored("", "nonsense", osimagestreamtest.Sets("nonsense", "other")...).Status
			_, err := c.Server.UpdateStatus(o)
			return err
		},
		PoolImages: func(f facts) (images, error) {
			nonsense := images{OSImage: "?", OSExtensionsImage: "?", StatusStream: "?"}
			if f.Stored == nil || len(f.Stored.Status.AvailableStreams) == 0 {
				return nonsense, nil
			}
			_, err := right.PoolImages(f)
			return nonsense, flip(err)
		},
		ValidatePool: func(pool, old *mcfgv1.MachineConfigPool, stored *mcfgv1.OSImageStream) error {
			return flip(right.ValidatePool(pool, old, stored))
		},
		Keep: func(p osimagestreamtest.Platform) bool { return !right.Keep(p) },
	})
	for _, r := range osimagestreamtest.Rules() {
		if !slices.Contains(found, r.ID) {
			t.Errorf("%s holds", r.ID)
		}
	}
}
