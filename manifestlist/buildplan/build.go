package buildplan

import (
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Next is what becomes of a build.
type Next string

const (
	// NextCreate: create the MachineOSBuild, then whatever its images ask for.
	NextCreate Next = "Create"
	// NextContinue: the MachineOSBuild exists and has not ended; go on with it.
	NextContinue Next = "Continue"
	// NextDone: it exists and has succeeded, and its images are there.
	NextDone Next = "Done"
	// NextGiveUp: it exists and has failed, or lost an image or a job, as often as
	// it may. Nothing is done until something changes or a rebuild is asked for.
	NextGiveUp Next = "GiveUp"
	// NextAccept: accept the rebuild that was asked for. Write the annotations that
	// AcceptRebuild returns to the MachineOSConfig and plan again.
	NextAccept Next = "AcceptRebuild"
	// NextBlocked: Problems stand in the way. Nothing is started and nothing is
	// interrupted.
	NextBlocked Next = "Blocked"
	// NextIdle: the pool has no architecture to build for.
	NextIdle Next = "Idle"
)

// A Build is the MachineOSBuild that the facts call for, and what is to be done
// about it.
type Build struct {
	// Name is that of the MachineOSBuild.
	Name string
	// UID is that of the MachineOSBuild that exists and is gone on with, empty if
	// Next is none of NextContinue, NextDone and NextGiveUp.
	UID types.UID
	// Attempt tells it from others of the same inputs. With NextAccept it is the
	// attempt that the rebuild begins with.
	Attempt int
	// Config, Pool and Rendered name what it is built from.
	Config, Pool, Rendered string
	// PushSpec is where it is published: the repository of the MachineOSConfig's
	// push spec and the build's own tag.
	PushSpec mcfgv1.ImageTagFormat
	// ConfigPushSpec is the push spec of the MachineOSConfig, with its tag.
	ConfigPushSpec mcfgv1.ImageTagFormat

	Next   Next
	Reason NextReason

	// Images hold one entry per architecture, ascending.
	Images []Image
	// Publish is the final image, which the publishing job makes: it copies images
	// where that is needed, assembles the index if there are several, and tags the
	// result. It has no architecture and its job runs on any node. It holds with
	// ReasonInPlace if there is nothing for such a job to do.
	Publish Image
	// PullSpec names the result by digest. It is empty until there is one.
	PullSpec string
	// Verify are the pull specs of all images that the plan counts on, ascending,
	// each once. Ask the registry for them: add those that it does not have to
	// Facts.Gone and those that it does not let you read to Facts.Unreadable, and
	// plan again.
	Verify []string

	// Superseded are the names of builds that have not ended and that this one
	// takes the place of, ascending: see Interrupt.
	Superseded []string
	// Obsolete are the names of running jobs whose image nobody waits for,
	// ascending. They are to be deleted.
	Obsolete []string

	// Problems is what somebody must mend.
	Problems field.ErrorList
	// Findings are in the order in which the plan is made: inputs by position,
	// then architectures ascending, then builds by name.
	Findings []Finding
}

// State is what to do about one image.
type State string

const (
	// StateRun: run the job, which does not exist.
	StateRun State = "Run"
	// StateWait: wait for the job, which may be that of another build.
	StateWait State = "Wait"
	// StateReuse: the image exists where it is needed.
	StateReuse State = "Reuse"
	// StateCopy: the image exists in another repository. The publishing job copies
	// it.
	StateCopy State = "Copy"
	// StateStop: the job has ended without an image, and so will the build.
	StateStop State = "Stop"
	// StateHold: nothing is to be done, now or at all.
	StateHold State = "Hold"
)

// An Image is what a build needs for one architecture, or its final image, and
// what to do about it.
type Image struct {
	// Architecture is a GOARCH string, empty for the final image.
	Architecture string
	State        State
	Reason       ImageReason
	// Key is the hash of all that goes into the image, 64 hexadecimal digits.
	Key string
	// Job is the name of the job that makes the image: that of another build if
	// the plan waits for it.
	Job string
	// Exists is true if that job was among the facts. A job of the same name that
	// belongs to another object, or to none, does not count.
	Exists bool
	// PushSpec is what the job pushes to, with a tag that no other job has.
	PushSpec string
	// PullSpec names the image by digest. It is empty until there is one.
	PullSpec string
	// Recorded is true if the MachineOSBuild's annotations hold PullSpec already.
	Recorded bool
	// From is the build that the image is or was built for, empty for this one.
	From string
	// Containerfile is what to build. It reaches the build with the architecture
	// in the standard build argument TARGETARCH, whichever entry it is.
	Containerfile string
	// Entry is its position in spec.containerFile, -1 if there is none.
	Entry int
	// Base are the images to start from.
	Base BaseImages
	// Kernel is the kernel type: default, realtime or 64k-pages.
	Kernel string
}
