package buildplan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

func TestReadJob(t *testing.T) {
	b := mustPlan(t, factsFor("amd64", "arm64"))
	digest := buildplantest.Digest("pushed")
	base := Job{Name: b.Images[1].Job, Owner: "uid", Build: b.Name, Architecture: "arm64"}
	with := func(phase Phase, image string) Job {
		j := base
		j.Phase, j.PullSpec = phase, image
		return j
	}
	condition := func(t batchv1.JobConditionType, s corev1.ConditionStatus) func(*batchv1.Job) {
		return func(j *batchv1.Job) { j.Status.Conditions = []batchv1.JobCondition{{Type: t, Status: s}} }
	}
	stranger := Job{Name: base.Name, Phase: PhaseRunning}
	image := testRepository + "@" + digest
	for _, tc := range []struct {
		name   string
		change func(*batchv1.Job)
		digest string
		want   Job
	}{
		{"67,70: a digest before the end is none", func(*batchv1.Job) {}, digest, with(PhaseRunning, "")},
		{"67: complete", condition(batchv1.JobComplete, corev1.ConditionTrue), digest, with(PhaseSucceeded, image)},
		{"67: complete, no digest", condition(batchv1.JobComplete, corev1.ConditionTrue), "", with(PhaseSucceeded, "")},
		{"67: complete, not a digest", condition(batchv1.JobComplete, corev1.ConditionTrue), "latest", with(PhaseSucceeded, "")},
		{"67,69: being deleted after it succeeded", func(j *batchv1.Job) {
			j.DeletionTimestamp, j.Status.Succeeded = &metav1.Time{}, 1
		}, digest, with(PhaseSucceeded, image)},
		{"66: labels do not make it ours, nor does their lack make it a stranger's", func(j *batchv1.Job) { j.Labels = nil }, "", with(PhaseRunning, "")},
		{"71: without an owner", func(j *batchv1.Job) { j.OwnerReferences = nil }, "", stranger},
		{"71: without a controller", func(j *batchv1.Job) { j.OwnerReferences[0].Controller = nil }, "", stranger},
		{"71: controlled by another kind", func(j *batchv1.Job) { j.OwnerReferences[0].Kind = "CronJob" }, "", stranger},
		{"71: controlled by that kind of another group", func(j *batchv1.Job) { j.OwnerReferences[0].APIVersion = "example.com/v1" }, "", stranger},
		{"71: of that kind in another version", func(j *batchv1.Job) { j.OwnerReferences[0].APIVersion = "machineconfiguration.openshift.io/v2" }, "", with(PhaseRunning, "")},
		{"67,71: a stranger's digest is none of ours", func(j *batchv1.Job) { j.OwnerReferences, j.Status.Succeeded = nil, 1 }, digest,
			Job{Name: base.Name, Phase: PhaseSucceeded}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			job := &batchv1.Job{ObjectMeta: controlled(b.JobMeta(b.Images[1]), b.Name, "uid")}
			tc.change(job)
			if diff := cmp.Diff(tc.want, ReadJob(job, tc.digest)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("71: no job", func(t *testing.T) {
		if got := ReadJob(nil, digest); got != (Job{}) {
			t.Errorf("nil read as %+v", got)
		}
	})
}

func TestPhaseString(t *testing.T) {
	for phase, want := range map[Phase]string{PhaseUnknown: "Unknown", PhaseRunning: "Running", PhaseSucceeded: "Succeeded", PhaseFailed: "Failed", PhaseDeleted: "Deleted", 9: "Phase(9)"} {
		if got := phase.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestJobFacts(t *testing.T) {
	f := factsFor("amd64", "arm64")
	f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Arm64, Content: "own"})
	b := mustPlan(t, f)
	t.Run("66: names, labels and annotations", func(t *testing.T) {
		for _, i := range b.all() {
			want := metav1.ObjectMeta{
				Namespace: "openshift-machine-config-operator", Name: i.Job,
				Labels: map[string]string{
					LabelLayering: "", LabelEphemeral: "", LabelBuild: b.Name, LabelConfig: "worker", LabelPool: "worker",
					LabelRenderedConfig: "rendered-worker-1",
				},
				Annotations: map[string]string{AnnotationBuild: b.Name, AnnotationConfig: "worker", AnnotationPushSpec: i.PushSpec},
			}
			if i.Architecture != "" {
				want.Labels[LabelArchitecture], want.Annotations[AnnotationArchitecture] = i.Architecture, i.Architecture
			}
			meta := b.JobMeta(i)
			if diff := cmp.Diff(want, meta); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			read := ReadJob(&batchv1.Job{ObjectMeta: controlled(meta, b.Name, "uid")}, "")
			if diff := cmp.Diff(Job{Name: i.Job, Owner: "uid", Build: b.Name, Architecture: i.Architecture, Phase: PhaseRunning}, read); diff != "" {
				t.Errorf("read again (-want +got):\n%s", diff)
			}
		}
	})
}
