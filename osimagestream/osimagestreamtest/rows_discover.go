package osimagestreamtest

import (
	"slices"

	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
)

// aTag is what discovery needs of a tag.
type aTag struct {
	Name, Source string
	From         corev1.ObjectReference
}

func tagsOf(tags []imagev1.TagReference) (all []aTag) {
	for _, t := range tags {
		a := aTag{Name: t.Name, Source: t.Annotations[sourceAnnotation]}
		if t.From != nil {
			a.From = *t.From
		}
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b aTag) int {
		return slices.Compare([]string{a.Name, a.From.Name}, []string{b.Name, b.From.Name})
	})
	return all
}

// readPayload is what came of reading one.
type readPayload struct {
	Refused bool
	Tags    []aTag // of those that are wanted
}

func payloadRows() (rows []row) {
	for _, c := range PayloadCases() {
		rows = append(rows, each(c.Rules, c.Name, hasReadPayload, func(i Impl, _ string) outcome {
			want := readPayload{Refused: c.Code != "", Tags: tagsOf(c.Want)}
			payload, err := i.ReadPayload([]byte(c.Data))
			got := readPayload{Refused: err != nil}
			if err == nil && payload != nil {
				got.Tags = slices.DeleteFunc(tagsOf(payload.Spec.Tags), func(t aTag) bool {
					return !slices.ContainsFunc(want.Tags, func(w aTag) bool { return w.Name == t.Name })
				})
			}
			if len(got.Tags) == 0 {
				got.Tags = nil
			}
			return outcome{Input: c.Data[:min(len(c.Data), 2000)], Want: want, Got: got}
		})...)
	}
	for _, c := range CandidateCases() {
		rows = append(rows, each(c.Rules, c.Name, hasCandidate, func(i Impl, _ string) outcome {
			return outcome{Input: c.Tag, Want: c.Want, Got: i.Candidate(c.Tag)}
		})...)
	}
	for _, c := range ImagesCases() {
		rows = append(rows, each(c.Rules, c.Name, hasImages, func(i Impl, _ string) outcome {
			return outcome{Input: c.Sources, Want: c.Want, Got: slices.Sorted(slices.Values(i.Images(c.Sources)))}
		})...)
	}
	return rows
}

// An ImagesCase is a row of Images.
type ImagesCase struct {
	Rules, Name string
	Sources     Sources
	Want        []string // sorted
}

// ImagesCases are the rows of Images.
func ImagesCases() []ImagesCase {
	const rule = "images-are-inspected-once"
	all := NewWorld().Pair("stream-coreos", "centos-10").Sources()
	all.Payload.Spec.Tags = append(all.Payload.Spec.Tags, Tag("etcd", PullSpec("etcd")), Tag("rhel-coreos", PullSpec("centos-10")),
		Tag("centos-12-coreos", "quay.io/okd/content:12"))
	all.ConfigMap = ConfigMap(PullSpec("cm"), "")
	all.CLI = &Pair{OSImage: PullSpec("cli"), OSExtensionsImage: PullSpec("cli-extensions")}
	return []ImagesCase{
		{rule, "of all sources, each image once, if a stream can have it", all, slices.Sorted(slices.Values([]string{
			PullSpec("centos-10"), PullSpec("centos-10-extensions"), PullSpec("cli"), PullSpec("cli-extensions")}))},
		{rule, "of the ConfigMap, if its pair is whole", Sources{ConfigMap: ConfigMap(PullSpec("a"), PullSpec("b"))},
			slices.Sorted(slices.Values([]string{PullSpec("a"), PullSpec("b")}))},
		{rule, "of the ConfigMap, if it lacks the OS image", Sources{ConfigMap: ConfigMap("", PullSpec("b"))}, nil},
		{rule, "no sources", Sources{}, nil},
	}
}

func roleRows() (rows []row) {
	for _, c := range RoleCases() {
		rows = append(rows, each(c.Rules, c.Name, hasRole, func(i Impl, _ string) outcome {
			return outcome{Input: c.Labels, Want: c.Want, Got: i.Role(c.Labels)}
		})...)
	}
	return rows
}

// discovered is what rules look at of a discovery.
type discovered struct {
	Streams           []mcfgv1.OSImageStreamSet
	Complete, Refused bool
}

// asked leaves what the rule is about. Most are about the streams alone.
func (d discovered) asked(rule string) discovered {
	switch rule {
	case "uninspected-is-incomplete", "unread-payload-is-incomplete", "else-complete":
		d.Refused = false
	case "stream-name-is-checked", "pull-spec-is-checked":
		d.Complete = false
	case "assumed-name-is-checked":
	default:
		d.Complete, d.Refused = false, false
	}
	if len(d.Streams) == 0 {
		d.Streams = nil
	}
	return d
}

func discover(i Impl, rule string, s Sources, want discovered) outcome {
	streams, complete, err := i.Discover(s)
	return outcome{Input: s, Want: want.asked(rule), Got: discovered{byName(streams), complete, err != nil}.asked(rule)}
}

func discoverRows() (rows []row) {
	for _, c := range DiscoverCases() {
		rows = append(rows, each(c.Rules, c.Name, hasDiscover, func(i Impl, rule string) outcome {
			return discover(i, rule, c.Sources, discovered{byName(c.Want), !c.Partly, len(c.Problems) > 0})
		})...)
	}
	for _, c := range PullSpecCases() {
		rows = append(rows, each(c.Rules, "pull spec: "+c.Name, hasDiscover, func(i Impl, rule string) outcome {
			w := NewWorld().Image("rhel-coreos-extensions", "extensions", ExtensionsLabels("rhel-9"))
			w.Tags, w.Labels[c.PullSpec] = append(w.Tags, Tag("rhel-coreos", c.PullSpec)), OSLabels("rhel-9")
			want := discovered{Complete: true, Refused: !c.Taken}
			if c.Taken {
				want.Streams = []mcfgv1.OSImageStreamSet{{Name: "rhel-9", OSImage: mcfgv1.ImageDigestFormat(c.PullSpec),
					OSExtensionsImage: mcfgv1.ImageDigestFormat(PullSpec("extensions"))}}
			}
			return discover(i, rule, w.Sources(), want)
		})...)
	}
	return rows
}
