package payloadarch

import (
	"fmt"
	"slices"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/internal/arch"
)

// FromIndex returns the kind of a release payload out of the index of its own
// image: Multi if the entries for linux are of two or more distinct
// architectures out of amd64, arm64, ppc64le and s390x, else Single. Entries
// that do not count are left out with a finding: no platform, another operating
// system, another architecture, attestations. Several variants of one
// architecture, and several entries of it, are one.
//
// Findings are in the order of the entries.
func FromIndex(index ocispec.Index) Verdict {
	v := Verdict{Kind: Single, Reason: ReasonIndex, Field: "manifests"}
	note := func(i int, suffix string, code FindingCode, detail string) {
		v.Findings = append(v.Findings, Finding{code, fmt.Sprintf("manifests[%d]%s", i, suffix), detail})
	}
	var distinct []string
	for i := range index.Manifests {
		m := &index.Manifests[i]
		switch {
		// BuildKit's mark; the platform of such an entry is unknown/unknown.
		case m.Annotations["vnd.docker.reference.type"] == "attestation-manifest":
			note(i, ".annotations[vnd.docker.reference.type]", FindingAttestation, "an attestation is no image; left out")
			continue
		case m.Platform == nil:
			note(i, ".platform", FindingPlatformMissing, "the entry names no platform; left out")
			continue
		case m.Platform.OS != "linux":
			note(i, ".platform.os", FindingOtherOS, fmt.Sprintf("operating system %q is not %q; left out", m.Platform.OS, "linux"))
			continue
		}
		name, known := arch.Canonical(m.Platform.Architecture)
		if !known {
			note(i, ".platform.architecture", FindingUnknownArchitecture,
				fmt.Sprintf("no payload is built for architecture %q; left out", m.Platform.Architecture))
			continue
		}
		if name != m.Platform.Architecture {
			note(i, ".platform.architecture", FindingAlias, aliasDetail(m.Platform.Architecture, name))
		}
		if !slices.Contains(distinct, name) {
			distinct = append(distinct, name)
		}
	}
	switch {
	case len(distinct) > 1:
		v.Kind = Multi
	case len(distinct) == 0:
		v.Findings = append(v.Findings, Finding{FindingNoPayloadArchitecture, "manifests",
			fmt.Sprintf("none of the %d entries is for linux and one of %v", len(index.Manifests), arch.Payload())})
	}
	return v
}

// aliasDetail is the text of the finding FindingAlias.
func aliasDetail(found, canonical string) string {
	return fmt.Sprintf("%q was taken for %q, which is the right spelling", found, canonical)
}
