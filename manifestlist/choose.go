package manifestlist

import (
	"cmp"
	"slices"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A Policy is a way to choose one entry out of an index.
type Policy string

const (
	// Strict takes the entry for exactly the platform that is wanted, or none
	// (S1). It is the default.
	Strict Policy = "Strict"
	// OpenShiftLegacy is what importMode Legacy of an image stream tag does (S2).
	OpenShiftLegacy Policy = "OpenShiftLegacy"
	// Containerd is what containerd, and so most container runtimes, do (S3).
	Containerd Policy = "Containerd"
	// ContainersImage is what CRI-O, podman, skopeo and buildah do (S4).
	ContainersImage Policy = "ContainersImage"
)

// A Reason says how the entry that was chosen differs from what is wanted (S6).
type Reason string

const (
	// ReasonExact: os, architecture and variant are written as wanted.
	ReasonExact Reason = "Exact"
	// ReasonEquivalentVariant: the variant is another way to write the wanted one.
	ReasonEquivalentVariant Reason = "EquivalentVariant"
	// ReasonAlias: the entry is for the wanted platform under another name.
	ReasonAlias Reason = "Alias"
	// ReasonCompatibleVariant: another variant, which the wanted platform runs as
	// well.
	ReasonCompatibleVariant Reason = "CompatibleVariant"
	// ReasonCompatibleArchitecture: another architecture, which the wanted platform
	// runs as well.
	ReasonCompatibleArchitecture Reason = "CompatibleArchitecture"
	// ReasonNoPlatform: the entry names no platform, and no other entry is for the
	// wanted one.
	ReasonNoPlatform Reason = "NoPlatform"
	// ReasonFallbackLinuxAMD64: no entry is for the wanted platform; this one is for
	// linux/amd64.
	ReasonFallbackLinuxAMD64 Reason = "FallbackLinuxAMD64"
	// ReasonFallbackFirst: no entry is for the wanted platform or for linux/amd64;
	// this one is the first.
	ReasonFallbackFirst Reason = "FallbackFirst"
)

// SelectOptions are how to choose. The zero value is policy Strict.
type SelectOptions struct {
	Policy Policy
	// Host is the platform of the machine that chooses, for what the wanted platform
	// leaves out (S5).
	Host ocispec.Platform
}

// A Choice is one entry of an index.
type Choice struct {
	// Position is the entry's place in the index.
	Position int
	Digest   digest.Digest
	Reason   Reason
}

// Select chooses the entry of index for the platform wanted, by rules S1 to S7. It
// allocates nothing when it finds one. If the policy finds none, the error is a
// [*NoMatchError]; other errors are an [*IndexError].
func Select(index ocispec.Index, wanted ocispec.Platform, opts SelectOptions) (Choice, error) {
	var position int
	var reason Reason
	switch opts.Policy {
	case Strict, "":
		opts.Policy = Strict
		position, reason = strict(index.Manifests, &wanted)
	case OpenShiftLegacy:
		position, reason = legacy(index.Manifests, &wanted, &opts.Host)
	case Containerd:
		position, reason = containerd(index.Manifests, &wanted, &opts.Host)
	case ContainersImage:
		position, reason = containersImage(&index, &wanted, &opts.Host)
	default:
		return Choice{}, &IndexError{Code: CodeUnknownOption, Path: "options.policy", Value: string(opts.Policy), Want: "Strict, OpenShiftLegacy, Containerd or ContainersImage"}
	}
	if position < 0 {
		return Choice{}, noMatch(index.Manifests, wanted, opts.Policy)
	}
	d := &index.Manifests[position]
	if opts.Policy == OpenShiftLegacy && isIndexType(d.MediaType) {
		entry := &ChildRef{Position: position, Entry: true}
		return Choice{}, &IndexError{Code: CodeNestedIndex, Child: entry, Path: entry.String() + ".mediaType", Value: d.MediaType, Want: "the manifest of one image: OpenShift does not import from a nested index"}
	}
	return Choice{Position: position, Digest: d.Digest, Reason: reason}, nil
}

// strict is rule S1.
func strict(manifests []ocispec.Descriptor, wanted *ocispec.Platform) (int, Reason) {
	best := -1
	for i := range manifests {
		d := &manifests[i]
		if d.Platform == nil || !strictMatch(d.Platform, wanted) {
			continue
		}
		if best < 0 || before(d, &manifests[best]) {
			best = i
		}
	}
	switch {
	case best < 0:
		return -1, ""
	case manifests[best].Platform.Variant == wanted.Variant:
		return best, ReasonExact
	}
	return best, ReasonEquivalentVariant
}

func strictMatch(p, wanted *ocispec.Platform) bool {
	return p.OS == wanted.OS && p.Architecture == wanted.Architecture &&
		sameVariant(p.Architecture, p.Variant, wanted.Variant) &&
		(wanted.OSVersion == "" || p.OSVersion == wanted.OSVersion) &&
		(len(wanted.OSFeatures) == 0 || subset(p.OSFeatures, wanted.OSFeatures) && subset(wanted.OSFeatures, p.OSFeatures))
}

// before is the canonical order (rule A11).
func before(a, b *ocispec.Descriptor) bool {
	return cmp.Or(compareKeys(a, b, classOf(a), classOf(b)), strings.Compare(string(a.Digest), string(b.Digest))) < 0
}

func subset(a, b []string) bool {
	for _, s := range a {
		if !slices.Contains(b, s) {
			return false
		}
	}
	return true
}

// legacy is rule S2.
func legacy(manifests []ocispec.Descriptor, wanted, host *ocispec.Platform) (int, Reason) {
	if len(manifests) == 0 {
		return -1, ""
	}
	find := func(os, architecture string) int {
		return slices.IndexFunc(manifests, func(d ocispec.Descriptor) bool {
			if d.Platform == nil {
				return os == "" && architecture == ""
			}
			return d.Platform.OS == os && d.Platform.Architecture == architecture
		})
	}
	if i := find(or(wanted.OS, host.OS), or(wanted.Architecture, host.Architecture)); i >= 0 {
		return i, ReasonExact
	}
	if i := find("linux", "amd64"); i >= 0 {
		return i, ReasonFallbackLinuxAMD64
	}
	return 0, ReasonFallbackFirst
}

// noPlatformRank is the rank of an entry that names no platform, under the policies
// that take one if there is nothing else: after every other.
const noPlatformRank = 1 << 20

func or(s, otherwise string) string {
	if s != "" {
		return s
	}
	return otherwise
}
