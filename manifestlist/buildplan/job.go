package buildplan

import (
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Phase is how far a job is.
type Phase uint8

const (
	// PhaseUnknown is the zero value. A job of unknown phase is waited for.
	PhaseUnknown Phase = iota
	// PhaseRunning also covers a job that waits for a node or for a retry.
	PhaseRunning
	// PhaseSucceeded jobs have pushed their image.
	PhaseSucceeded
	// PhaseFailed jobs have no retry left.
	PhaseFailed
	// PhaseDeleted jobs were deleted before they had ended.
	PhaseDeleted
)

// String returns the phase's name.
func (p Phase) String() string {
	switch p {
	case PhaseUnknown:
		return "Unknown"
	case PhaseRunning:
		return "Running"
	case PhaseSucceeded:
		return "Succeeded"
	case PhaseFailed:
		return "Failed"
	case PhaseDeleted:
		return "Deleted"
	}
	return "Phase(" + strconv.Itoa(int(p)) + ")"
}

// ended reports whether a job has come to an end; every other is waited for.
func (p Phase) ended() bool {
	return p == PhaseSucceeded || p == PhaseFailed || p == PhaseDeleted
}

// A Job is what a plan wants to know of a Job.
type Job struct {
	Name string
	// Owner is the UID of the MachineOSBuild that controls it. The job belongs to
	// that object and to no later one of the same name. It is empty for a
	// stranger's job, which belongs to no build.
	Owner types.UID
	// Build is the name of the owner.
	Build string
	// Architecture is what it builds for; empty for a publishing job.
	Architecture string
	Phase        Phase
	// PullSpec names by digest what a succeeded job pushed.
	PullSpec string
}

// made returns the image that a job has made. A nil job has made none.
func (j *Job) made() string {
	if j != nil && j.Phase == PhaseSucceeded && isPullSpec(j.PullSpec) {
		return j.PullSpec
	}
	return ""
}

// defaultBackoffLimit is that of a Job which names none.
const defaultBackoffLimit = 6

// ReadJob reads a Job. The digest is the one that it reported, empty as long as
// it has reported none. Of a Job that no MachineOSBuild controls, which is a
// stranger's, only name and phase are read. The answer is the zero Job for nil.
//
// Rules 66 to 71 say what is read.
func ReadJob(job *batchv1.Job, digest string) Job {
	if job == nil {
		return Job{}
	}
	read := Job{Name: job.Name, Phase: phaseOf(job)}
	owner := metav1.GetControllerOfNoCopy(job)
	if owner == nil || owner.Kind != buildKind || !strings.HasPrefix(owner.APIVersion, mcfgv1.GroupName+"/") {
		return read
	}
	read.Owner, read.Build = owner.UID, owner.Name
	read.Architecture = job.Annotations[AnnotationArchitecture]
	if repository, _ := splitTag(job.Annotations[AnnotationPushSpec]); read.Phase == PhaseSucceeded && repository != "" {
		if d, ok := digestOf(digest); ok && d == digest {
			read.PullSpec = repository + "@" + digest
		}
	}
	return read
}

// phaseOf says how far a job is: rules 67 to 70.
func phaseOf(job *batchv1.Job) Phase {
	backoffLimit := int32(defaultBackoffLimit)
	if job.Spec.BackoffLimit != nil {
		backoffLimit = *job.Spec.BackoffLimit
	}
	switch {
	case hasCondition(job, batchv1.JobComplete) || job.Status.Succeeded > 0:
		return PhaseSucceeded
	case hasCondition(job, batchv1.JobFailed) || job.Status.Failed > backoffLimit:
		return PhaseFailed
	case job.DeletionTimestamp != nil:
		return PhaseDeleted
	}
	return PhaseRunning
}

func hasCondition(job *batchv1.Job, t batchv1.JobConditionType) bool {
	for _, c := range job.Status.Conditions {
		if c.Type == t && c.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}
