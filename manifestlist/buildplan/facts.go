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
	// Jobs are the jobs that exist, as ReadJob read them. They have to be at
	// least as fresh as Builds: a job that the status of a build lists and that
	// is not here counts as deleted.
	Jobs []Job
	// Gone lists the pull specs, among those that Build.Verify named, that the
	// registry no longer has or no longer lets us read.
	Gone []string
	// BuildRepository is where the per-architecture images are pushed to, such
	// as registry.example.com/builds/os. Empty means the repository of the
	// MachineOSConfig's push spec.
	BuildRepository string
	// Attempts is how many builds of the same inputs may fail before the plan
	// gives up. Zero means one: as with the machine config operator, a failed
	// build is tried again once something changes or somebody asks for it.
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
