package manifestlist

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

func TestUpdateRules(t *testing.T) {
	type row struct {
		name     string
		index    Index
		children []Child
		opts     Options
		want     string
		findings []string
	}
	list := mustParse(t, mustAssemble(t, []Child{docker(on("linux/amd64"))}, Options{Format: Docker}).Bytes)
	// One image for two platforms, with its attestation, and one of an image that is not there.
	shared := mustParse(t, manifestlisttest.AssembleOracle([]manifestlisttest.Child{
		manifestlisttest.Named("noarch", "linux/amd64"), manifestlisttest.Named("noarch", "linux/arm64"),
		manifestlisttest.Attestation("noarch"), manifestlisttest.Attestation("gone"),
	}, manifestlisttest.Options{Attestations: manifestlisttest.KeepAttestations}))
	all := "linux/amd64 linux/arm64 attestation attestation"
	rows := []row{
		{"A10,A15: a Docker list of nothing is one still", list, nil, Options{Remove: required("linux/amd64")}, "", []string{"Removed@manifests[0]", "Empty@manifests"}},
		{"U3: one of two entries of an image is replaced, the first", shared, []Child{named("new", "linux/amd64")}, Options{}, all, []string{"ChildReplaced@manifests[0]"}},
		{"U3: one of two entries of an image is replaced, the last", shared, []Child{named("new", "linux/arm64")}, Options{}, all, []string{"ChildReplaced@manifests[1]"}},
		{"U3: both entries of an image are replaced", shared, []Child{named("new", "linux/amd64"), named("new", "linux/arm64")}, Options{}, "linux/amd64 linux/arm64 attestation",
			[]string{"ChildReplaced@manifests[0]", "ChildReplaced@manifests[1]", "AttestationDropped@manifests[2]"}},
		{"U2: a Docker list keeps what it has no field for", oddList(t), nil, Options{}, "linux/amd64", nil},
		{"U2: an attestation of nothing stays", shared, nil, Options{}, all, nil},
		{"U2: an attestation of nothing stays beside new ones", shared, []Child{attestation("noarch")}, Options{Attestations: KeepAttestations}, all, []string{"ChildReplaced@manifests[2]"}},
	}
	for _, c := range manifestlisttest.UpdateCases() {
		rows = append(rows, row{c.Name, mustParse(t, c.Index), fromKit(c.Children...), optionsFromKit(c.Options), c.Layout, c.Findings})
	}
	for _, tc := range rows {
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

// oddList is a Docker list that holds what one has no field for, as it was published.
func oddList(t *testing.T) Index {
	x := mustAssemble(t, children("linux/amd64"), Options{Annotations: map[string]string{"a": "b"}, ArtifactType: "a/b", Subject: &ocispec.Descriptor{
		MediaType: "a/b", Digest: digest.FromString("subject"), Size: 1,
	}})
	return mustParse(t, bytes.Replace(x.Bytes, []byte(ocispec.MediaTypeImageIndex), []byte(dockerList), 1))
}

func TestUpdateErrors(t *testing.T) {
	mixed := mustParse(t, mustAssemble(t, children("linux/amd64", "linux/arm64"), Options{}).Bytes)
	odd, subject := oddList(t), describe("subject", "nil")
	type row struct {
		name     string
		index    Index
		children []Child
		opts     Options
		want     []string
	}
	rows := []row{
		{"A17: children, entries, the index", mixed, []Child{docker(on("linux/x86_64"))}, Options{Format: Docker, Remove: required("linux/arm")},
			[]string{"InvalidPlatform@0", "ForeignMediaType@0", "ForeignMediaType@1", "MissingPlatform@-1"}},
		{"A17: a later child before an earlier entry", mixed, []Child{docker(on("linux/s390x")), docker(on("linux/x86_64"))}, Options{Format: Docker},
			[]string{"InvalidPlatform@1", "ForeignMediaType@0", "ForeignMediaType@1"}},
		{"A10: an artifactType for a Docker list", odd, nil, Options{ArtifactType: "a/b"}, []string{"NotRepresentable@-1"}},
		{"A10: a subject for a Docker list", odd, nil, Options{Subject: &subject}, []string{"NotRepresentable@-1"}},
	}
	for _, c := range manifestlisttest.UpdateRefusedCases() {
		rows = append(rows, row{c.Name, mustParse(t, c.Index), fromKit(c.Children...), optionsFromKit(c.Options), c.Errors})
	}
	for _, tc := range rows {
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
