package importer

import (
	"regexp"
	"slices"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// What a manifest says is a text of the registry, which could repeat what it was
// sent. So messages show of it only what is a word of a closed set, or a digest
// (rule 13).

var (
	knownOS   = []string{"linux", "windows", "darwin", "freebsd", "netbsd", "openbsd", "solaris", "aix", "unknown"}
	knownArch = []string{"386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64", "s390x", "wasm", "unknown"}
	variant   = regexp.MustCompile(`^v[1-9][0-9]?$`)
)

// platform shows that of an entry.
func platform(p *ocispec.Platform) string {
	switch {
	case p == nil:
		return "no platform"
	case !slices.Contains(knownOS, p.OS) || !slices.Contains(knownArch, p.Architecture):
		return "another platform"
	case variant.MatchString(p.Variant):
		return p.OS + "/" + p.Architecture + "/" + p.Variant
	}
	return p.OS + "/" + p.Architecture
}

// shown is a digest, or that there is none.
func shown(d digest.Digest) string {
	if d.Validate() != nil {
		return "without a valid digest"
	}
	return d.String()
}
