package buildplan

import (
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// maxPullSpec is how long the CRDs let an image reference be.
const maxPullSpec = 447

// PullSpec returns the pull spec by digest of an image in the repository of
// pushSpec, such as registry.example.com/ns/os@sha256:…. It is an *InputError if
// the MachineOSBuild's status would not take that form: the CRD wants a host with
// a dot, an optional port, at most one path level before the name, and no more
// than 447 characters, and takes push specs that have more than that.
func PullSpec(pushSpec mcfgv1.ImageTagFormat, digest string) (mcfgv1.ImageDigestFormat, error) {
	if _, ok := digestOf(digest); !ok || strings.Contains(digest, "@") {
		return "", &InputError{"digest", "is " + quote.Cut(digest) + ", must be sha256: and 64 hexadecimal digits"}
	}
	repository, _ := splitTag(string(pushSpec))
	if why := notDigestable(repository); why != "" {
		return "", &InputError{"pushSpec", "is " + quote.Cut(string(pushSpec)) + ", which " + why}
	}
	return mcfgv1.ImageDigestFormat(repository + "@" + digest), nil
}

// splitTag splits host:port/ns/name:tag. Without a tag, tag is empty.
func splitTag(pushSpec string) (repository, tag string) {
	if i := strings.LastIndexByte(pushSpec, ':'); i > strings.LastIndexByte(pushSpec, '/') {
		return pushSpec[:i], pushSpec[i+1:]
	}
	return pushSpec, ""
}

// repositoryOf returns what stands before the digest of a pull spec.
func repositoryOf(pullSpec string) string {
	repository, _, _ := strings.Cut(pullSpec, "@")
	return repository
}

// notDigestable says why repository@sha256:… is not a legal pull spec, or
// nothing if it is. It is stricter than the CRD in two points: neither the path
// nor the name may be empty, which the CRD takes and no registry serves.
func notDigestable(repository string) string {
	host, path, ok := strings.Cut(repository, "/")
	if !ok {
		return "has no path after the host"
	}
	name, port, hasPort := strings.Cut(host, ":")
	if hasPort && (len(port) < 2 || len(port) > 5 || strings.Trim(port, "0123456789") != "") {
		return "has a port that is not of 2 to 5 digits"
	}
	labels := 0
	for label := range strings.SplitSeq(name, ".") {
		if labels++; label == "" || !consistsOf(label, "-") {
			return "has a host that is not made of letters, digits, hyphens and dots"
		}
	}
	if labels < 2 {
		return "has a host without a dot"
	}
	if namespace, rest, ok := strings.Cut(path, "/"); ok {
		if strings.Contains(rest, "/") {
			return "has more than one path level before the name"
		}
		if namespace == "" || len(namespace) > 61 || !consistsOf(namespace, "-_") {
			return "has a path level that is not of 1 to 61 letters, digits, hyphens and underscores"
		}
		path = rest
	}
	if path == "" || !consistsOf(path, "-_.") {
		return "has a name that is not made of letters, digits, hyphens, underscores and dots"
	}
	if len(repository)+len("@sha256:")+64 > maxPullSpec {
		return "is too long to have a digest after it"
	}
	return ""
}

// consistsOf reports whether s holds only ASCII letters, digits and others.
func consistsOf(s, others string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte(others, c) < 0 {
			return false
		}
	}
	return true
}
