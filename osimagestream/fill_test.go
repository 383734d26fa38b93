package osimagestream

import (
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// An empty spec can name only what the stored status offers: the new default if it
// is there, else the stored default, wherever in the list that stands.
func TestFill(t *testing.T) {
	for _, tc := range []struct {
		name, target, want, stored string
		offered                    []string
	}{
		{"66: nothing is offered yet", "new", "new", "", nil},
		{"66: the new default is offered", "new", "new", "old", []string{"a", "old", "new"}},
		{"66: the new default is the first that is offered", "new", "new", "old", []string{"new", "old"}},
		{"66: the stored default is, and is not the first", "new", "old", "old", []string{"a", "old"}},
		{"66: neither is", "new", "a", "old", []string{"a", "b"}},
		{"66: no default is stored", "new", "a", "", []string{"a", "b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stored := mcfgv1.OSImageStreamStatus{DefaultStream: tc.stored, AvailableStreams: sets(tc.offered...)}
			if got := fill(tc.target, stored); got != tc.want {
				t.Errorf("filled with %s, want %s", got, tc.want)
			}
		})
	}
	t.Run("66: a plan fills before all else", func(t *testing.T) {
		c := Cluster{Flavor: OKD, Discovery: complete(set("centos-11")), Release: release, Stored: stored("", "centos-10", sets("a", "centos-10")...)}
		steps := Plan(c).Steps
		if len(steps) != 3 || steps[0].Reason != ReasonFillSpec || steps[0].Object.Spec.DefaultStream != "centos-10" {
			t.Errorf("steps %+v", steps)
		}
	})
}
