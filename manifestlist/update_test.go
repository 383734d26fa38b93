package manifestlist

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

func TestUpdateRules(t *testing.T) {
	index := func(c ...Child) Index {
		return mustParse(t, mustAssemble(t, c, Options{Attestations: KeepAttestations, Annotations: map[string]string{"kept": "yes"}}).Bytes)
	}
	base := index(named("a", "linux/amd64"), named("b", "linux/arm64"), attestation("a"), attestation("b"))
	list := mustParse(t, mustAssemble(t, []Child{docker(on("linux/amd64"))}, Options{Format: Docker}).Bytes)
	orphaned := mustParse(t, []byte(strings.ReplaceAll(string(base.Append(nil)), string(digest.FromString("a")), string(digest.FromString("gone")))))
	doubled := mustParse(t, []byte(`{"schemaVersion":2,"manifests":[`+
		`{"mediaType":"a/b","digest":"2","size":0,"platform":{"architecture":"amd64","os":"linux"}},`+
		`{"mediaType":"a/b","digest":"1","size":0,"platform":{"architecture":"amd64","os":"linux","variant":"v1"}},`+
		`{"mediaType":"a/b","digest":"nil","size":-7}]}`))
	artifact := Child{Descriptor: describe("artifact", "nil")}
	artifact.Descriptor.ArtifactType = "a/b"
	windows := index(children("linux/amd64", "windows/amd64@1", "windows/amd64@2")...)
	shared := index(named("noarch", "linux/amd64"), named("noarch", "linux/arm64"), attestation("noarch"))
	for _, tc := range []struct {
		name     string
		index    Index
		children []Child
		opts     Options
		want     string
		findings []string
	}{
		{"U1: one architecture replaced", base, []Child{named("new", "linux/arm64")}, Options{}, "linux/amd64 linux/arm64 attestation",
			[]string{"ChildReplaced@manifests[1]", "AttestationDropped@manifests[3]"}},
		{"U1: an equivalent variant", base, []Child{named("new", "linux/arm64/v8")}, Options{}, "linux/amd64 linux/arm64/v8 attestation",
			[]string{"ChildReplaced@manifests[1]", "AttestationDropped@manifests[3]"}},
		{"U1: one architecture joins", base, children("linux/s390x"), Options{}, "linux/amd64 linux/arm64 linux/s390x attestation attestation", nil},
		{"U1: nothing new", base, nil, Options{}, "linux/amd64 linux/arm64 attestation attestation", nil},
		{"U1: every entry of the platform goes", doubled, children("linux/amd64"), Options{}, "linux/amd64 nil",
			[]string{"ChildReplaced@manifests[1]", "ChildReplaced@manifests[0]"}},
		{"U1: an artifact goes by its digest", index(artifact), []Child{artifact}, Options{}, "nil", []string{"ChildReplaced@manifests[0]"}},
		{"U2: duplicates and bad descriptors of before stay", doubled, children("linux/s390x"), Options{}, "linux/amd64/v1 linux/amd64 linux/s390x nil", nil},
		{"U2: orphans of before stay", orphaned, nil, Options{}, "linux/amd64 linux/arm64 attestation attestation", nil},
		{"U3: the same image again keeps its attestation", base, []Child{named("a", "linux/amd64")}, Options{}, "linux/amd64 linux/arm64 attestation attestation",
			[]string{"ChildReplaced@manifests[0]"}},
		{"U3: a new attestation comes with the new image", base, []Child{named("new", "linux/amd64"), attestation("new")}, Options{Attestations: KeepAttestations},
			"linux/amd64 linux/arm64 attestation attestation", []string{"ChildReplaced@manifests[0]", "AttestationDropped@manifests[2]"}},
		{"U3: or is dropped", base, []Child{attestation("b")}, Options{}, "linux/amd64 linux/arm64 attestation attestation", []string{"AttestationDropped@children[0]"}},
		{"U3: a new one of the image that is replaced goes too", base, []Child{named("new", "linux/amd64"), attestation("a")}, Options{Attestations: KeepAttestations},
			"linux/amd64 linux/arm64 attestation", []string{"ChildReplaced@manifests[0]", "ChildReplaced@manifests[2]", "AttestationDropped@children[1]"}},
		{"U3,U5: removed with its attestation", base, nil, Options{Remove: required("linux/arm64")}, "linux/amd64 attestation",
			[]string{"Removed@manifests[1]", "AttestationDropped@manifests[3]"}},
		{"U5: an equivalent variant", base, nil, Options{Remove: required("linux/arm64/v8", "linux/amd64/v1")}, "",
			[]string{"Removed@manifests[1]", "Removed@manifests[0]", "AttestationDropped@manifests[2]", "AttestationDropped@manifests[3]", "Empty@manifests"}},
		{"U5: another variant stays", index(children("linux/arm64", "linux/arm64/v9")...), nil, Options{Remove: required("linux/arm64")}, "linux/arm64/v9",
			[]string{"Removed@manifests[0]"}},
		{"U5: every os.version if none is named", windows, nil, Options{Remove: required("windows/amd64")}, "linux/amd64",
			[]string{"Removed@manifests[1]", "Removed@manifests[2]"}},
		{"U5: the os.version that is named", windows, nil, Options{Remove: required("windows/amd64@2")}, "linux/amd64 windows/amd64(1)", []string{"Removed@manifests[2]"}},
		{"U5: every entry of the platform goes", doubled, nil, Options{Remove: required("linux/amd64")}, "nil",
			[]string{"Removed@manifests[0]", "Removed@manifests[1]"}},
		{"U5: the same twice", base, nil, Options{Remove: required("linux/arm64", "linux/arm64/v8")}, "linux/amd64 attestation",
			[]string{"Removed@manifests[1]", "AttestationDropped@manifests[3]"}},
		{"U5: a new child may come for it", base, []Child{named("new", "linux/arm64")}, Options{Remove: required("linux/arm64")}, "linux/amd64 linux/arm64 attestation",
			[]string{"Removed@manifests[1]", "AttestationDropped@manifests[3]"}},
		{"U5: the same image again keeps its attestation", base, []Child{named("b", "linux/arm64")}, Options{Remove: required("linux/arm64")},
			"linux/amd64 linux/arm64 attestation attestation", []string{"Removed@manifests[1]"}},
		{"U5: an image of two platforms keeps its attestation for one", shared, nil, Options{Remove: required("linux/arm64")}, "linux/amd64 attestation",
			[]string{"Removed@manifests[1]"}},
		{"U4: a Docker list stays one", list, []Child{docker(on("linux/arm64"))}, Options{}, "linux/amd64 linux/arm64", nil},
		{"A8: required of old and new together", base, children("linux/s390x"), Options{Required: required("linux/amd64", "linux/s390x")},
			"linux/amd64 linux/arm64 linux/s390x attestation attestation", nil},
		{"A6: replace among the new", base, []Child{named("x", "linux/s390x"), named("y", "linux/s390x")}, Options{Duplicates: ReplaceDuplicates},
			"linux/amd64 linux/arm64 linux/s390x attestation attestation", []string{"ChildReplaced@children[0]"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := Update(tc.index, tc.children, tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			if got := layout(t, r.Bytes); got != tc.want {
				t.Errorf("entries %q, want %q", got, tc.want)
			}
			if diff := cmp.Diff(tc.findings, found(r.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			got := mustParse(t, r.Bytes)
			if diff := cmp.Diff(tc.index.Annotations, got.Annotations); diff != "" {
				t.Errorf("annotations (-before +after):\n%s", diff)
			}
			if want := or(tc.index.MediaType, ocispec.MediaTypeImageIndex); got.MediaType != want || r.Descriptor.MediaType != want {
				t.Errorf("media type %s, want %s", got.MediaType, want)
			}
			if r.Descriptor.Digest != digest.FromBytes(r.Bytes) || r.Descriptor.Size != int64(len(r.Bytes)) {
				t.Errorf("descriptor %+v", r.Descriptor)
			}
		})
	}
}

func TestUpdateErrors(t *testing.T) {
	base := mustParse(t, mustAssemble(t, children("linux/amd64", "linux/arm64"), Options{}).Bytes)
	list := mustParse(t, mustAssemble(t, []Child{docker(on("linux/amd64"))}, Options{Format: Docker}).Bytes)
	annotated := mustParse(t, mustAssemble(t, nil, Options{Annotations: map[string]string{"a": "b"}}).Bytes)
	attested := mustParse(t, mustAssemble(t, []Child{on("linux/amd64"), attestation("linux/amd64")}, Options{Attestations: KeepAttestations}).Bytes)
	mixed := mustParse(t, mustAssemble(t, children("linux/amd64", "linux/arm64"), Options{}).Bytes)
	subject := describe("subject", "nil")
	typed := mustParse(t, mustAssemble(t, nil, Options{ArtifactType: "a/b", Subject: &subject}).Bytes)
	for _, tc := range []struct {
		name     string
		index    Index
		children []Child
		opts     Options
		want     []string
	}{
		{"A6: duplicates among the new", base, children("linux/amd64", "linux/amd64/v1"), Options{}, []string{"DuplicatePlatform@1:0"}},
		{"A3: new child", base, []Child{{}}, Options{}, []string{"InvalidMediaType@0", "InvalidDigest@0", "InvalidSize@0"}},
		{"A7: new orphan", base, []Child{attestation("x")}, Options{Attestations: KeepAttestations}, []string{"OrphanAttestation@0"}},
		{"A8: missing of old and new together", base, children("linux/s390x"), Options{Required: required("linux/ppc64le")}, []string{"MissingPlatform@-1"}},
		{"A10: OCI image into a Docker list", list, children("linux/arm64"), Options{}, []string{"ForeignMediaType@0"}},
		{"A10: OCI index into a Docker list", base, nil, Options{Format: Docker}, []string{"ForeignMediaType@0", "ForeignMediaType@1"}},
		{"A10: annotations on a Docker list", list, nil, Options{Annotations: map[string]string{"a": "b"}}, []string{"NotRepresentable@-1"}},
		{"A10: annotated index into a Docker list", annotated, nil, Options{Format: Docker}, []string{"NotRepresentable@-1"}},
		{"A10: typed index into a Docker list", typed, nil, Options{Format: Docker}, []string{"NotRepresentable@-1", "NotRepresentable@-1"}},
		{"U5: a platform that is not there", base, nil, Options{Remove: required("linux/arm64", "linux/s390x", "linux/arm64/v9")}, []string{"MissingPlatform@-1", "MissingPlatform@-1"}},
		{"U5: one that only a new child is for", base, children("linux/s390x"), Options{Remove: required("linux/s390x")}, []string{"MissingPlatform@-1"}},
		{"U5: an attestation is for no platform", attested, nil, Options{Remove: required("unknown/unknown")}, []string{"MissingPlatform@-1"}},
		{"U5,A8: removed and required", base, nil, Options{Remove: required("linux/arm64"), Required: required("linux/arm64")}, []string{"MissingPlatform@-1"}},
		{"A17: children, entries, the index", mixed, []Child{docker(on("linux/x86_64"))}, Options{Format: Docker, Remove: required("linux/arm")},
			[]string{"InvalidPlatform@0", "ForeignMediaType@0", "ForeignMediaType@1", "MissingPlatform@-1"}},
		{"A12: limit", base, nil, Options{SizeLimit: 10}, []string{"TooLarge@-1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := Update(tc.index, tc.children, tc.opts)
			if diff := cmp.Diff(tc.want, codes(t, err)); diff != "" {
				t.Errorf("errors (-want +got):\n%s\n%v", diff, err)
			}
			if !cmp.Equal(r, Result{}) {
				t.Errorf("a result beside the error: %+v", r)
			}
		})
	}
}

// TestUpdateKeepsTheBytesOfOtherEntries is U2, on members and field orders that
// no encoder of image-spec would write.
func TestUpdateKeepsTheBytesOfOtherEntries(t *testing.T) {
	entry := `{ "size" : 3, "z": [1, "\u0061"], "platform": {"os":"linux","features":[],"architecture":"s390x"},
		"digest":"sha256:` + strings.Repeat("ab", 32) + `", "mediaType":"application/vnd.oci.image.manifest.v1+json" }`
	x := mustParse(t, []byte(`{"manifests":[`+entry+`], "x": {"y" : 1}, "schemaVersion":2}`))
	r, err := Update(x, children("linux/amd64"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var compacted bytes.Buffer
	if err := json.Compact(&compacted, []byte(entry)); err != nil {
		t.Fatal(err)
	}
	added := describe("linux/amd64", "linux/amd64")
	want := `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[` +
		string(appendDescriptor(nil, &added, nil)) + `,` + compacted.String() + `],"x":{"y":1}}`
	if diff := cmp.Diff(want, string(r.Bytes)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUpdateOptionsReplaceWhatTheIndexHad(t *testing.T) {
	one, two := describe("one", "nil"), describe("two", "nil")
	had := Options{Annotations: map[string]string{"a": "1"}, ArtifactType: "a/b", Subject: &one}
	x := mustParse(t, mustAssemble(t, nil, had).Bytes)
	other := map[string]string{"b": "2"}
	for _, tc := range []struct {
		name       string
		opts, want Options
	}{
		{"U4: nothing", Options{}, had},
		{"U4: everything", Options{Annotations: other, ArtifactType: "c/d", Subject: &two}, Options{Annotations: other, ArtifactType: "c/d", Subject: &two}},
		{"U6: empty annotations take nothing away", Options{Annotations: map[string]string{}}, had},
		{"U6: cleared", Options{ClearAnnotations: true}, Options{ArtifactType: "a/b", Subject: &one}},
		{"U6: cleared, then set", Options{ClearAnnotations: true, Annotations: other}, Options{Annotations: other, ArtifactType: "a/b", Subject: &one}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := Update(x, nil, tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			got := mustParse(t, r.Bytes)
			if diff := cmp.Diff(tc.want, Options{Annotations: got.Annotations, ArtifactType: got.ArtifactType, Subject: got.Subject}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("U6: an annotated index becomes a Docker list", func(t *testing.T) {
		x := mustParse(t, mustAssemble(t, []Child{docker(on("linux/amd64"))}, Options{Annotations: map[string]string{"a": "1"}}).Bytes)
		if _, err := Update(x, nil, Options{Format: Docker, ClearAnnotations: true}); err != nil {
			t.Error(err)
		}
	})
}

// A Docker list becomes an OCI index and the other way round: entries are the
// same, the media type is not.
func TestFormatsBothWays(t *testing.T) {
	list := mustParse(t, mustAssemble(t, []Child{docker(on("linux/amd64")), docker(on("linux/arm64"))}, Options{Format: Docker}).Bytes)
	asIndex, err := Update(list, nil, Options{Format: OCI})
	if err != nil {
		t.Fatal(err)
	}
	if got := mustParse(t, asIndex.Bytes); got.MediaType != ocispec.MediaTypeImageIndex || !cmp.Equal(got.Manifests, list.Manifests) {
		t.Errorf("as an index: %s", asIndex.Bytes)
	}
	back, err := Update(mustParse(t, asIndex.Bytes), nil, Options{Format: Docker})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(list.Append(nil)), string(back.Bytes)); diff != "" {
		t.Errorf("there and back (-before +after):\n%s", diff)
	}
	inferred, err := Update(mustParse(t, asIndex.Bytes), nil, Options{Format: Infer})
	if err != nil || !bytes.Equal(inferred.Bytes, back.Bytes) {
		t.Errorf("inferred: %s, %v", inferred.Bytes, err)
	}
}
