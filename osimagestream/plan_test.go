package osimagestream

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// script writes steps down: verb and reason.
func script(steps []Step) []string {
	var s []string
	for _, step := range steps {
		s = append(s, fmt.Sprintf("%s %s", step.Verb, step.Reason))
	}
	return s
}

func TestPlan(t *testing.T) {
	const (
		create  = "Create Create"
		fill    = "Update FillSpec"
		publish = "UpdateStatus Publish"
		follow  = "Update Follow"
	)
	rhel := sets("rhel-10", "rhel-9")
	unannotated := func(o *mcfgv1.OSImageStream) *mcfgv1.OSImageStream {
		o.Annotations = nil
		return o
	}
	for _, tc := range []struct {
		name     string
		cluster  Cluster
		steps    []string
		spec     string // in the end
		status   mcfgv1.OSImageStreamStatus
		reason   Reason
		problems []problem
		findings []FindingCode
	}{
		{name: "63: OKD install: one tuple: object, status, annotations", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-10")...)},
			steps: []string{create, publish, follow}, spec: "centos-10", status: stored("", "centos-10", set("centos-10")).Status, reason: ReasonSole},
		{name: "63: an install that was broken off before its status: annotations last", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-10")...), Stored: unannotated(stored("centos-10", ""))},
			steps: []string{publish, follow}, spec: "centos-10", status: stored("", "centos-10", set("centos-10")).Status, reason: ReasonSpec},
		{name: "63: OKD install: at most one stream, whatever the payload holds", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-10", "centos-11")...)},
			steps: []string{create, publish, follow}, spec: "centos-10", status: stored("", "centos-10", set("centos-10")).Status, reason: ReasonBuiltIn, findings: []FindingCode{FindingNotOffered}},
		{name: "67: OKD: nothing to do", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-10")...), Stored: stored("centos-10", "centos-10", set("centos-10"))},
			spec: "centos-10", status: stored("", "centos-10", set("centos-10")).Status, reason: ReasonSpec},
		// Seen in MCO: a deadlock. Spec can name only what status offers, and status is never refreshed.
		{name: "64,65: OKD: the only stream has a new name: status, then spec", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-11")...), Stored: stored("centos-10", "centos-10", set("centos-10"))},
			steps: []string{publish, follow}, spec: "centos-11", status: stored("", "centos-11", set("centos-11")).Status, reason: ReasonAdvanced},
		{name: "74: OKD: stopped after the status, the next plan finishes", cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-11")...), Stored: stored("centos-10", "centos-11", set("centos-11"))},
			steps: []string{follow}, spec: "centos-11", status: stored("", "centos-11", set("centos-11")).Status, reason: ReasonAdvanced},
		{name: "64: new images of the same stream: status only", cluster: Cluster{Flavor: OKD, Discovery: complete([]mcfgv1.OSImageStreamSet{setFrom("centos-10", "2")}...), Stored: stored("centos-10", "centos-10", set("centos-10"))},
			steps: []string{publish}, spec: "centos-10", status: stored("", "centos-10", setFrom("centos-10", "2")).Status, reason: ReasonSpec},
		{name: "65: annotations last, for MCO takes them for the sign that all is done",
			cluster: Cluster{Flavor: OKD, Discovery: complete([]mcfgv1.OSImageStreamSet{setFrom("centos-10", "2")}...), Stored: unannotated(stored("centos-10", "centos-10", set("centos-10")))},
			steps:   []string{publish, follow}, spec: "centos-10", status: stored("", "centos-10", setFrom("centos-10", "2")).Status, reason: ReasonSpec},
		{name: "65: the installer's object: status, then annotations", cluster: Cluster{Discovery: complete(rhel...), Stored: unannotated(stored("rhel-10", ""))},
			steps: []string{publish, follow}, spec: "rhel-10", status: stored("", "rhel-10", rhel...).Status, reason: ReasonSpec},
		{name: "64: the order of the stored streams is no difference", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("rhel-10", "rhel-10", set("rhel-9"), set("rhel-10"))},
			spec: "rhel-10", status: stored("", "rhel-10", rhel...).Status, reason: ReasonSpec},

		// Seen in MCO: it writes the status default "" here, which the CRD rejects.
		{name: "66: empty spec, default still offered", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("", "rhel-9", set("rhel-9"))},
			steps: []string{fill, publish}, spec: "rhel-9", status: stored("", "rhel-9", rhel...).Status, reason: ReasonStatus},
		{name: "66: empty spec, no status", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("", ""), InstallVersion: "4.20.0"},
			steps: []string{fill, publish}, spec: "rhel-9", status: stored("", "rhel-9", rhel...).Status, reason: ReasonBuiltIn},
		{name: "66: OKD: empty spec, stream renamed: filled with the old name, which is all that may be named yet",
			cluster: Cluster{Flavor: OKD, Discovery: complete(sets("centos-11")...), Stored: stored("", "centos-10", set("centos-10"))},
			steps:   []string{fill, publish, follow}, spec: "centos-11", status: stored("", "centos-11", set("centos-11")).Status, reason: ReasonAdvanced},

		{name: "63: OCP dual stream, default by install version", cluster: Cluster{Discovery: complete(rhel...), InstallVersion: "4.22.0"},
			steps: []string{create, publish, follow}, spec: "rhel-9", status: stored("", "rhel-9", rhel...).Status, reason: ReasonBuiltIn},
		{name: "64: OCP: a user's new default reaches status", cluster: Cluster{Discovery: complete(rhel...), Stored: stored("rhel-10", "rhel-9", rhel...)},
			steps: []string{publish}, spec: "rhel-10", status: stored("", "rhel-10", rhel...).Status, reason: ReasonSpec},
		{name: "69: OCP: the default has left: the choices appear, the default and its images stay, annotations too",
			cluster: Cluster{Discovery: complete(sets("rhel-10", "rhel-11")...), Stored: unannotated(stored("rhel-9", "rhel-9", set("rhel-9")))},
			steps:   []string{publish}, spec: "rhel-9", status: stored("", "rhel-9", sets("rhel-10", "rhel-11", "rhel-9")...).Status, reason: ReasonNotOffered,
			problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}, findings: []FindingCode{FindingRetiredKept}},
		{name: "69: OCP: the default has left, and nothing more is to be said",
			cluster: Cluster{Discovery: complete(sets("rhel-10")...), Stored: stored("rhel-9", "rhel-9", sets("rhel-10", "rhel-9")...)},
			spec:    "rhel-9", status: stored("", "rhel-9", sets("rhel-10", "rhel-9")...).Status, reason: ReasonNotOffered,
			problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}, findings: []FindingCode{FindingRetiredKept}},
		{name: "64: OCP: then the user chooses, and the retired stream goes",
			cluster: Cluster{Discovery: complete(sets("rhel-10")...), Stored: stored("rhel-10", "rhel-9", sets("rhel-10", "rhel-9")...)},
			steps:   []string{publish}, spec: "rhel-10", status: stored("", "rhel-10", set("rhel-10")).Status, reason: ReasonSpec},
		{name: "69: OCP: spec names none of the streams, status does", cluster: Cluster{Discovery: complete(sets("rhel-10", "rhel-11")...), Stored: stored("rhel-9", "rhel-10", set("rhel-10"))},
			steps: []string{publish}, spec: "rhel-9", status: stored("", "rhel-10", sets("rhel-10", "rhel-11")...).Status, reason: ReasonNotOffered,
			problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{name: "66,69: OCP: empty spec, the default has left", cluster: Cluster{Discovery: complete(sets("rhel-10")...), Stored: stored("", "rhel-9", set("rhel-9"))},
			steps: []string{fill, publish}, spec: "rhel-9", status: stored("", "rhel-9", sets("rhel-10", "rhel-9")...).Status, reason: ReasonNotOffered,
			problems: []problem{{field.ErrorTypeNotSupported, statusField, "rhel-9"}}, findings: []FindingCode{FindingRetiredKept}},
		{name: "70: OCP: no default and no status: nothing is written, spec is free", cluster: Cluster{Discovery: complete(sets("rhel-10", "rhel-11")...), Stored: stored("rhel-9", "")},
			spec: "rhel-9", reason: ReasonNotOffered, problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},
		{name: "70: OCP: no default and no object: nothing is written", cluster: Cluster{Discovery: complete(sets("rhel-10", "rhel-11")...), InstallVersion: "4.22.0"},
			reason: ReasonNotOffered, problems: []problem{{field.ErrorTypeNotSupported, specField, "rhel-9"}}},

		// Seen in MCO: an image that could not be inspected is left out, and so is its stream.
		{name: "33,62: OKD: an inspection failed: centos-11 may still be there", cluster: Cluster{Flavor: OKD, Discovery: Discovery{Streams: sets("centos-10")}, Stored: stored("centos-11", "centos-11", set("centos-11"))},
			spec: "centos-11", status: stored("", "centos-11", set("centos-11")).Status, reason: ReasonIncomplete, findings: []FindingCode{FindingIncomplete}},
		{name: "33,62: OCP: an inspection failed: rhel-10 may still be there", cluster: Cluster{Discovery: Discovery{Streams: sets("rhel-9")}, Stored: stored("rhel-9", "rhel-9", rhel...)},
			spec: "rhel-9", status: stored("", "rhel-9", rhel...).Status, reason: ReasonIncomplete, findings: []FindingCode{FindingIncomplete}},
		{name: "62: an inspection failed: no annotation says that this release is there", cluster: Cluster{Discovery: Discovery{Streams: rhel}, Stored: unannotated(stored("", "rhel-9", rhel...))},
			status: stored("", "rhel-9", rhel...).Status, reason: ReasonIncomplete, findings: []FindingCode{FindingIncomplete}},
		{name: "62: no object, and an inspection failed: the creation waits", cluster: Cluster{Flavor: OKD, Discovery: Discovery{Streams: sets("centos-10")}},
			reason: ReasonIncomplete, findings: []FindingCode{FindingIncomplete}},
		{name: "68: no streams: what is stored stays", cluster: Cluster{Flavor: OKD, Discovery: complete(), Stored: stored("centos-10", "centos-10", set("centos-10"))},
			spec: "centos-10", status: stored("", "centos-10", set("centos-10")).Status, reason: ReasonNoStreams, problems: []problem{{field.ErrorTypeRequired, streamField, nil}}},
		{name: "34: a stream that the CRD does not take is left out", cluster: Cluster{Discovery: complete(append(sets("rhel-10"), mcfgv1.OSImageStreamSet{Name: "Rhel", OSImage: set("a").OSImage, OSExtensionsImage: set("b").OSImage})...)},
			steps: []string{create, publish, follow}, spec: "rhel-10", status: stored("", "rhel-10", set("rhel-10")).Status, reason: ReasonSole,
			problems: []problem{{field.ErrorTypeInvalid, streamField + "[Rhel].name", "Rhel"}}},
		{name: "71: over 100 streams", cluster: Cluster{Discovery: complete(many(101)...), Stored: stored("s-1", "s-1", set("s-1"))},
			spec: "s-1", status: stored("", "s-1", set("s-1")).Status, reason: ReasonSpec, problems: []problem{{field.ErrorTypeTooMany, streamField, 101}}},
		{name: "71: 100 streams", cluster: Cluster{Discovery: complete(many(100)...), Stored: stored("s-1", "")},
			steps: []string{publish}, spec: "s-1", status: stored("", "s-1", sorted(many(100))...).Status, reason: ReasonSpec},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.cluster.Release = release
			p := Plan(tc.cluster)
			diff(t, "steps", tc.steps, script(p.Steps))
			diff(t, "reason", tc.reason, p.Reason)
			diff(t, "problems", tc.problems, problems(p.Problems))
			diff(t, "findings", tc.findings, codes(p.Findings))

			end := crdApply(t, tc.cluster.Stored, p)
			if end == nil {
				if tc.spec != "" {
					t.Fatal("no object")
				}
				return
			}
			diff(t, "spec", tc.spec, end.Spec.DefaultStream)
			diff(t, "status", tc.status, end.Status, cmpopts.SortSlices(func(a, b mcfgv1.OSImageStreamSet) bool { return a.Name < b.Name }))
			if p.Stream != "" && len(p.Steps) > 0 {
				diff(t, "annotations", map[string]string{AnnotationReleaseVersion: release.Version, AnnotationReleaseImage: release.Image}, end.Annotations)
			} else if d := cmp.Diff(tc.cluster.Stored.Annotations, end.Annotations); d != "" {
				t.Errorf("annotations moved without a default:\n%s", d)
			}

			tc.cluster.Stored = end
			if again := Plan(tc.cluster); len(again.Steps) != 0 {
				t.Errorf("a second plan still wants %v", script(again.Steps))
			}
		})
	}
}

func many(n int) []mcfgv1.OSImageStreamSet {
	var s []mcfgv1.OSImageStreamSet
	for i := range n {
		s = append(s, set(fmt.Sprintf("s-%d", i+1)))
	}
	return s
}

// MCO ignores the object without its annotations, so a lack of them is a finding.
// The annotations of others, and everything else in the metadata, stay.
func TestAnnotations(t *testing.T) {
	o := stored("centos-10", "centos-10", set("centos-10"))
	o.Annotations = map[string]string{"theirs": "1", AnnotationReleaseVersion: "old"}
	o.Labels = map[string]string{"theirs": "2"}
	c := Cluster{Flavor: OKD, Discovery: complete(sets("centos-10")...), Stored: o, Release: release}
	t.Run("73: what others wrote stays", func(t *testing.T) {
		end := crdApply(t, o, Plan(c))
		diff(t, "annotations", map[string]string{"theirs": "1", AnnotationReleaseVersion: release.Version, AnnotationReleaseImage: release.Image}, end.Annotations)
		diff(t, "labels", map[string]string{"theirs": "2"}, end.Labels)
		diff(t, "resourceVersion", "7", end.ResourceVersion)
	})
	t.Run("72: a release that is not given, or not whole", func(t *testing.T) {
		c.Stored = nil
		for _, r := range []Release{{}, {Version: "x"}, {Image: "y"}} {
			c.Release = r
			p := Plan(c)
			diff(t, "findings", []FindingCode{FindingUnannotated}, codes(p.Findings))
			diff(t, "annotations", r.annotations(), crdApply(t, nil, p).Annotations)
		}
	})
}
