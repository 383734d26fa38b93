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
	if why := notHost(host); why != "" {
		return why
	}
	if !strings.Contains(host, ".") {
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

// notHost says why a text is not a host and perhaps a port, or nothing if it is.
func notHost(host string) string {
	name, port, hasPort := strings.Cut(host, ":")
	if hasPort && (len(port) < 2 || len(port) > 5 || strings.Trim(port, "0123456789") != "") {
		return "has a port that is not of 2 to 5 digits"
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || !consistsOf(label, "-") {
			return "has a host that is not made of letters, digits, hyphens and dots"
		}
	}
	return ""
}

// notRepository says why jobs cannot push to tags of a repository, or nothing if
// they can. Its images stand in annotations only, so that it may have a deeper
// path and a plainer host than what the status of a MachineOSBuild takes: rule 64.
func notRepository(repository string) string {
	if strings.Contains(repository, "://") {
		return "must not begin with a scheme"
	}
	if strings.Contains(repository, "@") {
		return "must not have a digest: each job pushes to a tag of its own"
	}
	if _, tag := splitTag(repository); tag != "" && strings.Contains(repository, "/") {
		return "must not have a tag: each job pushes to one of its own"
	}
	host, path, ok := strings.Cut(repository, "/")
	if !ok {
		return "has no path after the host"
	}
	if why := notHost(host); why != "" {
		return why
	}
	if !strings.ContainsAny(host, ".:") && host != "localhost" {
		return "must begin with the host of a registry"
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part != strings.ToLower(part) || !consistsOf(part, "-_.") || !consistsOf(part[:1]+part[len(part)-1:], "") {
			return "has a path that is not made of lower-case letters and digits, joined by dots, hyphens and underscores"
		}
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
		if !letter && (c < '0' || c > '9') && !strings.Contains(others, s[i:i+1]) {
			return false
		}
	}
	return true
}
