package manifestlist

import (
	"slices"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// BuildKit marks an attestation with these annotations, on a descriptor of
// platform unknown/unknown: docs/attestations/attestation-storage.md in its
// repository.
const (
	referenceType    = "vnd.docker.reference.type"
	referenceDigest  = "vnd.docker.reference.digest"
	attestationValue = "attestation-manifest"
	unknown          = "unknown"
)

// IsAttestation reports whether d describes an attestation and no image, by rule
// A9.
func IsAttestation(d ocispec.Descriptor) bool { return isAttestation(&d) }

// isAttestation is IsAttestation without a copy of the descriptor.
func isAttestation(d *ocispec.Descriptor) bool {
	if p := d.Platform; p != nil && p.OS == unknown && p.Architecture == unknown {
		return true
	}
	return d.Annotations[referenceType] == attestationValue
}

// dropOrphans is the rest of rule A7, and rule U3. The attestations are the last
// entries.
func (a *assembly) dropOrphans() {
	if n := len(a.entries); n == 0 || a.entries[n-1].class != classAttestation {
		return
	}
	first := slices.IndexFunc(a.entries, func(e entry) bool { return e.class == classAttestation })
	images := make(map[string]bool, first) // whether the image of that digest is still there
	for i := range a.entries[:first] {
		e := &a.entries[i]
		images[string(e.desc.Digest)] = images[string(e.desc.Digest)] || !e.gone
	}
	for i := first; i < len(a.entries); i++ {
		e := &a.entries[i]
		refers := e.desc.Annotations[referenceDigest]
		present, known := images[refers]
		switch {
		case e.gone || present:
		case known:
			a.drop(e)
			a.note(FindingAttestationDropped, e, "the image "+quote.Cut(refers)+", which it attests, is not in the index any more")
		case e.carried: // it was an orphan before
		default:
			a.report(&IndexError{
				Code: CodeOrphanAttestation, Child: a.ref(e), Path: a.path(e) + ".annotations[" + referenceDigest + "]",
				Value: refers, Want: "the digest of an image of this index",
			})
		}
	}
}
