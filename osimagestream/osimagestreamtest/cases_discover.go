package osimagestreamtest

import (
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A DiscoverCase is a row of Discover.
type DiscoverCase struct {
	Rules, Name string
	Sources     Sources
	Want        []mcfgv1.OSImageStreamSet
	Partly      bool // not all was seen
	// What package osimagestream reports. There is an error if there are problems.
	Problems []Problem
	Findings []Finding
}

// DiscoverCases are the rows of Discover.
func DiscoverCases() []DiscoverCase {
	const tags = "image-references.spec.tags"
	cmImages := ConfigMap(PullSpec("cm"), PullSpec("cm-extensions"))
	cmLabels := func(stream string) map[string]map[string]string {
		return map[string]map[string]string{PullSpec("cm"): OSLabels(stream), PullSpec("cm-extensions"): ExtensionsLabels(stream)}
	}
	cmSet := func(stream string) mcfgv1.OSImageStreamSet {
		return mcfgv1.OSImageStreamSet{Name: stream, OSImage: mcfgv1.ImageDigestFormat(PullSpec("cm")), OSExtensionsImage: mcfgv1.ImageDigestFormat(PullSpec("cm-extensions"))}
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

	return []DiscoverCase{
		{Rules: "unread-payload-is-incomplete", Name: "no sources", Findings: []Finding{{"PayloadUnread", "image-references"}}, Partly: true},
		{Rules: "else-complete", Name: "a payload without OS images", Sources: Sources{Payload: Payload()}},
		{Rules: "pair-makes-a-stream", Name: "payload only",
			Sources: NewWorld().Pair("rhel-coreos", "rhel-9").Pair("rhel-coreos-10", "rhel-10").Sources(),
			Want:    Sets("rhel-10", "rhel-9")},
		{Rules: "pair-makes-a-stream", Name: "sorted by name", Sources: NewWorld().Pair("rhel-c-coreos", "a").Pair("rhel-b-coreos", "c").Pair("rhel-a-coreos", "b").Sources(),
			Want: Sets("a", "b", "c")},
		{Rules: "tag-of-okd-by-its-name", Name: "names that upstream's pattern misses", // seen in MCO
			Sources: NewWorld().Pair("centos-10-coreos", "centos-10").Pair("scos-11-coreos", "centos-11").Sources(),
			Want:    Sets("centos-10", "centos-11")},
		{Rules: "tag-by-its-origin", Name: "annotation filter", Sources: func() Sources {
			w := NewWorld().Pair("node-image", "centos-10")
			for i := range w.Tags {
				w.Tags[i].Annotations = map[string]string{sourceAnnotation: "https://github.com/openshift/os"}
			}
			return w.Sources()
		}(), Want: Sets("centos-10")},
		{Rules: "tag-by-its-origin", Name: "tags that are no OS images", Sources: NewWorld().Pair("node-image", "centos-10").Sources()},
		{Rules: "tag-points-to-an-image", Name: "non-DockerImage tag", Sources: func() Sources {
			w := NewWorld().Pair("stream-coreos", "centos-10")
			w.Tags[0].From.Kind = "ImageStreamTag"
			return w.Sources()
		}(), Findings: []Finding{{"NotDockerImage", tags + "[stream-coreos].from"},
			{"IncompletePair", tags + "[stream-coreos-extensions].from.name"}}},

		// Seen in MCO: it drops incomplete pairs without a word.
		{Rules: "pair-makes-a-stream", Name: "incomplete pair without extensions image is a finding",
			Sources:  NewWorld().Image("stream-coreos", "centos-10", OSLabels("centos-10")).Sources(),
			Findings: []Finding{{"IncompletePair", tags + "[stream-coreos].from.name"}}},
		{Rules: "pair-makes-a-stream", Name: "incomplete pair without OS image is a finding, others go on",
			Sources: NewWorld().Image("rhel-coreos-extensions", "rhel-9-extensions", ExtensionsLabels("rhel-9")).Pair("rhel-coreos-10", "rhel-10").Sources(),
			Want:    Sets("rhel-10"), Findings: []Finding{{"IncompletePair", tags + "[rhel-coreos-extensions].from.name"}}},
		{Rules: "image-without-stream-is-skipped", Name: "an image without stream label", Sources: NewWorld().Image("stream-coreos", "x", map[string]string{labelOS: "1"}).Sources(),
			Findings: []Finding{{"NoStreamLabel", tags + "[stream-coreos].from.name"}}},
		{Rules: "image-without-stream-is-skipped", Name: "an image without labels", Sources: NewWorld().Image("stream-coreos", "x", nil).Sources(),
			Findings: []Finding{{"NoStreamLabel", tags + "[stream-coreos].from.name"}}},
		{Rules: "image-without-role-is-skipped", Name: "an image without a role", Sources: NewWorld().Image("stream-coreos", "x", map[string]string{labelStream: "centos-10", labelOS: "yes"}).Sources(),
			Findings: []Finding{{"UnknownRole", tags + "[stream-coreos].from.name"}}},
		{Rules: "label-values-in-any-case", Name: "label values 1 and True", Sources: NewWorld().
			Image("stream-coreos", "centos-10", map[string]string{labelStream: "centos-10", labelOS: "1"}).
			Image("stream-coreos-extensions", "centos-10-extensions", map[string]string{labelStream: "centos-10", labelExtensions: "True"}).Sources(),
			Want: Sets("centos-10")},
		{Rules: "both-labels-are-an-os-image", Name: "two roles", Sources: NewWorld().Pair("stream-coreos", "centos-10").
			Image("stream-z-coreos", "centos-10", map[string]string{labelStream: "centos-10", labelOS: "1", labelExtensions: "true"}).Sources(),
			Want: Sets("centos-10"), Findings: []Finding{{"TwoRoles", tags + "[stream-coreos].from.name"}, {"TwoRoles", tags + "[stream-z-coreos].from.name"}}},
		{Rules: "uninspected-image-is-skipped uninspected-is-incomplete", Name: "an image that could not be inspected", Sources: with(NewWorld().Pair("stream-coreos", "centos-10").Sources(), func(s *Sources) {
			delete(s.Labels, PullSpec("centos-10"))
		}), Findings: []Finding{{"IncompletePair", tags + "[stream-coreos-extensions].from.name"}, {"NotInspected", tags + "[stream-coreos].from.name"}}, Partly: true},
		{Rules: "uninspected-image-is-skipped uninspected-is-incomplete", Name: "no image could be inspected", Sources: with(NewWorld().Pair("stream-coreos", "centos-10").Sources(), func(s *Sources) {
			s.Labels = map[string]map[string]string{}
		}), Findings: []Finding{{"NotInspected", tags + "[stream-coreos-extensions].from.name"}, {"NotInspected", tags + "[stream-coreos].from.name"}}, Partly: true},
		{Rules: "uninspected-image-is-skipped", Name: "an image that could not be inspected, and that no stream can have",
			Sources: with(NewWorld().Pair("rhel-coreos", "rhel-9").Sources(), func(s *Sources) {
				s.Payload.Spec.Tags = append(s.Payload.Spec.Tags, Tag("stream-coreos", "quay.io/okd/content:10"))
			}), Want: Sets("rhel-9"), Problems: []Problem{{field.ErrorTypeInvalid, tags + "[stream-coreos].from.name", "quay.io/okd/content:10"}}},

		// Seen in MCO: the last duplicate wins, without a word.
		{Rules: "smallest-tag-wins", Name: "duplicate in one source: the smallest tag name wins", Sources: NewWorld().
			Image("rhel-z-coreos", "loser", OSLabels("rhel-9")).Pair("rhel-coreos", "rhel-9").Sources(),
			Want: Sets("rhel-9"), Findings: []Finding{{"DuplicateImage", tags + "[rhel-z-coreos].from.name"}}},
		{Rules: "smallest-tag-wins", Name: "duplicate extensions image", Sources: NewWorld().
			Pair("rhel-coreos", "rhel-9").Image("rhel-coreos-extensions-b", "loser", ExtensionsLabels("rhel-9")).Sources(),
			Want: Sets("rhel-9"), Findings: []Finding{{"DuplicateImage", tags + "[rhel-coreos-extensions-b].from.name"}}},
		{Rules: "smallest-tag-wins", Name: "two tags of one name: the smallest pull spec", Sources: func() Sources {
			s := NewWorld().Pair("rhel-coreos", "rhel-9").Sources()
			other := Tag("rhel-coreos", "quay.io/okd/a"+PullSpec("other")[len("quay.io/okd/content"):])
			s.Payload.Spec.Tags, s.Labels[other.From.Name] = append(s.Payload.Spec.Tags, other), OSLabels("rhel-9")
			return s
		}(), Want: []mcfgv1.OSImageStreamSet{{Name: "rhel-9", OSImage: mcfgv1.ImageDigestFormat("quay.io/okd/a" + PullSpec("other")[len("quay.io/okd/content"):]),
			OSExtensionsImage: Set("rhel-9").OSExtensionsImage}}, Findings: []Finding{{"DuplicateImage", tags + "[rhel-coreos].from.name"}}},
		{Rules: "same-image-is-no-duplicate", Name: "a duplicate with the same digest is none", Sources: NewWorld().
			Pair("rhel-coreos", "rhel-9").Image("rhel-z-coreos", "rhel-9", OSLabels("rhel-9")).Sources(),
			Want: Sets("rhel-9")},
		{Rules: "later-source-wins-whole", Name: "duplicate between sources: the later source wins",
			Sources: labeled(with(NewWorld().Pair("rhel-coreos", "rhel-9").Sources(), func(s *Sources) { s.ConfigMap = cmImages }), cmLabels("rhel-9")),
			Want:    Sets("rhel-9"), Findings: []Finding{{"Overridden", "configmaps[machine-config-osimageurl].data"}}},
		{Rules: "later-source-wins-whole", Name: "the same images in two sources are no conflict",
			Sources: with(NewWorld().Pair("rhel-coreos", "rhel-9").Sources(), func(s *Sources) {
				s.ConfigMap = ConfigMap(PullSpec("rhel-9"), PullSpec("rhel-9-extensions"))
			}), Want: Sets("rhel-9")},

		{Rules: "later-source-wins-whole", Name: "runtime, both sources",
			Sources: labeled(with(NewWorld().Pair("rhel-coreos-10", "rhel-10").Sources(), func(s *Sources) { s.ConfigMap = cmImages }), cmLabels("rhel-9")),
			Want:    []mcfgv1.OSImageStreamSet{Set("rhel-10"), cmSet("rhel-9")}},
		{Rules: "pair-makes-a-stream", Name: "ConfigMap only", Sources: Sources{ConfigMap: cmImages, Payload: Payload(), Labels: cmLabels("rhel-9")}, Want: []mcfgv1.OSImageStreamSet{cmSet("rhel-9")}},
		{Rules: "unread-payload-is-incomplete", Name: "the payload could not be read, and holds other streams maybe than the ConfigMap", Sources: Sources{ConfigMap: cmImages, Labels: cmLabels("rhel-9")},
			Want: []mcfgv1.OSImageStreamSet{cmSet("rhel-9")}, Findings: []Finding{{"PayloadUnread", "image-references"}}, Partly: true},
		{Rules: "uninspected-image-is-skipped uninspected-is-incomplete", Name: "both fail", Sources: Sources{ConfigMap: cmImages, Payload: NewWorld().Pair("rhel-coreos", "rhel-9").Sources().Payload},
			Findings: []Finding{{"NotInspected", tags + "[rhel-coreos-extensions].from.name"}, {"NotInspected", tags + "[rhel-coreos].from.name"},
				{"NotInspected", "configmaps[machine-config-osimageurl].data.baseOSContainerImage"}, {"NotInspected", "configmaps[machine-config-osimageurl].data.baseOSExtensionsContainerImage"}}, Partly: true},
		{Rules: "source-names-both-images", Name: "the ConfigMap lacks a key", Sources: with(NewWorld().Pair("rhel-coreos", "rhel-9").Sources(), func(s *Sources) {
			s.ConfigMap = ConfigMap(PullSpec("cm"), "")
		}), Want: Sets("rhel-9"), Findings: []Finding{{"SourceUnusable", "configmaps[machine-config-osimageurl].data"}}},
		{Rules: "source-names-both-images", Name: "the ConfigMap lacks the other key", Sources: with(NewWorld().Pair("rhel-coreos", "rhel-9").Sources(), func(s *Sources) {
			s.ConfigMap = ConfigMap("", PullSpec("cm"))
		}), Want: Sets("rhel-9"), Findings: []Finding{{"SourceUnusable", "configmaps[machine-config-osimageurl].data"}}},
		{Rules: "source-names-both-images", Name: "the ConfigMap is empty", Sources: with(NewWorld().Pair("rhel-coreos", "rhel-9").Sources(), func(s *Sources) {
			s.ConfigMap = &corev1.ConfigMap{}
		}), Want: Sets("rhel-9"), Findings: []Finding{{"SourceUnusable", "configmaps[machine-config-osimageurl].data"}}},
		{Rules: "source-counts-whole", Name: "one half of the ConfigMap was not inspected",
			Sources: labeled(with(NewWorld().Pair("rhel-coreos", "rhel-9").Sources(), func(s *Sources) { s.ConfigMap = cmImages }),
				map[string]map[string]string{PullSpec("cm"): OSLabels("rhel-8")}),
			Want: Sets("rhel-9"), Findings: []Finding{{"NotInspected", "configmaps[machine-config-osimageurl].data.baseOSExtensionsContainerImage"}}, Partly: true},
		{Rules: "later-source-wins-whole", Name: "the payload's pair is incomplete, so the ConfigMap's is taken whole",
			Sources: labeled(with(NewWorld().Image("rhel-coreos", "rhel-9", OSLabels("rhel-9")).Sources(), func(s *Sources) { s.ConfigMap = cmImages }), cmLabels("rhel-9")),
			Want:    []mcfgv1.OSImageStreamSet{cmSet("rhel-9")}, Findings: []Finding{{"IncompletePair", tags + "[rhel-coreos].from.name"}}},
		{Rules: "pair-makes-a-stream", Name: "a pair of two streams is no pair",
			Sources: Sources{ConfigMap: cmImages, Payload: Payload(), Labels: map[string]map[string]string{PullSpec("cm"): OSLabels("rhel-9"), PullSpec("cm-extensions"): ExtensionsLabels("rhel-10")}},
			Findings: []Finding{{"IncompletePair", "configmaps[machine-config-osimageurl].data.baseOSContainerImage"},
				{"IncompletePair", "configmaps[machine-config-osimageurl].data.baseOSExtensionsContainerImage"}}},
		{Rules: "labels-decide-the-role", Name: "labels decide the role, not the place in the ConfigMap",
			Sources: Sources{ConfigMap: ConfigMap(PullSpec("cm-extensions"), PullSpec("cm")), Payload: Payload(), Labels: cmLabels("rhel-9")}, Want: []mcfgv1.OSImageStreamSet{cmSet("rhel-9")}},
		{Rules: "later-source-wins-whole", Name: "command line, overridden by the ConfigMap and that by the payload",
			Sources: labeled(with(NewWorld().Pair("rhel-coreos", "rhel-9").Sources(), func(s *Sources) {
				s.CLI, s.ConfigMap = &Pair{PullSpec("cli"), PullSpec("cli-extensions")}, cmImages
			}), map[string]map[string]string{PullSpec("cli"): OSLabels("rhel-9"), PullSpec("cli-extensions"): ExtensionsLabels("rhel-9"),
				PullSpec("cm"): OSLabels("rhel-9"), PullSpec("cm-extensions"): ExtensionsLabels("rhel-9")}),
			Want: Sets("rhel-9"), Findings: []Finding{{"Overridden", "cli"}, {"Overridden", "configmaps[machine-config-osimageurl].data"}}},
		{Rules: "source-names-both-images", Name: "command line with one image", Sources: Sources{CLI: &Pair{OSImage: PullSpec("x")}, Payload: Payload(), Labels: map[string]map[string]string{PullSpec("x"): OSLabels("a")}},
			Findings: []Finding{{"SourceUnusable", "cli"}}},

		{Rules: "pull-spec-is-checked", Name: "digested pull specs only", Sources: func() Sources {
			w := NewWorld().Pair("rhel-coreos", "rhel-9").Pair("stream-coreos", "centos-10")
			w.Tags[2].From.Name = "quay.io/okd/content:10"
			w.Labels["quay.io/okd/content:10"] = OSLabels("centos-10")
			return w.Sources()
		}(), Want: Sets("rhel-9"), Problems: []Problem{{field.ErrorTypeInvalid, tags + "[stream-coreos].from.name", "quay.io/okd/content:10"}},
			Findings: []Finding{{"IncompletePair", tags + "[stream-coreos-extensions].from.name"}}},
		{Rules: "stream-name-is-checked", Name: "a stream name that the CRD does not take", Sources: NewWorld().Pair("rhel-coreos", "rhel-9").Pair("stream-coreos", "CentOS_10").Sources(),
			Want: Sets("rhel-9"), Problems: []Problem{{field.ErrorTypeInvalid, tags + "[stream-coreos-extensions].from.name", "CentOS_10"},
				{field.ErrorTypeInvalid, tags + "[stream-coreos].from.name", "CentOS_10"}}},

		{Rules: "stream-is-assumed else-complete", Name: "without labels: OKD's tags under the name given",
			Sources: Sources{Payload: NewWorld().Pair("stream-coreos", "centos-10").Image("stream-coreos-next", "x", nil).Sources().Payload, AssumeStream: "centos-10"},
			Want:    Sets("centos-10"), Findings: []Finding{{"NameAssumed", "assumeStream"}}},
		{Rules: "stream-is-assumed else-complete", Name: "without labels: the ConfigMap under the name given, whatever the payload", Sources: Sources{ConfigMap: cmImages, AssumeStream: "centos-10"},
			Want: []mcfgv1.OSImageStreamSet{cmSet("centos-10")}, Findings: []Finding{{"NameAssumed", "assumeStream"}}},
		{Rules: "stream-is-assumed", Name: "without labels: the payload's tags override the ConfigMap",
			Sources: Sources{ConfigMap: cmImages, Payload: NewWorld().Pair("stream-coreos", "centos-10").Sources().Payload, AssumeStream: "centos-10"},
			Want:    Sets("centos-10"), Findings: []Finding{{"NameAssumed", "assumeStream"}, {"Overridden", "configmaps[machine-config-osimageurl].data"}}},
		{Rules: "stream-is-assumed", Name: "without labels: tags of other names do not count",
			Sources:  Sources{Payload: Payload(Tag("stream-coreos-next", PullSpec("x"))), AssumeStream: "centos-10"},
			Findings: []Finding{{"NameAssumed", "assumeStream"}}},
		{Rules: "stream-is-assumed", Name: "without labels: one tag is no pair",
			Sources:  Sources{Payload: Payload(Tag("stream-coreos", PullSpec("x"))), AssumeStream: "centos-10"},
			Findings: []Finding{{"NameAssumed", "assumeStream"}, {"IncompletePair", tags + "[stream-coreos].from.name"}}},
		{Rules: "inspection-beats-the-assumption", Name: "a name given counts for nothing once images are inspected",
			Sources: with(NewWorld().Pair("stream-coreos", "centos-11").Sources(), func(s *Sources) { s.AssumeStream = "centos-10" }), Want: Sets("centos-11")},
		{Rules: "inspection-beats-the-assumption", Name: "a name given counts for nothing if the inspections fail", Sources: with(NewWorld().Pair("stream-coreos", "centos-11").Sources(), func(s *Sources) {
			s.Labels, s.AssumeStream = map[string]map[string]string{}, "centos-10"
		}), Findings: []Finding{{"NotInspected", tags + "[stream-coreos-extensions].from.name"}, {"NotInspected", tags + "[stream-coreos].from.name"}}, Partly: true},
		{Rules: "assumed-name-is-checked", Name: "a name given that the CRD does not take", Sources: Sources{ConfigMap: cmImages, AssumeStream: "CentOS"},
			Problems: []Problem{{field.ErrorTypeInvalid, "assumeStream", "CentOS"}}, Partly: true},
	}
}
