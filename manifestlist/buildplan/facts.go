package buildplan

import (
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// Facts is all that a plan rests on. The zero value of every optional field is
// its common case.
type Facts struct {
	// Config is the MachineOSConfig. Required.
	Config *mcfgv1.MachineOSConfig
	// Rendered is the rendered MachineConfig that its pool is to have. Required.
	Rendered *mcfgv1.MachineConfig
	// Architectures are those of the pool's nodes.
	Architectures payloadarch.Set
	// Payload is the kind of the release payload.
	Payload payloadarch.Kind
	// Base holds the images that a build starts from, by architecture.
	Base map[string]BaseImages
	// Builds are the builds that exist; those of other MachineOSConfigs are
	// ignored.
	Builds []*mcfgv1.MachineOSBuild
	// Jobs are the jobs that exist, as ReadJob read them, those of strangers among
	// them: a name that is taken cannot be created. They have to be at least as
	// fresh as Builds: a job that the status of a build lists and that is not here
	// counts as deleted.
	Jobs []Job
	// Gone lists the pull specs, among those that Build.Verify named, that the
	// registry says it does not have (404). They are built again.
	Gone []string
	// Unreadable lists those that the registry would not tell about: it refused
	// (401, 403), was in trouble (429, 5xx) or did not answer. They may well be
	// there, so what depends on them holds until the registry can be read.
	Unreadable []string
	// BuildRepository is where the per-architecture images are pushed to, such
	// as registry.example.com/builds/os. Empty means the repository of the
	// MachineOSConfig's push spec.
	BuildRepository string
	// Attempts is how many builds of the same inputs may fail before the plan
	// gives up, and how many may lose their images or jobs and be begun anew. Zero
	// means one: as with the machine config operator, a failed build is tried
	// again once something changes or somebody asks for it.
	Attempts int
}

// BaseImages are the images of one architecture that a build starts from: pull
// specs that end in a digest, or digests. Only the digest tells images apart, so
// a mirror may serve them.
type BaseImages struct {
	// OS is the image of the operating system. Required.
	OS string
	// Extensions is the image that holds the packages of extensions and kernels.
	// Required if the rendered config asks for either.
	Extensions string
}
