// Package arch is the closed set of architectures that OpenShift ships a
// payload for, and the other spellings under which they are met.
//
// An architecture is a GOARCH string everywhere in this module: the spelling of
// the node label kubernetes.io/arch, of OCI platforms and of CDI.
package arch

import "strings"

// The architectures of a multi payload, as GOARCH strings.
const (
	AMD64   = "amd64"
	ARM64   = "arm64"
	PPC64LE = "ppc64le"
	S390X   = "s390x"
)

// Payload lists the architectures of a multi payload in ascending order. The
// array is returned by value, so callers may change their copy.
func Payload() [4]string { return [4]string{AMD64, ARM64, PPC64LE, S390X} }

// InPayload reports whether goarch is one of Payload. It takes the exact
// spelling only.
func InPayload(goarch string) bool {
	switch goarch {
	case AMD64, ARM64, PPC64LE, S390X:
		return true
	}
	return false
}

// Canonical returns the GOARCH spelling of a name that people and tools use for
// one of Payload: RPM and uname names (x86_64, aarch64) and any letter case
// (AMD64, as in MachineOSConfig). Blanks around the name are ignored. Any other
// name comes back trimmed but otherwise as it was, with known = false: an
// unknown architecture is kept and reported, never dropped.
func Canonical(name string) (goarch string, known bool) {
	name = strings.TrimSpace(name)
	if InPayload(name) {
		return name, true
	}
	switch lower := strings.ToLower(name); lower {
	case AMD64, ARM64, PPC64LE, S390X:
		return lower, true
	case "x86_64", "x86-64":
		return AMD64, true
	case "aarch64":
		return ARM64, true
	}
	return name, false
}
