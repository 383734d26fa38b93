package payloadarch_test

import (
	"strconv"
	"testing"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// With the race detector this sees a write to what several callers share, even one that is
// undone before they return.
func TestConcurrentCallers(t *testing.T) {
	cv, gates := clusterVersion("", v1, imageA, completed(v1, imageA)), featureGate(enabled(v1), disabled(v2))
	data := []byte(document(`"release.openshift.io/architecture":[1]`))
	all := entries(linux("x86_64"), entry("windows", "amd64"), linux("mips"), attestation())
	stored, proposed := &configv1.Update{Version: v1}, &configv1.Update{Architecture: multi, Version: v1}
	a, b := payloadarch.SetOf("amd64", "mips"), payloadarch.SetOf("arm64")
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			payloadarch.FromHosted("", cv, gates)
			verdict := payloadarch.FromClusterVersion(cv, gates)
			if _, err := payloadarch.FromReleaseMetadata(data); err != nil {
				t.Error(err)
			}
			payloadarch.FromIndex(all)
			payloadarch.TransitionOf(payloadarch.Single, verdict, cv.Status.History)
			payloadarch.CheckDesiredUpdate(stored, proposed, payloadarch.Multi)
			_ = a.Union(b).String()
		})
	}
}
