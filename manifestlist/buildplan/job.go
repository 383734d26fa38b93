package buildplan

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// Phase is how far a job is.
type Phase uint8

const (
	// Running also covers a job that waits for a node or for a retry.
	Running Phase = iota
	// Succeeded jobs have pushed their image.
	Succeeded
	// Failed jobs have no retry left.
	Failed
	// Deleted jobs were deleted before they had ended.
	Deleted
)

// String returns the phase's name.
func (p Phase) String() string {
	switch p {
	case Running:
		return "Running"
	case Succeeded:
		return "Succeeded"
	case Failed:
		return "Failed"
	case Deleted:
		return "Deleted"
	}
	return "Phase(?)"
}

// A Job is what a plan wants to know of a Job.
type Job struct {
	Name string
	// Build is the MachineOSBuild that it was created for.
	Build string
	// Architecture is what it builds for; empty for a publishing job.
	Architecture string
	Phase        Phase
	// Image is the pull spec by digest of what a succeeded job pushed.
	Image string
}

// defaultBackoffLimit is that of a Job which names none.
const defaultBackoffLimit = 6

// ReadJob reads a Job that was created from what a plan says of it. The digest is
// the one that it reported, empty as long as it has reported none. The answer is
// the zero Job for nil and for Jobs of others.
//
// A Job that is being deleted and has not ended is Deleted. One whose pods failed
// is Failed only when no retry is left: when it has that condition, or when more
// pods failed than its backoffLimit allows.
func ReadJob(job *batchv1.Job, digest string) Job {
	if job == nil || job.Labels[BuildLabel] == "" {
		return Job{}
	}
	read := Job{
		Name:         job.Name,
		Build:        job.Labels[BuildLabel],
		Architecture: job.Annotations[ArchitectureLabel],
	}
	backoffLimit := int32(defaultBackoffLimit)
	if job.Spec.BackoffLimit != nil {
		backoffLimit = *job.Spec.BackoffLimit
	}
	switch {
	case hasCondition(job, batchv1.JobComplete) || job.Status.Succeeded > 0:
		read.Phase = Succeeded
	case hasCondition(job, batchv1.JobFailed) || job.Status.Failed > backoffLimit:
		read.Phase = Failed
	case job.DeletionTimestamp != nil:
		read.Phase = Deleted
	}
	if repository, _ := splitTag(job.Annotations[PushSpecAnnotation]); read.Phase == Succeeded && repository != "" {
		if d, ok := digestOf(digest); ok && d == digest {
			read.Image = repository + "@" + digest
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
