package buildplan

import "strconv"

const prefix = "machineconfiguration.openshift.io/"

// Annotations and labels of the machine config operator that are read or written
// here.
const (
	// AnnotationRebuild on a MachineOSConfig asks for a rebuild of everything.
	AnnotationRebuild = prefix + "rebuild"

	LabelLayering       = prefix + "on-cluster-layering"
	LabelEphemeral      = prefix + "ephemeral-build-object"
	LabelBuild          = prefix + "machine-os-build"
	LabelConfig         = prefix + "machine-os-config"
	LabelPool           = prefix + "target-machine-config-pool"
	LabelRenderedConfig = prefix + "rendered-machine-config"

	// AnnotationBuild and AnnotationConfig on a Job hold the names in full that
	// the labels of the same keys may have to shorten.
	AnnotationBuild  = LabelBuild
	AnnotationConfig = LabelConfig
	// AnnotationPool on a MachineOSBuild is the same for its pool.
	AnnotationPool = LabelPool
)

// Annotations and labels of this package.
const (
	// AnnotationArchitectures on a MachineConfigPool holds the architectures of
	// its nodes in the text form of payloadarch.Set, so that builds read one
	// stored fact. ConfigMapArchitectures holds the same under the pool's name.
	AnnotationArchitectures = prefix + "architectures"
	ConfigMapArchitectures  = "machine-config-pool-architectures"

	// AnnotationAttempt on a MachineOSBuild is its attempt. On a MachineOSConfig
	// it is the first attempt that counts: images of lower ones are not reused.
	AnnotationAttempt = prefix + "build-attempt"
	// AnnotationKey and an architecture, on a MachineOSBuild, name an
	// architecture that the build requires, and hold its key.
	AnnotationKey = prefix + "build-key."
	// AnnotationImage and an architecture, on a MachineOSBuild, hold the pull spec
	// by digest of its image, once there is one.
	AnnotationImage = prefix + "image."
	// AnnotationFrom and an architecture, on a MachineOSBuild, name the build
	// that the image was built for, if it is another.
	AnnotationFrom = prefix + "image-from."

	// LabelArchitecture and AnnotationArchitecture on a Job hold the architecture
	// that it builds for. A publishing job has neither.
	LabelArchitecture      = prefix + "architecture"
	AnnotationArchitecture = LabelArchitecture
	// AnnotationPushSpec on a Job is what it pushes to, with a tag of its own. On a
	// MachineOSBuild it is the push spec of the MachineOSConfig.
	AnnotationPushSpec = prefix + "push-spec"
)

// annotationNames are the names of the annotations about one architecture.
type annotationNames struct{ key, image, from string }

// namesOf returns constants for the architectures of the payload, which every plan
// asks for.
func namesOf(architecture string) annotationNames {
	switch architecture {
	case "amd64":
		return annotationNames{AnnotationKey + "amd64", AnnotationImage + "amd64", AnnotationFrom + "amd64"}
	case "arm64":
		return annotationNames{AnnotationKey + "arm64", AnnotationImage + "arm64", AnnotationFrom + "arm64"}
	case "ppc64le":
		return annotationNames{AnnotationKey + "ppc64le", AnnotationImage + "ppc64le", AnnotationFrom + "ppc64le"}
	case "s390x":
		return annotationNames{AnnotationKey + "s390x", AnnotationImage + "s390x", AnnotationFrom + "s390x"}
	}
	return annotationNames{AnnotationKey + architecture, AnnotationImage + architecture, AnnotationFrom + architecture}
}

// What is read is bounded, so that adding one never overflows. A MachineOSBuild may
// have more than the MachineOSConfig: its attempt is counted on from there.
const (
	maxFloor   = 1_000_000_000
	maxAttempt = 2_000_000_000
)

func parseAttempt(s string, limit int) (attempt int, ok bool) {
	if s == "" {
		return 0, true
	}
	attempt, err := strconv.Atoi(s)
	if err != nil || attempt < 0 || attempt >= limit {
		return 0, false
	}
	return attempt, true
}

func formatAttempt(attempt int) string { return strconv.Itoa(attempt) }

// AcceptRebuild returns the annotations that a MachineOSConfig has once its
// rebuild request is accepted: without the request, and with the attempt that
// Plan gave. Write them in one update, so that no request is lost or served
// twice.
func AcceptRebuild(annotations map[string]string, attempt int) map[string]string {
	accepted := make(map[string]string, len(annotations)+1)
	for name, value := range annotations {
		if name != AnnotationRebuild {
			accepted[name] = value
		}
	}
	accepted[AnnotationAttempt] = formatAttempt(attempt)
	return accepted
}
