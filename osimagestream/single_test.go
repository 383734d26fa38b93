package osimagestream

import (
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestSingle(t *testing.T) {
	left := func(names ...string) []found {
		var fs []found
		for _, n := range names {
			fs = append(fs, found{FindingNotOffered, "osimagestreams[cluster].status.availableStreams[" + n + "]"})
		}
		return fs
	}
	for _, tc := range []struct {
		name     string
		streams  []mcfgv1.OSImageStreamSet
		existing *mcfgv1.OSImageStream
		want     string
		reason   Reason
		field    string
		problems []problem
		findings []found
		partly   bool // whether the discovery is incomplete
	}{
		{name: "36: no stream is a problem", reason: ReasonNoStreams,
			problems: []problem{{field.ErrorTypeRequired, "osimagestreams[cluster].status.availableStreams", nil}}},
		{name: "37: exactly one", streams: sets("centos-12"), want: "centos-12", reason: ReasonSole},
		{name: "33: one stream, and an image that was not inspected", streams: sets("centos-10"), partly: true, reason: ReasonIncomplete,
			findings: []found{{FindingIncomplete, "discovery.complete"}}},
		{name: "37: exactly one, whatever spec says", streams: sets("centos-12"), existing: stored("centos-10", ""), want: "centos-12", reason: ReasonSole},
		{name: "38,43: more than one: the one that spec names", streams: sets("centos-11", "centos-10", "centos-9"), existing: stored("centos-9", "centos-11", sets("centos-11")...),
			want: "centos-9", reason: ReasonSpec, field: "osimagestreams[cluster].spec.defaultStream", findings: left("centos-10", "centos-11")},
		{name: "39: more than one, spec empty: the one that status names, so an old object never goes back",
			streams: sets("centos-11", "centos-10"), existing: stored("", "centos-11", sets("centos-11")...),
			want: "centos-11", reason: ReasonStatus, field: "osimagestreams[cluster].status.defaultStream", findings: left("centos-10")},
		{name: "40: more than one: the built-in default's", streams: sets("centos-11", "centos-10"), want: "centos-10", reason: ReasonBuiltIn, findings: left("centos-11")},
		{name: "40: more than one: the built-in default's, if spec names one that has left", streams: sets("centos-11", "centos-10"), existing: stored("centos-9", ""),
			want: "centos-10", reason: ReasonBuiltIn, findings: left("centos-11")},
		{name: "41: more than one: the highest version", streams: sets("centos-9", "centos-12", "centos-11"), want: "centos-12", reason: ReasonHighest, findings: left("centos-11", "centos-9")},
		{name: "41: of equal versions the first by name", streams: sets("scos-11", "centos-11"), want: "centos-11", reason: ReasonHighest, findings: left("scos-11")},
		{name: "34: a stream that the CRD does not take does not count", streams: []mcfgv1.OSImageStreamSet{{Name: "centos-12", OSImage: "x:1", OSExtensionsImage: "y:1"}, set("centos-10")},
			want: "centos-10", reason: ReasonSole, problems: []problem{
				{field.ErrorTypeInvalid, "osimagestreams[cluster].status.availableStreams[centos-12].osImage", "x:1"},
				{field.ErrorTypeInvalid, "osimagestreams[cluster].status.availableStreams[centos-12].osExtensionsImage", "y:1"}}},
		{name: "35: one name with two tuples", streams: []mcfgv1.OSImageStreamSet{setFrom("centos-10", "b"), set("centos-10")}, want: "centos-10", reason: ReasonSole,
			problems: []problem{{field.ErrorTypeDuplicate, "osimagestreams[cluster].status.availableStreams[centos-10]",
				max(string(setFrom("centos-10", "b").OSImage), string(set("centos-10").OSImage))}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := Single(Cluster{Flavor: OKD, Discovery: Discovery{Complete: !tc.partly, Streams: tc.streams}, Stored: tc.existing})
			diff(t, "stream", tc.want, s.Stream.Name)
			diff(t, "reason", tc.reason, s.Reason)
			diff(t, "field", tc.field, s.Field)
			diff(t, "problems", tc.problems, problems(s.Problems))
			diff(t, "findings", tc.findings, findings(s.Findings))
		})
	}
}

// One ordered list, all pairs crossed.
func TestCompareVersions(t *testing.T) {
	t.Run("42: by the numbers in the names", testCompareVersions)
}

func testCompareVersions(t *testing.T) {
	ordered := []string{"stream", "centos-9", "rhel-9.6", "rhel-9.10", "centos-10", "centos-10.0", "centos-010.1", "centos-11", "centos-99999999999999999999", "centos-100000000000000000000"}
	for i, a := range ordered {
		for j, b := range ordered {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := compareVersions(a, b); got != want {
				t.Errorf("compareVersions(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
	for _, pair := range [][2]string{{"centos-10", "scos-010"}, {"stream", "coreos"}, {"a1b2", "1.2"}} {
		if got := compareVersions(pair[0], pair[1]); got != 0 {
			t.Errorf("compareVersions(%q, %q) = %d", pair[0], pair[1], got)
		}
	}
}
