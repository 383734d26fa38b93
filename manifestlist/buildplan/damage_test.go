package buildplan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// A damage is what others do to the records of a build of amd64 and arm64 that is
// attempt 1.
type damage struct {
	name   string
	change func(annotations map[string]string)
	// fields are the annotations that the problems name.
	fields []string
}

func damages() []damage {
	set := func(name, value string) func(map[string]string) {
		return func(annotations map[string]string) { annotations[name] = value }
	}
	lose := func(name string) func(map[string]string) {
		return func(annotations map[string]string) { delete(annotations, name) }
	}
	arm64, s390x := AnnotationKey+"arm64", AnnotationKey+"s390x"
	return []damage{
		{"23,29: attempt x", set(AnnotationAttempt, "x"), []string{AnnotationAttempt}},
		{"23,29: attempt -1", set(AnnotationAttempt, "-1"), []string{AnnotationAttempt}},
		{"23,29: attempt 7", set(AnnotationAttempt, "7"), []string{AnnotationAttempt}},
		{"23,29: attempt 0", set(AnnotationAttempt, "0"), []string{AnnotationAttempt}},
		{"23,29: attempt too large", set(AnnotationAttempt, "99999999999999999999"), []string{AnnotationAttempt}},
		{"23,29: attempt lost", lose(AnnotationAttempt), []string{AnnotationAttempt}},
		{"23,29: key lost", lose(arm64), []string{arm64}},
		{"23,29: key emptied", set(arm64, ""), []string{arm64}},
		{"23,29: key edited", set(arm64, strings.Repeat("0", 64)), []string{arm64}},
		{"23,29: key unreadable", set(arm64, "x"), []string{arm64}},
		{"23,29: key added", set(s390x, strings.Repeat("0", 64)), []string{s390x}},
		{"23,29: pool lost", lose(AnnotationPool), []string{AnnotationPool}},
		{"23,29: push spec edited", set(AnnotationPushSpec, otherRegistry+":latest"), []string{AnnotationPushSpec}},
		{"23,29: everything lost", func(annotations map[string]string) { clear(annotations) },
			[]string{AnnotationAttempt, AnnotationPool, AnnotationPushSpec, AnnotationKey + "amd64", arm64}},
	}
}

// secondAttempt is a build that runs, with both images recorded.
func secondAttempt(t *testing.T) (Facts, *mcfgv1.MachineOSBuild) {
	f := factsFor("amd64", "arm64")
	f.Attempts = 3
	f, first := created(t, f)
	first.Status = Interrupt(first, nil, testTime(0)).Status
	f, object := created(t, f)
	b := mustPlan(t, f)
	f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
	observed(t, f, object, 10)
	if b := mustPlan(t, f); b.Attempt != 1 || b.Publish.State != StateRun {
		t.Fatalf("attempt %d, %s", b.Attempt, states(b))
	}
	return f, object
}

func ended(progress mcfgv1.BuildProgress) []metav1.Condition {
	return []metav1.Condition{{Type: string(progress), Status: metav1.ConditionTrue, Reason: "X"}}
}

// A build that runs and has lost a record is a problem, and nothing is published.
func TestDamagedRecords(t *testing.T) {
	for _, tc := range damages() {
		t.Run(tc.name, func(t *testing.T) {
			f, object := secondAttempt(t)
			whole := object.DeepCopy()
			tc.change(object.Annotations)

			b := mustPlan(t, f)
			var fields []string
			for _, p := range b.Problems {
				fields = append(fields, strings.TrimPrefix(p.Field, "machineosbuilds["+object.Name+"].metadata.annotations"))
			}
			for i, name := range tc.fields {
				tc.fields[i] = "[" + name + "]"
			}
			if b.Next != NextBlocked || b.Name != object.Name || b.Attempt != 1 || !slices.Equal(fields, tc.fields) {
				t.Errorf("%s of %s, attempt %d, problems %v; want Blocked of %s by %v", b.Next, b.Name, b.Attempt, b.Problems, object.Name, tc.fields)
			}
			if b.Publish.State != StateHold || b.Superseded != nil || b.Obsolete != nil {
				t.Errorf("%s, superseded %v, obsolete %v", states(b), b.Superseded, b.Obsolete)
			}
			_, err := Publish(object, nil)
			var record *RecordError
			if !errors.As(err, &record) || record.Build != object.Name {
				t.Errorf("Publish: %v, want a *RecordError", err)
			}

			object.Annotations = whole.Annotations // somebody restores them
			if b := mustPlan(t, f); b.Next != NextContinue || b.Publish.State != StateRun {
				t.Errorf("restored: %s %s", b.Next, states(b))
			}
		})
	}
}

// Whatever was done to the records and however the build stands, no build is
// created whose name exists, and none is created because of the damage alone.
func TestNoNameIsCreatedTwice(t *testing.T) {
	t.Run("23,29,36,37: every damage in every state", func(t *testing.T) {
		for _, d := range damages() {
			for _, state := range []mcfgv1.BuildProgress{"", mcfgv1.MachineOSBuildFailed, mcfgv1.MachineOSBuildInterrupted, mcfgv1.MachineOSBuildSucceeded, "deleting"} {
				f, object := secondAttempt(t)
				switch state {
				case "deleting":
					now := testTime(20)
					object.DeletionTimestamp = &now
				case "":
				default:
					object.Status.Conditions = ended(state)
					object.Status.DigestedImagePushSpec = mcfgv1.ImageDigestFormat(testRepository + "@" + buildplantest.Digest("result"))
				}
				before := mustPlan(t, f)
				d.change(object.Annotations)
				b := mustPlan(t, f)
				if b.Next == NextCreate && slices.ContainsFunc(f.Builds, func(o *mcfgv1.MachineOSBuild) bool { return o.Name == b.Name }) {
					t.Errorf("%s, %q: creates %s, which exists", d.name, state, b.Name)
				}
				if state != "" && (b.Next != before.Next || b.Name != before.Name || b.Reason != before.Reason) {
					t.Errorf("%s, %q: %s %s %s, was %s %s %s", d.name, state, b.Next, b.Reason, b.Name, before.Next, before.Reason, before.Name)
				}
			}
		}
	})
	t.Run("37: another MachineOSConfig's build has the name", func(t *testing.T) {
		f := factsFor("amd64")
		object := mustPlan(t, f).MachineOSBuild()
		object.Spec.MachineOSConfig.Name = "other"
		f.Builds = []*mcfgv1.MachineOSBuild{nil, object}
		b := mustPlan(t, f)
		if b.Next != NextBlocked || len(b.Problems) != 1 || b.Problems[0].Field != "machineosbuilds["+object.Name+"]" {
			t.Errorf("%s %v", b.Next, b.Problems)
		}
	})
	t.Run("24,37: a rebuild is a way out", func(t *testing.T) {
		f, object := secondAttempt(t)
		object.Annotations[AnnotationAttempt] = "x"
		f.Config.Annotations = map[string]string{AnnotationRebuild: ""}
		b := mustPlan(t, f)
		if b.Next != NextAccept || b.Attempt != 2 {
			t.Fatalf("%s of attempt %d, want Accept of 2", b.Next, b.Attempt)
		}
		f.Config.Annotations = AcceptRebuild(f.Config.Annotations, b.Attempt)
		if b = mustPlan(t, f); b.Next != NextCreate || b.Attempt != 2 || !slices.Equal(b.Superseded, []string{object.Name}) {
			t.Errorf("%s of attempt %d, superseded %v", b.Next, b.Attempt, b.Superseded)
		}
	})
	t.Run("36,37: a floor that is as high as can be", func(t *testing.T) {
		f := factsFor("amd64")
		f.Attempts = 3
		f.Config.Annotations = map[string]string{AnnotationAttempt: fmt.Sprint(maxFloor - 1)}
		for range 3 {
			var object *mcfgv1.MachineOSBuild
			f, object = created(t, f)
			if b := mustPlan(t, f); b.Next != NextContinue || len(b.Findings) > 0 {
				t.Errorf("attempt %d: %s %v, findings %v", b.Attempt, b.Next, b.Problems, b.Findings)
			}
			object.Status.Conditions = ended(mcfgv1.MachineOSBuildFailed)
		}
		if b := mustPlan(t, f); b.Next != NextGiveUp {
			t.Errorf("%s %v", b.Next, b.Problems)
		}
	})
}

// Nothing of a build that has lost records is reused; what is left of it runs to
// no end.
func TestDamagedBuildsAreNotReused(t *testing.T) {
	for _, tc := range damages() {
		t.Run(tc.name, func(t *testing.T) {
			f, object := secondAttempt(t)
			f.Jobs[1].Phase = PhaseRunning
			delete(object.Annotations, AnnotationImage+"arm64")
			tc.change(object.Annotations)
			f.Rendered.Name = "rendered-worker-2"
			b := mustPlan(t, f)
			if got, want := states(b), "amd64:Run/NoEarlierImage arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures"; b.Next != NextCreate || got != want {
				t.Errorf("%s: %s, want Create: %s", b.Next, got, want)
			}
			if !slices.Equal(b.Superseded, []string{object.Name}) || !slices.Equal(b.Obsolete, []string{f.Jobs[1].Name}) {
				t.Errorf("superseded %v, obsolete %v", b.Superseded, b.Obsolete)
			}
			want := []FindingCode{FindingRecordUnreadable}
			if len(object.Annotations) == 0 {
				want = []FindingCode{} // like a build of the machine config operator itself
			}
			if got := codes(b.Findings); !slices.Equal(got, want) {
				t.Errorf("findings %v, want %v", b.Findings, want)
			}
		})
	}
	t.Run("23: a build that was never ours is none of our business", func(t *testing.T) {
		f := factsFor("amd64")
		f.Builds = []*mcfgv1.MachineOSBuild{{ObjectMeta: metav1.ObjectMeta{Name: "worker-1b2c"}, Spec: mcfgv1.MachineOSBuildSpec{
			MachineConfig: mcfgv1.MachineConfigReference{Name: f.Rendered.Name}, MachineOSConfig: mcfgv1.MachineOSConfigReference{Name: "worker"},
		}}}
		if b := mustPlan(t, f); b.Next != NextCreate || len(b.Findings) > 0 || !slices.Equal(b.Superseded, []string{"worker-1b2c"}) {
			t.Errorf("%s %v, superseded %v", b.Next, b.Findings, b.Superseded)
		}
	})
	t.Run("23: attempts between two builds were pruned", func(t *testing.T) {
		f := factsFor("amd64")
		f.Config.Annotations = map[string]string{AnnotationAttempt: "9"}
		f, object := created(t, f)
		f.Config.Annotations = nil
		delete(object.Annotations, AnnotationAttempt)
		if b := mustPlan(t, f); b.Next != NextBlocked || b.Attempt != 9 {
			t.Errorf("%s of attempt %d, want Blocked of 9", b.Next, b.Attempt)
		}
	})
}

func TestPublishNeedsItsRecords(t *testing.T) {
	amd64, arm64 := imageFor("amd64", "a"), imageFor("arm64", "b")
	both := map[string]manifestlist.Child{"amd64": amd64, "arm64": arm64}
	for _, tc := range []struct {
		name   string
		change func(*mcfgv1.MachineOSBuild)
	}{
		{"87: a key is lost, and its image is not given", func(b *mcfgv1.MachineOSBuild) { delete(b.Annotations, AnnotationKey+"arm64") }},
		{"87: a key is unreadable", func(b *mcfgv1.MachineOSBuild) { b.Annotations[AnnotationKey+"arm64"] = "x" }},
		{"87: an attempt is edited", func(b *mcfgv1.MachineOSBuild) { b.Annotations[AnnotationAttempt] = "7" }},
		{"87: nothing is recorded", func(b *mcfgv1.MachineOSBuild) { b.Annotations = nil }},
		{"87: the zero build", func(b *mcfgv1.MachineOSBuild) { *b = mcfgv1.MachineOSBuild{} }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			build := recorded(t, []string{"amd64", "arm64"}, both)
			tc.change(build)
			p, err := Publish(build, []manifestlist.Child{amd64})
			var record *RecordError
			if !errors.As(err, &record) || record.Build != build.Name || record.Error() == "" || p.Bytes != nil || p.PullSpec != "" {
				t.Errorf("published %+v, error %v", p, err)
			}
		})
	}
}

// A value of any length is cut where it is repeated.
func TestProblemsAreShort(t *testing.T) {
	t.Run("5,9,14,16,29,63,64: values of any length", func(t *testing.T) {
		long := strings.Repeat("x", 250_000)
		f, object := secondAttempt(t)
		object.Annotations[AnnotationKey+"arm64"] = long
		damaged := mustPlan(t, f)
		g := factsFor("amd64", long)
		g.Config.Spec.Containerfile = append(g.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.ContainerfileArch(long)})
		g.Config.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat(long)
		g.Rendered.Spec.KernelType, g.BuildRepository = long, long
		g.Base["amd64"] = BaseImages{OS: long, Extensions: long}
		bad := mustPlan(t, g)
		if len(damaged.Problems) != 1 || len(bad.Problems) < 8 {
			t.Errorf("%d and %d problems", len(damaged.Problems), len(bad.Problems))
		}
		for _, p := range append(damaged.Problems, bad.Problems...) {
			if n := len(p.Error()); n > 800 {
				t.Errorf("%d characters: %.300s", n, p)
			}
		}
		for _, finding := range bad.Findings {
			if n := len(finding.String()); n > 400 {
				t.Errorf("finding of %d characters: %.200s", n, finding)
			}
		}
	})
}
