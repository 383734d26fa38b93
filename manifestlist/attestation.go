package manifestlist

import (
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// BuildKit marks an attestation with these annotations, on a descriptor of
// platform unknown/unknown; see docs/attestations/attestation-storage.md there.
const (
	referenceType    = "vnd.docker.reference.type"
	referenceDigest  = "vnd.docker.reference.digest"
	attestationValue = "attestation-manifest"
	unknown          = "unknown"
)

// isAttestation reports whether d describes an attestation and no image. Tools
// that rewrite an index lose the annotation more easily than the platform, so
// either will do.
func isAttestation(d *ocispec.Descriptor) bool {
	if p := d.Platform; p != nil && p.OS == unknown && p.Architecture == unknown {
		return true
	}
	return len(d.Annotations) > 0 && d.Annotations[referenceType] == attestationValue
}
