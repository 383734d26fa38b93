package manifestlist

import (
	"slices"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// containersImage is rule S4.
func containersImage(index *ocispec.Index, wanted, host *ocispec.Platform) (int, Reason) {
	os, architecture := or(wanted.OS, host.OS), or(wanted.Architecture, host.Architecture)
	best, bestRank, bestZstd, bestVariant := -1, 0, false, ""
	for i := range index.Manifests {
		d := &index.Manifests[i]
		rank, variant := noPlatformRank, ""
		if d.Platform != nil || index.MediaType == dockerList {
			var p ocispec.Platform // a Docker list cannot leave it out: it reads as empty
			if d.Platform != nil {
				p = *d.Platform
			}
			if p.OS != os || p.Architecture != architecture {
				continue
			}
			variant = p.Variant
			if rank = containersImageRank(architecture, variant, wanted.Variant); rank < 0 {
				continue
			}
		}
		zstd := index.MediaType != dockerList && d.Annotations[zstdAnnotation] == "true"
		if best < 0 || rank < bestRank || rank == bestRank && zstd && !bestZstd {
			best, bestRank, bestZstd, bestVariant = i, rank, zstd, variant
		}
	}
	switch {
	case best < 0:
		return -1, ""
	case bestRank == noPlatformRank:
		return best, ReasonNoPlatform
	case bestRank == 0:
		return best, ReasonExact
	case sameVariant(architecture, bestVariant, wanted.Variant):
		return best, ReasonEquivalentVariant
	}
	return best, ReasonCompatibleVariant
}

// zstdAnnotation marks an entry whose layers are compressed with zstd;
// containers/image prefers it among those of one platform.
const zstdAnnotation = "io.github.containers.compression.zstd"

// containersImageRank is the place of an entry's variant in the order in which
// containers/image tries them, or negative.
func containersImageRank(architecture, variant, wanted string) int {
	if variant == wanted {
		return 0
	}
	var known []string
	switch architecture {
	case "arm":
		known = []string{"v8", "v7", "v6", "v5"}
	case "arm64":
		known = []string{"v8"}
	}
	place := slices.Index(known, variant)
	if wanted == "" {
		if place >= 0 {
			return 1 + place
		}
		return -1
	}
	from := slices.Index(known, wanted)
	switch {
	case variant == "":
		return 1 + len(known) // after every variant
	case from >= 0:
		return place - from // negative for what is higher or not known
	}
	return -1
}
