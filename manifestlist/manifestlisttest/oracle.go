package manifestlisttest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// The oracles of this file say what is right in the fewest words, with no thought
// of speed.

// IsAttestation: by its annotation or by its platform.
func IsAttestation(d ocispec.Descriptor) bool {
	return d.Annotations["vnd.docker.reference.type"] == "attestation-manifest" ||
		d.Platform != nil && d.Platform.OS == "unknown" && d.Platform.Architecture == "unknown"
}

// Variant is the variant of a platform, the baseline written out.
func Variant(p ocispec.Platform) string {
	if p.Variant == "" {
		return map[string]string{"amd64": "v1", "arm": "v7", "arm64": "v8"}[p.Architecture]
	}
	return p.Variant
}

// Features is the set of os.features, in order.
func Features(p ocispec.Platform) []string {
	features := slices.Clone(p.OSFeatures)
	slices.Sort(features)
	return slices.Compact(features)
}

// AssembleOracle makes the index of descriptors that break no rule: sorted by one
// string, written by encoding/json.
func AssembleOracle(children []Child, opts Options) []byte {
	index := ocispec.Index{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex,
		ArtifactType: opts.ArtifactType, Subject: opts.Subject, Annotations: opts.Annotations, Manifests: []ocispec.Descriptor{},
	}
	if opts.Format == Docker {
		index.MediaType = DockerList
	}
	for _, c := range children {
		if !IsAttestation(c.Descriptor) || opts.Attestations == KeepAttestations {
			index.Manifests = append(index.Manifests, c.Descriptor)
		}
	}
	key := func(d ocispec.Descriptor) string {
		if IsAttestation(d) {
			return "3" + string(d.Digest)
		}
		if d.Platform == nil {
			return "2" + string(d.Digest)
		}
		p := *d.Platform
		variant := "1" + p.Variant
		if Variant(p) == Variant(ocispec.Platform{Architecture: p.Architecture}) {
			variant = "0"
		}
		return strings.Join([]string{"1" + p.OS, p.Architecture, variant, p.OSVersion, strings.Join(Features(p), "\x01"), string(d.Digest)}, "\x00")
	}
	slices.SortFunc(index.Manifests, func(a, b ocispec.Descriptor) int { return strings.Compare(key(a), key(b)) })
	return marshal(index)
}

// SelectOracle tries an ordered list of tests; the first that some entry passes
// decides, and of entries that pass it the first. -1 is none. It is for platforms
// without os.version and os.features, entries without compression, and indexes
// that hold no index.
func SelectOracle(policy string, index ocispec.Index, want, host ocispec.Platform) int {
	var tests []func(*ocispec.Platform) bool
	exactly := func(p ocispec.Platform) func(*ocispec.Platform) bool {
		return func(q *ocispec.Platform) bool {
			return q != nil && q.OS == p.OS && q.Architecture == p.Architecture && q.Variant == p.Variant
		}
	}
	noPlatform := func(p *ocispec.Platform) bool { return p == nil }
	switch policy {
	case Strict:
		return strictOracle(index, want)
	case OpenShiftLegacy:
		if want.OS == "" {
			want.OS = host.OS
		}
		if want.Architecture == "" {
			want.Architecture = host.Architecture
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
		for _, p := range containerdTries(want, host.OS) {
			tests = append(tests, func(q *ocispec.Platform) bool { return q != nil && exactly(p)(normal(*q, host.OS)) })
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

func strictOracle(index ocispec.Index, want ocispec.Platform) int {
	var matches []Child
	for _, d := range index.Manifests {
		if p := d.Platform; p != nil && p.OS == want.OS && p.Architecture == want.Architecture && Variant(*p) == Variant(want) {
			matches = append(matches, Child{Descriptor: d})
		}
	}
	if matches == nil {
		return -1
	}
	var sorted ocispec.Index
	if err := json.Unmarshal(AssembleOracle(matches, Options{Attestations: KeepAttestations}), &sorted); err != nil {
		panic(err)
	}
	return slices.IndexFunc(index.Manifests, func(d ocispec.Descriptor) bool { return d.Digest == sorted.Manifests[0].Digest })
}

// normal writes a platform as containerd's platforms.Normalize does (package
// containerd/platforms, database.go), for the spellings of the generators.
func normal(p ocispec.Platform, hostOS string) *ocispec.Platform {
	if p.OS == "" {
		p.OS = hostOS
	}
	spelled := map[string]string{
		"x86_64/": "amd64/", "x86-64/": "amd64/", "amd64/v1": "amd64/", "x86_64/v1": "amd64/",
		"aarch64/": "arm64/", "arm64/v8": "arm64/", "arm64/8": "arm64/", "aarch64/v8": "arm64/",
		"arm/": "arm/v7", "arm/7": "arm/v7", "arm/6": "arm/v6", "armhf/": "arm/v7", "armel/": "arm/v6", "i386/": "386/",
	}
	if known, ok := spelled[p.Architecture+"/"+p.Variant]; ok {
		p.Architecture, p.Variant, _ = strings.Cut(known, "/")
	}
	return &p
}

// containerdTries lists the platforms that containerd tries, in its order.
func containerdTries(want ocispec.Platform, hostOS string) (tries []ocispec.Platform) {
	w := normal(want, hostOS)
	add := func(arch, variant string) {
		tries = append(tries, *normal(ocispec.Platform{OS: w.OS, Architecture: arch, Variant: variant}, hostOS))
	}
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
	return tries
}
