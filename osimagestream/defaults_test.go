package osimagestream

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	specField   = "osimagestreams[cluster].spec.defaultStream"
	statusField = "osimagestreams[cluster].status.defaultStream"
	streamField = "osimagestreams[cluster].status.availableStreams"
)

func TestDefault(t *testing.T) {
	rhel := sets("rhel-10", "rhel-9")
	for _, tc := range []struct {
		name     string
		cluster  Cluster
		want     string
		reason   Reason
		field    string // where spec or status asks for a stream
		problems []problem
		findings []FindingCode
	}{
		{name: "45: OCP: spec before status (user default override)", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("rhel-10", "rhel-9", rhel...), InstallVersion: "4.18.3"},
			want: "rhel-10", reason: ReasonSpec, field: specField},
		{name: "45: OCP: existing spec kept, though the built-in default is another", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("rhel-9", "rhel-9", rhel...), InstallVersion: "5.0.0"},
			want: "rhel-9", reason: ReasonSpec, field: specField},
		{name: "45: OCP: spec of the installer, no status yet", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("rhel-10", "")}, want: "rhel-10", reason: ReasonSpec, field: specField},
		// Seen in MCO: an empty spec gives the status default "".
		{name: "46: OCP: empty spec takes status, never the empty default", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("", "rhel-10", rhel...), InstallVersion: "4.18.3"},
			want: "rhel-10", reason: ReasonStatus, field: statusField},
		{name: "51: OCP: empty object takes the built-in default", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("", ""), InstallVersion: "4.18.3"}, want: "rhel-9", reason: ReasonBuiltIn},
		{name: "50: OCP: sole stream before built-in", cluster: Cluster{Discovery: complete(sets("rhel-10")...), InstallVersion: "4.18.3"}, want: "rhel-10", reason: ReasonSole},
		{name: "51: OCP: installed as 4.x", cluster: Cluster{Discovery: complete(rhel...), InstallVersion: "4.22.0-rc.1"}, want: "rhel-9", reason: ReasonBuiltIn},
		{name: "51: OCP: installed as 5.0", cluster: Cluster{Discovery: complete(rhel...), InstallVersion: "5.0.0"}, want: "rhel-10", reason: ReasonBuiltIn},
		{name: "53: OCP: install version not known", cluster: Cluster{Discovery: complete(rhel...)}, reason: ReasonInstallVersion,
			problems: []problem{{field.ErrorTypeRequired, specField, nil}}},
		{name: "53: OCP: install version unreadable", cluster: Cluster{Discovery: complete(rhel...), InstallVersion: "four"}, reason: ReasonInstallVersion,
			problems: []problem{{field.ErrorTypeRequired, specField, nil}}},
		{name: "53: OCP: install version 4", cluster: Cluster{Discovery: complete(rhel...), InstallVersion: "4"}, reason: ReasonInstallVersion,
			problems: []problem{{field.ErrorTypeRequired, specField, nil}}},
		{name: "53: OCP: install version 4.x", cluster: Cluster{Discovery: complete(rhel...), InstallVersion: "4.x"}, reason: ReasonInstallVersion,
			problems: []problem{{field.ErrorTypeRequired, specField, nil}}},
		{name: "53: OCP: install version 04.1.0", cluster: Cluster{Discovery: complete(rhel...), InstallVersion: "04.1.0"}, reason: ReasonInstallVersion,
			problems: []problem{{field.ErrorTypeRequired, specField, nil}}},
		{name: "52: OCP: built-in default not offered", cluster: Cluster{Discovery: complete(sets("rhel-10", "rhel-11")...), InstallVersion: "4.22.0"}, reason: ReasonNotOffered,
			problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{name: "48: OCP: invalid default in spec", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("rhel-8", "rhel-9", rhel...)}, reason: ReasonNotOffered, field: specField,
			problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-8"}}},
		{name: "48: OCP: the default in status has left", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("", "rhel-8", sets("rhel-8")...)}, reason: ReasonNotOffered, field: statusField,
			problems: []problem{{field.ErrorTypeNotSupported, statusField, "rhel-8"}}},
		{name: "48: OCP: a sole stream does not replace the one that users chose", cluster: Cluster{Discovery: complete(sets("rhel-10")...), Stored: stored("rhel-9", "rhel-9", sets("rhel-9")...)},
			reason: ReasonNotOffered, field: specField, problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{name: "33: OCP: one stream, and an image that was not inspected", cluster: Cluster{Discovery: Discovery{Streams: sets("rhel-10")}}, reason: ReasonIncomplete, findings: []FindingCode{FindingIncomplete}},
		{name: "33: OKD: the stream that spec names may not have left", cluster: Cluster{Flavor: OKD, Discovery: Discovery{Streams: sets("centos-10")}, Stored: stored("centos-11", "")},
			reason: ReasonIncomplete, field: specField, findings: []FindingCode{FindingIncomplete}},
		{name: "33: nothing is known", reason: ReasonIncomplete, findings: []FindingCode{FindingIncomplete}},
		{name: "44: OCP: no streams", cluster: Cluster{Discovery: complete(), Stored: stored("rhel-9", "")}, reason: ReasonNoStreams, field: specField, problems: []problem{{field.ErrorTypeRequired, streamField, nil}}},

		{name: "49: OKD: built-in is centos-10", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-10", "centos-11")...), InstallVersion: "4.18.0"}, want: "centos-10", reason: ReasonBuiltIn, findings: []FindingCode{FindingNotOffered}},
		{name: "49: OKD: needs no install version", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-10")...)}, want: "centos-10", reason: ReasonSole},
		{name: "45: OKD: spec kept", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-10")...), Stored: stored("centos-10", "")}, want: "centos-10", reason: ReasonSpec, field: specField},
		{name: "45: OKD: spec before built-in", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-10", "centos-11")...), Stored: stored("centos-11", "")},
			want: "centos-11", reason: ReasonSpec, field: specField, findings: []FindingCode{FindingNotOffered}},
		{name: "46: OKD: status where spec is empty", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-10")...), Stored: stored("", "centos-10", sets("centos-10")...)},
			want: "centos-10", reason: ReasonStatus, field: statusField},
		// Seen in MCO: it fails here, and nothing can be changed any more.
		{name: "47: OKD: a stream that has left gives way to the sole one", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-11")...), Stored: stored("centos-10", "centos-10", sets("centos-10")...)},
			want: "centos-11", reason: ReasonAdvanced, field: specField},
		{name: "44: OKD: no streams", cluster: Cluster{Flavor: OKD, Discovery: complete()}, reason: ReasonNoStreams, problems: []problem{{field.ErrorTypeRequired, streamField, nil}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := Default(tc.cluster)
			diff(t, "stream", tc.want, c.Stream)
			diff(t, "reason", tc.reason, c.Reason)
			diff(t, "field", tc.field, c.Field)
			requested := ""
			switch stored := tc.cluster.Stored; tc.field {
			case specField:
				requested = stored.Spec.DefaultStream
			case statusField:
				requested = stored.Status.DefaultStream
			}
			diff(t, "requested", requested, c.Requested)
			diff(t, "problems", tc.problems, problems(c.Problems))
			diff(t, "findings", tc.findings, codes(c.Findings))
		})
	}
}

func TestBuiltInDefault(t *testing.T) {
	for _, tc := range []struct {
		name    string
		flavor  Flavor
		version string
		want    string
	}{
		{"54: OKD", OKD, "", "centos-10"},
		{"54: OKD, whatever the version", OKD, "4.18.0", "centos-10"},
		{"55: installed as 4.22", OCP, "4.22.0-rc.1", "rhel-9"},
		{"55: a leading v", OCP, "v4.22.0", "rhel-9"},
		{"56: installed as 5.0", OCP, "5.0.0", "rhel-10"},
		{"56: 40.1 is not 4.x", OCP, "40.1.0", "rhel-10"},
		{"56: a development build", OCP, "0.0.1-snapshot", "rhel-10"},
		{"57: not known", OCP, "", ""},
		{"57: unreadable", OCP, "four", ""},
		{"57: no major version", OCP, ".1", ""},
		{"57: no minor version", OCP, "4", ""},
		{"57: no number for the minor version", OCP, "4.x", ""},
		{"57: a leading zero", OCP, "04.1.0", ""},
		{"57: a number that no version has", OCP, strings.Repeat("9", 40) + ".1.0", ""},
		{"55: no patch version", OCP, "4.18", "rhel-9"},
		{"56: 10.0", OCP, "10.0.0", "rhel-10"},
	} {
		if got := BuiltInDefault(tc.flavor, tc.version); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// A problem about the default is of no use without the choices.
func TestDefaultProblemsNameTheChoices(t *testing.T) {
	t.Run("48,52,53: a problem names the choices", testDefaultProblemsNameTheChoices)
}

func testDefaultProblemsNameTheChoices(t *testing.T) {
	for _, c := range []Cluster{
		{Discovery: complete(sets("rhel-10", "rhel-9")...)},
		{Discovery: complete(sets("rhel-10", "rhel-9")...), Stored: stored("rhel-8", "")},
		{Discovery: complete(sets("rhel-10", "rhel-11", "rhel-9")[:2]...), InstallVersion: "4.1.0"},
	} {
		d := Default(c)
		if len(d.Problems) != 1 {
			t.Fatalf("problems %v", d.Problems)
		}
		for _, s := range c.Discovery.Streams {
			if !strings.Contains(d.Problems[0].Error(), s.Name) {
				t.Errorf("%v does not name %s", d.Problems[0], s.Name)
			}
		}
	}
}
