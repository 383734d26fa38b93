package osimagestreamtest

import (
	"cmp"
	"fmt"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A PlanCase is a row of Reconcile.
type PlanCase struct {
	Rules, Name string
	Offer       Offer
	Spec        string // in the end
	Status      mcfgv1.OSImageStreamStatus
	// What package osimagestream reports. Steps are verbs and reasons.
	Steps    []string
	Reason   string
	Problems []Problem
	Findings []Finding
}

// PlanCases are the rows of Reconcile.
func PlanCases() []PlanCase {
	const (
		create  = "Create Create"
		fill    = "Update FillSpec"
		publish = "UpdateStatus Publish"
		follow  = "Update Follow"
	)
	rhel := Sets("rhel-10", "rhel-9")
	unannotated := func(o *mcfgv1.OSImageStream) *mcfgv1.OSImageStream {
		o.Annotations = nil
		return o
	}
	old := func(o *mcfgv1.OSImageStream) *mcfgv1.OSImageStream { return by("old", o) }
	others := Stored("centos-10", "centos-10", Set("centos-10"))
	others.Annotations, others.Labels = map[string]string{"theirs": "1", annotationVersion: "old"}, map[string]string{"theirs": "2"}
	cases := []PlanCase{
		{Rules: "created-then-published", Name: "OKD install: one tuple: object, status, annotations", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10")},
			Steps: []string{create, publish, follow}, Spec: "centos-10", Status: Stored("", "centos-10", Set("centos-10")).Status, Reason: "SoleStream"},
		{Rules: "created-then-published", Name: "an install that was broken off before its status: annotations last", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10"), Stored: unannotated(Stored("centos-10", ""))},
			Steps: []string{publish, follow}, Spec: "centos-10", Status: Stored("", "centos-10", Set("centos-10")).Status, Reason: "Spec"},
		{Rules: "created-then-published okd-offers-no-other", Name: "OKD install: at most one stream, whatever the payload holds", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10", "centos-11")},
			Steps: []string{create, publish, follow}, Spec: "centos-10", Status: Stored("", "centos-10", Set("centos-10")).Status, Reason: "BuiltIn", Findings: Codes("NotOffered")},
		{Rules: "nothing-differs-nothing-written", Name: "OKD: nothing to do", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10"), Stored: Stored("centos-10", "centos-10", Set("centos-10"))},
			Spec: "centos-10", Status: Stored("", "centos-10", Set("centos-10")).Status, Reason: "Spec"},
		// Seen in MCO: a deadlock. Spec can name only what status offers, and status is never refreshed.
		{Rules: "status-follows-the-release spec-and-annotations-follow", Name: "OKD: the only stream has a new name: status, then spec", Offer: Offer{Flavor: OKD, Streams: Sets("centos-11"), Stored: old(Stored("centos-10", "centos-10", Set("centos-10")))},
			Steps: []string{publish, follow}, Spec: "centos-11", Status: Stored("", "centos-11", Set("centos-11")).Status, Reason: "Advanced"},
		{Rules: "broken-off-plan-is-finished", Name: "OKD: stopped after the status, the next plan finishes", Offer: Offer{Flavor: OKD, Streams: Sets("centos-11"), Stored: Stored("centos-10", "centos-11", Set("centos-11"))},
			Steps: []string{follow}, Spec: "centos-11", Status: Stored("", "centos-11", Set("centos-11")).Status, Reason: "Advanced"},
		{Rules: "status-follows-the-release", Name: "new images of the same stream: status, then annotations", Offer: Offer{Flavor: OKD, Streams: []mcfgv1.OSImageStreamSet{SetFrom("centos-10", "2")}, Stored: old(Stored("centos-10", "centos-10", Set("centos-10")))},
			Steps: []string{publish, follow}, Spec: "centos-10", Status: Stored("", "centos-10", SetFrom("centos-10", "2")).Status, Reason: "Spec"},
		{Rules: "broken-off-plan-is-finished", Name: "annotated, and yet with other images: status only", Offer: Offer{Flavor: OKD, Streams: []mcfgv1.OSImageStreamSet{SetFrom("centos-10", "2")}, Stored: Stored("centos-10", "centos-10", Set("centos-10"))},
			Steps: []string{publish}, Spec: "centos-10", Status: Stored("", "centos-10", SetFrom("centos-10", "2")).Status, Reason: "Spec"},
		{Rules: "spec-and-annotations-follow", Name: "annotations last, for MCO takes them for the sign that all is done",
			Offer: Offer{Flavor: OKD, Streams: []mcfgv1.OSImageStreamSet{SetFrom("centos-10", "2")}, Stored: unannotated(Stored("centos-10", "centos-10", Set("centos-10")))},
			Steps: []string{publish, follow}, Spec: "centos-10", Status: Stored("", "centos-10", SetFrom("centos-10", "2")).Status, Reason: "Spec"},
		{Rules: "spec-and-annotations-follow", Name: "the installer's object: status, then annotations", Offer: Offer{Streams: rhel, Stored: unannotated(Stored("rhel-10", ""))},
			Steps: []string{publish, follow}, Spec: "rhel-10", Status: Stored("", "rhel-10", rhel...).Status, Reason: "Spec"},
		{Rules: "status-follows-the-release", Name: "the order of the stored streams is no difference", Offer: Offer{Streams: rhel, Stored: Stored("rhel-10", "rhel-10", Set("rhel-9"), Set("rhel-10"))},
			Spec: "rhel-10", Status: Stored("", "rhel-10", rhel...).Status, Reason: "Spec"},

		// Seen in MCO: it writes the status default "" here, which the CRD rejects.
		{Rules: "empty-spec-is-filled", Name: "empty spec, default still offered", Offer: Offer{Streams: rhel, Stored: Stored("", "rhel-9", Set("rhel-9"))},
			Steps: []string{fill, publish}, Spec: "rhel-9", Status: Stored("", "rhel-9", rhel...).Status, Reason: "Status"},
		{Rules: "empty-spec-is-filled", Name: "empty spec, no status", Offer: Offer{Streams: rhel, Stored: Stored("", ""), InstallVersion: "4.20.0"},
			Steps: []string{fill, publish}, Spec: "rhel-9", Status: Stored("", "rhel-9", rhel...).Status, Reason: "BuiltIn"},
		{Rules: "empty-spec-is-filled", Name: "OKD: empty spec, stream renamed: filled with the old name, which is all that may be named yet",
			Offer: Offer{Flavor: OKD, Streams: Sets("centos-11"), Stored: Stored("", "centos-10", Set("centos-10"))},
			Steps: []string{fill, publish, follow}, Spec: "centos-11", Status: Stored("", "centos-11", Set("centos-11")).Status, Reason: "Advanced"},
		{Rules: "empty-spec-is-filled", Name: "OKD: empty spec, and the stored status offers the new stream already",
			Offer: Offer{Flavor: OKD, Streams: Sets("centos-11"), Stored: Stored("", "centos-10", Sets("centos-10", "centos-11")...)},
			Steps: []string{fill, publish}, Spec: "centos-11", Status: Stored("", "centos-11", Set("centos-11")).Status, Reason: "Advanced"},

		{Rules: "created-then-published", Name: "OCP dual stream, default by install version", Offer: Offer{Streams: rhel, InstallVersion: "4.22.0"},
			Steps: []string{create, publish, follow}, Spec: "rhel-9", Status: Stored("", "rhel-9", rhel...).Status, Reason: "BuiltIn"},
		{Rules: "status-follows-the-release", Name: "OCP: a user's new default reaches status", Offer: Offer{Streams: rhel, Stored: Stored("rhel-10", "rhel-9", rhel...)},
			Steps: []string{publish}, Spec: "rhel-10", Status: Stored("", "rhel-10", rhel...).Status, Reason: "Spec"},
		{Rules: "retired-default-stays", Name: "OCP: the default has left: the choices appear, the default and its images stay, annotations too",
			Offer: Offer{Streams: Sets("rhel-10", "rhel-11"), Stored: unannotated(Stored("rhel-9", "rhel-9", Set("rhel-9")))},
			Steps: []string{publish}, Spec: "rhel-9", Status: Stored("", "rhel-9", Sets("rhel-10", "rhel-11", "rhel-9")...).Status, Reason: "NotOffered",
			Problems: []Problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}, Findings: Codes("RetiredKept")},
		{Rules: "retired-default-stays", Name: "OCP: the default has left, and nothing more is to be said",
			Offer: Offer{Streams: Sets("rhel-10"), Stored: Stored("rhel-9", "rhel-9", Sets("rhel-10", "rhel-9")...)},
			Spec:  "rhel-9", Status: Stored("", "rhel-9", Sets("rhel-10", "rhel-9")...).Status, Reason: "NotOffered",
			Problems: []Problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}, Findings: Codes("RetiredKept")},
		{Rules: "retired-default-stays", Name: "OCP: then the user chooses, and the retired stream goes",
			Offer: Offer{Streams: Sets("rhel-10"), Stored: Stored("rhel-10", "rhel-9", Sets("rhel-10", "rhel-9")...)},
			Steps: []string{publish}, Spec: "rhel-10", Status: Stored("", "rhel-10", Set("rhel-10")).Status, Reason: "Spec"},
		{Rules: "retired-default-stays", Name: "OCP: spec names none of the streams, status does", Offer: Offer{Streams: Sets("rhel-10", "rhel-11"), Stored: Stored("rhel-9", "rhel-10", Set("rhel-10"))},
			Steps: []string{publish}, Spec: "rhel-9", Status: Stored("", "rhel-10", Sets("rhel-10", "rhel-11")...).Status, Reason: "NotOffered",
			Problems: []Problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{Rules: "empty-spec-is-filled retired-default-stays", Name: "OCP: empty spec, the default has left", Offer: Offer{Streams: Sets("rhel-10"), Stored: Stored("", "rhel-9", Set("rhel-9"))},
			Steps: []string{fill, publish}, Spec: "rhel-9", Status: Stored("", "rhel-9", Sets("rhel-10", "rhel-9")...).Status, Reason: "NotOffered",
			Problems: []Problem{{field.ErrorTypeNotSupported, statusField, "rhel-9"}}, Findings: Codes("RetiredKept")},
		{Rules: "no-default-nothing-written", Name: "OCP: no default and no status: nothing is written, spec is free", Offer: Offer{Streams: Sets("rhel-10", "rhel-11"), Stored: Stored("rhel-9", "")},
			Spec: "rhel-9", Reason: "NotOffered", Problems: []Problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{Rules: "no-default-nothing-written", Name: "OCP: no default and no object: nothing is written", Offer: Offer{Streams: Sets("rhel-10", "rhel-11"), InstallVersion: "4.22.0"},
			Reason: "NotOffered", Problems: []Problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},

		// Seen in MCO: an image that could not be inspected is left out, and so is its stream.
		{Rules: "nothing-counts-until-seen unseen-writes-nothing", Name: "OKD: an inspection failed: centos-11 may still be there", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10"), Partial: true, Stored: Stored("centos-11", "centos-11", Set("centos-11"))},
			Spec: "centos-11", Status: Stored("", "centos-11", Set("centos-11")).Status, Reason: "Incomplete", Findings: Codes("Incomplete")},
		{Rules: "nothing-counts-until-seen unseen-writes-nothing", Name: "OCP: an inspection failed: rhel-10 may still be there", Offer: Offer{Streams: Sets("rhel-9"), Partial: true, Stored: Stored("rhel-9", "rhel-9", rhel...)},
			Spec: "rhel-9", Status: Stored("", "rhel-9", rhel...).Status, Reason: "Incomplete", Findings: Codes("Incomplete")},
		{Rules: "unseen-writes-nothing", Name: "an inspection failed: no annotation says that this release is there", Offer: Offer{Streams: rhel, Partial: true, Stored: unannotated(Stored("", "rhel-9", rhel...))},
			Status: Stored("", "rhel-9", rhel...).Status, Reason: "Incomplete", Findings: Codes("Incomplete")},
		{Rules: "unseen-writes-nothing", Name: "no object, and an inspection failed: the creation waits", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10"), Partial: true},
			Reason: "Incomplete", Findings: Codes("Incomplete")},
		{Rules: "nothing-offered-nothing-written", Name: "no streams: what is stored stays", Offer: Offer{Flavor: OKD, Stored: Stored("centos-10", "centos-10", Set("centos-10"))},
			Spec: "centos-10", Status: Stored("", "centos-10", Set("centos-10")).Status, Reason: "NoStreams", Problems: []Problem{{field.ErrorTypeRequired, streamField, nil}}},
		{Rules: "hundred-streams", Name: "over 100 streams", Offer: Offer{Streams: many(101), Stored: Stored("s-1", "s-1", Set("s-1"))},
			Spec: "s-1", Status: Stored("", "s-1", Set("s-1")).Status, Reason: "Spec", Problems: []Problem{{field.ErrorTypeTooMany, streamField, 101}}},
		{Rules: "hundred-streams", Name: "100 streams", Offer: Offer{Streams: many(100), Stored: Stored("s-1", "")},
			Steps: []string{publish}, Spec: "s-1", Status: Stored("", "s-1", byName(many(100))...).Status, Reason: "Spec"},
		{Rules: "what-others-wrote-stays", Name: "annotations and labels of others", Offer: Offer{Flavor: OKD, Streams: Sets("centos-10"), Stored: others},
			Steps: []string{follow}, Spec: "centos-10", Status: Stored("", "centos-10", Set("centos-10")).Status, Reason: "Spec"},
	}
	for i := range cases {
		cases[i].Offer.Flavor = cmp.Or(cases[i].Offer.Flavor, OCP)
	}
	return cases
}

// by annotates the object as another release does.
func by(release string, o *mcfgv1.OSImageStream) *mcfgv1.OSImageStream {
	o.Annotations = map[string]string{annotationVersion: release, annotationImage: release}
	return o
}

// many returns so many streams.
func many(n int) (sets []mcfgv1.OSImageStreamSet) {
	for i := range n {
		sets = append(sets, Set(fmt.Sprintf("s-%d", i+1)))
	}
	return sets
}
