package manifestlist

import (
	"cmp"
	"slices"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/internal/arch"
)

// baseline reports whether variant names the baseline of the architecture, as does
// leaving the variant out (rule A6).
func baseline(architecture, variant string) bool {
	switch variant {
	case "":
		return true
	case "v1":
		return architecture == "amd64"
	case "v7":
		return architecture == "arm"
	case "v8":
		return architecture == "arm64"
	}
	return false
}

func sameVariant(architecture, a, b string) bool {
	return a == b || baseline(architecture, a) && baseline(architecture, b)
}

// comparePlatforms is the order of platforms by rule A11. It is 0 for platforms that
// are the same by rule A6.
func comparePlatforms(a, b *ocispec.Platform) int {
	if c := strings.Compare(a.OS, b.OS); c != 0 {
		return c
	}
	if c := strings.Compare(a.Architecture, b.Architecture); c != 0 {
		return c
	}
	if a.Variant != b.Variant {
		aBase, bBase := baseline(a.Architecture, a.Variant), baseline(b.Architecture, b.Variant)
		switch {
		case aBase && !bBase:
			return -1
		case bBase && !aBase:
			return 1
		case !aBase:
			return strings.Compare(a.Variant, b.Variant)
		}
	}
	if c := strings.Compare(a.OSVersion, b.OSVersion); c != 0 {
		return c
	}
	return slices.Compare(featureSet(a.OSFeatures), featureSet(b.OSFeatures))
}

// featureSet returns the features in ascending order without duplicates.
func featureSet(features []string) []string {
	for i := 1; i < len(features); i++ {
		if features[i-1] >= features[i] {
			features = slices.Clone(features)
			slices.Sort(features)
			return slices.Compact(features)
		}
	}
	return features
}

// An entry's class comes before everything else in the canonical order (rule A11).
type class uint8

const (
	classPlatform class = iota
	classNoPlatform
	classAttestation
)

func classOf(d *ocispec.Descriptor) class {
	switch {
	case isAttestation(d):
		return classAttestation
	case d.Platform == nil:
		return classNoPlatform
	}
	return classPlatform
}

// compareKeys is the canonical order without the digest (rule A11).
func compareKeys(a, b *ocispec.Descriptor, aClass, bClass class) int {
	if c := cmp.Compare(aClass, bClass); c != 0 {
		return c
	}
	switch {
	case a.Platform == nil && b.Platform == nil:
		return 0
	case a.Platform == nil:
		return -1
	case b.Platform == nil:
		return 1
	}
	return comparePlatforms(a.Platform, b.Platform)
}

// platformText is the usual short form, os/architecture/variant, with what is
// rarely there in parentheses.
func platformText(p ocispec.Platform) string {
	var b strings.Builder
	b.WriteString(p.OS)
	b.WriteByte('/')
	b.WriteString(p.Architecture)
	if p.Variant != "" {
		b.WriteByte('/')
		b.WriteString(p.Variant)
	}
	if p.OSVersion != "" || len(p.OSFeatures) > 0 {
		b.WriteByte('(')
		b.WriteString(p.OSVersion)
		for _, f := range p.OSFeatures {
			b.WriteByte('+')
			b.WriteString(f)
		}
		b.WriteByte(')')
	}
	return b.String()
}

// misspelled is the spelling of rule A4: it returns the field of p that readers
// would not find under the name it is written with, and the name they look for. To
// readers that compare strings, an alias is as good as a missing image.
func misspelled(p *ocispec.Platform) (field, value, want string) {
	switch {
	case p.OS == "":
		return "os", "", "an operating system as GOOS has it, such as linux"
	case p.OS == "macos":
		return "os", p.OS, "darwin"
	case !plain(p.OS):
		return "os", p.OS, "lower-case letters and digits, as GOOS has it"
	case p.Architecture == "":
		return "architecture", "", "an architecture as GOARCH has it, such as amd64"
	}
	if goarch, known := arch.Canonical(p.Architecture); known && goarch != p.Architecture {
		return "architecture", p.Architecture, goarch
	}
	switch p.Architecture {
	case "i386", "i686":
		return "architecture", p.Architecture, "386"
	case "armhf":
		return "architecture", p.Architecture, "arm with the variant v7"
	case "armel":
		return "architecture", p.Architecture, "arm with the variant v6"
	}
	if !plain(p.Architecture) {
		return "architecture", p.Architecture, "lower-case letters and digits, as GOARCH has it"
	}
	if p.Variant != "" {
		digit := p.Variant[0] >= '0' && p.Variant[0] <= '9'
		switch p.Architecture {
		case "amd64", "arm", "arm64":
			if digit {
				return "variant", p.Variant, "v" + p.Variant
			}
		}
		if strings.ContainsFunc(p.Variant, func(r rune) bool { return r <= ' ' || r == '/' || r >= 'A' && r <= 'Z' }) {
			return "variant", p.Variant, "a lower-case variant, such as v8"
		}
	}
	return "", "", ""
}

func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// knownPlatform reports whether Go has, or had, a port of that name.
func knownPlatform(p *ocispec.Platform) bool {
	switch p.OS {
	case "linux", "windows", "darwin", "freebsd", "netbsd", "openbsd", "dragonfly", "solaris",
		"illumos", "aix", "android", "ios", "js", "wasip1", "plan9", "hurd", "nacl", "zos":
	default:
		return false
	}
	switch p.Architecture {
	case "amd64", "arm64", "ppc64le", "s390x", "386", "arm", "riscv64", "loong64", "mips", "mipsle",
		"mips64", "mips64le", "ppc64", "ppc", "riscv", "s390", "sparc", "sparc64", "wasm":
		return true
	}
	return false
}
