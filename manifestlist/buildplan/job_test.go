package buildplan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestReadJob(t *testing.T) {
	b := mustPlan(t, factsFor("amd64", "arm64"))
	digest := digestText("pushed")
	base := Job{Name: b.Images[1].Job, Build: b.Name, Architecture: "arm64"}
	with := func(phase Phase, image string) Job {
		j := base
		j.Phase, j.PullSpec = phase, image
		return j
	}
	condition := func(t batchv1.JobConditionType, s corev1.ConditionStatus) func(*batchv1.Job) {
		return func(j *batchv1.Job) { j.Status.Conditions = []batchv1.JobCondition{{Type: t, Status: s}} }
	}
	three := int32(3)
	image := testRepository + "@" + digest
	for _, tc := range []struct {
		name   string
		change func(*batchv1.Job)
		digest string
		want   Job
	}{
		{"just created", func(*batchv1.Job) {}, "", with(PhaseRunning, "")},
		{"pods run", func(j *batchv1.Job) { j.Status.Active = 1 }, "", with(PhaseRunning, "")},
		{"a digest before the end is none", func(*batchv1.Job) {}, digest, with(PhaseRunning, "")},
		{"complete", condition(batchv1.JobComplete, corev1.ConditionTrue), digest, with(PhaseSucceeded, image)},
		{"complete, no digest", condition(batchv1.JobComplete, corev1.ConditionTrue), "", with(PhaseSucceeded, "")},
		{"complete, not a digest", condition(batchv1.JobComplete, corev1.ConditionTrue), "latest", with(PhaseSucceeded, "")},
		{"not complete", condition(batchv1.JobComplete, corev1.ConditionFalse), digest, with(PhaseRunning, "")},
		{"succeeded, condition not there yet", func(j *batchv1.Job) { j.Status.Succeeded = 1 }, digest, with(PhaseSucceeded, image)},
		{"succeeded after failures", func(j *batchv1.Job) { j.Status.Succeeded, j.Status.Failed = 1, 9 }, digest, with(PhaseSucceeded, image)},
		{"failed", condition(batchv1.JobFailed, corev1.ConditionTrue), "", with(PhaseFailed, "")},
		{"a pod failed, retries left", func(j *batchv1.Job) { j.Status.Failed, j.Spec.BackoffLimit = 3, &three }, "", with(PhaseRunning, "")},
		{"no retry left, condition not there yet", func(j *batchv1.Job) { j.Status.Failed, j.Spec.BackoffLimit = 4, &three }, "", with(PhaseFailed, "")},
		{"without a limit six retries", func(j *batchv1.Job) { j.Status.Failed = 6 }, "", with(PhaseRunning, "")},
		{"and no seventh", func(j *batchv1.Job) { j.Status.Failed = 7 }, "", with(PhaseFailed, "")},
		{"being deleted", func(j *batchv1.Job) { j.DeletionTimestamp = &metav1.Time{} }, "", with(PhaseDeleted, "")},
		{"being deleted after it succeeded", func(j *batchv1.Job) {
			j.DeletionTimestamp, j.Status.Succeeded = &metav1.Time{}, 1
		}, digest, with(PhaseSucceeded, image)},
		{"being deleted after it failed", func(j *batchv1.Job) {
			condition(batchv1.JobFailed, corev1.ConditionTrue)(j)
			j.DeletionTimestamp = &metav1.Time{}
		}, "", with(PhaseFailed, "")},
		{"suspended", condition(batchv1.JobSuspended, corev1.ConditionTrue), "", with(PhaseRunning, "")},
		{"of somebody else", func(j *batchv1.Job) { j.Labels = nil }, "", Job{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			job := &batchv1.Job{ObjectMeta: b.JobMeta(b.Images[1])}
			tc.change(job)
			if diff := cmp.Diff(tc.want, ReadJob(job, tc.digest)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if got := ReadJob(nil, digest); got != (Job{}) {
		t.Errorf("nil read as %+v", got)
	}
	publishing := ReadJob(&batchv1.Job{ObjectMeta: b.JobMeta(b.Publish)}, "")
	if publishing.Architecture != "" || publishing.Name != b.Publish.Job || publishing.Build != b.Name {
		t.Errorf("the publishing job was read as %+v", publishing)
	}
}

func TestPhaseString(t *testing.T) {
	for phase, want := range map[Phase]string{PhaseUnknown: "Unknown", PhaseRunning: "Running", PhaseSucceeded: "Succeeded", PhaseFailed: "Failed", PhaseDeleted: "Deleted", 9: "Phase(9)"} {
		if got := phase.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
