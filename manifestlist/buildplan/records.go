package buildplan

import (
	"strconv"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

const prefix = "machineconfiguration.openshift.io/"

// Annotations of the machine config operator that are read or written here, and
// the labels that it selects by.
const (
	// RebuildAnnotation on a MachineOSConfig asks for a rebuild of everything.
	RebuildAnnotation = prefix + "rebuild"

	LayeringLabel       = prefix + "on-cluster-layering"
	EphemeralLabel      = prefix + "ephemeral-build-object"
	BuildLabel          = prefix + "machine-os-build"
	ConfigLabel         = prefix + "machine-os-config"
	PoolLabel           = prefix + "target-machine-config-pool"
	RenderedConfigLabel = prefix + "rendered-machine-config"
)

// Annotations and labels of this package.
const (
	// ArchitecturesAnnotation on a MachineConfigPool holds the architectures of
	// its nodes in the text form of payloadarch.Set, so that builds read one
	// stored fact. ArchitecturesConfigMap holds the same under the pool's name.
	ArchitecturesAnnotation = prefix + "architectures"
	ArchitecturesConfigMap  = "machine-config-pool-architectures"

	// AttemptAnnotation on a MachineOSBuild is its attempt. On a MachineOSConfig
	// it is the first attempt that counts: images of lower ones are not reused.
	AttemptAnnotation = prefix + "build-attempt"
	// KeyAnnotation and an architecture, on a MachineOSBuild, name an
	// architecture that the build requires, and hold its key.
	KeyAnnotation = prefix + "build-key."
	// ImageAnnotation and an architecture, on a MachineOSBuild, hold the pull spec
	// by digest of its image, once there is one.
	ImageAnnotation = prefix + "image."
	// FromAnnotation and an architecture, on a MachineOSBuild, name the build
	// that the image was built for, if it is another.
	FromAnnotation = prefix + "image-from."

	// ArchitectureLabel and the annotation of the same name, on a Job, are the
	// architecture that it builds for. A publishing job has neither.
	ArchitectureLabel = prefix + "architecture"
	// PushSpecAnnotation on a Job is what it pushes to, with a tag of its own.
	PushSpecAnnotation = prefix + "push-spec"
)

// A Record is what a MachineOSBuild requires and has for one architecture.
type Record struct {
	Architecture string
	Key          string
	// Image is the pull spec by digest, empty until there is one.
	Image string
	// From is the build that the image was built for, empty for this one.
	From string
	// Copy is true if the image is not in the repository that the build
	// publishes to, and has to be copied there first.
	Copy bool
}

// Records returns what a build requires and has, by ascending architecture. It is
// how a build is linked to those whose images it reuses, and what a publishing
// job reads. Records with an unreadable key are left out.
func Records(build *mcfgv1.MachineOSBuild) []Record {
	if build == nil {
		return nil
	}
	repository, _ := splitTag(string(build.Spec.RenderedImagePushSpec))
	var records []Record
	for name, key := range build.Annotations {
		architecture, ok := strings.CutPrefix(name, KeyAnnotation)
		if !ok || !isKey(key) {
			continue
		}
		r := Record{Architecture: architecture, Key: key, From: build.Annotations[FromAnnotation+architecture]}
		if image := build.Annotations[ImageAnnotation+architecture]; isPullSpec(image) {
			r.Image = image
			r.Copy = repositoryOf(image) != repository
		}
		records = append(records, r)
	}
	sortRecords(records)
	return records
}

// isPullSpec reports whether s is a repository and a digest.
func isPullSpec(s string) bool {
	_, ok := digestOf(s)
	return ok && strings.IndexByte(s, '@') > 0
}

// annotationNames are the names of the annotations about one architecture.
type annotationNames struct{ key, image, from string }

// namesOf does without building the names of the architectures that there are.
func namesOf(architecture string) annotationNames {
	switch architecture {
	case "amd64":
		return annotationNames{KeyAnnotation + "amd64", ImageAnnotation + "amd64", FromAnnotation + "amd64"}
	case "arm64":
		return annotationNames{KeyAnnotation + "arm64", ImageAnnotation + "arm64", FromAnnotation + "arm64"}
	case "ppc64le":
		return annotationNames{KeyAnnotation + "ppc64le", ImageAnnotation + "ppc64le", FromAnnotation + "ppc64le"}
	case "s390x":
		return annotationNames{KeyAnnotation + "s390x", ImageAnnotation + "s390x", FromAnnotation + "s390x"}
	}
	return annotationNames{KeyAnnotation + architecture, ImageAnnotation + architecture, FromAnnotation + architecture}
}

// maxAttempt bounds what is read, so that adding one never overflows.
const maxAttempt = 1_000_000_000

func parseAttempt(s string) (attempt int, ok bool) {
	if s == "" {
		return 0, true
	}
	attempt, err := strconv.Atoi(s)
	if err != nil || attempt < 0 || attempt >= maxAttempt {
		return 0, false
	}
	return attempt, true
}

func formatAttempt(attempt int) string { return strconv.Itoa(attempt) }

// AcceptRebuild returns the annotations that a MachineOSConfig has once its
// rebuild request is accepted: without the request, with the attempt that Plan
// gave. They have to be written in one update, so that a request is never lost
// and never served twice.
func AcceptRebuild(annotations map[string]string, attempt int) map[string]string {
	accepted := make(map[string]string, len(annotations)+1)
	for name, value := range annotations {
		if name != RebuildAnnotation {
			accepted[name] = value
		}
	}
	accepted[AttemptAnnotation] = formatAttempt(attempt)
	return accepted
}
