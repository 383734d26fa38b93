package buildplan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// What stands in a build already stays, and nothing is said too early.
func TestWhatStays(t *testing.T) {
	t.Run("76: a pull spec that stands there before there is a result", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		object.Status.DigestedImagePushSpec = "quay.io/somebody/else@sha256:0"
		if out := mustObserve(t, mustPlan(t, f), object, testTime(0)); out.Status.DigestedImagePushSpec != object.Status.DigestedImagePushSpec {
			t.Errorf("%+v", out.Status)
		}
	})
	t.Run("83: an end that stands there before the build ends", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseFailed)}
		end := testTime(7)
		object.Status.BuildEnd = &end
		out := mustObserve(t, mustPlan(t, f), object, testTime(3))
		if out.Progress != mcfgv1.MachineOSBuildFailed || !out.Status.BuildEnd.Equal(&end) {
			t.Errorf("%s, ended at %v", out.Progress, out.Status.BuildEnd)
		}
	})
	t.Run("80: an image that is waited for is not recorded, nor where it is from", func(t *testing.T) {
		f, _ := earlierBuild(t, factsFor("amd64", "arm64"), "rendered-worker-0", 0)
		f, object := created(t, f)
		b := mustPlan(t, f)
		if b.Images[0].State != StateWait || b.Images[0].From == "" {
			t.Fatal(states(b))
		}
		if out := mustObserve(t, b, object, testTime(0)); out.Annotations != nil {
			t.Errorf("records %v", out.Annotations)
		}
	})
	t.Run("80: an interruption records what is not recorded yet", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		jobs := []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
		object.Annotations[AnnotationImage+"amd64"] = jobs[1].PullSpec
		want := map[string]string{AnnotationImage + "arm64": jobs[1].PullSpec}
		if diff := cmp.Diff(want, Interrupt(object, jobs, testTime(0)).Annotations); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
	t.Run("75: of several jobs that were deleted, the first by architecture is named", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseDeleted), jobOf(b, b.Images[1], PhaseDeleted)}
		out := mustObserve(t, mustPlan(t, f), object, testTime(0))
		for _, c := range out.Status.Conditions {
			if c.Status == metav1.ConditionTrue && !strings.Contains(c.Message, b.Images[0].Job) {
				t.Errorf("%+v", c)
			}
		}
	})
	t.Run("57: the own publishing job is not obsolete", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
		observed(t, f, object, 0)
		f.Jobs = append(f.Jobs, jobOf(mustPlan(t, f), mustPlan(t, f).Publish, PhaseRunning))
		if b := mustPlan(t, f); b.Publish.State != StateWait || b.Obsolete != nil {
			t.Errorf("%s, obsolete %v", states(b), b.Obsolete)
		}
	})
	t.Run("57: another build's job is obsolete under a name of ours too, where nobody waits for it", func(t *testing.T) {
		f, old := earlierBuild(t, factsFor("amd64", "arm64"), "rendered-worker-0", 0)
		f.Rendered.Spec.KernelArguments = []string{"quiet"}
		f, object := created(t, f)
		object.Annotations[AnnotationImage+"amd64"] = testRepository + "@" + buildplantest.Digest("amd64")
		job := mustPlan(t, f).Images[0].Job
		f.Jobs = []Job{{Name: job, Owner: old.UID, Build: old.Name, Architecture: "amd64", Phase: PhaseRunning}}
		b := mustPlan(t, f)
		if diff := cmp.Diff([]string{job}, b.Obsolete); diff != "" || b.Images[0].State != StateReuse {
			t.Errorf("%s (-want +got):\n%s", states(b), diff)
		}
	})
	t.Run("86: a digest that is too short is no pull spec", func(t *testing.T) {
		_, object := created(t, factsFor("amd64"))
		object.Annotations[AnnotationImage+"amd64"] = "quay.io/q/r@sha256:0123"
		if records := Records(object); len(records) != 1 || records[0].PullSpec != "" {
			t.Errorf("%+v", records)
		}
	})
	t.Run("23: a build with annotations of others alone has lost no records", func(t *testing.T) {
		f := factsFor("amd64")
		f.Builds = []*mcfgv1.MachineOSBuild{{ObjectMeta: metav1.ObjectMeta{Name: "handmade", Annotations: map[string]string{"example.com/a": "b"}}}}
		f.Builds[0].Spec.MachineOSConfig.Name = f.Config.Name
		if b := mustPlan(t, f); len(b.Findings) != 0 {
			t.Errorf("%v", b.Findings)
		}
	})
	t.Run("47,51: an image that is gone is the reason, whatever the other builds are for", func(t *testing.T) {
		f := factsFor("amd64")
		f.Rendered.Name = "rendered-worker-5"
		f, object := finished(t, f)
		f.Gone = []string{string(object.Status.DigestedImagePushSpec)}
		for i := range 6 { // some of them are behind it by name
			g := copyFacts(f)
			g.Rendered.Name, g.Rendered.Spec.KernelArguments = fmt.Sprint("rendered-worker-1", i), []string{fmt.Sprint(i)}
			g, _ = finished(t, g)
			f.Builds, f.Jobs = g.Builds, g.Jobs
		}
		f.Rendered.Name = "rendered-worker-2"
		if !slices.ContainsFunc(f.Builds, func(b *mcfgv1.MachineOSBuild) bool { return b.Name > object.Name }) {
			t.Fatal("none is behind it")
		}
		b := mustPlan(t, f)
		if b.Images[0].State != StateRun || b.Images[0].Reason != ReasonImageGone || !slices.Contains(codes(b.Findings), FindingImageGone) {
			t.Errorf("%s, findings %v", states(b), b.Findings)
		}
	})
	t.Run("65: a publishing job runs on Linux, whatever the architecture", func(t *testing.T) {
		b := mustPlan(t, factsFor("amd64", "arm64"))
		if diff := cmp.Diff(map[string]string{corev1.LabelOSStable: "linux"}, b.Publish.NodeSelector()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
