package manifestlist

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// everyKind is children of every kind, with everything in them that could be
// changed or kept.
func everyKind() ([]Child, Options) {
	full := on("linux/s390x+b+a")
	full.Descriptor.Annotations = map[string]string{"a": "b"}
	full.Descriptor.URLs = []string{"u"}
	full.Descriptor.Data = []byte("linux/s390x")
	full.Descriptor.Digest, full.Descriptor.Size = digest.FromBytes(full.Descriptor.Data), int64(len(full.Descriptor.Data))
	bytes := image("linux/arm64")
	bytes.Descriptor.Platform = platform("linux/arm64/v8@1+b+a")
	nested := Child{Manifest: mustAssembleNested()}
	subject := describe("subject", "nil")
	subject.Annotations = map[string]string{"s": "t"}
	return []Child{full, bytes, nested, on("linux/amd64"), attestation("linux/amd64"), on("linux/amd64")}, Options{
		Required: required("linux/amd64", "linux/s390x+b+a"), Duplicates: KeepIdentical, Nested: Flatten, Attestations: KeepAttestations,
		Annotations: map[string]string{"c": "d"}, ArtifactType: "a/b", Subject: &subject,
	}
}

func mustAssembleNested() []byte {
	r, err := Assemble(children("linux/ppc64le", "linux/riscv64"), Options{})
	if err != nil {
		panic(err)
	}
	return r.Bytes
}

// TestArgumentsAreNotChanged builds the same arguments twice and lets the
// package have one.
func TestArgumentsAreNotChanged(t *testing.T) {
	children, opts := everyKind()
	wantChildren, wantOpts := everyKind()
	r := mustAssemble(t, children, opts)
	check := func(after string) {
		t.Helper()
		if diff := cmp.Diff(wantChildren, children); diff != "" {
			t.Errorf("%s changed the children:\n%s", after, diff)
		}
		if diff := cmp.Diff(wantOpts, opts); diff != "" {
			t.Errorf("%s changed the options:\n%s", after, diff)
		}
	}
	check("Assemble")
	var described []ocispec.Descriptor
	for _, c := range children {
		if c.Manifest != nil && c.Config == nil {
			continue // a nested index is not described
		}
		d, _, err := Describe(c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		described = append(described, d)
	}
	for _, d := range described {
		if d.Platform != nil {
			for i := range d.Platform.OSFeatures {
				d.Platform.OSFeatures[i] = "!"
			}
			*d.Platform = ocispec.Platform{OS: "!"}
		}
		for k := range d.Annotations {
			d.Annotations[k] = "!"
		}
		for i := range d.URLs {
			d.URLs[i] = "!"
		}
		for i := range d.Data {
			d.Data[i] = '!'
		}
	}
	check("Describe")

	src := slices.Clone(r.Bytes)
	x := mustParse(t, src)
	if diff := cmp.Diff(r.Bytes, src); diff != "" {
		t.Errorf("Parse changed its argument:\n%s", diff)
	}
	want := mustParse(t, r.Bytes)
	if _, err := Update(x, children, opts); err != nil {
		t.Fatal(err)
	}
	check("Update")
	for _, policy := range []Policy{Strict, OpenShiftLegacy, Containerd, ContainersImage} {
		wanted, host := *platform("linux/s390x+b+a"), *platform("linux/amd64+z+y")
		_, _ = Select(x.Index, wanted, SelectOptions{Policy: policy, Host: host})
		_, _ = Select(x.Index, *platform("none/none"), SelectOptions{Policy: policy})
		if !cmp.Equal(wanted, *platform("linux/s390x+b+a")) || !cmp.Equal(host, *platform("linux/amd64+z+y")) {
			t.Errorf("%s changed its platforms", policy)
		}
	}
	if diff := cmp.Diff(want, x); diff != "" {
		t.Errorf("Update or Select changed the index:\n%s", diff)
	}
}

// TestArgumentsAreNotKept overwrites the arguments afterward: results must not
// move with them.
func TestArgumentsAreNotKept(t *testing.T) {
	children, opts := everyKind()
	r := mustAssemble(t, children, opts)
	wantBytes, wantDescriptor, wantFindings := slices.Clone(r.Bytes), r.Descriptor, slices.Clone(r.Findings)
	src := slices.Clone(r.Bytes)
	x := mustParse(t, src)
	updated, err := Update(x, children, opts)
	if err != nil {
		t.Fatal(err)
	}
	wantUpdated := slices.Clone(updated.Bytes)
	wanted := *platform("linux/amd64+a")
	none, ok := noMatch(x.Manifests, wanted, Strict).(*NoMatchError)
	if !ok {
		t.Fatal("no NoMatchError")
	}
	wantHave := none.Error()

	for i := range src {
		src[i] = '!'
	}
	if want := mustParse(t, wantBytes); !cmp.Equal(want, x) {
		t.Error("Parse keeps its argument")
	}
	for i := range children {
		for j := range children[i].Manifest {
			children[i].Manifest[j] = '!'
		}
		for j := range children[i].Config {
			children[i].Config[j] = '!'
		}
		d := &children[i].Descriptor
		if d.Annotations != nil {
			d.Annotations["a"] = "!"
		}
		if d.Platform != nil {
			*d.Platform = ocispec.Platform{OS: "!"}
		}
	}
	wanted.OSFeatures[0] = "!"
	opts.Annotations["c"] = "!"
	opts.Subject.Digest = "!"
	for i := range x.Manifests {
		if p := x.Manifests[i].Platform; p != nil {
			p.OS = "!"
			for j := range p.OSFeatures {
				p.OSFeatures[j] = "!"
			}
		}
	}
	if !slices.Equal(wantBytes, r.Bytes) || !slices.Equal(wantUpdated, updated.Bytes) {
		t.Error("Result.Bytes keeps an argument")
	}
	if diff := cmp.Diff(wantDescriptor, r.Descriptor); diff != "" {
		t.Errorf("Result.Descriptor keeps an argument:\n%s", diff)
	}
	if diff := cmp.Diff(wantFindings, r.Findings); diff != "" {
		t.Errorf("Result.Findings keeps an argument:\n%s", diff)
	}
	if none.Error() != wantHave {
		t.Error("NoMatchError keeps an argument")
	}
}
