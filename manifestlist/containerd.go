package manifestlist

import (
	"slices"
	"strconv"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// containerd is rule S3: the entry of the best rank, of those the one with the most
// os.features, of those the first.
func containerd(manifests []ocispec.Descriptor, wanted, host *ocispec.Platform) (int, Reason) {
	w := normalize(wanted, host.OS)
	best, bestRank, bestFeatures := -1, 0, 0
	for i := range manifests {
		p := manifests[i].Platform
		rank, features := noPlatformRank, 0
		if p != nil {
			if rank = containerdRank(p, &w, host.OS); rank < 0 {
				continue
			}
			features = len(p.OSFeatures)
		}
		if best < 0 || rank < bestRank || rank == bestRank && features > bestFeatures {
			best, bestRank, bestFeatures = i, rank, features
		}
	}
	if best < 0 {
		return -1, ""
	}
	p := manifests[best].Platform
	switch {
	case p == nil:
		return best, ReasonNoPlatform
	case bestRank >= otherArchitecture:
		return best, ReasonCompatibleArchitecture
	case bestRank > 0:
		return best, ReasonCompatibleVariant
	case p.OS != wanted.OS || p.Architecture != wanted.Architecture:
		return best, ReasonAlias
	case p.Variant != wanted.Variant:
		return best, ReasonEquivalentVariant
	}
	return best, ReasonExact
}

// normalize writes a platform as containerd's platforms.Normalize does, but for
// the os.features.
func normalize(p *ocispec.Platform, hostOS string) ocispec.Platform {
	n := *p
	if n.OS == "" {
		n.OS = hostOS
	}
	n.OS, n.Architecture, n.Variant = strings.ToLower(n.OS), strings.ToLower(n.Architecture), strings.ToLower(n.Variant)
	if n.OS == "macos" {
		n.OS = "darwin"
	}
	switch n.Architecture {
	case "i386":
		n.Architecture, n.Variant = "386", ""
	case "x86_64", "x86-64", "amd64":
		n.Architecture = "amd64"
		if n.Variant == "v1" {
			n.Variant = ""
		}
	case "aarch64", "arm64":
		n.Architecture = "arm64"
		switch n.Variant {
		case "8", "v8", "v8.0":
			n.Variant = ""
		case "9", "9.0", "v9.0":
			n.Variant = "v9"
		}
	case "armhf":
		n.Architecture, n.Variant = "arm", "v7"
	case "armel":
		n.Architecture, n.Variant = "arm", "v6"
	case "arm":
		switch n.Variant {
		case "", "7":
			n.Variant = "v7"
		case "5", "6", "8":
			n.Variant = "v" + n.Variant
		}
	}
	return n
}

// otherArchitecture is added to the rank of an entry for another architecture:
// no variant is that far from the wanted one.
const otherArchitecture = 1 << 10

// containerdRank is the place of an entry in the order in which containerd tries
// platforms, or negative. w is the wanted platform, normalized.
func containerdRank(entry, w *ocispec.Platform, hostOS string) int {
	p := normalize(entry, hostOS)
	if p.OS != w.OS || !featuresOffered(&p, w) || !windowsRuns(&p, w) {
		return -1
	}
	rank := -1
	switch w.Architecture {
	case "amd64":
		switch {
		case p.Architecture == "386" && p.Variant == "":
			return otherArchitecture
		case p.Architecture == "amd64":
			rank = amd64Rank(p.Variant, w.Variant)
		}
	case "arm":
		if p.Architecture == "arm" {
			rank = armRank(p.Variant, w.Variant)
		}
	case "arm64":
		wantedMajor, wantedMinor, ok := arm64Version(w.Variant)
		switch {
		case !ok:
			return -1 // containerd knows no such variant and then tries nothing
		case p.Architecture == "arm":
			if rank = armRank(p.Variant, "v8"); rank >= 0 {
				rank += otherArchitecture
			}
		case p.Architecture == "arm64":
			rank = arm64Rank(p.Variant, wantedMajor, wantedMinor)
		}
	default:
		if p.Architecture == w.Architecture && p.Variant == w.Variant {
			rank = 0
		}
	}
	return rank
}

// amd64Rank: v3 runs v3, v2 and the baseline, which is written "" here.
func amd64Rank(variant, wanted string) int {
	if variant == wanted {
		return 0
	}
	n, ok := version(wanted)
	if !ok {
		return -1
	}
	v := 1
	if variant != "" {
		if v, ok = canonicalVersion(variant); !ok {
			return -1
		}
	}
	if v < n {
		return min(n-v, otherArchitecture-1)
	}
	return -1
}

// armRank: v7 runs v7, v6 and v5.
func armRank(variant, wanted string) int {
	if variant == wanted {
		return 0
	}
	n, ok := version(wanted)
	if !ok {
		return -1
	}
	if v, ok := canonicalVersion(variant); ok && v >= 5 && v < n {
		return min(n-v, otherArchitecture-1)
	}
	return -1
}

// version reads "v7" or "7", canonicalVersion only "v7".
func version(variant string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(variant, "v"))
	return n, err == nil
}

func canonicalVersion(variant string) (int, bool) {
	if len(variant) < 2 || variant[0] != 'v' || variant[1] < '1' {
		return 0, false // with a sign or a zero in front
	}
	return version(variant)
}

// arm64Version reads the variants that containerd knows: v8 (written "" after
// normalize) to v8.9 and v9 to v9.7.
func arm64Version(variant string) (major, minor int, ok bool) {
	switch {
	case variant == "":
		return 8, 0, true
	case variant == "v9":
		return 9, 0, true
	case len(variant) == 4 && (variant[:3] == "v8." || variant[:3] == "v9."):
		major, minor = int(variant[1]-'0'), int(variant[3]-'0')
		return major, minor, minor <= 7 || major == 8 && minor <= 9
	}
	return 0, 0, false
}

// arm64Rank: v9.2 runs v9.2 to v9, then v8.7 to v8. The rank of what it does not run
// is negative.
func arm64Rank(variant string, wantedMajor, wantedMinor int) int {
	major, minor, ok := arm64Version(variant)
	switch highest := min(wantedMinor+5, 9); {
	case !ok:
		return -1
	case major == wantedMajor:
		return wantedMinor - minor
	case major < wantedMajor && minor <= highest:
		return wantedMinor + 1 + highest - minor
	}
	return -1
}

// featuresOffered reports whether every os.feature of the entry is wanted.
// containerd ignores win32k on Windows.
func featuresOffered(p, w *ocispec.Platform) bool {
	for _, f := range p.OSFeatures {
		if !slices.Contains(w.OSFeatures, f) && (w.OS != "windows" || f != "win32k") {
			return false
		}
	}
	return true
}

// windowsRuns reports whether a Windows host of the wanted version runs the
// entry. From Windows Server 2022 on, a host also runs images of earlier releases
// down to 2022; an older host runs only those of its own build.
func windowsRuns(p, w *ocispec.Platform) bool {
	const ltsc2022 = 20348
	if w.OS != "windows" || p.OSVersion == "" {
		return true
	}
	host := windowsVersion(w.OSVersion)
	image := windowsVersion(p.OSVersion)
	switch {
	case host == [3]uint64{}:
		return true
	case host[0] != image[0] || host[1] != image[1]:
		return false
	case host[2] < ltsc2022:
		return host[2] == image[2]
	}
	return image[2] >= ltsc2022 && image[2] <= host[2]
}

// windowsVersion reads major, minor and build, or returns zeros.
func windowsVersion(s string) (v [3]uint64) {
	var n [3]uint64
	for i, bits := range [3]int{8, 8, 16} {
		part, rest, _ := strings.Cut(s, ".")
		var err error
		if n[i], err = strconv.ParseUint(part, 10, bits); err != nil {
			return v
		}
		s = rest
	}
	return n
}
