package buildplan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/polyarch/polyarch/internal/arch"
)

// Namespace is where the machine config operator keeps jobs and their objects.
const Namespace = "openshift-machine-config-operator"

const (
	maxLabel = validation.LabelValueMaxLength
	// hashDigits is how much of a hash stands in a name: 80 bits.
	hashDigits = 20
	// maxBuildName leaves room for the longest suffix of a job, "-publish" and
	// "-ppc64le" alike. A build's name is also a label value and an image tag.
	maxBuildName  = maxLabel - len(publishSuffix) - 1
	publishSuffix = "publish"
	// maxArchitecture keeps an architecture short enough for the name of a job.
	maxArchitecture = 32
)

// identity is what a MachineOSBuild is for. Its spec is immutable, and so are its
// conditions once it has ended, so each identity and attempt is an object of its
// own.
type identity struct {
	config, pool, rendered, pushSpec string
	// required are the architectures and their keys, ascending.
	required []requirement
}

// requirement is an architecture that a build requires, and its key.
type requirement struct{ architecture, key string }

// equal reports whether two builds of one MachineOSConfig are for the same.
func (id *identity) equal(other *identity) bool {
	return id.rendered == other.rendered && id.pool == other.pool && id.pushSpec == other.pushSpec &&
		slices.Equal(id.required, other.required)
}

// name returns the name of the build that is the given attempt. The name cannot
// be edited, so it is what the records of a build are held against.
func (id *identity) name(attempt int) string {
	b := appendText(make([]byte, 0, 1024), "polyarch build 1")
	b = appendText(b, id.config)
	b = appendText(b, id.pool)
	b = appendText(b, id.rendered)
	b = appendText(b, id.pushSpec)
	for _, r := range id.required {
		b = appendText(b, r.architecture)
		b = appendText(b, r.key)
	}
	b = appendText(b, formatAttempt(attempt))
	return hashed(readable(id.pool), maxBuildName, b)
}

// jobName returns the name of the job of a build that suffix, an architecture or
// publishSuffix, tells from the others. It is also the tag of its image.
func jobName(build, suffix string) string {
	if len(build)+1+len(suffix) <= maxLabel && isLabel(suffix) {
		return build + "-" + suffix
	}
	sum := sha256.Sum256([]byte(suffix))
	digits := min(hashDigits, max(0, maxLabel-1-len(build)))
	return build + "-" + hex.EncodeToString(sum[:])[:digits]
}

// isJobName reports whether a job is named so.
func isJobName(name, build, suffix string) bool {
	if len(build)+1+len(suffix) > maxLabel || !isLabel(suffix) {
		return name == jobName(build, suffix)
	}
	rest, ok := strings.CutPrefix(name, build)
	return ok && len(rest) == 1+len(suffix) && rest[0] == '-' && rest[1:] == suffix
}

// labelValue returns s where it fits, else what it begins with and a hash.
func labelValue(s string) string {
	if len(s) <= maxLabel {
		return s
	}
	return hashed(s, maxLabel, []byte(s))
}

// hashed returns as much of prefix as fits, a hyphen, and the hash of b.
func hashed(prefix string, limit int, b []byte) string {
	prefix = prefix[:min(len(prefix), limit-1-hashDigits)]
	sum := sha256.Sum256(b)
	name := make([]byte, 0, maxLabel)
	name = append(name, prefix...)
	name = append(name, '-')
	return string(hex.AppendEncode(name, sum[:hashDigits/2]))
}

// readable returns s with hyphens for what a DNS label cannot hold. It is for the
// readable part of a name; a hash makes the name unique.
func readable(s string) string {
	s = strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, s), "-")
	return cmp.Or(s, "build")
}

// notNameable says why an architecture cannot stand in the name of a job, or
// nothing if it can.
func notNameable(architecture string) string {
	switch {
	case architecture == publishSuffix:
		return "is what the publishing job is named by"
	case len(architecture) > maxArchitecture || !isLabel(architecture):
		return "must be a GOARCH name"
	}
	return ""
}

// isLabel reports whether s is a DNS label. Those that every plan asks for need
// no look at the pattern.
func isLabel(s string) bool {
	return arch.InPayload(s) || s == publishSuffix || len(validation.IsDNS1123Label(s)) == 0
}
