package osimagestream

import (
	"slices"
	"strings"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestDiscover(t *testing.T) {
	const tags = "image-references.spec.tags"
	cmImages := configMap(pull("cm"), pull("cm-extensions"))
	cmLabels := func(stream string) map[string]map[string]string {
		return map[string]map[string]string{pull("cm"): osLabels(stream), pull("cm-extensions"): extLabels(stream)}
	}
	cmSet := func(stream string) mcfgv1.OSImageStreamSet {
		return mcfgv1.OSImageStreamSet{Name: stream, OSImage: mcfgv1.ImageDigestFormat(pull("cm")), OSExtensionsImage: mcfgv1.ImageDigestFormat(pull("cm-extensions"))}
	}
	with := func(s Sources, change func(*Sources)) Sources {
		change(&s)
		return s
	}
	labeled := func(s Sources, more map[string]map[string]string) Sources {
		for k, v := range more {
			s.Labels[k] = v
		}
		return s
	}

	for _, tc := range []struct {
		name     string
		sources  Sources
		want     []mcfgv1.OSImageStreamSet
		problems []problem
		findings []found
		partly   bool // whether the discovery is incomplete
	}{
		{name: "28: no sources", findings: []found{{FindingPayloadUnread, "image-references"}}, partly: true},
		{name: "29: a payload without OS images", sources: Sources{Payload: payload()}},
		{name: "19: payload only",
			sources: newWorld().pair("rhel-coreos", "rhel-9").pair("rhel-coreos-10", "rhel-10").sources(),
			want:    sets("rhel-10", "rhel-9")},
		{name: "26: sorted by name", sources: newWorld().pair("rhel-c-coreos", "a").pair("rhel-b-coreos", "c").pair("rhel-a-coreos", "b").sources(),
			want: sets("a", "b", "c")},
		{name: "6: names that upstream's pattern misses", // seen in MCO
			sources: newWorld().pair("centos-10-coreos", "centos-10").pair("scos-11-coreos", "centos-11").sources(),
			want:    sets("centos-10", "centos-11")},
		{name: "5: annotation filter", sources: func() Sources {
			w := newWorld().pair("node-image", "centos-10")
			for i := range w.tags {
				w.tags[i].Annotations = map[string]string{sourceAnnotation: "https://github.com/openshift/os"}
			}
			return w.sources()
		}(), want: sets("centos-10")},
		{name: "5: tags that are no OS images", sources: newWorld().pair("node-image", "centos-10").sources()},
		{name: "7: non-DockerImage tag", sources: func() Sources {
			w := newWorld().pair("stream-coreos", "centos-10")
			w.tags[0].From.Kind = "ImageStreamTag"
			return w.sources()
		}(), findings: []found{{FindingNotDockerImage, tags + "[stream-coreos].from"},
			{FindingIncompletePair, tags + "[stream-coreos-extensions].from.name"}}},

		// Seen in MCO: it drops incomplete pairs without a word.
		{name: "19: incomplete pair without extensions image is a finding",
			sources:  newWorld().image("stream-coreos", "centos-10", osLabels("centos-10")).sources(),
			findings: []found{{FindingIncompletePair, tags + "[stream-coreos].from.name"}}},
		{name: "19: incomplete pair without OS image is a finding, others go on",
			sources: newWorld().image("rhel-coreos-extensions", "rhel-9-extensions", extLabels("rhel-9")).pair("rhel-coreos-10", "rhel-10").sources(),
			want:    sets("rhel-10"), findings: []found{{FindingIncompletePair, tags + "[rhel-coreos-extensions].from.name"}}},
		{name: "15: an image without stream label", sources: newWorld().image("stream-coreos", "x", map[string]string{LabelOS: "1"}).sources(),
			findings: []found{{FindingNoStream, tags + "[stream-coreos].from.name"}}},
		{name: "15: an image without labels", sources: newWorld().image("stream-coreos", "x", nil).sources(),
			findings: []found{{FindingNoStream, tags + "[stream-coreos].from.name"}}},
		{name: "16: an image without a role", sources: newWorld().image("stream-coreos", "x", map[string]string{LabelStream: "centos-10", LabelOS: "yes"}).sources(),
			findings: []found{{FindingUnknownRole, tags + "[stream-coreos].from.name"}}},
		{name: "13: label values 1 and True", sources: newWorld().
			image("stream-coreos", "centos-10", map[string]string{LabelStream: "centos-10", LabelOS: "1"}).
			image("stream-coreos-extensions", "centos-10-extensions", map[string]string{LabelStream: "centos-10", LabelExtensions: "True"}).sources(),
			want: sets("centos-10")},
		{name: "11: two roles", sources: newWorld().pair("stream-coreos", "centos-10").
			image("stream-z-coreos", "centos-10", map[string]string{LabelStream: "centos-10", LabelOS: "1", LabelExtensions: "true"}).sources(),
			want: sets("centos-10"), findings: []found{{FindingTwoRoles, tags + "[stream-coreos].from.name"}, {FindingTwoRoles, tags + "[stream-z-coreos].from.name"}}},
		{name: "14,27: an image that could not be inspected", sources: with(newWorld().pair("stream-coreos", "centos-10").sources(), func(s *Sources) {
			delete(s.Labels, pull("centos-10"))
		}), findings: []found{{FindingIncompletePair, tags + "[stream-coreos-extensions].from.name"}, {FindingNotInspected, tags + "[stream-coreos].from.name"}}, partly: true},
		{name: "14,27: no image could be inspected", sources: with(newWorld().pair("stream-coreos", "centos-10").sources(), func(s *Sources) {
			s.Labels = map[string]map[string]string{}
		}), findings: []found{{FindingNotInspected, tags + "[stream-coreos-extensions].from.name"}, {FindingNotInspected, tags + "[stream-coreos].from.name"}}, partly: true},
		{name: "14: an image that could not be inspected, and that no stream can have",
			sources: with(newWorld().pair("rhel-coreos", "rhel-9").sources(), func(s *Sources) {
				s.Payload.Spec.Tags = append(s.Payload.Spec.Tags, tag("stream-coreos", "quay.io/okd/content:10"))
			}), want: sets("rhel-9"), problems: []problem{{field.ErrorTypeInvalid, tags + "[stream-coreos].from.name", "quay.io/okd/content:10"}}},

		// Seen in MCO: the last duplicate wins, without a word.
		{name: "20: duplicate in one source: the smallest tag name wins", sources: newWorld().
			image("rhel-z-coreos", "loser", osLabels("rhel-9")).pair("rhel-coreos", "rhel-9").sources(),
			want: sets("rhel-9"), findings: []found{{FindingDuplicateImage, tags + "[rhel-z-coreos].from.name"}}},
		{name: "20: duplicate extensions image", sources: newWorld().
			pair("rhel-coreos", "rhel-9").image("rhel-coreos-extensions-b", "loser", extLabels("rhel-9")).sources(),
			want: sets("rhel-9"), findings: []found{{FindingDuplicateImage, tags + "[rhel-coreos-extensions-b].from.name"}}},
		{name: "21: a duplicate with the same digest is none", sources: newWorld().
			pair("rhel-coreos", "rhel-9").image("rhel-z-coreos", "rhel-9", osLabels("rhel-9")).sources(),
			want: sets("rhel-9")},
		{name: "22: duplicate between sources: the later source wins",
			sources: labeled(with(newWorld().pair("rhel-coreos", "rhel-9").sources(), func(s *Sources) { s.ConfigMap = cmImages }), cmLabels("rhel-9")),
			want:    sets("rhel-9"), findings: []found{{FindingOverridden, "configmaps[machine-config-osimageurl].data"}}},
		{name: "22: the same images in two sources are no conflict",
			sources: with(newWorld().pair("rhel-coreos", "rhel-9").sources(), func(s *Sources) {
				s.ConfigMap = configMap(pull("rhel-9"), pull("rhel-9-extensions"))
			}), want: sets("rhel-9")},

		{name: "22: runtime, both sources",
			sources: labeled(with(newWorld().pair("rhel-coreos-10", "rhel-10").sources(), func(s *Sources) { s.ConfigMap = cmImages }), cmLabels("rhel-9")),
			want:    []mcfgv1.OSImageStreamSet{set("rhel-10"), cmSet("rhel-9")}},
		{name: "19: ConfigMap only", sources: Sources{ConfigMap: cmImages, Payload: payload(), Labels: cmLabels("rhel-9")}, want: []mcfgv1.OSImageStreamSet{cmSet("rhel-9")}},
		{name: "28: the payload could not be read, and holds other streams maybe than the ConfigMap", sources: Sources{ConfigMap: cmImages, Labels: cmLabels("rhel-9")},
			want: []mcfgv1.OSImageStreamSet{cmSet("rhel-9")}, findings: []found{{FindingPayloadUnread, "image-references"}}, partly: true},
		{name: "14,27: both fail", sources: Sources{ConfigMap: cmImages, Payload: newWorld().pair("rhel-coreos", "rhel-9").sources().Payload},
			findings: []found{{FindingNotInspected, tags + "[rhel-coreos-extensions].from.name"}, {FindingNotInspected, tags + "[rhel-coreos].from.name"},
				{FindingNotInspected, "configmaps[machine-config-osimageurl].data.baseOSContainerImage"}, {FindingNotInspected, "configmaps[machine-config-osimageurl].data.baseOSExtensionsContainerImage"}}, partly: true},
		{name: "23: the ConfigMap lacks a key", sources: with(newWorld().pair("rhel-coreos", "rhel-9").sources(), func(s *Sources) {
			s.ConfigMap = configMap(pull("cm"), "")
		}), want: sets("rhel-9"), findings: []found{{FindingSourceUnusable, "configmaps[machine-config-osimageurl].data"}}},
		{name: "23: the ConfigMap is empty", sources: with(newWorld().pair("rhel-coreos", "rhel-9").sources(), func(s *Sources) {
			s.ConfigMap = &corev1.ConfigMap{}
		}), want: sets("rhel-9"), findings: []found{{FindingSourceUnusable, "configmaps[machine-config-osimageurl].data"}}},
		{name: "24: one half of the ConfigMap was not inspected",
			sources: labeled(with(newWorld().pair("rhel-coreos", "rhel-9").sources(), func(s *Sources) { s.ConfigMap = cmImages }),
				map[string]map[string]string{pull("cm"): osLabels("rhel-8")}),
			want: sets("rhel-9"), findings: []found{{FindingNotInspected, "configmaps[machine-config-osimageurl].data.baseOSExtensionsContainerImage"}}, partly: true},
		{name: "22: the payload's pair is incomplete, so the ConfigMap's is taken whole",
			sources: labeled(with(newWorld().image("rhel-coreos", "rhel-9", osLabels("rhel-9")).sources(), func(s *Sources) { s.ConfigMap = cmImages }), cmLabels("rhel-9")),
			want:    []mcfgv1.OSImageStreamSet{cmSet("rhel-9")}, findings: []found{{FindingIncompletePair, tags + "[rhel-coreos].from.name"}}},
		{name: "19: a pair of two streams is no pair",
			sources: Sources{ConfigMap: cmImages, Payload: payload(), Labels: map[string]map[string]string{pull("cm"): osLabels("rhel-9"), pull("cm-extensions"): extLabels("rhel-10")}},
			findings: []found{{FindingIncompletePair, "configmaps[machine-config-osimageurl].data.baseOSContainerImage"},
				{FindingIncompletePair, "configmaps[machine-config-osimageurl].data.baseOSExtensionsContainerImage"}}},
		{name: "25: labels decide the role, not the place in the ConfigMap",
			sources: Sources{ConfigMap: configMap(pull("cm-extensions"), pull("cm")), Payload: payload(), Labels: cmLabels("rhel-9")}, want: []mcfgv1.OSImageStreamSet{cmSet("rhel-9")}},
		{name: "22: command line, overridden by the ConfigMap and that by the payload",
			sources: labeled(with(newWorld().pair("rhel-coreos", "rhel-9").sources(), func(s *Sources) {
				s.CLI, s.ConfigMap = &Pair{pull("cli"), pull("cli-extensions")}, cmImages
			}), map[string]map[string]string{pull("cli"): osLabels("rhel-9"), pull("cli-extensions"): extLabels("rhel-9"),
				pull("cm"): osLabels("rhel-9"), pull("cm-extensions"): extLabels("rhel-9")}),
			want: sets("rhel-9"), findings: []found{{FindingOverridden, "cli"}, {FindingOverridden, "configmaps[machine-config-osimageurl].data"}}},
		{name: "23: command line with one image", sources: Sources{CLI: &Pair{OSImage: pull("x")}, Payload: payload(), Labels: map[string]map[string]string{pull("x"): osLabels("a")}},
			findings: []found{{FindingSourceUnusable, "cli"}}},

		{name: "18: digested pull specs only", sources: func() Sources {
			w := newWorld().pair("rhel-coreos", "rhel-9").pair("stream-coreos", "centos-10")
			w.tags[2].From.Name = "quay.io/okd/content:10"
			w.labels["quay.io/okd/content:10"] = osLabels("centos-10")
			return w.sources()
		}(), want: sets("rhel-9"), problems: []problem{{field.ErrorTypeInvalid, tags + "[stream-coreos].from.name", "quay.io/okd/content:10"}},
			findings: []found{{FindingIncompletePair, tags + "[stream-coreos-extensions].from.name"}}},
		{name: "17: a stream name that the CRD does not take", sources: newWorld().pair("rhel-coreos", "rhel-9").pair("stream-coreos", "CentOS_10").sources(),
			want: sets("rhel-9"), problems: []problem{{field.ErrorTypeInvalid, tags + "[stream-coreos-extensions].from.name", "CentOS_10"},
				{field.ErrorTypeInvalid, tags + "[stream-coreos].from.name", "CentOS_10"}}},

		{name: "30,29: without labels: OKD's tags under the name given",
			sources: Sources{Payload: newWorld().pair("stream-coreos", "centos-10").image("stream-coreos-next", "x", nil).sources().Payload, AssumeStream: "centos-10"},
			want:    sets("centos-10"), findings: []found{{FindingNameAssumed, "assumeStream"}}},
		{name: "30,29: without labels: the ConfigMap under the name given, whatever the payload", sources: Sources{ConfigMap: cmImages, AssumeStream: "centos-10"},
			want: []mcfgv1.OSImageStreamSet{cmSet("centos-10")}, findings: []found{{FindingNameAssumed, "assumeStream"}}},
		{name: "30: without labels: the payload's tags override the ConfigMap",
			sources: Sources{ConfigMap: cmImages, Payload: newWorld().pair("stream-coreos", "centos-10").sources().Payload, AssumeStream: "centos-10"},
			want:    sets("centos-10"), findings: []found{{FindingNameAssumed, "assumeStream"}, {FindingOverridden, "configmaps[machine-config-osimageurl].data"}}},
		{name: "30: without labels: one tag is no pair",
			sources:  Sources{Payload: payload(tag("stream-coreos", pull("x"))), AssumeStream: "centos-10"},
			findings: []found{{FindingNameAssumed, "assumeStream"}, {FindingIncompletePair, tags + "[stream-coreos].from.name"}}},
		{name: "31: a name given counts for nothing once images are inspected",
			sources: with(newWorld().pair("stream-coreos", "centos-11").sources(), func(s *Sources) { s.AssumeStream = "centos-10" }), want: sets("centos-11")},
		{name: "31: a name given counts for nothing if the inspections fail", sources: with(newWorld().pair("stream-coreos", "centos-11").sources(), func(s *Sources) {
			s.Labels, s.AssumeStream = map[string]map[string]string{}, "centos-10"
		}), findings: []found{{FindingNotInspected, tags + "[stream-coreos-extensions].from.name"}, {FindingNotInspected, tags + "[stream-coreos].from.name"}}, partly: true},
		{name: "32: a name given that the CRD does not take", sources: Sources{ConfigMap: cmImages, AssumeStream: "CentOS"},
			problems: []problem{{field.ErrorTypeInvalid, "assumeStream", "CentOS"}}, partly: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := Discover(tc.sources)
			diff(t, "streams", tc.want, d.Streams)
			diff(t, "complete", !tc.partly, d.Complete)
			diff(t, "problems", tc.problems, problems(d.Problems))
			slices.SortFunc(tc.findings, func(a, b found) int {
				if a.Path != b.Path {
					if a.Path < b.Path {
						return -1
					}
					return 1
				}
				return 0
			})
			diff(t, "findings", tc.findings, findings(d.Findings))
		})
	}
}

// A duplicate that says only "duplicate" helps nobody.
func TestDuplicateNamesBothDigestsAndWhy(t *testing.T) {
	t.Run("20: a duplicate names both digests and why", testDuplicateNamesBothDigestsAndWhy)
}

func testDuplicateNamesBothDigestsAndWhy(t *testing.T) {
	d := Discover(newWorld().image("rhel-z-coreos", "loser", osLabels("rhel-9")).pair("rhel-coreos", "rhel-9").sources())
	if len(d.Findings) != 1 {
		t.Fatalf("findings %v", d.Findings)
	}
	for _, part := range []string{pull("loser"), pull("rhel-9"), "rhel-coreos"} {
		if !strings.Contains(d.Findings[0].Detail, part) {
			t.Errorf("%q does not name %s", d.Findings[0].Detail, part)
		}
	}
}
