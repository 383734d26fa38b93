package buildplan

import (
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/payloadarch"
)

// attempts are facts with builds of one identity, one for each list of conditions.
func attempts(t *testing.T, limit int, conditions ...[]metav1.Condition) Facts {
	t.Helper()
	f := factsFor("amd64")
	f.Attempts = limit
	for i, c := range conditions {
		g := copyFacts(f)
		g.Builds, g.Config.Annotations = nil, map[string]string{AnnotationAttempt: fmt.Sprint(i)}
		object := mustPlan(t, g).MachineOSBuild()
		object.UID, object.Status.Conditions = newUID(), c
		f.Builds = append(f.Builds, object)
	}
	return f
}

// unnumbered adds a running build of an attempt that has lost a record.
func unnumbered(t *testing.T, f Facts, attempt int) Facts {
	t.Helper()
	g := copyFacts(f)
	g.Builds, g.Config.Annotations = nil, map[string]string{AnnotationAttempt: fmt.Sprint(attempt)}
	object := mustPlan(t, g).MachineOSBuild()
	object.UID = newUID()
	delete(object.Annotations, AnnotationPool)
	f.Builds = append(f.Builds, object)
	return f
}

// What becomes of a build whose history is odd.
func TestOddHistories(t *testing.T) {
	interrupted := func(reason ProgressReason) []metav1.Condition {
		return []metav1.Condition{{Type: string(mcfgv1.MachineOSBuildInterrupted), Status: metav1.ConditionTrue, Reason: string(reason)}}
	}
	failed, gone := ended(mcfgv1.MachineOSBuildFailed), interrupted(ReasonBuildImageGone)
	for _, tc := range []struct {
		name     string
		facts    Facts
		next     Next
		reason   NextReason
		attempt  int
		problems []field.ErrorType
	}{
		{"34,35: earlier failures do not end a build that was superseded", attempts(t, 1, failed, failed, interrupted(ReasonSuperseded)), NextCreate, ReasonRetry, 3, nil},
		{"32,35: nor do earlier losses", attempts(t, 1, gone, gone, gone, interrupted(ReasonSuperseded)), NextCreate, ReasonRetry, 4, nil},
		{"32,73: what failed and was interrupted has failed", attempts(t, 2, gone, gone, gone, append(slices.Clone(gone), failed...)), NextCreate, ReasonRetry, 4, nil},
		{"32: the reason of another condition is none", attempts(t, 1, append(interrupted(ReasonSuperseded), metav1.Condition{Type: "Theirs", Status: metav1.ConditionTrue, Reason: string(ReasonBuildImageGone)}),
			append(interrupted(ReasonSuperseded), metav1.Condition{Type: "Theirs", Status: metav1.ConditionTrue, Reason: string(ReasonBuildImageGone)})), NextCreate, ReasonRetry, 2, nil},
		{"29,36: a damaged build is found behind attempts that are gone", unnumbered(t, attempts(t, 1, nil), 1+prunedAttempts), NextBlocked, ReasonProblems, 1 + prunedAttempts, []field.ErrorType{field.ErrorTypeInvalid}},
		{"36: but not behind any number of them", unnumbered(t, attempts(t, 1, nil), 2+prunedAttempts), NextContinue, ReasonUnderWay, 0, nil},
		{"29,36: it is looked for from the latest on", unnumbered(t, Facts{Config: factsFor("amd64").Config, Rendered: factsFor("amd64").Rendered, Architectures: payloadarch.SetOf("amd64"), Payload: payloadarch.Multi,
			Base: factsFor("amd64").Base, Builds: attempts(t, 1, append(make([][]metav1.Condition, 30), nil)...).Builds[30:]}, 31), NextBlocked, ReasonProblems, 31, []field.ErrorType{field.ErrorTypeInvalid}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := mustPlan(t, tc.facts)
			var problems []field.ErrorType
			for _, p := range b.Problems {
				problems = append(problems, p.Type)
			}
			if b.Next != tc.next || b.Reason != tc.reason || b.Attempt != tc.attempt || !slices.Equal(problems, tc.problems) {
				t.Errorf("%s %s of attempt %d, %v; want %s %s of %d, %v", b.Next, b.Reason, b.Attempt, b.Problems, tc.next, tc.reason, tc.attempt, tc.problems)
			}
		})
	}
	t.Run("29: a key that the build does not require", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		object.Annotations[AnnotationKey+"s390x"] = "x"
		if b := mustPlan(t, f); len(b.Problems) != 1 || b.Problems[0].Type != field.ErrorTypeForbidden {
			t.Errorf("problems %v", b.Problems)
		}
	})
	t.Run("24: above the attempts of other inputs too", func(t *testing.T) {
		f, _ := earlierBuild(t, factsFor("amd64"), "rendered-worker-0", 7)
		f.Config.Annotations = map[string]string{AnnotationRebuild: ""}
		if b := mustPlan(t, f); b.Next != NextAccept || b.Attempt != 8 {
			t.Errorf("%s of attempt %d, want Accept of 8", b.Next, b.Attempt)
		}
	})
	t.Run("19,27: the same config for another pool", func(t *testing.T) {
		f, _ := created(t, factsFor("amd64"))
		f.Config.Spec.MachineConfigPool.Name = "infra"
		if b := mustPlan(t, f); b.Next != NextCreate || b.Reason != ReasonNewInputs {
			t.Errorf("%s %s, want Create NewInputs", b.Next, b.Reason)
		}
	})
	t.Run("33: a build that succeeded without a result", func(t *testing.T) {
		f, object := finished(t, factsFor("amd64"))
		object.Status.DigestedImagePushSpec = ""
		if b := mustPlan(t, f); b.Next != NextCreate || b.Reason != ReasonImagesLost || !slices.Equal(codes(b.Findings), []FindingCode{FindingImageGone}) {
			t.Errorf("%s %s %v, want Create ImagesLost", b.Next, b.Reason, b.Findings)
		}
	})
	t.Run("23: a build that requires nothing has no records", func(t *testing.T) {
		object := &mcfgv1.MachineOSBuild{}
		object.Spec.MachineOSConfig.Name = "worker"
		id := identityOf(object, nil)
		object.Name = id.name(0)
		if _, _, intact := readRecords(object, nil); intact {
			t.Error("it is intact")
		}
		object.Annotations = map[string]string{AnnotationAttempt: "0"}
		if !isRecorded(object) {
			t.Error("an attempt is no record")
		}
	})
	t.Run("44: builds by name, whatever their order", func(t *testing.T) {
		f := factsFor("amd64")
		for i := range 6 {
			f, _ = earlierBuild(t, f, fmt.Sprint("rendered-worker-0", i), 0)
		}
		for range 2 {
			if b := mustPlan(t, f); len(b.Superseded) != 6 || !slices.IsSorted(b.Superseded) || !slices.IsSorted(b.Obsolete) {
				t.Errorf("superseded %v, obsolete %v", b.Superseded, b.Obsolete)
			}
			slices.Reverse(f.Builds)
			slices.Reverse(f.Jobs)
		}
	})
}

// Images and jobs that are recorded or named in an odd way.
func TestOddImages(t *testing.T) {
	checkPlans(t, []planRow{
		{
			name: "54: a record that is no pull spec, beside a job that made one",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				f.Jobs = []Job{jobOf(mustPlan(t, f), mustPlan(t, f).Images[0], PhaseSucceeded)}
				object.Annotations[AnnotationImage+"amd64"] = "latest"
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete publish:Hold/InPlace", nil, []FindingCode{FindingRecordUnreadable}},
		},
		{
			name: "54: a record that is the digest alone",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				f.Jobs = []Job{jobOf(mustPlan(t, f), mustPlan(t, f).Images[0], PhaseSucceeded)}
				object.Annotations[AnnotationImage+"amd64"], _ = digestOf(f.Jobs[0].PullSpec)
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete publish:Hold/InPlace", nil, []FindingCode{FindingRecordUnreadable}},
		},
		{
			name: "40,62: a result that is gone does not stand for its sources",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseSucceeded))
				f.Gone = []string{f.Jobs[0].PullSpec, f.Jobs[2].PullSpec}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Stop/ImageGone arm64:Reuse/Complete publish:Stop/ImageGone", nil, []FindingCode{FindingImageGone}},
		},
		{
			name: "54: an image of another build need not be what the own job made",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				f.Jobs = []Job{jobOf(mustPlan(t, f), mustPlan(t, f).Images[0], PhaseSucceeded)}
				object.Annotations[AnnotationImage+"amd64"] = testRepository + "@" + buildplantest.Digest("another's")
				object.Annotations[AnnotationFrom+"amd64"] = "another"
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/SameKey publish:Run/Complete", nil, nil},
		},
		{
			name: "31,39: a build that is done, whose jobs are collected and whose image cannot be read",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				f.Jobs, f.Unreadable = nil, []string{object.Annotations[AnnotationImage+"arm64"]}
				return f
			},
			want: planned{NextDone, ReasonSucceeded, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Reuse/Complete", nil, []FindingCode{FindingImageUnreadable}},
		},
		{
			name: "43: the status lists something else of the name",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				object.Status.RelatedObjects = []mcfgv1.ObjectReference{{Group: "example.com", Resource: "things", Name: jobName(object.Name, "amd64")}}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Run/NoEarlierImage publish:Hold/InPlace", nil, nil},
		},
		{
			name: "52,71: nobody's job, and a build that has no UID yet",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				object.UID = ""
				f.Jobs = []Job{{Name: jobName(object.Name, "amd64"), Phase: PhaseRunning}}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Wait/NameTaken publish:Hold/InPlace", nil, []FindingCode{FindingNameTaken}},
		},
		{
			name: "3: one architecture and a payload that is not Multi",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Payload = payloadarch.Single
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Run/NoEarlierImage publish:Hold/InPlace", nil, nil},
		},
		{
			name: "51: an image of an architecture that the other build does not require",
			facts: func(t *testing.T) Facts {
				f, object := earlierBuild(t, factsFor("amd64"), "rendered-worker-0", 0)
				f.Jobs, object.Annotations[AnnotationImage+"arm64"] = nil, testRepository+"@"+buildplantest.Digest("x")
				g := factsFor("amd64", "arm64")
				g.Builds = f.Builds
				return g
			},
			want: planned{NextCreate, ReasonNewInputs, twoJobs, nil, nil},
		},
		{
			name: "62: what was not copied stays as it is recorded",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Rendered.Name = "rendered-worker-2"
				f, _ = created(t, f)
				b := mustPlan(t, f)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseSucceeded))
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/SameKey arm64:Reuse/SameKey publish:Reuse/Complete", nil, nil},
		},
		{
			name: "31,62: a build that has ended is not changed any more",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				object.Annotations[AnnotationImage+"arm64"] = otherRegistry + "@" + buildplantest.Digest("x")
				f.Jobs = nil
				return f
			},
			want: planned{NextDone, ReasonSucceeded, "amd64:Reuse/Complete arm64:Copy/OtherRepository publish:Reuse/Complete", nil, nil},
		},
	})
	t.Run("51: the reason that says most, whatever the names of the builds", func(t *testing.T) {
		for i := range 8 {
			f, gone := earlierBuild(t, factsFor("amd64"), fmt.Sprint("rendered-worker-gone", i), 0)
			gone.Annotations[AnnotationImage+"amd64"] = testRepository + "@" + buildplantest.Digest("gone")
			g := copyFacts(f)
			g.Rendered.Spec.KernelArguments = []string{"quiet"}
			g, changed := earlierBuild(t, g, fmt.Sprint("rendered-worker-changed", i), 0)
			changed.Annotations[AnnotationImage+"amd64"] = testRepository + "@" + buildplantest.Digest("changed")
			f.Builds, f.Jobs, f.Gone = g.Builds, nil, []string{testRepository + "@" + buildplantest.Digest("gone")}
			if got, want := states(mustPlan(t, f)), "amd64:Run/ImageGone publish:Hold/InPlace"; got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	})
	t.Run("10: of two containerfiles of one content, the first", func(t *testing.T) {
		f := factsFor("amd64")
		f.Config.Spec.Containerfile = []mcfgv1.MachineOSContainerfile{{ContainerfileArch: mcfgv1.Arm64, Content: "x"}, {ContainerfileArch: mcfgv1.Amd64, Content: "FROM a"}, {ContainerfileArch: mcfgv1.Amd64, Content: "FROM a\n"}}
		if b := mustPlan(t, f); b.Images[0].Entry != 1 {
			t.Errorf("entry %d, want 1", b.Images[0].Entry)
		}
	})
	t.Run("22: tags of two images, and of one", func(t *testing.T) {
		two := mustPlan(t, factsFor("amd64", "arm64"))
		if two.Images[0].PushSpec == two.Images[1].PushSpec || two.Images[0].PushSpec == string(two.PushSpec) {
			t.Errorf("%s and %s", two.Images[0].PushSpec, two.Images[1].PushSpec)
		}
	})
	t.Run("44: a build that reuses says so", func(t *testing.T) {
		f, first := finished(t, factsFor("amd64", "arm64"))
		f.Rendered.Name = "rendered-worker-2"
		f, second := created(t, f)
		for _, image := range mustPlan(t, f).Images {
			if image.From != first.Name || !image.Recorded {
				t.Errorf("%s is of %q, recorded %v", image.Architecture, image.From, image.Recorded)
			}
			if a := second.Annotations; a[AnnotationImage+image.Architecture] != image.PullSpec || a[AnnotationFrom+image.Architecture] != first.Name {
				t.Errorf("%s is recorded as %v", image.Architecture, a)
			}
		}
		for name := range first.Annotations {
			if name == AnnotationFrom+"amd64" {
				t.Errorf("the first has %s", name)
			}
		}
	})
	t.Run("52: of several jobs of one name, one that does not depend on their order", func(t *testing.T) {
		f, _ := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		made := jobOf(b, b.Images[0], PhaseSucceeded)
		again, failed := made, made
		failed.Phase = PhaseFailed
		again.PullSpec = testRepository + "@" + buildplantest.Digest("again")
		for _, pair := range [][2]Job{{made, jobOf(b, b.Images[0], PhaseRunning)}, {made, jobOf(b, b.Images[0], PhaseFailed)}, {made, again}, {made, failed}} {
			f.Jobs = pair[:]
			one := mustPlan(t, f)
			f.Jobs = []Job{pair[1], pair[0]}
			if other := mustPlan(t, f); states(one) != states(other) || one.PullSpec != other.PullSpec {
				t.Errorf("%s %s, and in the other order %s %s", states(one), one.PullSpec, states(other), other.PullSpec)
			}
		}
	})
	t.Run("39,47: no image is not one that is gone or cannot be read", func(t *testing.T) {
		f, _ := earlierBuild(t, factsFor("amd64"), "rendered-worker-0", 0)
		f.Jobs[0].Phase = PhaseFailed
		want := states(mustPlan(t, f))
		f.Gone, f.Unreadable = []string{""}, []string{""}
		if b := mustPlan(t, f); states(b) != want || b.Findings != nil {
			t.Errorf("%s %v, want %s", states(b), b.Findings, want)
		}
	})
	t.Run("17: where a list ends", func(t *testing.T) {
		one, two := ingredients{extensions: []string{"a"}, kernelArguments: []string{"b"}}, ingredients{extensions: []string{"a", "b"}}
		oneKey, _ := one.key(nil)
		if twoKey, _ := two.key(nil); oneKey == twoKey {
			t.Error("the keys are equal")
		}
	})
	t.Run("55: in ascending order", func(t *testing.T) {
		f, _ := finished(t, factsFor("amd64", "arm64", "ppc64le", "s390x"))
		if b := mustPlan(t, f); len(b.Verify) != 5 || !slices.IsSorted(b.Verify) {
			t.Errorf("verify %v", b.Verify)
		}
	})
}
