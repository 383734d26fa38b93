package payloadarch_test

import (
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

func entry(os, arch, variant string) ocispec.Descriptor {
	return ocispec.Descriptor{Platform: &ocispec.Platform{OS: os, Architecture: arch, Variant: variant}}
}

func linuxEntry(arch string) ocispec.Descriptor { return entry("linux", arch, "") }

func attestation() ocispec.Descriptor {
	d := entry("unknown", "unknown", "")
	d.Annotations = map[string]string{"vnd.docker.reference.type": "attestation-manifest"}
	return d
}

func index(manifests ...ocispec.Descriptor) ocispec.Index {
	return ocispec.Index{Manifests: manifests}
}

func TestFromIndex(t *testing.T) {
	none := finding{payloadarch.FindingNoPayloadArchitecture, "manifests"}
	attested := linuxEntry("arm64")
	attested.Annotations = attestation().Annotations
	for _, tc := range []struct {
		name     string
		index    ocispec.Index
		want     payloadarch.Kind
		findings []finding
	}{
		{"rule 19: all four", index(linuxEntry("amd64"), linuxEntry("arm64"), linuxEntry("ppc64le"), linuxEntry("s390x")), payloadarch.Multi, nil},
		{"rule 19: two", index(linuxEntry("s390x"), linuxEntry("arm64")), payloadarch.Multi, nil},
		{"rule 19: other spellings", index(linuxEntry("x86_64"), linuxEntry("aarch64")), payloadarch.Multi, []finding{
			{payloadarch.FindingAlias, "manifests[0].platform.architecture"},
			{payloadarch.FindingAlias, "manifests[1].platform.architecture"}}},
		{"rule 20: one", index(linuxEntry("amd64")), payloadarch.Single, nil},
		{"rule 20: two entries of one architecture, which HyperShift counts as two", index(linuxEntry("amd64"), linuxEntry("amd64")), payloadarch.Single, nil},
		{"rule 20: two variants of one architecture", index(entry("linux", "amd64", ""), entry("linux", "amd64", "v3")), payloadarch.Single, nil},
		{"rule 20: two spellings of one architecture", index(linuxEntry("amd64"), linuxEntry("AMD64")), payloadarch.Single, []finding{
			{payloadarch.FindingAlias, "manifests[1].platform.architecture"}}},
		{"rule 20: attestations (MULTIARCH-5800)", index(linuxEntry("amd64"), attestation(), attested), payloadarch.Single, []finding{
			{payloadarch.FindingAttestation, "manifests[1].annotations[vnd.docker.reference.type]"},
			{payloadarch.FindingAttestation, "manifests[2].annotations[vnd.docker.reference.type]"}}},
		{"rule 20: no platform", index(ocispec.Descriptor{}, linuxEntry("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingPlatformMissing, "manifests[0].platform"}}},
		{"rule 20: windows is not linux", index(entry("windows", "amd64", ""), linuxEntry("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingOtherOS, "manifests[0].platform.os"}}},
		{"rule 20: no operating system", index(entry("", "amd64", ""), linuxEntry("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingOtherOS, "manifests[0].platform.os"}}},
		{"rule 20: an architecture without payload", index(linuxEntry("riscv64"), linuxEntry("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingUnknownArchitecture, "manifests[0].platform.architecture"}}},
		{"rule 20: no entries", ocispec.Index{}, payloadarch.Single, []finding{none}},
		{"rule 20: no entry that counts", index(attestation(), linuxEntry("")), payloadarch.Single, []finding{
			{payloadarch.FindingAttestation, "manifests[0].annotations[vnd.docker.reference.type]"},
			{payloadarch.FindingUnknownArchitecture, "manifests[1].platform.architecture"}, none}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromIndex(tc.index),
				verdict{Kind: tc.want, Reason: payloadarch.ReasonIndex, Field: "manifests", Findings: tc.findings})
		})
	}
}
