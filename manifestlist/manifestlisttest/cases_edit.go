package manifestlisttest

import (
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// An EditCase is an index that is read, edited and written again.
type EditCase struct {
	Rules   string // their IDs
	Name    string
	Edit    func(x *ocispec.Index)
	Entries []string // what is written, in canonical form
}

// EditSource is the index that the [EditCases] edit.
func EditSource() []byte {
	return []byte(`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[` +
		`{"x":1,"size":5,"digest":"` + string(digest.FromString("a")) + `","mediaType":"application/vnd.oci.image.manifest.v1+json","platform":{"os":"linux","architecture":"amd64","features":["y"]}},` +
		`{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"` + string(digest.FromString("b")) + `","size":5,"platform":{"architecture":"arm64","os":"linux"},"x":2}],` +
		`"subject":{"mediaType":"a/b","digest":"` + string(digest.FromString("s")) + `","size":1,"x":3},"annotations":{"a":"b"}}`)
}

// EditCases are edits that are written.
func EditCases() []EditCase {
	entry := func(name, platform, rest string) string {
		return `{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"` + string(digest.FromString(name)) + `","size":5` + platform + rest + `}`
	}
	const amd64, arm64 = `,"platform":{"architecture":"amd64","os":"linux","features":["y"]}`, `,"platform":{"architecture":"arm64","os":"linux"}`
	return []EditCase{
		{"edits-count", "annotations of an entry", func(x *ocispec.Index) { x.Manifests[0].Annotations = map[string]string{"k": "v"} },
			[]string{entry("a", `,"annotations":{"k":"v"}`+amd64, `,"x":1`), entry("b", arm64, `,"x":2`)}},
		{"edits-count", "the platform of an entry", func(x *ocispec.Index) { x.Manifests[1].Platform.Variant = "v9" },
			[]string{entry("a", amd64, `,"x":1`), entry("b", `,"platform":{"architecture":"arm64","os":"linux","variant":"v9"}`, `,"x":2`)}},
		{"edits-count unknown-members-stay-with-their-entry", "another digest", func(x *ocispec.Index) { x.Manifests[1].Digest = digest.FromString("c") },
			[]string{entry("a", amd64, `,"x":1`), entry("c", arm64, ``)}},
		{"edits-count", "an entry less", func(x *ocispec.Index) { x.Manifests = x.Manifests[:1] }, []string{entry("a", amd64, `,"x":1`)}},
		{"edits-count unknown-members-stay-with-their-entry", "the first is gone, the other has moved", func(x *ocispec.Index) { x.Manifests = x.Manifests[1:] }, []string{entry("b", arm64, ``)}},
		{"edits-count", "an entry more", func(x *ocispec.Index) {
			d := Described("d", "linux/s390x")
			d.Size = 5
			x.Manifests = append(x.Manifests, d)
		}, []string{entry("a", amd64, `,"x":1`), entry("b", arm64, `,"x":2`), entry("d", `,"platform":{"architecture":"s390x","os":"linux"}`, ``)}},
	}
}

// An EditRefusedCase is an edit that breaks a rule, or one that breaks none if there
// is no error.
type EditRefusedCase struct {
	Rules  string // their IDs
	Name   string
	Index  []byte
	Edit   func(x *ocispec.Index)
	Errors []string // what polyarch reports, code@position
	Path   string   // of the first error
}

// EditRefusedCases are edits that are checked.
func EditRefusedCases() []EditRefusedCase {
	base := func() []byte {
		return AssembleOracle([]Child{AsDocker(On("linux/amd64")), AsDocker(On("linux/arm64"))}, Options{Format: Docker})
	}
	bad := func() []byte {
		return []byte(`{"schemaVersion":2,"artifactType":"sbom","subject":{"digest":"x"},"manifests":[{"digest":"sha256:x","size":-1}]}`)
	}
	return []EditRefusedCase{
		{"other-entries-keep-their-bytes", "what was bad before", bad(), func(*ocispec.Index) {}, nil, ""},
		{"edits-count", "what was bad before and edited", bad(), func(x *ocispec.Index) { x.Manifests[0].Size = -2 }, []string{"InvalidMediaType@0", "InvalidDigest@0", "InvalidSize@0"}, "manifests[0].mediaType"},
		{"edits-count", "size", base(), func(x *ocispec.Index) { x.Manifests[1].Size = 0 }, []string{"InvalidSize@1"}, "manifests[1].size"},
		{"edits-count", "text", base(), func(x *ocispec.Index) { x.Manifests[1].Platform.OSVersion = "\xff" }, []string{"InvalidText@1"}, "manifests[1].platform.os.version"},
		{"edits-count", "an alias", base(), func(x *ocispec.Index) { x.Manifests[1].Platform.Architecture = "aarch64" }, []string{"InvalidPlatform@1"}, "manifests[1].platform.architecture"},
		{"edits-count", "no platform any more", base(), func(x *ocispec.Index) { x.Manifests[1].Platform = nil }, []string{"InvalidPlatform@1", "NotRepresentable@1"}, "manifests[1].platform"},
		{"edits-count", "annotations in a Docker list", base(), func(x *ocispec.Index) { x.Manifests[0].Annotations = map[string]string{"a": "b"} }, []string{"NotRepresentable@0"}, "manifests[0].annotations"},
		{"edits-count", "an entry more", base(), func(x *ocispec.Index) {
			x.Manifests = append(x.Manifests, ocispec.Descriptor{MediaType: DockerManifest, Size: 1, Platform: Platform("linux/s390x")})
		},
			[]string{"InvalidDigest@2"}, "manifests[2].digest"},
		{"edits-count", "annotations of the index", bad(), func(x *ocispec.Index) { x.Annotations = map[string]string{"\xff": ""} }, []string{"InvalidText@-1"}, "annotations"},
		{"edits-count", "subject", bad(), func(x *ocispec.Index) { x.Subject.Size = 1 }, []string{"InvalidMediaType@-1", "InvalidDigest@-1"}, "subject.mediaType"},
		{"edits-count", "artifactType", bad(), func(x *ocispec.Index) { x.ArtifactType = "bom" }, []string{"InvalidMediaType@-1"}, "artifactType"},
		{"edits-count", "mediaType", base(), func(x *ocispec.Index) { x.MediaType = ocispec.MediaTypeImageManifest }, []string{"InvalidMediaType@-1"}, "mediaType"},
	}
}
