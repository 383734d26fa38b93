package buildplan

import (
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
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
	// Build is the MachineOSBuild that it was created for.
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

// ReadJob reads a Job that was created from what a plan says of it. The digest is
// the one that it reported, empty as long as it has reported none. The answer is
// the zero Job for nil and for Jobs of others.
//
// Rules 58 to 62 say what its phase is.
func ReadJob(job *batchv1.Job, digest string) Job {
	if job == nil || job.Labels[LabelBuild] == "" {
		return Job{}
	}
	read := Job{
		Name:         job.Name,
		Build:        job.Labels[LabelBuild],
		Architecture: job.Annotations[AnnotationArchitecture],
		Phase:        PhaseRunning,
	}
	backoffLimit := int32(defaultBackoffLimit)
	if job.Spec.BackoffLimit != nil {
		backoffLimit = *job.Spec.BackoffLimit
	}
	switch {
	case hasCondition(job, batchv1.JobComplete) || job.Status.Succeeded > 0:
		read.Phase = PhaseSucceeded
	case hasCondition(job, batchv1.JobFailed) || job.Status.Failed > backoffLimit:
		read.Phase = PhaseFailed
	case job.DeletionTimestamp != nil:
		read.Phase = PhaseDeleted
	}
	if repository, _ := splitTag(job.Annotations[AnnotationPushSpec]); read.Phase == PhaseSucceeded && repository != "" {
		if d, ok := digestOf(digest); ok && d == digest {
			read.PullSpec = repository + "@" + digest
		}
	}
	return read
}

func hasCondition(job *batchv1.Job, t batchv1.JobConditionType) bool {
	for _, c := range job.Status.Conditions {
		if c.Type == t && c.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}
