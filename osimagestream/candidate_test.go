package osimagestream

import (
	"regexp"
	"slices"
	"testing"

	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
)

// The pattern that the machine config operator uses, and the same with the
// prefixes that it misses.
var (
	upstreamTags = regexp.MustCompile(`^(rhel|stream)[a-zA-Z0-9.-]*-coreos[a-zA-Z0-9.-]*(-extensions[a-zA-Z0-9.-]*)?$`)
	ourTags      = regexp.MustCompile(`^(rhel|stream|centos|scos)[a-zA-Z0-9.-]*-coreos[a-zA-Z0-9.-]*(-extensions[a-zA-Z0-9.-]*)?$`)
)

func TestTagNames(t *testing.T) {
	t.Run("6: names of tags, and what upstream misses", testTagNames)
}

func testTagNames(t *testing.T) {
	for _, tc := range []struct {
		name           string
		ours, upstream bool
	}{
		{"rhel-coreos", true, true},
		{"rhel-coreos-extensions", true, true},
		{"rhel-coreos-10", true, true},
		{"rhel-10-coreos", true, true},
		{"rhel9.6-coreos", true, true},
		{"stream-coreos", true, true},
		{"stream-coreos-extensions", true, true},
		// Seen in MCO: its pattern misses the names that OKD would use.
		{"centos-10-coreos", true, false},
		{"centos-10-coreos-extensions", true, false},
		{"scos-10-coreos", true, false},
		{"fedora-coreos", false, false},
		{"coreos-installer", false, false},
		{"machine-config-operator", false, false},
		{"rhelcoreos", false, false},
		{"rhel-coreos_10", false, false},
		{"my-rhel-coreos", false, false},
		{"rhel-coreos\n", false, false},
		{"", false, false},
	} {
		if got := isOSTag(tc.name); got != tc.ours {
			t.Errorf("isOSTag(%q) = %t", tc.name, got)
		}
		if got := upstreamTags.MatchString(tc.name); got != tc.upstream {
			t.Errorf("upstream takes %q: %t", tc.name, got)
		}
	}
}

func TestCandidates(t *testing.T) {
	annotated := func(name, source string) imagev1.TagReference {
		r := tag(name, pull(name))
		r.Annotations = map[string]string{sourceAnnotation: source}
		return r
	}
	other := func(name string, from *corev1.ObjectReference) imagev1.TagReference {
		return imagev1.TagReference{Name: name, From: from}
	}
	for _, tc := range []struct {
		name     string
		tags     []imagev1.TagReference
		want     []string
		findings []found
	}{
		{"6: by name", []imagev1.TagReference{tag("rhel-coreos", "x"), tag("etcd", "y")}, []string{"rhel-coreos"}, nil},
		{"5: by annotation", []imagev1.TagReference{annotated("node-image", "https://github.com/openshift/os")}, []string{"node-image"}, nil},
		{"5: by annotation with a revision", []imagev1.TagReference{annotated("node-image", "git+https://github.com/openshift/os.git#v1")}, []string{"node-image"}, nil},
		{"5: annotation of another repository", []imagev1.TagReference{annotated("node-image", "https://github.com/openshift/etcd")}, nil, nil},
		{"6: annotation of another repository on a name that matches", []imagev1.TagReference{annotated("rhel-coreos", "https://github.com/openshift/etcd")}, []string{"rhel-coreos"}, nil},
		{"8: ordered by name, not as given", []imagev1.TagReference{tag("stream-coreos-extensions", "x"), tag("rhel-coreos", "x"), tag("stream-coreos", "x")},
			[]string{"rhel-coreos", "stream-coreos", "stream-coreos-extensions"}, nil},
		{"7: no from", []imagev1.TagReference{other("rhel-coreos", nil)}, nil,
			[]found{{FindingNotDockerImage, "image-references.spec.tags[rhel-coreos].from"}}},
		{"7: from another stream", []imagev1.TagReference{other("rhel-coreos", &corev1.ObjectReference{Kind: "ImageStreamTag", Name: "a:b"})}, nil,
			[]found{{FindingNotDockerImage, "image-references.spec.tags[rhel-coreos].from"}}},
		{"7: no from on a tag that does not matter", []imagev1.TagReference{other("etcd", nil)}, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tags, fs := candidates(payload(tc.tags...))
			var got []string
			for _, tag := range tags {
				got = append(got, tag.Name)
			}
			diff(t, "tags", tc.want, got)
			diff(t, "findings", tc.findings, findings(fs))
		})
	}
}

func TestImages(t *testing.T) {
	t.Run("8: of all sources, each image once, if a stream can have it", testImages)
}

func testImages(t *testing.T) {
	s := newWorld().pair("stream-coreos", "centos-10").sources()
	s.Payload.Spec.Tags = append(s.Payload.Spec.Tags, tag("etcd", pull("etcd")), tag("rhel-coreos", pull("centos-10")))
	s.Payload.Spec.Tags = append(s.Payload.Spec.Tags, tag("centos-12-coreos", "quay.io/okd/content:12"))
	s.ConfigMap = configMap(pull("cm"), "")
	s.CLI = &Pair{OSImage: pull("cli"), OSExtensionsImage: pull("cli-extensions")}
	want := []string{pull("centos-10"), pull("centos-10-extensions"), pull("cli"), pull("cli-extensions")}
	got := s.Images()
	for _, w := range want {
		found := 0
		for _, g := range got {
			if g == w {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%s is there %d times", w, found)
		}
	}
	if !slices.IsSorted(got) {
		t.Errorf("not sorted: %v", got)
	}
	if len(got) != len(want) {
		t.Errorf("%d images, want %d: %v", len(got), len(want), got)
	}
	if got := (Sources{}).Images(); got != nil {
		t.Errorf("no sources: %v", got)
	}
}
