package manifestlisttest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/conformance"
)

type property = conformance.Property[Impl]

func properties() []property {
	all := []property{
		{Rule: "canonical-order", Name: "any children in any order", Implemented: hasAssemble, Call: anyOrder},
		{Rule: "canonical-bytes", Name: "as encoding/json writes it, with its descriptor", Implemented: hasAssemble, Call: canonicalBytes},
		{Rule: "one-child-for-each-platform", Name: "a second child for a platform", Implemented: hasAssemble, Call: secondChild},
		{Rule: "required-platforms-are-there", Name: "one is missing", Implemented: hasAssemble, Call: missingPlatform},
		{Rule: "other-entries-keep-their-bytes", Name: "one platform is replaced", Implemented: hasUpdate, Call: otherEntries},
		{Rule: "removed-platform-is-gone", Name: "one platform is removed", Implemented: hasUpdate, Call: removedPlatform},
		{Rule: "index-has-its-shape", Name: "what was assembled is read", Implemented: hasParse, Call: readBack},
		{Rule: "index-is-read-one-way", Name: "a member of another document, or one twice", Implemented: hasParse, Call: ambiguous},
	}
	for _, rule := range []string{"descriptors-well-formed", "platforms-spelled-as-go", "no-index-in-an-index"} {
		all = append(all, property{Rule: rule, Name: "one child breaks it", Implemented: hasAssemble, Call: func(t *rapid.T, i Impl) conformance.Outcome {
			b := DrawBreach(t, rule)
			out := assemble(i, assembleInput{Children: b.Children}, refused(), false)
			out.Input = b
			return out
		}})
	}
	for _, policy := range []string{Strict, OpenShiftLegacy, Containerd, ContainersImage} {
		all = append(all, property{Rule: ruleOf(policy), Name: "any index", Implemented: hasChooser(policy), Call: func(t *rapid.T, i Impl) conformance.Outcome {
			c := DrawChoice(t)
			wanted, index := *Platform(c.Want), Entries(c.Index)
			if wanted.OS == "" || wanted.Architecture == "" {
				wanted = *Platform("linux/ppc64le") // what the host stands in for is another rule
			}
			return choose(i, policy, index, wanted, ocispec.Platform{}, SelectOracle(policy, index, wanted, ocispec.Platform{}))
		}})
	}
	return all
}

func anyOrder(t *rapid.T, i Impl) conformance.Outcome {
	in := assembleInput{rapid.Permutation(DrawChildren(t)).Draw(t, "order"), Options{Attestations: KeepAttestations}}
	want := digestsOf(AssembleOracle(in.Children, in.Options))
	b, _, err := i.Assemble(in.Children, in.Options)
	if err != nil {
		return conformance.Outcome{Input: in, Want: want, Got: err.Error()}
	}
	return conformance.Outcome{Input: in, Want: want, Got: digestsOf(b)}
}

// digestsOf are the digests of the entries.
func digestsOf(index []byte) (all []digest.Digest) {
	var x ocispec.Index
	_ = json.Unmarshal(index, &x) // what cannot be read has no entries
	for _, d := range x.Manifests {
		all = append(all, d.Digest)
	}
	return all
}

// canonicalBytes looks at no order: what was made is read and written again.
func canonicalBytes(t *rapid.T, i Impl) conformance.Outcome {
	in := assembleInput{DrawChildren(t), DrawOptions(t)}
	b, d, err := i.Assemble(in.Children, in.Options)
	if err != nil {
		return conformance.Outcome{Input: in, Want: "an index", Got: err.Error()}
	}
	var x ocispec.Index
	if err := json.Unmarshal(b, &x); err != nil {
		return conformance.Outcome{Input: in, Want: "JSON", Got: err.Error()}
	}
	if x.Manifests == nil {
		x.Manifests = []ocispec.Descriptor{}
	}
	x.ArtifactType, x.Subject, x.Annotations = in.Options.ArtifactType, in.Options.Subject, in.Options.Annotations
	type document struct {
		Bytes      string
		Descriptor ocispec.Descriptor
	}
	return conformance.Outcome{Input: in, Want: document{string(marshal(x)), descriptorOf(b)}, Got: document{string(b), d}}
}

func secondChild(t *rapid.T, i Impl) conformance.Outcome {
	p := *DrawPlatform(t)
	one := Child{Descriptor: Described("one", "nil")}
	one.Descriptor.Platform = &p
	again := p
	switch {
	case p.Variant == "":
		again.Variant = Variant(p)
	case p.Variant == Variant(ocispec.Platform{Architecture: p.Architecture}):
		again.Variant = ""
	}
	if len(p.OSFeatures) > 1 {
		again.OSFeatures = append(slices.Clone(p.OSFeatures[1:]), p.OSFeatures[0])
	}
	two := Child{Descriptor: Described("two", "nil")}
	two.Descriptor.Platform = &again
	return assemble(i, assembleInput{Children: []Child{one, two}}, refused(), false)
}

func missingPlatform(t *rapid.T, i Impl) conformance.Outcome {
	in := assembleInput{Children: DrawChildren(t)}
	missing := *DrawPlatform(t)
	missing.OSVersion, missing.OSFeatures = "", nil
	in.Children = slices.DeleteFunc(in.Children, func(c Child) bool {
		p := c.Descriptor.Platform
		return p != nil && p.OS == missing.OS && p.Architecture == missing.Architecture && Variant(*p) == Variant(missing)
	})
	for _, c := range in.Children {
		if p := c.Descriptor.Platform; p != nil && !IsAttestation(c.Descriptor) {
			in.Options.Required = append(in.Options.Required, *p)
		}
	}
	in.Options.Required = append(in.Options.Required, missing)
	return assemble(i, in, refused(), false)
}

// entriesLike are the entries of an index as JSON that are kept.
func entriesLike(index []byte, keep func(ocispec.Descriptor) bool) (all []string) {
	var x struct {
		Manifests []json.RawMessage `json:"manifests"`
	}
	if err := json.Unmarshal(index, &x); err != nil {
		return []string{err.Error()}
	}
	for _, raw := range x.Manifests {
		var d ocispec.Descriptor
		if err := json.Unmarshal(raw, &d); err != nil {
			return []string{err.Error()}
		}
		if keep(d) {
			all = append(all, string(raw))
		}
	}
	slices.Sort(all)
	return all
}

// withoutAttestations are children that no attestation goes with.
func withoutAttestations(children []Child) []Child {
	return slices.DeleteFunc(children, func(c Child) bool { return IsAttestation(c.Descriptor) })
}

func otherEntries(t *rapid.T, i Impl) conformance.Outcome {
	p := DrawPlatform(t)
	fresh := Child{Descriptor: Described("new", "nil")}
	fresh.Descriptor.Platform = p
	in := updateInput{Index: string(AssembleOracle(withoutAttestations(DrawChildren(t)), DrawOptions(t))), Children: []Child{fresh}}
	others := func(d ocispec.Descriptor) bool {
		return d.Platform == nil || PlatformKey(*d.Platform) != PlatformKey(*p)
	}
	want := entriesLike([]byte(in.Index), others)
	b, _, err := i.Update([]byte(in.Index), in.Children, in.Options)
	if err != nil {
		return conformance.Outcome{Input: in, Want: want, Got: err.Error()}
	}
	return conformance.Outcome{Input: in, Want: want, Got: entriesLike(b, others)}
}

func removedPlatform(t *rapid.T, i Impl) conformance.Outcome {
	p := *DrawPlatform(t)
	p.OSVersion, p.OSFeatures = "", nil
	in := updateInput{Index: string(AssembleOracle(withoutAttestations(DrawChildren(t)), Options{})), Options: Options{Remove: []ocispec.Platform{p}}}
	all := func(ocispec.Descriptor) bool { return true }
	before := entriesLike([]byte(in.Index), all)
	want := entriesLike([]byte(in.Index), func(d ocispec.Descriptor) bool {
		q := d.Platform
		return q == nil || q.OS != p.OS || q.Architecture != p.Architecture || Variant(*q) != Variant(p)
	})
	b, _, err := i.Update([]byte(in.Index), nil, in.Options)
	if len(want) == len(before) {
		return accepted(in, false, err)
	}
	if err != nil {
		return conformance.Outcome{Input: in, Want: want, Got: err.Error()}
	}
	return conformance.Outcome{Input: in, Want: want, Got: entriesLike(b, all)}
}

func readBack(t *rapid.T, i Impl) conformance.Outcome {
	src := AssembleOracle(DrawChildren(t), DrawOptions(t))
	var want ocispec.Index
	if err := json.Unmarshal(src, &want); err != nil {
		panic(err)
	}
	got, err := i.Parse(src, 0)
	if err != nil {
		return conformance.Outcome{Input: string(src), Want: want, Got: err.Error()}
	}
	return conformance.Outcome{Input: string(src), Want: want, Got: got}
}

// ambiguous puts into an index what another reader takes for an image, or reads
// otherwise.
func ambiguous(t *rapid.T, i Impl) conformance.Outcome {
	src := string(AssembleOracle(DrawChildren(t), DrawOptions(t)))
	name := rapid.SampledFrom([]string{"config", "layers", "fsLayers", "history", "manifests", "mediaType", "Config", "LAYERS", "layer\u017f",
		`\u0043onfig`, "Manifests", "HISTORY"}).Draw(t, "member")
	member := `"` + name + `":` + rapid.SampledFrom([]string{"null", "[]", "{}"}).Draw(t, "value")
	if strings.EqualFold(name, "mediaType") {
		member = `"` + name + `":""`
	}
	if rapid.Bool().Draw(t, "first") {
		src = "{" + member + "," + src[1:]
	} else {
		src = src[:len(src)-1] + "," + member + "}"
	}
	_, err := i.Parse([]byte(src), 0)
	return accepted(src, false, err)
}
