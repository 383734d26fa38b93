package buildplantest

import (
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Facts are what a build is decided from.
type Facts struct {
	Config          *mcfgv1.MachineOSConfig
	Rendered        *mcfgv1.MachineConfig
	Architectures   []string // of the pool's nodes
	Base            map[string]BaseImages
	BuildRepository string // where images of one architecture go; "" is that of the push spec
	Builds          []*mcfgv1.MachineOSBuild
	Jobs            []Job
	Gone            []string // pull specs that the registry says it does not have (404)
	Unreadable      []string // pull specs of which it would not tell (401, 403, 5xx)
	Attempts        int      // how many builds of equal inputs may fail; 0 is 1
	SinglePayload   bool     // the release payload is for one architecture
}

// BaseImages are the images of one architecture that a build starts from.
type BaseImages struct{ OS, Extensions string }

// A Job is a Job that exists.
type Job struct {
	Object *batchv1.Job
	Digest string // of what it pushed, "" if it has not said so
}

// A Plan is what is to be done next.
type Plan struct {
	// Blocked is true if somebody has to mend the inputs first.
	Blocked bool
	// Warned is true if somebody is told of something odd that is not in the way.
	Warned bool
	// Build is the name of the MachineOSBuild that the inputs call for.
	Build string
	// Create is that object if it is to be created now.
	Create *mcfgv1.MachineOSBuild
	// Images has one entry for each architecture, in any order.
	Images []Image
	// Publish is what makes the final image, if a job has to.
	Publish *Image
}

// An Image is an image of a build, and the job that makes it.
type Image struct {
	Architecture  string // "" for the final image
	Key           string // equal for equal images; "" for the final image
	Containerfile string
	PushSpec      string // what its job pushes to
	Job           metav1.ObjectMeta
	NodeSelector  map[string]string
	BuildArgs     map[string]string
	// Run is true if the job is to be created now, or as soon as the build is.
	Run bool
}

// The phases of a Job.
const (
	Running   = "Running"
	Succeeded = "Succeeded"
	Failed    = "Failed"
	Deleted   = "Deleted"
)

// A Manifest is an image as a registry has it.
type Manifest struct{ Manifest, Config []byte }

// An Impl is somebody's implementation. What is nil is not implemented.
type Impl struct {
	// Plan decides what is to be done next. An error is a refusal, as Blocked is.
	Plan func(Facts) (Plan, error)
	// JobPhase says how far a Job is: Running, Succeeded, Failed or Deleted.
	JobPhase func(*batchv1.Job) string
	// PullSpec is the pull spec by digest of an image in the repository of a push
	// spec, as the status of a MachineOSBuild takes it.
	PullSpec func(pushSpec, digest string) (string, error)
	// Publish gives the bytes of the final image of a build. made are the images
	// that the build is to be taken to have recorded, given those that are at hand.
	// The build is one that Plan asked to create.
	Publish func(build *mcfgv1.MachineOSBuild, made map[string]Manifest, given []Manifest) ([]byte, error)
	// Reconcile is the operator's step: it reads the cluster and the registry and
	// writes what is missing, one write or many. It keeps nothing for the next step,
	// and returns at the first error.
	Reconcile func(*Cluster) error
}

func hasReconcile(i Impl) bool { return i.Reconcile != nil }
func hasPlan(i Impl) bool      { return i.Plan != nil }
func hasJobPhase(i Impl) bool  { return i.JobPhase != nil }
func hasPullSpec(i Impl) bool  { return i.PullSpec != nil }
func hasPublish(i Impl) bool   { return i.Plan != nil && i.Publish != nil }
