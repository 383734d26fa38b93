package osimagestream

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// maxPullSpec is the CRD's limit on a pull spec.
const maxPullSpec = 447

// checkPullSpec returns "" if the CRD takes the pull spec (rule 18), else what the
// CRD wants. It holds the pattern of ImageDigestFormat, which is laxer than the
// grammars of image references and DNS names in libraries, and stricter in the
// number of path segments.
func checkPullSpec(spec string) string {
	name, digest, _ := strings.Cut(spec, "@")
	hex, sha := strings.CutPrefix(digest, "sha256:")
	if !sha || len(hex) != 64 || strings.Trim(hex, "0123456789abcdef") != "" {
		return "must end in @sha256: and 64 lower-case hexadecimal digits: a tag can move"
	}
	if len(spec) > maxPullSpec {
		return "must have at most 447 characters"
	}
	host, path, ok := strings.Cut(name, "/")
	namespace, base, nested := strings.Cut(path, "/")
	if !nested {
		namespace, base = "", path
	}
	if !ok || !isHost(host) || len(namespace) > 61 || !allOf(namespace, "-_") || !allOf(base, "-_.") {
		return "must be host[:port]/[namespace/]name, with a dot in the host and one namespace at most: the OSImageStream API takes no other"
	}
	return ""
}

// isHost reports whether s is two or more labels of letters, digits and dashes,
// and maybe a port of two to five digits.
func isHost(s string) bool {
	host, port, found := strings.Cut(s, ":")
	if found && (len(port) < 2 || len(port) > 5 || strings.Trim(port, "0123456789") != "") {
		return false
	}
	labels := strings.Split(host, ".")
	for _, l := range labels {
		if l == "" || !allOf(l, "-") {
			return false
		}
	}
	return len(labels) >= 2
}

func allOf(s, extra string) bool {
	for i := range len(s) {
		if !isAlphanumeric(s[i]) && strings.IndexByte(extra, s[i]) < 0 {
			return false
		}
	}
	return true
}

// checkStreamName returns "" if the CRD takes the name of a stream.
func checkStreamName(name string) string {
	return strings.Join(validation.IsDNS1123Subdomain(name), "; ")
}
