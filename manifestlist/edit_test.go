package manifestlist

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// TestEditsAfterParse is rule U7: Append, Update and Assemble of Children write the
// same of an index that was edited.
func TestEditsAfterParse(t *testing.T) {
	source := `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[` +
		`{"x":1,"size":5,"digest":"` + string(digest.FromString("a")) + `","mediaType":"application/vnd.oci.image.manifest.v1+json","platform":{"os":"linux","architecture":"amd64","features":["y"]}},` +
		`{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"` + string(digest.FromString("b")) + `","size":5,"platform":{"architecture":"arm64","os":"linux"},"x":2}],` +
		`"subject":{"mediaType":"a/b","digest":"` + string(digest.FromString("s")) + `","size":1,"x":3},"annotations":{"a":"b"}}`
	entry := func(name, platform, rest string) string {
		return `{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"` + string(digest.FromString(name)) + `","size":5` + platform + rest + `}`
	}
	const amd64, arm64 = `,"platform":{"architecture":"amd64","os":"linux","features":["y"]}`, `,"platform":{"architecture":"arm64","os":"linux"}`
	for _, tc := range []struct {
		name string
		edit func(x *Index)
		want []string // the entries
	}{
		{"U7: annotations of an entry", func(x *Index) { x.Manifests[0].Annotations = map[string]string{"k": "v"} },
			[]string{entry("a", `,"annotations":{"k":"v"}`+amd64, `,"x":1`), entry("b", arm64, `,"x":2`)}},
		{"U7: the platform of an entry", func(x *Index) { x.Manifests[1].Platform.Variant = "v9" },
			[]string{entry("a", amd64, `,"x":1`), entry("b", `,"platform":{"architecture":"arm64","os":"linux","variant":"v9"}`, `,"x":2`)}},
		{"U7,P5: another digest", func(x *Index) { x.Manifests[1].Digest = digest.FromString("c") },
			[]string{entry("a", amd64, `,"x":1`), entry("c", arm64, ``)}},
		{"U7: an entry less", func(x *Index) { x.Manifests = x.Manifests[:1] }, []string{entry("a", amd64, `,"x":1`)}},
		{"U7,P5: the first is gone, the other has moved", func(x *Index) { x.Manifests = x.Manifests[1:] }, []string{entry("b", arm64, ``)}},
		{"U7: an entry more", func(x *Index) {
			d := describe("d", "linux/s390x")
			d.Size = 5
			x.Manifests = append(x.Manifests, d)
		}, []string{entry("a", amd64, `,"x":1`), entry("b", arm64, `,"x":2`), entry("d", `,"platform":{"architecture":"s390x","os":"linux"}`, ``)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := mustParse(t, []byte(source))
			tc.edit(&x)
			appended := mustParse(t, x.Append(nil))
			updated, err := Update(x, nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			assembled := mustAssemble(t, x.Children(), Options{})
			for what, got := range map[string]Index{"Append": appended, "Update": mustParse(t, updated.Bytes), "Assemble": mustParse(t, assembled.Bytes)} {
				var entries []string
				for i, source := range got.sources() {
					entries = append(entries, string(appendDescriptor(nil, &got.Manifests[i], source)))
				}
				if diff := cmp.Diff(tc.want, entries); diff != "" {
					t.Errorf("%s (-want +got):\n%s", what, diff)
				}
			}
		})
	}
	t.Run("U2: what was not edited keeps its bytes", func(t *testing.T) {
		x := mustParse(t, []byte(source))
		x.Manifests[1].Annotations = map[string]string{"k": "v"}
		r, err := Update(x, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(r.Bytes), `{"x":1,"size":5,`) {
			t.Errorf("the first entry has changed: %s", r.Bytes)
		}
	})
	t.Run("U7: the index itself", func(t *testing.T) {
		x := mustParse(t, []byte(source))
		subject := describe("other", "nil")
		x.Annotations["a"], x.ArtifactType, x.Subject = "c", "a/b", &subject
		r, err := Update(x, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := mustParse(t, x.Append(nil))
		got := mustParse(t, r.Bytes)
		if diff := cmp.Diff(want.Index, got.Index); diff != "" {
			t.Errorf("(-Append +Update):\n%s", diff)
		}
		if strings.Contains(string(r.Bytes), `"x":3`) || strings.Contains(string(x.Append(nil)), `"x":3`) {
			t.Errorf("another subject has the members of the one before: %s", r.Bytes)
		}
	})
	t.Run("P5: the option Subject names another one", func(t *testing.T) {
		subject := describe("other", "nil")
		r, err := Update(mustParse(t, []byte(source)), nil, Options{Subject: &subject})
		if err != nil || strings.Contains(string(r.Bytes), `"x":3`) {
			t.Errorf("%v: %s", err, r.Bytes)
		}
	})
}

// TestEditsAreChecked: what Update writes of an edit is held to the rules of what
// is new.
func TestEditsAreChecked(t *testing.T) {
	base := func() Index {
		return mustParse(t, mustAssemble(t, []Child{docker(on("linux/amd64")), docker(on("linux/arm64"))}, Options{Format: Docker}).Bytes)
	}
	bad := func() Index {
		return mustParse(t, []byte(`{"schemaVersion":2,"artifactType":"sbom","subject":{"digest":"x"},"manifests":[{"digest":"sha256:x","size":-1}]}`))
	}
	for _, tc := range []struct {
		name  string
		index Index
		edit  func(x *Index)
		want  []string
		path  string
	}{
		{"U2: what was bad before", bad(), func(*Index) {}, nil, ""},
		{"U7,A3: what was bad before and edited", bad(), func(x *Index) { x.Manifests[0].Size = -2 }, []string{"InvalidMediaType@0", "InvalidDigest@0", "InvalidSize@0"}, "manifests[0].mediaType"},
		{"U7,A3: size", base(), func(x *Index) { x.Manifests[1].Size = 0 }, []string{"InvalidSize@1"}, "manifests[1].size"},
		{"U7,A3: text", base(), func(x *Index) { x.Manifests[1].Platform.OSVersion = "\xff" }, []string{"InvalidText@1"}, "manifests[1].platform.os.version"},
		{"U7,A4: an alias", base(), func(x *Index) { x.Manifests[1].Platform.Architecture = "aarch64" }, []string{"InvalidPlatform@1"}, "manifests[1].platform.architecture"},
		{"U7,A4: no platform any more", base(), func(x *Index) { x.Manifests[1].Platform = nil }, []string{"InvalidPlatform@1", "NotRepresentable@1"}, "manifests[1].platform"},
		{"U7,A10: annotations in a Docker list", base(), func(x *Index) { x.Manifests[0].Annotations = map[string]string{"a": "b"} }, []string{"NotRepresentable@0"}, "manifests[0].annotations"},
		{"U7,A3: an entry more", base(), func(x *Index) {
			x.Manifests = append(x.Manifests, ocispec.Descriptor{MediaType: dockerManifest, Size: 1, Platform: platform("linux/s390x")})
		},
			[]string{"InvalidDigest@2"}, "manifests[2].digest"},
		{"U7,A3: annotations of the index", bad(), func(x *Index) { x.Annotations = map[string]string{"\xff": ""} }, []string{"InvalidText@-1"}, "annotations"},
		{"U7,A3: subject", bad(), func(x *Index) { x.Subject.Size = 1 }, []string{"InvalidMediaType@-1", "InvalidDigest@-1"}, "subject.mediaType"},
		{"U7,A3: artifactType", bad(), func(x *Index) { x.ArtifactType = "bom" }, []string{"InvalidMediaType@-1"}, "artifactType"},
		{"U7,P2: mediaType", base(), func(x *Index) { x.MediaType = ocispec.MediaTypeImageManifest }, []string{"InvalidMediaType@-1"}, "mediaType"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.edit(&tc.index)
			_, err := Update(tc.index, nil, Options{})
			if diff := cmp.Diff(tc.want, codes(t, err)); diff != "" {
				t.Fatalf("errors (-want +got):\n%s\n%v", diff, err)
			}
			var first *IndexError
			if errors.As(err, &first) && first.Path != tc.path {
				t.Errorf("path %s, want %s", first.Path, tc.path)
			}
		})
	}
}
