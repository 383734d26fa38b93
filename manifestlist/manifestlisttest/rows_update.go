package manifestlisttest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/conformance"
)

// firstOf is the first entry of an index.
func firstOf(index []byte) *ocispec.Descriptor {
	var x ocispec.Index
	if err := json.Unmarshal(index, &x); err != nil || len(x.Manifests) == 0 {
		return nil
	}
	return &x.Manifests[0]
}

// descriptorOf is the descriptor that an index is to be pushed with.
func descriptorOf(index []byte) ocispec.Descriptor {
	var x ocispec.Index
	_ = json.Unmarshal(index, &x) // what cannot be read has no media type
	return ocispec.Descriptor{MediaType: x.MediaType, ArtifactType: x.ArtifactType, Digest: digest.FromBytes(index), Size: int64(len(index))}
}

// documentRows are about the bytes of what is made.
func documentRows() (all []row) {
	subject := Described("subject", "nil")
	full := assembleInput{Children("linux/amd64", "linux/arm64"), Options{
		Annotations:  map[string]string{"org.opencontainers.image.version": "4.20", "a": "<&>"},
		ArtifactType: "application/vnd.example.os", Subject: &subject,
	}}
	for name, in := range map[string]assembleInput{
		"nothing": {}, "two images": {Children: Children("linux/amd64", "linux/arm64")}, "every field of the index": full,
	} {
		all = append(all, each("canonical-bytes", "byte for byte: "+name, hasAssemble, func(i Impl, _ string) conformance.Outcome {
			b, _, err := i.Assemble(in.Children, in.Options)
			return conformance.Outcome{Input: in, Want: written{Bytes: string(AssembleOracle(in.Children, in.Options))}, Got: wrote(b, err)}
		})...)
	}
	return append(all, each("canonical-bytes", "descriptor of an index that was filtered", hasUpdate, func(i Impl, _ string) conformance.Outcome {
		in := updateInput{Index: string(AssembleOracle(Children("linux/amd64", "linux/arm64"), Options{})), Options: Options{Remove: Platforms("linux/arm64")}}
		b, d, err := i.Update([]byte(in.Index), nil, in.Options)
		if err != nil {
			return conformance.Outcome{Input: in, Want: ocispec.Descriptor{}, Got: err.Error()}
		}
		return conformance.Outcome{Input: in, Want: descriptorOf(b), Got: d}
	})...)
}

// written is a document, or why there is none.
type written struct{ Bytes, Error string }

func wrote(b []byte, err error) written {
	if err != nil {
		return written{Error: err.Error()}
	}
	return written{Bytes: string(b)}
}

func update(i Impl, in updateInput, want outcome) conformance.Outcome {
	want.Entries = inAnyOrder(want.Entries)
	b, _, err := i.Update([]byte(in.Index), in.Children, in.Options)
	return conformance.Outcome{Input: in, Want: want, Got: became(b, err, want, false)}
}

func updateRows() (all []row) {
	for _, c := range UpdateCases() {
		all = append(all, each(c.Rules, "update: "+c.Name, hasUpdate, func(i Impl, _ string) conformance.Outcome {
			want := outcome{MediaType: cmp.Or(kindOf(c.Index), ocispec.MediaTypeImageIndex), Entries: c.Layout}
			return update(i, updateInput{string(c.Index), c.Children, c.Options}, want)
		})...)
	}
	for _, c := range UpdateRefusedCases() {
		all = append(all, each(c.Rules, "update refused: "+c.Name, hasUpdate, func(i Impl, _ string) conformance.Outcome {
			return update(i, updateInput{string(c.Index), c.Children, c.Options}, refused())
		})...)
	}
	entry := `{ "size" : 3, "z": [1, "\u0061"], "platform": {"os":"linux","features":[],"architecture":"s390x"},
		"digest":"sha256:` + strings.Repeat("ab", 32) + `", "mediaType":"application/vnd.oci.image.manifest.v1+json" }`
	strange := updateInput{Index: `{"manifests":[` + entry + `], "x": {"y" : 1}, "schemaVersion":2,"mediaType":"` + ocispec.MediaTypeImageIndex + `"}`}
	all = append(all, each("other-entries-keep-their-bytes", "members and an order that no encoder writes", hasUpdate, func(i Impl, _ string) conformance.Outcome {
		in := strange
		in.Children = Children("linux/amd64")
		var compacted bytes.Buffer
		if err := json.Compact(&compacted, []byte(entry)); err != nil {
			panic(err)
		}
		b, _, err := i.Update([]byte(in.Index), in.Children, in.Options)
		got := wrote(b, err)
		if strings.Contains(got.Bytes, compacted.String()) {
			got.Bytes = compacted.String()
		}
		return conformance.Outcome{Input: in, Want: written{Bytes: compacted.String()}, Got: got}
	})...)
	return append(all, each("unknown-members-stay", "of the index, an entry and its platform", hasUpdate, func(i Impl, _ string) conformance.Outcome {
		b, _, err := i.Update([]byte(strange.Index), nil, Options{})
		if err != nil {
			return conformance.Outcome{Input: strange, Want: "no error", Got: err.Error()}
		}
		return conformance.Outcome{Input: strange, Want: asAny([]byte(strange.Index)), Got: asAny(b)}
	})...)
}

func fieldRows() (all []row) {
	for _, c := range IndexFieldsCases() {
		all = append(all, each(c.Rules, c.Name, hasUpdate, func(i Impl, _ string) conformance.Outcome {
			in := updateInput{Index: string(IndexFieldsSource()), Options: c.Options}
			b, _, err := i.Update([]byte(in.Index), nil, in.Options)
			var x ocispec.Index
			if err == nil {
				err = json.Unmarshal(b, &x)
			}
			if err != nil {
				return conformance.Outcome{Input: in, Want: c.Want, Got: err.Error()}
			}
			return conformance.Outcome{Input: in, Want: c.Want, Got: Options{Annotations: x.Annotations, ArtifactType: x.ArtifactType, Subject: x.Subject}}
		})...)
	}
	return append(all, each("annotations-cleared-on-demand", "an annotated index becomes a Docker list", hasUpdate, func(i Impl, _ string) conformance.Outcome {
		in := updateInput{Index: string(AssembleOracle([]Child{AsDocker(On("linux/amd64"))}, Options{Annotations: map[string]string{"a": "1"}})),
			Options: Options{Format: Docker, ClearAnnotations: true}}
		return update(i, in, outcome{MediaType: DockerList, Entries: "linux/amd64"})
	})...)
}

func editRows() (all []row) {
	for _, c := range EditCases() {
		all = append(all, each(c.Rules, c.Name, hasEdit, func(i Impl, _ string) conformance.Outcome {
			b, err := i.Edit(EditSource(), c.Edit)
			if err != nil {
				return conformance.Outcome{Input: c.Name, Want: "no error", Got: err.Error()}
			}
			var want []any
			for _, e := range c.Entries {
				want = append(want, asAny([]byte(e)))
			}
			index, _ := asAny(b).(map[string]any)
			return conformance.Outcome{Input: c.Name, Want: want, Got: index["manifests"]}
		})...)
	}
	for _, c := range EditRefusedCases() {
		all = append(all, each(c.Rules, "checked: "+c.Name, hasEdit, func(i Impl, _ string) conformance.Outcome {
			_, err := i.Edit(c.Index, c.Edit)
			return accepted(struct{ Name, Index string }{c.Name, string(c.Index)}, c.Errors == nil, err)
		})...)
	}
	return all
}
