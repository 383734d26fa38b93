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

// Records returns what a build requires and has, by ascending architecture, as its
// annotations say. It is how a build is linked to those whose images it reuses,
// and what a publishing job reads. Plan and Publish hold the annotations against
// the name of the build; Records does not.
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

// identityOf returns what a build says that it is for. The keys are appended to
// scratch.
func identityOf(build *mcfgv1.MachineOSBuild, scratch []requirement) identity {
	id := identity{
		config:   build.Spec.MachineOSConfig.Name,
		pool:     build.Annotations[AnnotationPool],
		rendered: build.Spec.MachineConfig.Name,
		pushSpec: build.Annotations[AnnotationPushSpec],
		required: scratch[:0],
	}
	for name, key := range build.Annotations {
		if architecture, ok := strings.CutPrefix(name, AnnotationKey); ok {
			id.required = append(id.required, requirement{architecture, key})
		}
	}
	slices.SortFunc(id.required, func(a, b requirement) int { return strings.Compare(a.architecture, b.architecture) })
	return id
}

// readRecords reads what a build is for and which attempt, and whether its records
// are those that its name was made of: rule 23. A build without intact records has
// no attempt that could be relied on. The keys are appended to scratch.
func readRecords(build *mcfgv1.MachineOSBuild, scratch []requirement) (id identity, attempt int, intact bool) {
	id = identityOf(build, scratch)
	attempt, ok := parseAttempt(build.Annotations[AnnotationAttempt], maxAttempt)
	if !ok || len(id.required) == 0 || id.name(attempt) != build.Name {
		return id, -1, false
	}
	return id, attempt, true
}

// isRecorded reports whether a build has any of the records that its name is made
// of. Builds of others have none.
func isRecorded(build *mcfgv1.MachineOSBuild) bool {
	for name := range build.Annotations {
		if name == AnnotationAttempt || strings.HasPrefix(name, AnnotationKey) {
			return true
		}
	}
	return false
}

// isPullSpec reports whether s is a repository and a digest.
func isPullSpec(s string) bool {
	repository, digest, _ := strings.Cut(s, "@")
	sum, ok := strings.CutPrefix(digest, "sha256:")
	return ok && repository != "" && isKey(sum)
}
