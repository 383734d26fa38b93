package buildplan

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/payloadarch"
)

func TestImages(t *testing.T) {
	checkPlans(t, []planRow{
		{
			name: "46: another push spec: copied and published, not built",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Config.Spec.RenderedImagePushSpec = otherRegistry + ":latest"
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Copy/OtherRepository arm64:Copy/OtherRepository publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "44: another rendered config with equal ingredients: reused, not built",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Rendered.Name = "rendered-worker-2"
				f.Rendered.Spec.FIPS = true
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Reuse/SameKey arm64:Reuse/SameKey publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "1,44: a node of a new architecture: one job, the rest reused",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				g := factsFor("amd64", "arm64", "s390x")
				g.Builds, g.Jobs = f.Builds, f.Jobs
				return g
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Reuse/SameKey arm64:Reuse/SameKey s390x:Run/NoEarlierImage publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "2,44: the last node of an architecture leaves: no job, no index",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Architectures = payloadarch.SetOf("amd64")
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Reuse/SameKey publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "17,51: one architecture's base image changed: one job",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Base["arm64"] = BaseImages{OS: buildplantest.Digest("new"), Extensions: f.Base["arm64"].Extensions}
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Reuse/SameKey arm64:Run/KeyChanged publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "33,47: a reused image is gone: built again, the rest reused",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				f.Gone = []string{object.Annotations[AnnotationImage+"arm64"]}
				return f
			},
			want: planned{NextCreate, ReasonImagesLost, "amd64:Reuse/SameKey arm64:Run/ImageGone publish:Hold/WaitingForArchitectures", nil, []FindingCode{FindingImageGone}},
		},
		{
			name: "40,53: an image is gone while the build runs: the build stops",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Gone = []string{object.Annotations[AnnotationImage+"amd64"]}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Stop/ImageGone arm64:Hold/SiblingEnded publish:Hold/SiblingEnded", nil, []FindingCode{FindingImageGone}},
		},
		{
			name: "50: a rebuild is accepted: everything is built",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Config.Annotations = map[string]string{AnnotationRebuild: ""}
				f.Config.Annotations = AcceptRebuild(f.Config.Annotations, mustPlan(t, f).Attempt)
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Run/Rebuild arm64:Run/Rebuild publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "42,53: a failed job's siblings are left to finish, none is started",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64", "s390x"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning), jobOf(b, b.Images[1], PhaseFailed)}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Wait/JobRunning arm64:Stop/JobFailed s390x:Hold/SiblingEnded publish:Hold/SiblingEnded", nil, nil},
		},
		{
			name: "43: a job that the status lists and that is not there was deleted",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning), jobOf(b, b.Images[1], PhaseRunning)}
				observed(t, f, object, 0)
				f.Jobs = f.Jobs[:1]
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Wait/JobRunning arm64:Stop/JobDeleted publish:Hold/SiblingEnded", nil, nil},
		},
		{
			name: "42: a job that succeeded without a digest has failed",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{{Name: b.Images[0].Job, Owner: b.UID, Build: b.Name, Architecture: "amd64", Phase: PhaseSucceeded}}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Stop/NoDigest publish:Hold/InPlace", nil, nil},
		},
		{
			name: "42: a job's image is gone before it is recorded",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
				f.Gone = []string{f.Jobs[0].PullSpec}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Stop/ImageGone publish:Hold/InPlace", nil, nil},
		},
		{
			name: "46: a build registry: built there, then copied",
			facts: func(t *testing.T) Facts {
				f := factsFor("amd64")
				f.BuildRepository = "builds.example.com/os"
				f, object := created(t, f)
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
				observed(t, f, object, 0)
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Copy/OtherRepository publish:Run/Complete", nil, nil},
		},
		{
			name: "54: an image record that was not written here",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				object.Annotations[AnnotationImage+"amd64"] = "os:latest"
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Run/NoEarlierImage publish:Hold/InPlace", nil, []FindingCode{FindingRecordUnreadable}},
		},
		{
			name: "54: a record that is not what the build's job made",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
				object.Annotations[AnnotationImage+"amd64"] = testRepository + "@" + buildplantest.Digest("another")
				f.Rendered.Name = "rendered-worker-2"
				f.Unreadable = []string{f.Jobs[0].PullSpec} // so that it shows which image is meant
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Hold/ImageUnreadable publish:Hold/InPlace", nil,
				[]FindingCode{FindingRecordUnreadable, FindingImageUnreadable}},
		},
		{
			name: "54: nor of the build itself, which records what the job made",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
				object.Annotations[AnnotationImage+"amd64"] = testRepository + "@" + buildplantest.Digest("another")
				out, err := Observe(mustPlan(t, f), object, testTime(0))
				if err != nil || string(out.Status.DigestedImagePushSpec) != f.Jobs[0].PullSpec || out.Annotations[AnnotationImage+"amd64"] != f.Jobs[0].PullSpec {
					t.Errorf("%s with %s, recorded %v, error %v", out.Progress, out.Status.DigestedImagePushSpec, out.Annotations, err)
				}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete publish:Hold/InPlace", nil, []FindingCode{FindingRecordUnreadable}},
		},
		{
			name: "38: nothing is started while there is a problem",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
				f.Rendered.Spec.KernelType = "micro"
				return f
			},
			want: planned{NextBlocked, ReasonProblems, "amd64:Hold/Inactive arm64:Hold/Inactive publish:Hold/Inactive",
				[]field.ErrorType{field.ErrorTypeNotSupported, field.ErrorTypeNotSupported}, nil},
		},
		{
			name: "41: a build that is done needs no record",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				delete(object.Annotations, AnnotationImage+"arm64")
				return f
			},
			want: planned{NextDone, ReasonSucceeded, "amd64:Reuse/Complete arm64:Hold/Inactive publish:Reuse/Complete", nil, nil},
		},
		{
			name: "42: deleted before its end",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseDeleted)}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Stop/JobDeleted publish:Hold/InPlace", nil, nil},
		},
		{
			name: "44: an image that a job of another build has made, and nobody has recorded",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
				f.Rendered.Name = "rendered-worker-2"
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Reuse/SameKey arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "48,72: a job of another build, of unknown phase",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseUnknown), jobOf(b, b.Images[1], 9)}
				f.Rendered.Name = "rendered-worker-2"
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Wait/JobRunning arm64:Wait/JobRunning publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "42,72: the build's own job, of unknown phase",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseUnknown), jobOf(b, b.Images[1], 9)}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Wait/JobRunning arm64:Wait/JobRunning publish:Hold/WaitingForArchitectures", nil, nil},
		},
	})
}

// An edit while jobs run: the new build waits for the job whose image it can use
// and the other is deleted.
func TestEditWhileJobsRun(t *testing.T) {
	t.Run("48,56,57,80: one job of two is of use", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		old := mustPlan(t, f)
		f.Jobs = []Job{jobOf(old, old.Images[0], PhaseRunning), jobOf(old, old.Images[1], PhaseRunning)}
		observed(t, f, object, 0)
		f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile,
			mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Arm64, Content: "FROM configs AS final\nRUN true"})

		f, second := created(t, f)
		b := mustPlan(t, f)
		if got, want := states(b), "amd64:Wait/JobRunning arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures"; got != want {
			t.Errorf("states %s, want %s", got, want)
		}
		if img := imageOf(t, b, "amd64"); img.Job != old.Images[0].Job || img.From != old.Name {
			t.Errorf("amd64 waits for %s of %q, want %s of %s", img.Job, img.From, old.Images[0].Job, old.Name)
		}
		if diff := cmp.Diff([]string{old.Name}, b.Superseded); diff != "" {
			t.Errorf("superseded (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{old.Images[1].Job}, b.Obsolete); diff != "" {
			t.Errorf("obsolete (-want +got):\n%s", diff)
		}

		// The job of the first build ends up in the second one's record.
		object.Status = Interrupt(object, f.Jobs, testTime(5)).Status
		f.Builds[0] = object
		f.Jobs = []Job{jobOf(old, old.Images[0], PhaseSucceeded)}
		out := observed(t, f, second, 9)
		if got, want := out.Annotations[AnnotationImage+"amd64"], f.Jobs[0].PullSpec; got != want {
			t.Errorf("recorded image %q, want %q", got, want)
		}
		if got := out.Annotations[AnnotationFrom+"amd64"]; got != old.Name {
			t.Errorf("recorded as from %q, want %q", got, old.Name)
		}
	})
}

// Of several images of one key the one that needs no copy is taken, then that of
// the latest build.
func TestPreferredImage(t *testing.T) {
	f := factsFor("amd64")
	build := func(config, rendered, attempt, repository string, created int) *mcfgv1.MachineOSBuild {
		g := copyFacts(f)
		g.Config.Name, g.Rendered.Name = config, rendered
		g.Config.Annotations = map[string]string{AnnotationAttempt: attempt}
		object := mustPlan(t, g).MachineOSBuild()
		object.CreationTimestamp = testTime(created)
		object.Annotations[AnnotationImage+"amd64"] = repository + "@" + buildplantest.Digest(rendered)
		return object
	}
	far := build("worker", "a", "9", otherRegistry, 9)
	early := build("worker", "b", "0", testRepository, 1)
	late := build("worker", "c", "0", testRepository, 2)
	retried := build("worker", "d", "1", testRepository, 0)
	foreign := build("infra", "e", "5", testRepository, 5)
	for _, tc := range []struct {
		name   string
		builds []*mcfgv1.MachineOSBuild
		want   *mcfgv1.MachineOSBuild
	}{
		{"45: no copy first", []*mcfgv1.MachineOSBuild{far, early}, early},
		{"45: higher attempt", []*mcfgv1.MachineOSBuild{early, late, retried}, retried},
		{"45: later build", []*mcfgv1.MachineOSBuild{early, late}, late},
		{"44: not that of another pool", []*mcfgv1.MachineOSBuild{foreign, early}, early},
		{"44: a nil is no build", []*mcfgv1.MachineOSBuild{nil, early}, early},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f.Builds = tc.builds
			if got := mustPlan(t, f).Images[0].From; got != tc.want.Name {
				t.Errorf("from %q, want %q", got, tc.want.Name)
			}
			slices.Reverse(f.Builds)
			if got := mustPlan(t, f).Images[0].From; got != tc.want.Name {
				t.Errorf("in reverse: from %q, want %q", got, tc.want.Name)
			}
		})
	}
}
