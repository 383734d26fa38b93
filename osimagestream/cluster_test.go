package osimagestream

import (
	"testing"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestInstallVersion(t *testing.T) {
	at := func(hour int) *metav1.Time {
		return &metav1.Time{Time: time.Date(2026, 7, 1, hour, 0, 0, 0, time.UTC)}
	}
	entry := func(version string, state configv1.UpdateState, done *metav1.Time) configv1.UpdateHistory {
		return configv1.UpdateHistory{Version: version, State: state, CompletionTime: done}
	}
	const done, partial = configv1.CompletedUpdate, configv1.PartialUpdate
	for _, tc := range []struct {
		name    string
		history []configv1.UpdateHistory
		desired string
		want    string
		field   string
	}{
		{"58: the oldest completed entry", []configv1.UpdateHistory{entry("5.0.0", done, at(3)), entry("4.22.1", done, at(2)), entry("4.18.0", done, at(1))}, "5.0.0", "4.18.0", "clusterversions[version].status.history"},
		{"58: by time, whatever the order", []configv1.UpdateHistory{entry("4.18.0", done, at(1)), entry("5.0.0", done, at(3))}, "5.0.0", "4.18.0", "clusterversions[version].status.history"},
		{"59: of equal times the last, for the history is newest first", []configv1.UpdateHistory{entry("5.0.0", done, at(1)), entry("4.18.0", done, at(1))}, "5.0.0", "4.18.0", "clusterversions[version].status.history"},
		{"58: a partial entry does not count", []configv1.UpdateHistory{entry("5.0.0", done, at(3)), entry("4.18.0", partial, at(1))}, "5.0.0", "5.0.0", "clusterversions[version].status.history"},
		{"58: an entry without completion time does not count", []configv1.UpdateHistory{entry("5.0.0", done, at(3)), entry("4.18.0", done, nil)}, "5.0.0", "5.0.0", "clusterversions[version].status.history"},
		{"60: while installing: the desired version", []configv1.UpdateHistory{entry("5.0.0", partial, nil)}, "5.0.0", "5.0.0", "clusterversions[version].status.desired.version"},
		{"61: nothing known", nil, "", "", ""},
	} {
		cv := &configv1.ClusterVersion{Status: configv1.ClusterVersionStatus{History: tc.history, Desired: configv1.Release{Version: tc.desired}}}
		version, path := InstallVersion(cv)
		if version != tc.want || path != tc.field {
			t.Errorf("%s: %q of %q", tc.name, version, path)
		}
	}
	t.Run("61: no ClusterVersion", func(t *testing.T) {
		if version, path := InstallVersion(nil); version != "" || path != "" {
			t.Errorf("%q of %q", version, path)
		}
	})
}
