package osimagestreamtest

import (
	"strings"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A VersionCase is a row of InstallVersion.
type VersionCase struct {
	Rules, Name string
	History     []configv1.UpdateHistory
	Desired     string
	Want        string
	Field       string // package osimagestream reports where it stands
}

// ClusterVersion is the object of the row.
func (c VersionCase) ClusterVersion() *configv1.ClusterVersion {
	return &configv1.ClusterVersion{Status: configv1.ClusterVersionStatus{History: c.History, Desired: configv1.Release{Version: c.Desired}}}
}

// VersionCases are the rows of InstallVersion.
func VersionCases() []VersionCase {
	at := func(hour int) *metav1.Time {
		return &metav1.Time{Time: time.Date(2026, 7, 1, hour, 0, 0, 0, time.UTC)}
	}
	entry := func(version string, state configv1.UpdateState, done *metav1.Time) configv1.UpdateHistory {
		return configv1.UpdateHistory{Version: version, State: state, CompletionTime: done}
	}
	const done, partial = configv1.CompletedUpdate, configv1.PartialUpdate
	return []VersionCase{
		{"oldest-completed-version", "the oldest completed entry", []configv1.UpdateHistory{entry("5.0.0", done, at(3)), entry("4.22.1", done, at(2)), entry("4.18.0", done, at(1))}, "5.0.0", "4.18.0", "clusterversions[version].status.history"},
		{"oldest-completed-version", "by time, whatever the order", []configv1.UpdateHistory{entry("4.18.0", done, at(1)), entry("5.0.0", done, at(3))}, "5.0.0", "4.18.0", "clusterversions[version].status.history"},
		{"equal-times-last-entry", "of equal times the last, for the history is newest first", []configv1.UpdateHistory{entry("5.0.0", done, at(1)), entry("4.18.0", done, at(1))}, "5.0.0", "4.18.0", "clusterversions[version].status.history"},
		{"oldest-completed-version", "a partial entry does not count", []configv1.UpdateHistory{entry("5.0.0", done, at(3)), entry("4.18.0", partial, at(1))}, "5.0.0", "5.0.0", "clusterversions[version].status.history"},
		{"oldest-completed-version", "an entry without completion time does not count", []configv1.UpdateHistory{entry("5.0.0", done, at(3)), entry("4.18.0", done, nil)}, "5.0.0", "5.0.0", "clusterversions[version].status.history"},
		{"desired-version-while-installing", "while installing: the desired version", []configv1.UpdateHistory{entry("5.0.0", partial, nil)}, "5.0.0", "5.0.0", "clusterversions[version].status.desired.version"},
		{"no-version-is-known", "nothing known", nil, "", "", ""},
	}
}

// A BuiltInCase is a row of BuiltInDefault.
type BuiltInCase struct {
	Rules, Name string
	Flavor      Flavor
	Version     string
	Want        string
}

// BuiltInCases are the rows of BuiltInDefault.
func BuiltInCases() []BuiltInCase {
	return []BuiltInCase{
		{"built-in-of-okd", "OKD", OKD, "", "centos-10"},
		{"built-in-of-okd", "OKD, whatever the version", OKD, "4.18.0", "centos-10"},
		{"built-in-of-4", "installed as 4.22", OCP, "4.22.0-rc.1", "rhel-9"},
		{"built-in-of-4", "a leading v", OCP, "v4.22.0", "rhel-9"},
		{"built-in-of-others", "installed as 5.0", OCP, "5.0.0", "rhel-10"},
		{"built-in-of-others", "40.1 is not 4.x", OCP, "40.1.0", "rhel-10"},
		{"built-in-of-others", "a development build", OCP, "0.0.1-snapshot", "rhel-10"},
		{"install-version-is-not-guessed", "not known", OCP, "", ""},
		{"install-version-is-not-guessed", "unreadable", OCP, "four", ""},
		{"install-version-is-not-guessed", "no major version", OCP, ".1", ""},
		{"install-version-is-not-guessed", "no minor version", OCP, "4", ""},
		{"install-version-is-not-guessed", "no number for the minor version", OCP, "4.x", ""},
		{"install-version-is-not-guessed", "a leading zero", OCP, "04.1.0", ""},
		{"install-version-is-not-guessed", "a number that no version has", OCP, strings.Repeat("9", 40) + ".1.0", ""},
		{"built-in-of-4", "no patch version", OCP, "4.18", "rhel-9"},
		{"built-in-of-others", "10.0", OCP, "10.0.0", "rhel-10"},
	}
}
