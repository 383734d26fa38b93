package buildplan

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Next is what becomes of a build.
type Next string

const (
	// Create the MachineOSBuild, then whatever its steps ask for.
	Create Next = "Create"
	// Continue the MachineOSBuild, which exists and has not ended.
	Continue Next = "Continue"
	// Done: it exists and has succeeded, and its images are there.
	Done Next = "Done"
	// GiveUp: it exists and has failed, as often as it may.
	GiveUp Next = "GiveUp"
	// Accept the rebuild that was asked for: write the annotations that
	// AcceptRebuild returns to the MachineOSConfig and plan again.
	Accept Next = "AcceptRebuild"
	// Blocked: Problems, or a finding FindingPushSpec, stand in the way. Nothing
	// is started and nothing is interrupted.
	Blocked Next = "Blocked"
	// Idle: the pool has no architecture to build for.
	Idle Next = "Idle"
)

// Action is what to do about one image.
type Action string

const (
	// Run the job: it does not exist.
	Run Action = "Run"
	// Wait for the job, which may be that of another build.
	Wait Action = "Wait"
	// Reuse the image: it exists where it is needed.
	Reuse Action = "Reuse"
	// Copy the image: it exists in another repository. The publishing job does
	// it.
	Copy Action = "Copy"
	// Stop: the job has ended without an image, and so will the build.
	Stop Action = "Stop"
	// Hold: nothing is to be done, now or at all.
	Hold Action = "Hold"
)

// A Build is the MachineOSBuild that the facts call for, and what is to be done
// about it.
type Build struct {
	// Name is that of the MachineOSBuild.
	Name string
	// Attempt tells it from others of the same inputs. With Accept it is the
	// attempt that the rebuild begins with.
	Attempt int
	// Config, Pool and Rendered name what it is built from.
	Config, Pool, Rendered string
	// PushSpec is where it is published: the repository of the MachineOSConfig's
	// push spec and the build's own tag.
	PushSpec mcfgv1.ImageTagFormat

	Next   Next
	Reason Reason

	// Steps hold one entry per architecture, ascending.
	Steps []Step
	// Publish is the step of the publishing job, which copies images where that
	// is needed, assembles the index if there are several, and tags the result.
	// It has no architecture and runs on any node. It holds with ReasonInPlace if
	// there is nothing for such a job to do.
	Publish Step
	// Image is the pull spec by digest of the result, once it is published.
	Image string

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

// A Step is what to do about one image.
type Step struct {
	// Architecture is a GOARCH string.
	Architecture string
	Action       Action
	Reason       Reason
	// Key is the hash of all that goes into the image, 64 hexadecimal digits.
	Key string
	// Job is the name of the job that makes the image: that of another build if
	// the plan waits for it.
	Job string
	// Exists is true if that job was among the facts.
	Exists bool
	// PushSpec is what the job pushes to, with a tag that no other job has.
	PushSpec string
	// Image is the pull spec by digest, once there is one.
	Image string
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

	recorded bool
}

// BuildArgs returns the build arguments of the step.
func (s Step) BuildArgs() map[string]string {
	return map[string]string{"TARGETARCH": s.Architecture}
}

// NodeSelector returns the labels of the nodes that the step's job may run on.
// Nothing is emulated: a job runs on a node of its architecture. A publishing job
// only moves bytes and takes any Linux node.
func (s Step) NodeSelector() map[string]string {
	selector := map[string]string{corev1.LabelOSStable: "linux"}
	if s.Architecture != "" {
		selector[corev1.LabelArchStable] = s.Architecture
	}
	return selector
}

// JobMeta returns the name, labels and annotations of the job of a step of b,
// b.Publish among them, that ReadJob reads. Owner references are the caller's.
func (b Build) JobMeta(s Step) metav1.ObjectMeta {
	meta := metav1.ObjectMeta{
		Name:      s.Job,
		Namespace: Namespace,
		Labels:    b.labels(),
		Annotations: map[string]string{
			BuildLabel:         b.Name,
			ConfigLabel:        b.Config,
			PushSpecAnnotation: s.PushSpec,
		},
	}
	meta.Labels[EphemeralLabel] = ""
	meta.Labels[BuildLabel] = b.Name
	if s.Architecture != "" {
		meta.Labels[ArchitectureLabel] = labelValue(s.Architecture)
		meta.Annotations[ArchitectureLabel] = s.Architecture
	}
	return meta
}

func (b Build) labels() map[string]string {
	return map[string]string{
		LayeringLabel:       "",
		ConfigLabel:         labelValue(b.Config),
		PoolLabel:           labelValue(b.Pool),
		RenderedConfigLabel: labelValue(b.Rendered),
	}
}

// MachineOSBuild returns the object to create, with what it reuses already
// recorded. Owner references and finalizers are the caller's.
func (b Build) MachineOSBuild() *mcfgv1.MachineOSBuild {
	build := &mcfgv1.MachineOSBuild{
		TypeMeta: metav1.TypeMeta{APIVersion: mcfgv1.GroupVersion.String(), Kind: "MachineOSBuild"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        b.Name,
			Labels:      b.labels(),
			Annotations: map[string]string{AttemptAnnotation: formatAttempt(b.Attempt)},
		},
		Spec: mcfgv1.MachineOSBuildSpec{
			MachineConfig:         mcfgv1.MachineConfigReference{Name: b.Rendered},
			MachineOSConfig:       mcfgv1.MachineOSConfigReference{Name: b.Config},
			RenderedImagePushSpec: b.PushSpec,
		},
	}
	for _, s := range b.Steps {
		names := namesOf(s.Architecture)
		build.Annotations[names.key] = s.Key
		if s.Image != "" {
			build.Annotations[names.image] = s.Image
			if s.From != "" {
				build.Annotations[names.from] = s.From
			}
		}
	}
	return build
}

func sortRecords(records []Record) {
	slices.SortFunc(records, func(a, b Record) int { return cmp.Compare(a.Architecture, b.Architecture) })
}
