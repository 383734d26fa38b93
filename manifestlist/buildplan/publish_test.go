package buildplan

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// imageFor is an image of one architecture, told from others by its label.
func imageFor(architecture, label string) manifestlist.Child {
	m := buildplantest.ImageFor(architecture, label)
	return manifestlist.Child{Manifest: m.Manifest, Config: m.Config}
}

// recorded is a build that requires the architectures and records the images.
func recorded(t tb, architectures []string, images map[string]manifestlist.Child) *mcfgv1.MachineOSBuild {
	t.Helper()
	object := mustPlan(t, factsFor(architectures...)).MachineOSBuild()
	for a, c := range images {
		object.Annotations[AnnotationImage+a] = testRepository + "@" + string(childDigest(&c))
	}
	return object
}

func TestPublish(t *testing.T) {
	amd64, arm64, s390x := imageFor("amd64", "a"), imageFor("arm64", "b"), imageFor("s390x", "c")
	other := imageFor("arm64", "other")
	both := map[string]manifestlist.Child{"amd64": amd64, "arm64": arm64}
	two := []string{"amd64", "arm64"}

	t.Run("90: an index of what is required", func(t *testing.T) {
		p, err := Publish(recorded(t, two, both), []manifestlist.Child{arm64, amd64})
		if err != nil {
			t.Fatal(err)
		}
		index, err := manifestlist.Parse(p.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range index.Manifests {
			got = append(got, m.Platform.Architecture+" "+string(m.Digest))
		}
		want := []string{"amd64 " + string(childDigest(&amd64)), "arm64 " + string(childDigest(&arm64))}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if !p.Index || p.MediaType != ocispec.MediaTypeImageIndex || p.Digest != digest.FromBytes(p.Bytes) {
			t.Errorf("%+v", p)
		}
		if want := mcfgv1.ImageDigestFormat(testRepository + "@" + string(p.Digest)); p.PullSpec != want || !buildplantest.LegalPullSpec(string(p.PullSpec)) {
			t.Errorf("pull spec %s, want %s", p.PullSpec, want)
		}
	})
	t.Run("90: a single image is published itself", func(t *testing.T) {
		p, err := Publish(recorded(t, two[1:], map[string]manifestlist.Child{"arm64": arm64}), []manifestlist.Child{arm64})
		if err != nil {
			t.Fatal(err)
		}
		if p.Index || string(p.Bytes) != string(arm64.Manifest) || p.MediaType != ocispec.MediaTypeImageManifest {
			t.Errorf("%+v", p)
		}
	})
	for _, tc := range []struct {
		name       string
		build      *mcfgv1.MachineOSBuild
		children   []manifestlist.Child
		incomplete []string
		images     []string // architectures of the ImageErrors
		input      bool
	}{
		{name: "88: one is not recorded", build: recorded(t, two, map[string]manifestlist.Child{"amd64": amd64}), children: []manifestlist.Child{amd64}, incomplete: []string{"arm64"}},
		{name: "88: one is not given", build: recorded(t, two, both), children: []manifestlist.Child{amd64}, incomplete: []string{"arm64"}},
		{name: "88,89: one is not recorded and nothing is given for it", build: recorded(t, two, map[string]manifestlist.Child{"amd64": amd64}), children: []manifestlist.Child{amd64, {}}, incomplete: []string{"arm64"}, images: []string{""}},
		{name: "88: none is given", build: recorded(t, two, both), incomplete: two},
		{name: "88,89: another image of the architecture", build: recorded(t, two, both), children: []manifestlist.Child{amd64, other}, incomplete: []string{"arm64"}, images: []string{""}},
		{name: "89: one more than required", build: recorded(t, two, both), children: []manifestlist.Child{amd64, arm64, s390x}, images: []string{""}},
		{name: "89: images swapped", build: recorded(t, two, map[string]manifestlist.Child{"amd64": arm64, "arm64": amd64}), children: []manifestlist.Child{amd64, arm64}, images: []string{"amd64", "arm64"}},
		{name: "89: one image for both", build: recorded(t, two, map[string]manifestlist.Child{"amd64": amd64, "arm64": amd64}), children: []manifestlist.Child{amd64}, images: []string{"arm64"}},
		{name: "89: a single image of another architecture", build: recorded(t, two[:1], map[string]manifestlist.Child{"amd64": arm64}), children: []manifestlist.Child{arm64}, images: []string{"amd64"}},
		{name: "89: a single image without its bytes", build: recorded(t, two[:1], map[string]manifestlist.Child{"amd64": amd64}), children: []manifestlist.Child{{Descriptor: ocispec.Descriptor{
			MediaType: ocispec.MediaTypeImageManifest, Digest: childDigest(&amd64), Size: 1, Platform: &ocispec.Platform{OS: "linux", Architecture: "amd64"},
		}}}, images: []string{"amd64"}},
		{name: "86: no build", input: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := Publish(tc.build, tc.children)
			if p.Bytes != nil || p.PullSpec != "" || err == nil {
				t.Fatalf("published %+v, error %v", p, err)
			}
			var input *InputError
			if errors.As(err, &input) != tc.input {
				t.Errorf("error %v", err)
			}
			var incomplete []string
			images := []string{}
			for _, e := range joined(err) {
				var i *IncompleteError
				var image *ImageError
				switch {
				case errors.As(e, &i):
					incomplete = append(incomplete, i.Missing...)
				case errors.As(e, &image):
					images = append(images, image.Architecture)
				}
			}
			if !slices.Equal(incomplete, tc.incomplete) || !slices.Equal(images, tc.images) {
				t.Errorf("missing %v, images %v; want %v, %v: %v", incomplete, images, tc.incomplete, tc.images, err)
			}
		})
	}
	t.Run("91: a push spec without a form by digest", func(t *testing.T) {
		build := recorded(t, two, both)
		build.Spec.RenderedImagePushSpec = "quay.io/a/b/c:v1"
		var input *InputError
		if _, err := Publish(build, []manifestlist.Child{amd64, arm64}); !errors.As(err, &input) {
			t.Errorf("error %v", err)
		}
	})
}

func joined(err error) []error {
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		return j.Unwrap()
	}
	return []error{err}
}

func TestRecords(t *testing.T) {
	t.Run("86: readable and unreadable", func(t *testing.T) {
		object := mustPlan(t, factsFor("s390x", "amd64")).MachineOSBuild()
		keyOf := func(a string) string { return object.Annotations[AnnotationKey+a] }
		object.Annotations[AnnotationImage+"amd64"] = otherRegistry + "@" + buildplantest.Digest("a")
		object.Annotations[AnnotationFrom+"amd64"] = "worker-before"
		object.Annotations[AnnotationImage+"s390x"] = "os:latest"
		object.Annotations[AnnotationKey+"ppc64le"] = "not a key"
		want := []Record{
			{Architecture: "amd64", Key: keyOf("amd64"), PullSpec: otherRegistry + "@" + buildplantest.Digest("a"), From: "worker-before", Copy: true},
			{Architecture: "s390x", Key: keyOf("s390x")},
		}
		if diff := cmp.Diff(want, Records(object)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if got := Records(nil); got != nil {
			t.Errorf("records of nil: %v", got)
		}
	})
}
