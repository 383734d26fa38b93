package payloadarch

import (
	"fmt"
	"slices"

	"github.com/polyarch/polyarch/internal/arch"
	"github.com/polyarch/polyarch/internal/quote"
)

// A Platform is the platform of one entry of an image index, as far as it
// matters here. The zero value is an entry that names no platform.
type Platform struct {
	OS           string
	Architecture string
}

// FromIndex returns the kind of a release payload from the index of its own image,
// by rules 26 to 33 of the package. It takes the platform of each entry, in the
// order of the index. Several variants of one architecture, and several entries of
// it, count once.
//
// An attestation is known by the platform that BuildKit gives it, unknown/unknown.
// A caller that sees other marks of attestations in the descriptors passes the zero
// Platform for those entries, which keeps the numbers of the others.
//
// Findings are in the order of the entries.
func FromIndex(entries []Platform) Verdict {
	v := Verdict{Kind: Single, Reason: ReasonIndex, Field: "manifests"}
	note := func(i int, suffix string, code FindingCode, detail string) {
		v.Findings = append(v.Findings, Finding{code, fmt.Sprintf("manifests[%d].platform%s", i, suffix), detail})
	}
	var distinct []string
	for i, p := range entries {
		switch {
		case p == Platform{}:
			note(i, "", FindingPlatformMissing, "the entry names no platform; left out")
			continue
		case p == attestation():
			note(i, "", FindingAttestation, "an attestation is no image; left out")
			continue
		case p.OS != "linux":
			note(i, ".os", FindingOtherOS, fmt.Sprintf("operating system %s is not %q; left out", quote.Quote(p.OS), "linux"))
			continue
		}
		name, known := arch.Canonical(p.Architecture)
		if !known {
			note(i, ".architecture", FindingUnknownArchitecture,
				fmt.Sprintf("no payload is built for architecture %s; left out", quote.Quote(p.Architecture)))
			continue
		}
		if name != p.Architecture {
			note(i, ".architecture", FindingAlias,
				fmt.Sprintf("%s was taken for %q, which is the right spelling", quote.Quote(p.Architecture), name))
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
			fmt.Sprintf("none of the %d entries is for linux and one of %v", len(entries), arch.Payload())})
	}
	return v
}

// attestation is the platform that BuildKit gives to an entry that describes
// another entry.
func attestation() Platform { return Platform{"unknown", "unknown"} }
