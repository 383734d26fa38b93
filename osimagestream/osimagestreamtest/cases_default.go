package osimagestreamtest

import (
	"cmp"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The fields that package osimagestream names.
const (
	specField   = "osimagestreams[cluster].spec.defaultStream"
	statusField = "osimagestreams[cluster].status.defaultStream"
	streamField = "osimagestreams[cluster].status.availableStreams"
)

// An OfferCase is a row of Single, or of Default.
type OfferCase struct {
	Rules, Name string
	Offer       Offer
	Want        string // the name of the stream
	// What package osimagestream reports. There is an error if there are problems.
	Reason, Field string
	Problems      []Problem
	Findings      []Finding
}

// SingleCases are the rows of Single.
func SingleCases() []OfferCase {
	left := func(names ...string) []Finding {
		var fs []Finding
		for _, n := range names {
			fs = append(fs, Finding{"NotOffered", streamField + "[" + n + "]"})
		}
		return fs
	}
	return []OfferCase{
		{Rules: "okd-without-a-stream", Name: "no stream is a problem", Offer: Offer{Flavor: OKD}, Reason: "NoStreams",
			Problems: []Problem{{field.ErrorTypeRequired, "osimagestreams[cluster].status.availableStreams", nil}}},
		{Rules: "okd-sole-stream", Name: "exactly one", Offer: Offer{Flavor: OKD, Streams: Sets("centos-12")}, Want: "centos-12", Reason: "SoleStream"},
		{Rules: "nothing-counts-until-seen", Name: "one stream, and an image that was not inspected", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10"), Partial: true}, Reason: "Incomplete",
			Findings: []Finding{{"Incomplete", "discovery.complete"}}},
		{Rules: "okd-sole-stream", Name: "exactly one, whatever spec says", Offer: Offer{Flavor: OKD, Streams: Sets("centos-12"), Stored: Stored("centos-10", "")}, Want: "centos-12", Reason: "SoleStream"},
		{Rules: "okd-stream-of-spec", Name: "more than one: the one that spec names", Offer: Offer{Flavor: OKD, Streams: Sets("centos-11", "centos-10", "centos-9"), Stored: Stored("centos-9", "centos-11", Sets("centos-11")...)},
			Want: "centos-9", Reason: "Spec", Field: "osimagestreams[cluster].spec.defaultStream", Findings: left("centos-10", "centos-11")},
		{Rules: "okd-stream-of-status", Name: "more than one, spec empty: the one that status names, so an old object never goes back",
			Offer: Offer{Flavor: OKD, Streams: Sets("centos-11", "centos-10"), Stored: Stored("", "centos-11", Sets("centos-11")...)},
			Want:  "centos-11", Reason: "Status", Field: "osimagestreams[cluster].status.defaultStream", Findings: left("centos-10")},
		{Rules: "okd-built-in-stream", Name: "more than one: the built-in default's", Offer: Offer{Flavor: OKD, Streams: Sets("centos-11", "centos-10")}, Want: "centos-10", Reason: "BuiltIn", Findings: left("centos-11")},
		{Rules: "okd-built-in-stream", Name: "more than one: the built-in default's, if spec names one that has left", Offer: Offer{Flavor: OKD, Streams: Sets("centos-11", "centos-10"), Stored: Stored("centos-9", "")},
			Want: "centos-10", Reason: "BuiltIn", Findings: left("centos-11")},
		{Rules: "okd-highest-version", Name: "more than one: the highest version", Offer: Offer{Flavor: OKD, Streams: Sets("centos-9", "centos-12", "centos-11")}, Want: "centos-12", Reason: "HighestVersion", Findings: left("centos-11", "centos-9")},
		{Rules: "okd-highest-version", Name: "of equal versions the first by name", Offer: Offer{Flavor: OKD, Streams: Sets("scos-11", "centos-11")}, Want: "centos-11", Reason: "HighestVersion", Findings: left("scos-11")},
		{Rules: "refused-stream-does-not-count", Name: "a stream that the CRD does not take does not count", Offer: Offer{Flavor: OKD, Streams: []mcfgv1.OSImageStreamSet{{Name: "centos-12", OSImage: "x:1", OSExtensionsImage: "y:1"}, Set("centos-10")}},
			Want: "centos-10", Reason: "SoleStream", Problems: []Problem{
				{field.ErrorTypeInvalid, "osimagestreams[cluster].status.availableStreams[centos-12].osImage", "x:1"},
				{field.ErrorTypeInvalid, "osimagestreams[cluster].status.availableStreams[centos-12].osExtensionsImage", "y:1"}}},
		{Rules: "okd-stream-of-spec", Name: "the first by name, though another is higher", Offer: Offer{Flavor: OKD, Streams: Sets("scos-12", "centos-11"), Stored: Stored("centos-11", "")},
			Want: "centos-11", Reason: "Spec", Field: specField, Findings: left("scos-12")},
		{Rules: "one-stream-for-each-name", Name: "one stream given twice", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10", "centos-10")}, Want: "centos-10", Reason: "SoleStream"},
		{Rules: "one-stream-for-each-name", Name: "one name with two tuples, the other order", Offer: Offer{Flavor: OKD, Streams: []mcfgv1.OSImageStreamSet{Set("centos-10"), SetFrom("centos-10", "b")}}, Want: "centos-10", Reason: "SoleStream",
			Problems: []Problem{{field.ErrorTypeDuplicate, streamField + "[centos-10]",
				max(string(SetFrom("centos-10", "b").OSImage), string(Set("centos-10").OSImage))}}},
		{Rules: "one-stream-for-each-name", Name: "one OS image with two extensions images", Offer: Offer{Flavor: OKD, Streams: []mcfgv1.OSImageStreamSet{
			{Name: "a", OSImage: Set("a").OSImage, OSExtensionsImage: max(Set("b").OSImage, Set("c").OSImage)},
			{Name: "a", OSImage: Set("a").OSImage, OSExtensionsImage: min(Set("b").OSImage, Set("c").OSImage)}}}, Want: "a", Reason: "SoleStream",
			Problems: []Problem{{field.ErrorTypeDuplicate, streamField + "[a]", string(Set("a").OSImage)}}},
		{Rules: "one-stream-for-each-name", Name: "one name with two tuples", Offer: Offer{Flavor: OKD, Streams: []mcfgv1.OSImageStreamSet{SetFrom("centos-10", "b"), Set("centos-10")}}, Want: "centos-10", Reason: "SoleStream",
			Problems: []Problem{{field.ErrorTypeDuplicate, "osimagestreams[cluster].status.availableStreams[centos-10]",
				max(string(SetFrom("centos-10", "b").OSImage), string(Set("centos-10").OSImage))}}},
	}
}

// DefaultCases are the rows of Default.
func DefaultCases() []OfferCase {
	rhel := Sets("rhel-10", "rhel-9")
	cases := []OfferCase{
		{Rules: "spec-names-the-default", Name: "OCP: spec before status (user default override)", Offer: Offer{Streams: rhel, Stored: Stored("rhel-10", "rhel-9", rhel...), InstallVersion: "4.18.3"},
			Want: "rhel-10", Reason: "Spec", Field: specField},
		{Rules: "spec-names-the-default", Name: "OCP: existing spec kept, though the built-in default is another", Offer: Offer{Streams: rhel, Stored: Stored("rhel-9", "rhel-9", rhel...), InstallVersion: "5.0.0"},
			Want: "rhel-9", Reason: "Spec", Field: specField},
		{Rules: "spec-names-the-default", Name: "OCP: spec of the installer, no status yet", Offer: Offer{Streams: rhel, Stored: Stored("rhel-10", "")}, Want: "rhel-10", Reason: "Spec", Field: specField},
		// Seen in MCO: an empty spec gives the status default "".
		{Rules: "status-stands-in-for-spec", Name: "OCP: empty spec takes status, never the empty default", Offer: Offer{Streams: rhel, Stored: Stored("", "rhel-10", rhel...), InstallVersion: "4.18.3"},
			Want: "rhel-10", Reason: "Status", Field: statusField},
		{Rules: "built-in-default", Name: "OCP: empty object takes the built-in default", Offer: Offer{Streams: rhel, Stored: Stored("", ""), InstallVersion: "4.18.3"}, Want: "rhel-9", Reason: "BuiltIn"},
		{Rules: "sole-stream-is-the-default", Name: "OCP: sole stream before built-in", Offer: Offer{Streams: Sets("rhel-10"), InstallVersion: "4.18.3"}, Want: "rhel-10", Reason: "SoleStream"},
		{Rules: "built-in-default", Name: "OCP: installed as 4.x", Offer: Offer{Streams: rhel, InstallVersion: "4.22.0-rc.1"}, Want: "rhel-9", Reason: "BuiltIn"},
		{Rules: "built-in-default", Name: "OCP: installed as 5.0", Offer: Offer{Streams: rhel, InstallVersion: "5.0.0"}, Want: "rhel-10", Reason: "BuiltIn"},
		{Rules: "built-in-default-is-unknown", Name: "OCP: install version not known", Offer: Offer{Streams: rhel}, Reason: "InstallVersionUnknown",
			Problems: []Problem{{field.ErrorTypeRequired, specField, nil}}},
		{Rules: "built-in-default-is-unknown", Name: "OCP: install version unreadable", Offer: Offer{Streams: rhel, InstallVersion: "four"}, Reason: "InstallVersionUnknown",
			Problems: []Problem{{field.ErrorTypeRequired, specField, nil}}},
		{Rules: "built-in-default-is-unknown", Name: "OCP: install version 4", Offer: Offer{Streams: rhel, InstallVersion: "4"}, Reason: "InstallVersionUnknown",
			Problems: []Problem{{field.ErrorTypeRequired, specField, nil}}},
		{Rules: "built-in-default-is-unknown", Name: "OCP: install version 4.x", Offer: Offer{Streams: rhel, InstallVersion: "4.x"}, Reason: "InstallVersionUnknown",
			Problems: []Problem{{field.ErrorTypeRequired, specField, nil}}},
		{Rules: "built-in-default-is-unknown", Name: "OCP: install version 04.1.0", Offer: Offer{Streams: rhel, InstallVersion: "04.1.0"}, Reason: "InstallVersionUnknown",
			Problems: []Problem{{field.ErrorTypeRequired, specField, nil}}},
		{Rules: "built-in-default-has-left", Name: "OCP: built-in default not offered", Offer: Offer{Streams: Sets("rhel-10", "rhel-11"), InstallVersion: "4.22.0"}, Reason: "NotOffered",
			Problems: []Problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{Rules: "ocp-asks", Name: "OCP: invalid default in spec", Offer: Offer{Streams: rhel, Stored: Stored("rhel-8", "rhel-9", rhel...)}, Reason: "NotOffered", Field: specField,
			Problems: []Problem{{field.ErrorTypeNotSupported, specField, "rhel-8"}}},
		{Rules: "ocp-asks", Name: "OCP: the default in status has left", Offer: Offer{Streams: rhel, Stored: Stored("", "rhel-8", Sets("rhel-8")...)}, Reason: "NotOffered", Field: statusField,
			Problems: []Problem{{field.ErrorTypeNotSupported, statusField, "rhel-8"}}},
		{Rules: "ocp-asks", Name: "OCP: a sole stream does not replace the one that users chose", Offer: Offer{Streams: Sets("rhel-10"), Stored: Stored("rhel-9", "rhel-9", Sets("rhel-9")...)},
			Reason: "NotOffered", Field: specField, Problems: []Problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{Rules: "nothing-counts-until-seen", Name: "OCP: one stream, and an image that was not inspected", Offer: Offer{Streams: Sets("rhel-10"), Partial: true}, Reason: "Incomplete", Findings: Codes("Incomplete")},
		{Rules: "nothing-counts-until-seen", Name: "OKD: the stream that spec names may not have left", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10"), Partial: true, Stored: Stored("centos-11", "")},
			Reason: "Incomplete", Field: specField, Findings: Codes("Incomplete")},
		{Rules: "nothing-counts-until-seen", Name: "nothing is known", Offer: Offer{Partial: true}, Reason: "Incomplete", Findings: Codes("Incomplete")},
		{Rules: "nothing-offered-no-default", Name: "OCP: no streams", Offer: Offer{Stored: Stored("rhel-9", "")}, Reason: "NoStreams", Field: specField, Problems: []Problem{{field.ErrorTypeRequired, streamField, nil}}},

		{Rules: "okd-default-is-its-stream", Name: "OKD: built-in is centos-10", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10", "centos-11"), InstallVersion: "4.18.0"}, Want: "centos-10", Reason: "BuiltIn", Findings: Codes("NotOffered")},
		{Rules: "okd-default-is-its-stream", Name: "OKD: needs no install version", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10")}, Want: "centos-10", Reason: "SoleStream"},
		{Rules: "spec-names-the-default", Name: "OKD: spec kept", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10"), Stored: Stored("centos-10", "")}, Want: "centos-10", Reason: "Spec", Field: specField},
		{Rules: "spec-names-the-default", Name: "OKD: spec before built-in", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10", "centos-11"), Stored: Stored("centos-11", "")},
			Want: "centos-11", Reason: "Spec", Field: specField, Findings: Codes("NotOffered")},
		{Rules: "status-stands-in-for-spec", Name: "OKD: status where spec is empty", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10"), Stored: Stored("", "centos-10", Sets("centos-10")...)},
			Want: "centos-10", Reason: "Status", Field: statusField},
		// Seen in MCO: it fails here, and nothing can be changed any more.
		{Rules: "okd-advances", Name: "OKD: a stream that has left gives way to the sole one", Offer: Offer{Flavor: OKD, Streams: Sets("centos-11"), Stored: Stored("centos-10", "centos-10", Sets("centos-10")...)},
			Want: "centos-11", Reason: "Advanced", Field: specField},
		{Rules: "nothing-offered-no-default", Name: "OKD: no streams", Offer: Offer{Flavor: OKD}, Reason: "NoStreams", Problems: []Problem{{field.ErrorTypeRequired, streamField, nil}}},
		{Rules: "refused-stream-does-not-count", Name: "OCP: a stream that the CRD does not take is left out", Offer: Offer{Streams: append(Sets("rhel-10"), mcfgv1.OSImageStreamSet{Name: "Rhel", OSImage: Set("a").OSImage, OSExtensionsImage: Set("b").OSImage})},
			Want: "rhel-10", Reason: "SoleStream", Problems: []Problem{{field.ErrorTypeInvalid, streamField + "[Rhel].name", "Rhel"}}},
	}
	for i := range cases {
		cases[i].Offer.Flavor = cmp.Or(cases[i].Offer.Flavor, OCP)
	}
	return cases
}
