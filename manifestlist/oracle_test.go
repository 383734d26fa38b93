package manifestlist

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"pgregory.net/rapid"
)

// The oracles of this file say what is right in the fewest words, with no thought
// of speed.

// slowAssemble is Assemble of descriptors that break no rule: sorted by one
// string, written by encoding/json.
func slowAssemble(children []Child, opts Options) []byte {
	index := ocispec.Index{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex,
		ArtifactType: opts.ArtifactType, Subject: opts.Subject, Annotations: opts.Annotations, Manifests: []ocispec.Descriptor{},
	}
	for _, c := range children {
		if !isAttestation(&c.Descriptor) || opts.Attestations == KeepAttestations {
			index.Manifests = append(index.Manifests, c.Descriptor)
		}
	}
	key := func(d ocispec.Descriptor) string {
		if isAttestation(&d) {
			return "3" + string(d.Digest)
		}
		if d.Platform == nil {
			return "2" + string(d.Digest)
		}
		p := *d.Platform
		variant := "1" + p.Variant
		if slices.Contains([]string{"amd64/v1", "arm/v7", "arm64/v8"}, p.Architecture+"/"+p.Variant) || p.Variant == "" {
			variant = "0"
		}
		features := slices.Clone(p.OSFeatures)
		slices.Sort(features)
		return strings.Join([]string{"1" + p.OS, p.Architecture, variant, p.OSVersion, strings.Join(slices.Compact(features), "\x01"), string(d.Digest)}, "\x00")
	}
	slices.SortFunc(index.Manifests, func(a, b ocispec.Descriptor) int { return strings.Compare(key(a), key(b)) })
	return marshal(index)
}

func TestAssembleAgainstTheSlowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		children, opts := drawChildren(t), drawOptions(t)
		r := mustAssembleRapid(t, children, opts)
		if diff := cmp.Diff(string(slowAssemble(children, opts)), string(r.Bytes)); diff != "" {
			t.Fatalf("(-slow +fast):\n%s", diff)
		}
	})
}

// slowSelect tries an ordered list of tests; the first that some entry passes
// decides, and among entries that pass it the order given by prefer, then that
// of the index.
func slowSelect(index ocispec.Index, want ocispec.Platform, opts SelectOptions) int {
	var tests []func(*ocispec.Platform) bool
	exactly := func(p ocispec.Platform) func(*ocispec.Platform) bool {
		return func(q *ocispec.Platform) bool {
			return q != nil && q.OS == p.OS && q.Architecture == p.Architecture && q.Variant == p.Variant
		}
	}
	noPlatform := func(p *ocispec.Platform) bool { return p == nil }
	switch opts.Policy {
	case Strict:
		baseline := map[string]string{"amd64": "v1", "arm": "v7", "arm64": "v8"}
		variant := func(p ocispec.Platform) string {
			if p.Variant == "" {
				return baseline[p.Architecture]
			}
			return p.Variant
		}
		var matches []Child
		for _, d := range index.Manifests {
			if p := d.Platform; p != nil && p.OS == want.OS && p.Architecture == want.Architecture && variant(*p) == variant(want) {
				matches = append(matches, Child{Descriptor: d})
			}
		}
		if matches == nil {
			return -1
		}
		var sorted ocispec.Index
		if err := json.Unmarshal(slowAssemble(matches, Options{Attestations: KeepAttestations}), &sorted); err != nil {
			panic(err)
		}
		return slices.IndexFunc(index.Manifests, func(d ocispec.Descriptor) bool { return d.Digest == sorted.Manifests[0].Digest })
	case OpenShiftLegacy:
		if want.OS == "" {
			want.OS = opts.Host.OS
		}
		if want.Architecture == "" {
			want.Architecture = opts.Host.Architecture
		}
		osArch := func(os, arch string) func(*ocispec.Platform) bool {
			return func(p *ocispec.Platform) bool {
				if p == nil {
					p = &ocispec.Platform{}
				}
				return p.OS == os && p.Architecture == arch
			}
		}
		tests = append(tests, osArch(want.OS, want.Architecture), osArch("linux", "amd64"), func(*ocispec.Platform) bool { return true })
	case ContainersImage:
		order := map[string][]string{"arm": {"v8", "v7", "v6", "v5"}, "arm64": {"v8"}}[want.Architecture]
		variants := []string{want.Variant}
		if i := slices.Index(order, want.Variant); i >= 0 {
			variants = order[i:]
		}
		if want.Variant == "" {
			variants = append(variants, order...)
		} else {
			variants = append(slices.Clip(variants), "")
		}
		for _, v := range variants {
			tests = append(tests, exactly(ocispec.Platform{OS: want.OS, Architecture: want.Architecture, Variant: v}))
		}
		tests = append(tests, noPlatform)
	case Containerd:
		normal := func(p *ocispec.Platform) *ocispec.Platform {
			if p == nil {
				return nil
			}
			n := normalize(p, opts.Host.OS)
			return &n
		}
		add := func(arch, variant string) {
			p := ocispec.Platform{OS: want.OS, Architecture: arch, Variant: variant}
			tests = append(tests, func(q *ocispec.Platform) bool { return exactly(*normal(&p))(normal(q)) })
		}
		w := normal(&want)
		switch w.Architecture + "/" + w.Variant {
		case "amd64/v3":
			add("amd64", "v3")
			fallthrough
		case "amd64/v2":
			add("amd64", "v2")
			fallthrough
		case "amd64/":
			add("amd64", "")
			add("386", "")
		case "arm64/v9":
			add("arm64", "v9")
			for v := 5; v > 0; v-- {
				add("arm64", fmt.Sprintf("v8.%d", v))
			}
			fallthrough
		case "arm64/":
			add("arm64", "")
			add("arm", "v8")
			fallthrough
		case "arm/v7":
			add("arm", "v7")
			fallthrough
		case "arm/v6":
			add("arm", "v6")
			add("arm", "v5")
		default:
			add(w.Architecture, w.Variant)
		}
		tests = append(tests, noPlatform)
	}
	for _, test := range tests {
		for i, d := range index.Manifests {
			if test(d.Platform) {
				return i
			}
		}
	}
	return -1
}

// TestSelectAgainstTheSlowOne enumerates every index of up to three entries.
func TestSelectAgainstTheSlowOne(t *testing.T) {
	domain := strings.Fields("nil / attestation linux/amd64 linux/amd64/v1 linux/amd64/v3 linux/x86_64 linux/386 linux/arm linux/arm/v6 linux/arm/v7 " +
		"linux/arm64 linux/arm64/v8 linux/arm64/v8.2 linux/arm64/v9 linux/s390x windows/amd64")
	wants := strings.Fields("/ linux/ linux/amd64 linux/amd64/v1 linux/amd64/v2 linux/amd64/v3 linux/arm linux/arm/v6 linux/arm64 linux/arm64/v8 linux/arm64/v9 " +
		"linux/aarch64 linux/s390x linux/s390x/z15 windows/amd64")
	if testing.Short() {
		domain = domain[:8]
	}
	indexes := []string{""}
	for _, a := range domain {
		indexes = append(indexes, a)
		for _, b := range domain {
			indexes = append(indexes, a+" "+b)
			for _, c := range domain {
				indexes = append(indexes, a+" "+b+" "+c)
			}
		}
	}
	for _, words := range indexes {
		index := entries(words)
		for _, w := range wants {
			want := *platform(w)
			for _, policy := range []Policy{Strict, OpenShiftLegacy, Containerd, ContainersImage} {
				opts := SelectOptions{Policy: policy}
				if policy == OpenShiftLegacy {
					opts.Host = *platform("linux/arm64")
				}
				got, err := Select(index, want, opts)
				if err != nil {
					got.Position = -1
				}
				if slow := slowSelect(index, want, opts); got.Position != slow {
					t.Fatalf("%s: [%s] → %s: chose %d, the slow one %d", policy, words, w, got.Position, slow)
				}
			}
		}
	}
}
