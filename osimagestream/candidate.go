package osimagestream

import (
	"cmp"
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	sourceAnnotation = "io.openshift.build.source-location"
	sourceRepository = "github.com/openshift/os"
	dockerImage      = "DockerImage"
)

// candidates returns the tags that rules 5 to 7 leave, ordered by name, then pull
// spec, so that nothing depends on the order in the payload.
func candidates(payload *imagev1.ImageStream) (tags []*imagev1.TagReference, findings []Finding) {
	if payload == nil {
		return nil, nil
	}
	for i := range payload.Spec.Tags {
		tag := &payload.Spec.Tags[i]
		if !isCandidate(tag.Name, tag.Annotations[sourceAnnotation]) {
			continue
		}
		if tag.From == nil || tag.From.Kind != dockerImage {
			points := "does not say what it points to"
			if tag.From != nil {
				points = "points to kind " + cut(tag.From.Kind)
			}
			findings = append(findings, Finding{FindingNotDockerImage, tagPath(tag.Name).Child("from").String(),
				points + "; only a DockerImage can be inspected"})
			continue
		}
		tags = append(tags, tag)
	}
	slices.SortFunc(tags, func(a, b *imagev1.TagReference) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.From.Name, b.From.Name))
	})
	return tags, findings
}

// isCandidate reports whether a tag of that name, built from that source, may be an
// OS or extensions image.
func isCandidate(name, source string) bool {
	return strings.Contains(source, sourceRepository) || isOSTag(name)
}

// isOSTag reports whether a tag's name alone makes it a candidate, by rule 6.
func isOSTag(name string) bool {
	rest := ""
	for _, prefix := range [...]string{"rhel", "stream", "centos", "scos"} {
		if r, ok := strings.CutPrefix(name, prefix); ok {
			rest = r
		}
	}
	if !strings.Contains(rest, "-coreos") {
		return false
	}
	for i := range len(rest) {
		if c := rest[i]; !isAlphanumeric(c) && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// tagPath is the path of a tag. Nobody has validated its name, so that is cut.
func tagPath(name string) *field.Path {
	return field.NewPath("image-references", "spec", "tags").Key(cut(name))
}
