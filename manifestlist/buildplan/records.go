package buildplan

import (
	"cmp"
	"slices"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// A Record is what a MachineOSBuild requires and has for one architecture.
type Record struct {
	Architecture string
	Key          string
	// PullSpec names the image by digest. It is empty until there is one.
	PullSpec string
	// From is the build that the image was built for, empty for this one.
	From string
	// Copy is true if the image is not in the repository that the build
	// publishes to, and has to be copied there first.
	Copy bool
}

// Records returns what a build requires and has, by ascending architecture. It is
// how a build is linked to those whose images it reuses, and what a publishing
// job reads.
func Records(build *mcfgv1.MachineOSBuild) []Record {
	if build == nil {
		return nil
	}
	repository, _ := splitTag(string(build.Spec.RenderedImagePushSpec))
	var records []Record
	for name, key := range build.Annotations {
		architecture, ok := strings.CutPrefix(name, AnnotationKey)
		if !ok || !isKey(key) {
			continue
		}
		r := Record{Architecture: architecture, Key: key, From: build.Annotations[AnnotationFrom+architecture]}
		if image := build.Annotations[AnnotationImage+architecture]; isPullSpec(image) {
			r.PullSpec = image
			r.Copy = repositoryOf(image) != repository
		}
		records = append(records, r)
	}
	slices.SortFunc(records, func(a, b Record) int { return cmp.Compare(a.Architecture, b.Architecture) })
	return records
}

// isPullSpec reports whether s is a repository and a digest.
func isPullSpec(s string) bool {
	_, ok := digestOf(s)
	return ok && strings.IndexByte(s, '@') > 0
}
