package osimagestream

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	specField   = "osimagestream[cluster].spec.defaultStream"
	statusField = "osimagestream[cluster].status.defaultStream"
	streamField = "osimagestream[cluster].status.availableStreams"
)

func TestDefault(t *testing.T) {
	rhel := sets("rhel-10", "rhel-9")
	for _, tc := range []struct {
		name     string
		cluster  Cluster
		want     string
		reason   Reason
		field    string
		problems []problem
		findings []FindingCode
	}{
		{name: "OCP: spec before status (user default override)", cluster: Cluster{Streams: rhel, Existing: stored("rhel-10", "rhel-9", rhel...), InstallVersion: "4.18.3"},
			want: "rhel-10", reason: ReasonSpec, field: specField},
		{name: "OCP: existing spec kept, though the built-in default is another", cluster: Cluster{Streams: rhel, Existing: stored("rhel-9", "rhel-9", rhel...), InstallVersion: "5.0.0"},
			want: "rhel-9", reason: ReasonSpec, field: specField},
		{name: "OCP: spec of the installer, no status yet", cluster: Cluster{Streams: rhel, Existing: stored("rhel-10", "")}, want: "rhel-10", reason: ReasonSpec, field: specField},
		// RAN: with upstream an empty spec gives the status default "".
		{name: "OCP: empty spec takes status, never the empty default", cluster: Cluster{Streams: rhel, Existing: stored("", "rhel-10", rhel...), InstallVersion: "4.18.3"},
			want: "rhel-10", reason: ReasonStatus, field: statusField},
		{name: "OCP: empty object takes the built-in default", cluster: Cluster{Streams: rhel, Existing: stored("", ""), InstallVersion: "4.18.3"}, want: "rhel-9", reason: ReasonBuiltIn},
		{name: "OCP: sole stream before built-in", cluster: Cluster{Streams: sets("rhel-10"), InstallVersion: "4.18.3"}, want: "rhel-10", reason: ReasonSole},
		{name: "OCP: installed as 4.x", cluster: Cluster{Streams: rhel, InstallVersion: "4.22.0-rc.1"}, want: "rhel-9", reason: ReasonBuiltIn},
		{name: "OCP: installed as 5.0", cluster: Cluster{Streams: rhel, InstallVersion: "5.0.0"}, want: "rhel-10", reason: ReasonBuiltIn},
		{name: "OCP: installed as 40.1, which is not 4.x", cluster: Cluster{Streams: rhel, InstallVersion: "40.1.0"}, want: "rhel-10", reason: ReasonBuiltIn},
		{name: "OCP: a development build", cluster: Cluster{Streams: rhel, InstallVersion: "0.0.1-snapshot"}, want: "rhel-10", reason: ReasonBuiltIn},
		{name: "OCP: v4.22", cluster: Cluster{Streams: rhel, InstallVersion: "v4.22.0"}, want: "rhel-9", reason: ReasonBuiltIn},
		{name: "OCP: install version not known", cluster: Cluster{Streams: rhel}, reason: ReasonInstallVersion,
			problems: []problem{{field.ErrorTypeRequired, specField, nil}}},
		{name: "OCP: install version unreadable", cluster: Cluster{Streams: rhel, InstallVersion: "four"}, reason: ReasonInstallVersion,
			problems: []problem{{field.ErrorTypeRequired, specField, nil}}},
		{name: "OCP: built-in default not offered", cluster: Cluster{Streams: sets("rhel-10", "rhel-11"), InstallVersion: "4.22.0"}, reason: ReasonNotOffered,
			problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{name: "OCP: invalid default in spec", cluster: Cluster{Streams: rhel, Existing: stored("rhel-8", "rhel-9", rhel...)}, reason: ReasonNotOffered, field: specField,
			problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-8"}}},
		{name: "OCP: the default in status has left", cluster: Cluster{Streams: rhel, Existing: stored("", "rhel-8", sets("rhel-8")...)}, reason: ReasonNotOffered, field: statusField,
			problems: []problem{{field.ErrorTypeNotSupported, statusField, "rhel-8"}}},
		{name: "OCP: a sole stream does not replace the one that users chose", cluster: Cluster{Streams: sets("rhel-10"), Existing: stored("rhel-9", "rhel-9", sets("rhel-9")...)},
			reason: ReasonNotOffered, field: specField, problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{name: "OCP: no streams", cluster: Cluster{Existing: stored("rhel-9", "")}, reason: ReasonNoStreams, problems: []problem{{field.ErrorTypeRequired, streamField, nil}}},

		{name: "OKD: built-in is centos-10", cluster: Cluster{Flavor: OKD, Streams: sets("centos-10", "centos-11"), InstallVersion: "4.18.0"}, want: "centos-10", reason: ReasonBuiltIn, findings: []FindingCode{FindingNotOffered}},
		{name: "OKD: needs no install version", cluster: Cluster{Flavor: OKD, Streams: sets("centos-10")}, want: "centos-10", reason: ReasonSole},
		{name: "OKD: spec kept", cluster: Cluster{Flavor: OKD, Streams: sets("centos-10"), Existing: stored("centos-10", "")}, want: "centos-10", reason: ReasonSpec, field: specField},
		{name: "OKD: spec before built-in", cluster: Cluster{Flavor: OKD, Streams: sets("centos-10", "centos-11"), Existing: stored("centos-11", "")},
			want: "centos-11", reason: ReasonSpec, field: specField, findings: []FindingCode{FindingNotOffered}},
		{name: "OKD: status where spec is empty", cluster: Cluster{Flavor: OKD, Streams: sets("centos-10"), Existing: stored("", "centos-10", sets("centos-10")...)},
			want: "centos-10", reason: ReasonStatus, field: statusField},
		// RAN: upstream errs here, and nothing can be changed any more.
		{name: "OKD: a stream that has left gives way to the sole one", cluster: Cluster{Flavor: OKD, Streams: sets("centos-11"), Existing: stored("centos-10", "centos-10", sets("centos-10")...)},
			want: "centos-11", reason: ReasonAdvanced, field: specField},
		{name: "OKD: no streams", cluster: Cluster{Flavor: OKD}, reason: ReasonNoStreams, problems: []problem{{field.ErrorTypeRequired, streamField, nil}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := Default(tc.cluster)
			diff(t, "stream", tc.want, c.Stream)
			diff(t, "reason", tc.reason, c.Reason)
			diff(t, "field", tc.field, c.Field)
			diff(t, "problems", tc.problems, problems(c.Problems))
			diff(t, "findings", tc.findings, codes(c.Findings))
		})
	}
}

// A problem about the default is no use without the choices.
func TestDefaultProblemsNameTheChoices(t *testing.T) {
	for _, c := range []Cluster{
		{Streams: sets("rhel-10", "rhel-9")},
		{Streams: sets("rhel-10", "rhel-9"), Existing: stored("rhel-8", "")},
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
