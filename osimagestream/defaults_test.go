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
		{name: "41: OCP: spec before status (user default override)", cluster: Cluster{Streams: rhel, Stored: stored("rhel-10", "rhel-9", rhel...), InstallVersion: "4.18.3"},
			want: "rhel-10", reason: ReasonSpec, field: specField},
		{name: "41: OCP: existing spec kept, though the built-in default is another", cluster: Cluster{Streams: rhel, Stored: stored("rhel-9", "rhel-9", rhel...), InstallVersion: "5.0.0"},
			want: "rhel-9", reason: ReasonSpec, field: specField},
		{name: "41: OCP: spec of the installer, no status yet", cluster: Cluster{Streams: rhel, Stored: stored("rhel-10", "")}, want: "rhel-10", reason: ReasonSpec, field: specField},
		// Seen in MCO: an empty spec gives the status default "".
		{name: "42: OCP: empty spec takes status, never the empty default", cluster: Cluster{Streams: rhel, Stored: stored("", "rhel-10", rhel...), InstallVersion: "4.18.3"},
			want: "rhel-10", reason: ReasonStatus, field: statusField},
		{name: "47: OCP: empty object takes the built-in default", cluster: Cluster{Streams: rhel, Stored: stored("", ""), InstallVersion: "4.18.3"}, want: "rhel-9", reason: ReasonBuiltIn},
		{name: "46: OCP: sole stream before built-in", cluster: Cluster{Streams: sets("rhel-10"), InstallVersion: "4.18.3"}, want: "rhel-10", reason: ReasonSole},
		{name: "47: OCP: installed as 4.x", cluster: Cluster{Streams: rhel, InstallVersion: "4.22.0-rc.1"}, want: "rhel-9", reason: ReasonBuiltIn},
		{name: "47: OCP: installed as 5.0", cluster: Cluster{Streams: rhel, InstallVersion: "5.0.0"}, want: "rhel-10", reason: ReasonBuiltIn},
		{name: "49: OCP: install version not known", cluster: Cluster{Streams: rhel}, reason: ReasonInstallVersion,
			problems: []problem{{field.ErrorTypeRequired, specField, nil}}},
		{name: "49: OCP: install version unreadable", cluster: Cluster{Streams: rhel, InstallVersion: "four"}, reason: ReasonInstallVersion,
			problems: []problem{{field.ErrorTypeRequired, specField, nil}}},
		{name: "48: OCP: built-in default not offered", cluster: Cluster{Streams: sets("rhel-10", "rhel-11"), InstallVersion: "4.22.0"}, reason: ReasonNotOffered,
			problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{name: "44: OCP: invalid default in spec", cluster: Cluster{Streams: rhel, Stored: stored("rhel-8", "rhel-9", rhel...)}, reason: ReasonNotOffered, field: specField,
			problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-8"}}},
		{name: "44: OCP: the default in status has left", cluster: Cluster{Streams: rhel, Stored: stored("", "rhel-8", sets("rhel-8")...)}, reason: ReasonNotOffered, field: statusField,
			problems: []problem{{field.ErrorTypeNotSupported, statusField, "rhel-8"}}},
		{name: "44: OCP: a sole stream does not replace the one that users chose", cluster: Cluster{Streams: sets("rhel-10"), Stored: stored("rhel-9", "rhel-9", sets("rhel-9")...)},
			reason: ReasonNotOffered, field: specField, problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{name: "40: OCP: no streams", cluster: Cluster{Stored: stored("rhel-9", "")}, reason: ReasonNoStreams, field: specField, problems: []problem{{field.ErrorTypeRequired, streamField, nil}}},

		{name: "45: OKD: built-in is centos-10", cluster: Cluster{Flavor: OKD, Streams: sets("centos-10", "centos-11"), InstallVersion: "4.18.0"}, want: "centos-10", reason: ReasonBuiltIn, findings: []FindingCode{FindingNotOffered}},
		{name: "45: OKD: needs no install version", cluster: Cluster{Flavor: OKD, Streams: sets("centos-10")}, want: "centos-10", reason: ReasonSole},
		{name: "41: OKD: spec kept", cluster: Cluster{Flavor: OKD, Streams: sets("centos-10"), Stored: stored("centos-10", "")}, want: "centos-10", reason: ReasonSpec, field: specField},
		{name: "41: OKD: spec before built-in", cluster: Cluster{Flavor: OKD, Streams: sets("centos-10", "centos-11"), Stored: stored("centos-11", "")},
			want: "centos-11", reason: ReasonSpec, field: specField, findings: []FindingCode{FindingNotOffered}},
		{name: "42: OKD: status where spec is empty", cluster: Cluster{Flavor: OKD, Streams: sets("centos-10"), Stored: stored("", "centos-10", sets("centos-10")...)},
			want: "centos-10", reason: ReasonStatus, field: statusField},
		// Seen in MCO: it fails here, and nothing can be changed any more.
		{name: "43: OKD: a stream that has left gives way to the sole one", cluster: Cluster{Flavor: OKD, Streams: sets("centos-11"), Stored: stored("centos-10", "centos-10", sets("centos-10")...)},
			want: "centos-11", reason: ReasonAdvanced, field: specField},
		{name: "40: OKD: no streams", cluster: Cluster{Flavor: OKD}, reason: ReasonNoStreams, problems: []problem{{field.ErrorTypeRequired, streamField, nil}}},
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
		{"50: OKD", OKD, "", "centos-10"},
		{"50: OKD, whatever the version", OKD, "4.18.0", "centos-10"},
		{"51: installed as 4.22", OCP, "4.22.0-rc.1", "rhel-9"},
		{"51: a leading v", OCP, "v4.22.0", "rhel-9"},
		{"52: installed as 5.0", OCP, "5.0.0", "rhel-10"},
		{"52: 40.1 is not 4.x", OCP, "40.1.0", "rhel-10"},
		{"52: a development build", OCP, "0.0.1-snapshot", "rhel-10"},
		{"53: not known", OCP, "", ""},
		{"53: unreadable", OCP, "four", ""},
		{"53: no major version", OCP, ".1", ""},
	} {
		if got := BuiltInDefault(tc.flavor, tc.version); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// A problem about the default is of no use without the choices.
func TestDefaultProblemsNameTheChoices(t *testing.T) {
	t.Run("44,48,49: a problem names the choices", testDefaultProblemsNameTheChoices)
}

func testDefaultProblemsNameTheChoices(t *testing.T) {
	for _, c := range []Cluster{
		{Streams: sets("rhel-10", "rhel-9")},
		{Streams: sets("rhel-10", "rhel-9"), Stored: stored("rhel-8", "")},
		{Streams: sets("rhel-10", "rhel-11", "rhel-9")[:2], InstallVersion: "4.1.0"},
	} {
		d := Default(c)
		if len(d.Problems) != 1 {
			t.Fatalf("problems %v", d.Problems)
		}
		for _, s := range c.Streams {
			if !strings.Contains(d.Problems[0].Error(), s.Name) {
				t.Errorf("%v does not name %s", d.Problems[0], s.Name)
			}
		}
	}
}
