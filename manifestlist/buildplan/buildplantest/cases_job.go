package buildplantest

import (
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/conformance"
)

// A JobCase is a Job and how far it is.
type JobCase struct {
	Rule string // its ID
	Name string
	Job  *batchv1.Job
	Want string
}

// JobCases are Jobs in every phase.
func JobCases() []JobCase {
	condition := func(t batchv1.JobConditionType, s corev1.ConditionStatus) func(*batchv1.Job) {
		return func(j *batchv1.Job) { j.Status.Conditions = []batchv1.JobCondition{{Type: t, Status: s}} }
	}
	three := int32(3)
	var cases []JobCase
	for _, c := range []struct {
		rule, name string
		change     func(*batchv1.Job)
		want       string
	}{
		{"any-other-job-runs", "just created", func(*batchv1.Job) {}, Running},
		{"any-other-job-runs", "pods run", func(j *batchv1.Job) { j.Status.Active = 1 }, Running},
		{"any-other-job-runs", "not complete", condition(batchv1.JobComplete, corev1.ConditionFalse), Running},
		{"any-other-job-runs", "suspended", condition(batchv1.JobSuspended, corev1.ConditionTrue), Running},
		{"job-succeeded", "complete", condition(batchv1.JobComplete, corev1.ConditionTrue), Succeeded},
		{"job-succeeded", "condition not there yet", func(j *batchv1.Job) { j.Status.Succeeded = 1 }, Succeeded},
		{"job-succeeded", "after failures", func(j *batchv1.Job) { j.Status.Succeeded, j.Status.Failed = 1, 9 }, Succeeded},
		{"job-failed", "failed", condition(batchv1.JobFailed, corev1.ConditionTrue), Failed},
		{"job-failed", "a pod failed, retries left", func(j *batchv1.Job) { j.Status.Failed, j.Spec.BackoffLimit = 3, &three }, Running},
		{"job-failed", "no retry left, condition not there yet", func(j *batchv1.Job) { j.Status.Failed, j.Spec.BackoffLimit = 4, &three }, Failed},
		{"job-failed", "without a limit six retries", func(j *batchv1.Job) { j.Status.Failed = 6 }, Running},
		{"job-failed", "and no seventh", func(j *batchv1.Job) { j.Status.Failed = 7 }, Failed},
		{"job-deleted", "being deleted", func(j *batchv1.Job) { j.DeletionTimestamp = &metav1.Time{} }, Deleted},
		{"job-deleted", "after it succeeded", func(j *batchv1.Job) { j.DeletionTimestamp, j.Status.Succeeded = &metav1.Time{}, 1 }, Succeeded},
		{"job-deleted", "after it failed", func(j *batchv1.Job) {
			condition(batchv1.JobFailed, corev1.ConditionTrue)(j)
			j.DeletionTimestamp = &metav1.Time{}
		}, Failed},
	} {
		job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "build-amd64"}}
		c.change(job)
		cases = append(cases, JobCase{c.rule, c.name, job, c.want})
	}
	return cases
}

func jobRows() []row {
	var all []row
	for _, c := range JobCases() {
		all = append(all, row{Rule: c.Rule, Name: c.Name, Implemented: hasJobPhase, Call: func(i Impl) conformance.Outcome {
			return conformance.Outcome{Input: c.Job, Want: c.Want, Got: i.JobPhase(c.Job.DeepCopy())}
		}})
	}
	return all
}

// A PullSpecCase is a push spec, a digest, and the pull spec by digest of both.
// Without Want it is refused.
type PullSpecCase struct{ Name, PushSpec, Digest, Want string }

// PullSpecCases are push specs with and without a form by digest.
func PullSpecCases() []PullSpecCase {
	digest := Digest("x")
	return []PullSpecCase{
		{"no path level", "quay.io/os:v1", digest, "quay.io/os@" + digest},
		{"one path level", "quay.io/org/os:v1", digest, "quay.io/org/os@" + digest},
		{"port", "registry.example.com:5000/org/os:v1", digest, "registry.example.com:5000/org/os@" + digest},
		{"loopback address", "127.0.0.1:41234/ns/os:v1", digest, "127.0.0.1:41234/ns/os@" + digest},
		{"service", "image-registry.openshift-image-registry.svc:5000/ns/os:v1", digest, "image-registry.openshift-image-registry.svc:5000/ns/os@" + digest},
		{"name with dots", "quay.io/org/os.image-1_2:v1", digest, "quay.io/org/os.image-1_2@" + digest},
		{"path level of 61", "quay.io/" + strings.Repeat("a", 61) + "/os:v1", digest, "quay.io/" + strings.Repeat("a", 61) + "/os@" + digest},
		{"path level of 62", "quay.io/" + strings.Repeat("a", 62) + "/os:v1", digest, ""},
		{"two path levels", "quay.io/org/team/os:v1", digest, ""},
		{"path level with a dot", "quay.io/org.team/os:v1", digest, ""},
		{"host without a dot", "localhost:5000/os:v1", digest, ""},
		{"host ends in a dot", "quay.io./os:v1", digest, ""},
		{"port of one digit", "quay.io:5/os:v1", digest, ""},
		{"port of six digits", "quay.io:123456/os:v1", digest, ""},
		{"port of letters", "quay.io:http/os:v1", digest, ""},
		{"no port after the colon", "quay.io:/os:v1", digest, ""},
		{"no path", "quay.io:5000", digest, ""},
		{"empty name, which the CRD takes", "quay.io/org/:v1", digest, ""},
		{"empty path level, which the CRD takes", "quay.io//os:v1", digest, ""},
		{"empty", "", digest, ""},
		{"fits with the digest", "quay.io/" + strings.Repeat("a", 447-8-72) + ":v1", digest, "quay.io/" + strings.Repeat("a", 447-8-72) + "@" + digest},
		{"too long with the digest", "quay.io/" + strings.Repeat("a", 447-8-71) + ":v1", digest, ""},
		{"short digest", "quay.io/os:v1", "sha256:abc", ""},
		{"upper-case digest", "quay.io/os:v1", strings.ToUpper(digest), ""},
		{"pull spec for a digest", "quay.io/os:v1", "quay.io/os@" + digest, ""},
	}
}

func pullSpecRows() []row {
	var all []row
	for _, c := range PullSpecCases() {
		all = append(all, row{Rule: "pull-spec-is-what-the-status-takes", Name: c.Name, Implemented: hasPullSpec, Call: func(i Impl) conformance.Outcome {
			got, err := i.PullSpec(c.PushSpec, c.Digest)
			if err != nil {
				got = ""
			}
			return conformance.Outcome{Input: c, Want: c.Want, Got: got}
		}})
	}
	return all
}
