package buildplantest

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/conformance"
)

// ImageFor is an image of one architecture, told from others by its label.
func ImageFor(architecture, label string) Manifest {
	config, err := json.Marshal(ocispec.Image{
		Platform: ocispec.Platform{OS: "linux", Architecture: architecture},
		Config:   ocispec.ImageConfig{Labels: map[string]string{"label": label}},
		RootFS:   ocispec.RootFS{Type: "layers"},
	})
	if err != nil {
		panic(err)
	}
	manifest, err := json.Marshal(ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2},
		MediaType: ocispec.MediaTypeImageManifest,
		Config:    ocispec.Descriptor{MediaType: ocispec.MediaTypeImageConfig, Digest: digest.FromBytes(config), Size: int64(len(config))},
		Layers:    []ocispec.Descriptor{},
	})
	if err != nil {
		panic(err)
	}
	return Manifest{manifest, config}
}

// A published is what comes of publishing: the architectures and digests of an index,
// or the manifest itself.
type published struct {
	Refused  bool
	Entries  []string
	Manifest string
}

func entryOf(architecture string, m Manifest) string {
	return architecture + " " + string(digest.FromBytes(m.Manifest))
}

func read(b []byte, err error) published {
	if err != nil {
		return published{Refused: true}
	}
	var index ocispec.Index
	if err := json.Unmarshal(b, &index); err != nil || index.MediaType != ocispec.MediaTypeImageIndex {
		return published{Manifest: string(b)}
	}
	var entries []string
	for _, d := range index.Manifests {
		a := ""
		if d.Platform != nil {
			a = d.Platform.Architecture
		}
		entries = append(entries, a+" "+string(d.Digest))
	}
	slices.Sort(entries)
	return published{Entries: entries}
}

func publishRows() []row {
	amd64, arm64, s390x := ImageFor("amd64", "a"), ImageFor("arm64", "b"), ImageFor("s390x", "c")
	both := map[string]Manifest{"amd64": amd64, "arm64": arm64}
	two := []string{"amd64", "arm64"}
	index := published{Entries: []string{entryOf("amd64", amd64), entryOf("arm64", arm64)}}
	refused := published{Refused: true}
	const whole, fitting, form = "nothing-less-is-published", "images-are-of-their-architecture", "several-images-are-an-index"
	var all []row
	for _, c := range []struct {
		rule, name string
		required   []string
		made       map[string]Manifest
		given      []Manifest
		want       published
	}{
		{form, "an index of what is required", two, both, []Manifest{arm64, amd64}, index},
		{form, "a single image is published itself", two[1:], map[string]Manifest{"arm64": arm64}, []Manifest{arm64}, published{Manifest: string(arm64.Manifest)}},
		{whole, "one is not recorded", two, map[string]Manifest{"amd64": amd64}, []Manifest{amd64}, refused},
		{whole, "one is not given", two, both, []Manifest{amd64}, refused},
		{whole, "none is given", two, both, nil, refused},
		{fitting, "another image of the architecture", two, both, []Manifest{amd64, ImageFor("arm64", "other")}, refused},
		{fitting, "one more than required", two, both, []Manifest{amd64, arm64, s390x}, refused},
		{fitting, "images swapped", two, map[string]Manifest{"amd64": arm64, "arm64": amd64}, []Manifest{amd64, arm64}, refused},
		{fitting, "one image for both", two, map[string]Manifest{"amd64": amd64, "arm64": amd64}, []Manifest{amd64}, refused},
		{fitting, "a single image of another architecture", two[:1], map[string]Manifest{"amd64": arm64}, []Manifest{arm64}, refused},
	} {
		all = append(all, row{Rule: c.rule, Name: c.name, Implemented: hasPublish, Call: func(i Impl) conformance.Outcome {
			_, build := create(i, FactsFor(c.required...))
			return conformance.Outcome{Input: c.given, Want: c.want, Got: read(i.Publish(build, c.made, c.given))}
		}})
	}
	return append(all,
		row{Rule: form, Name: "the same bytes in any order", Implemented: hasPublish, Call: func(i Impl) conformance.Outcome {
			_, build := create(i, FactsFor(two...))
			a, errA := i.Publish(build.DeepCopy(), both, []Manifest{arm64, amd64})
			b, errB := i.Publish(build, both, []Manifest{amd64, arm64})
			return conformance.Outcome{Input: both, Want: true, Got: errA == nil && errB == nil && string(a) == string(b)}
		}},
		row{Rule: "records-are-those-of-the-name", Name: "an annotation of the build is lost or edited", Implemented: hasPublish, Call: func(i Impl) conformance.Outcome {
			_, build := create(i, FactsFor(two...))
			return conformance.Outcome{Input: build, Want: []string{}, Got: publishedLess(i, build, both, index)}
		}})
}

// publishedLess loses and edits each annotation of a build: what was published then
// that is not the index, with all images at hand or those of one architecture.
func publishedLess(i Impl, build *mcfgv1.MachineOSBuild, made map[string]Manifest, index published) []string {
	less := []string{}
	for _, name := range slices.Sorted(maps.Keys(build.Annotations)) {
		for _, value := range []string{"", "x"} {
			for _, given := range [][]Manifest{{made["amd64"], made["arm64"]}, {made["amd64"]}, {made["arm64"]}} {
				edited := build.DeepCopy()
				edited.Annotations[name] = value
				if value == "" {
					delete(edited.Annotations, name)
				}
				if got := read(i.Publish(edited, made, given)); !got.Refused && !slices.Equal(got.Entries, index.Entries) {
					less = append(less, name+": "+value)
				}
			}
		}
	}
	return less
}
