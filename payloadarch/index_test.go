package payloadarch_test

import (
	"testing"

	"github.com/polyarch/polyarch/payloadarch"
)

func linux(arch string) payloadarch.Platform {
	return payloadarch.Platform{OS: "linux", Architecture: arch}
}

func entry(os, arch string) payloadarch.Platform {
	return payloadarch.Platform{OS: os, Architecture: arch}
}

func attestation() payloadarch.Platform { return entry("unknown", "unknown") }

func entries(all ...payloadarch.Platform) []payloadarch.Platform { return all }

func TestFromIndex(t *testing.T) {
	none := finding{payloadarch.FindingNoPayloadArchitecture, "manifests"}
	for _, tc := range []struct {
		name     string
		entries  []payloadarch.Platform
		want     payloadarch.Kind
		findings []finding
	}{
		{"24: all four", entries(linux("amd64"), linux("arm64"), linux("ppc64le"), linux("s390x")), payloadarch.Multi, nil},
		{"24: two", entries(linux("s390x"), linux("arm64")), payloadarch.Multi, nil},
		{"24,26: other spellings", entries(linux("x86_64"), linux("aarch64")), payloadarch.Multi, []finding{
			{payloadarch.FindingAlias, "manifests[0].platform.architecture"},
			{payloadarch.FindingAlias, "manifests[1].platform.architecture"}}},
		{"25: one", entries(linux("amd64")), payloadarch.Single, nil},
		{"25: two entries of one architecture, which HyperShift counts as two", entries(linux("amd64"), linux("amd64")), payloadarch.Single, nil},
		{"25,26: two spellings of one architecture", entries(linux("amd64"), linux("AMD64")), payloadarch.Single, []finding{
			{payloadarch.FindingAlias, "manifests[1].platform.architecture"}}},
		{"28: attestations (MULTIARCH-5800)", entries(linux("amd64"), attestation(), attestation()), payloadarch.Single, []finding{
			{payloadarch.FindingAttestation, "manifests[1].platform"},
			{payloadarch.FindingAttestation, "manifests[2].platform"}}},
		{"28,29,30: half of an attestation's platform is none", entries(entry("unknown", "arm64"), entry("linux", "unknown"), linux("amd64")), payloadarch.Single, []finding{
			{payloadarch.FindingOtherOS, "manifests[0].platform.os"},
			{payloadarch.FindingUnknownArchitecture, "manifests[1].platform.architecture"}}},
		{"27: no platform", entries(payloadarch.Platform{}, linux("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingPlatformMissing, "manifests[0].platform"}}},
		{"29: windows is not linux", entries(entry("windows", "amd64"), linux("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingOtherOS, "manifests[0].platform.os"}}},
		{"29: no operating system", entries(entry("", "amd64"), linux("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingOtherOS, "manifests[0].platform.os"}}},
		{"30: an architecture without payload", entries(linux("riscv64"), linux("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingUnknownArchitecture, "manifests[0].platform.architecture"}}},
		{"31: no entries", nil, payloadarch.Single, []finding{none}},
		{"31: no entry that counts", entries(attestation(), linux("")), payloadarch.Single, []finding{
			{payloadarch.FindingAttestation, "manifests[0].platform"},
			{payloadarch.FindingUnknownArchitecture, "manifests[1].platform.architecture"}, none}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromIndex(tc.entries),
				verdict{Kind: tc.want, Reason: payloadarch.ReasonIndex, Field: "manifests", Findings: tc.findings})
		})
	}
}
