package buildplan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/payloadarch"
)

// A world is a cluster, a registry, and a controller that dies after each single
// write: it knows nothing but what it reads.
type world struct {
	facts    Facts
	registry map[string]bool // pull specs
	blobs    map[string]manifestlist.Child
	now      int
	pushed   int
}

func newWorld(t tb) *world {
	f := factsFor("amd64", "arm64", "ppc64le", "s390x")
	f.Architectures = payloadarch.SetOf("amd64", "arm64")
	f.Attempts = 2
	return &world{facts: f, registry: map[string]bool{}, blobs: map[string]manifestlist.Child{}}
}

// look is what the controller reads.
func (w *world) look() Facts {
	f := copyFacts(w.facts)
	for _, b := range f.Builds {
		for _, r := range Records(b) {
			if r.PullSpec != "" && !w.registry[r.PullSpec] {
				f.Gone = append(f.Gone, r.PullSpec)
			}
		}
		if p := string(b.Status.DigestedImagePushSpec); p != "" && !w.registry[p] {
			f.Gone = append(f.Gone, p)
		}
	}
	for _, j := range f.Jobs {
		if j.PullSpec != "" && !w.registry[j.PullSpec] {
			f.Gone = append(f.Gone, j.PullSpec)
		}
	}
	return f
}

// write makes the next write of the controller and reports whether there was none
// to make.
func (w *world) write(t tb) (idle bool) {
	f := w.look()
	b := mustPlan(t, f)
	if b.Next == NextAccept {
		w.facts.Config.Annotations = AcceptRebuild(w.facts.Config.Annotations, b.Attempt)
		return false
	}
	for _, name := range b.Superseded {
		current := w.build(name)
		return w.writeOutcome(t, current, Interrupt(current, f.Jobs, testTime(w.now)))
	}
	if len(b.Obsolete) > 0 {
		w.deleteJob(b.Obsolete[0])
		return false
	}
	if b.Next == NextCreate {
		if w.build(b.Name) != nil {
			t.Fatalf("build %s exists", b.Name)
		}
		object := b.MachineOSBuild()
		object.CreationTimestamp = testTime(w.now)
		object.UID = newUID()
		w.facts.Builds = append(w.facts.Builds, object)
		return false
	}
	if b.Next == NextContinue {
		current := w.build(b.Name)
		out, err := Observe(b, current, testTime(w.now))
		if err != nil {
			t.Fatal(err)
		}
		if out.Annotations != nil || out.Changed {
			if out.Progress == mcfgv1.MachineOSBuildSucceeded {
				w.checkPublished(t, b, string(out.Status.DigestedImagePushSpec))
			}
			return w.writeOutcome(t, current, out)
		}
	}
	for _, img := range b.all() {
		if img.State == StateRun {
			w.checkRun(t, b, img)
			w.facts.Jobs = append(w.facts.Jobs, jobOf(b, img, PhaseRunning))
			return false
		}
	}
	return true
}

// writeOutcome writes annotations or, once they are there, the status.
func (w *world) writeOutcome(t tb, current *mcfgv1.MachineOSBuild, out Outcome) (idle bool) {
	if out.Annotations != nil {
		maps.Copy(current.Annotations, out.Annotations)
		return false
	}
	if !out.Changed {
		return true
	}
	if r := refusals(current.Status, out.Status); r != nil {
		t.Fatalf("the CRD refuses the status: %v", r)
	}
	current.Status = *out.Status.DeepCopy()
	return false
}

func (w *world) build(name string) *mcfgv1.MachineOSBuild {
	for _, b := range w.facts.Builds {
		if b.Name == name {
			return b
		}
	}
	return nil
}

func (w *world) deleteJob(name string) {
	w.facts.Jobs = slices.DeleteFunc(w.facts.Jobs, func(j Job) bool { return j.Name == name })
}

// checkRun fails if the job exists, or if its image does, or is being made.
func (w *world) checkRun(t tb, b Build, img Image) {
	floor, _ := parseAttempt(w.facts.Config.Annotations[AnnotationAttempt], maxFloor)
	for _, j := range w.facts.Jobs {
		if j.Name == img.Job {
			t.Fatalf("job %s exists", img.Job)
		}
	}
	if img.Architecture == "" {
		return
	}
	for _, e := range w.facts.Builds {
		attempt, _ := parseAttempt(e.Annotations[AnnotationAttempt], maxAttempt)
		if e.DeletionTimestamp != nil || attempt < floor || e.Annotations[AnnotationKey+img.Architecture] != img.Key {
			continue
		}
		if image := e.Annotations[AnnotationImage+img.Architecture]; w.registry[image] {
			t.Fatalf("%s is built again, though %s has %s", img.Architecture, e.Name, image)
		}
		for _, j := range w.facts.Jobs {
			if j.Build == e.Name && j.Architecture == img.Architecture && (j.Phase == PhaseRunning || j.Phase == PhaseSucceeded && w.registry[j.PullSpec]) {
				t.Fatalf("%s is built again, though job %s is %s", img.Architecture, j.Name, j.Phase)
			}
		}
	}
}

// checkPublished fails if what is published is not the image of exactly the
// pool's architectures.
func (w *world) checkPublished(t tb, b Build, pullSpec string) {
	digest, _ := digestOf(pullSpec)
	child, ok := w.blobs[digest]
	if !ok {
		t.Fatalf("%s was never pushed", pullSpec)
	}
	var got []string
	if index, err := manifestlist.Parse(child.Manifest); err == nil {
		for _, m := range index.Manifests {
			got = append(got, m.Platform.Architecture)
		}
	} else {
		got = []string{strings.Split(string(child.Config), `"`)[3]} // {"architecture":"amd64",…
	}
	if want := w.facts.Architectures.String(); strings.Join(got, ",") != want {
		t.Fatalf("%s published for %v, the pool has %s", b.Name, got, want)
	}
}

// succeed does what the job is for.
func (w *world) succeed(t tb, j *Job) {
	build := w.build(j.Build)
	if build == nil {
		return
	}
	if j.Architecture != "" {
		w.pushed++
		child := imageFor(t, j.Architecture, fmt.Sprint(w.pushed))
		repository, _ := splitTag(string(build.Spec.RenderedImagePushSpec))
		j.Phase, j.PullSpec = PhaseSucceeded, repository+"@"+string(childDigest(&child))
		w.registry[j.PullSpec] = true
		w.blobs[string(childDigest(&child))] = child
		return
	}
	var children []manifestlist.Child
	for _, r := range Records(build) {
		if !w.registry[r.PullSpec] {
			j.Phase = PhaseFailed // it cannot read what it is to publish
			return
		}
		digest, _ := digestOf(r.PullSpec)
		children = append(children, w.blobs[digest])
	}
	p, err := Publish(build, children)
	if err != nil {
		t.Fatalf("a publishing job was started too early: %v", err)
	}
	repository := repositoryOf(string(p.PullSpec))
	for _, c := range children {
		w.registry[repository+"@"+string(childDigest(&c))] = true
	}
	w.registry[string(p.PullSpec)] = true
	w.blobs[string(p.Digest)] = manifestlist.Child{Manifest: p.Bytes}
	if !p.Index {
		w.blobs[string(p.Digest)] = children[0]
	}
	j.Phase, j.PullSpec = PhaseSucceeded, string(p.PullSpec)
}

// running is a job to do something with.
func (w *world) running(t *rapid.T) *Job {
	var list []*Job
	for i := range w.facts.Jobs {
		if w.facts.Jobs[i].Phase == PhaseRunning {
			list = append(list, &w.facts.Jobs[i])
		}
	}
	if len(list) == 0 {
		t.Skip("no job runs")
	}
	return list[rapid.IntRange(0, len(list)-1).Draw(t, "job")]
}

// settle lets the controller write, and jobs succeed, until nothing moves.
func (w *world) settle(t tb) Build {
	for range 500 {
		if !w.write(t) {
			continue
		}
		moved := false
		for i := range w.facts.Jobs {
			if j := &w.facts.Jobs[i]; j.Phase == PhaseRunning {
				w.succeed(t, j)
				moved = moved || j.Phase != PhaseRunning
			}
		}
		w.now += 2
		if !moved {
			return mustPlan(t, w.look())
		}
	}
	t.Fatalf("does not end: %s", states(mustPlan(t, w.look())))
	return Build{}
}

func TestStateMachine(t *testing.T) {
	t.Run("82: killed after any write", func(t *testing.T) {
		ended := map[Next]int{}
		rapid.Check(t, func(t *rapid.T) {
			w := newWorld(t)
			config := &w.facts.Config.Spec
			pick := func(t *rapid.T, what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
			t.Repeat(map[string]func(*rapid.T){
				"write": func(t *rapid.T) {
					for range rapid.IntRange(1, 6).Draw(t, "writes") {
						w.write(t)
					}
				},
				"success": func(t *rapid.T) { w.succeed(t, w.running(t)) },
				"failure": func(t *rapid.T) { w.running(t).Phase = PhaseFailed },
				"no digest": func(t *rapid.T) {
					j := w.running(t)
					j.Phase, j.PullSpec = PhaseSucceeded, ""
				},
				"deletion begins": func(t *rapid.T) { w.running(t).Phase = PhaseDeleted },
				"deletion": func(t *rapid.T) {
					if len(w.facts.Jobs) == 0 {
						t.Skip("no job")
					}
					w.deleteJob(w.facts.Jobs[pick(t, "job", len(w.facts.Jobs))].Name)
				},
				"nodes": func(t *rapid.T) { w.facts.Architectures = payloadarch.SetOf(drawArchitectures(t)...) },
				"edit": func(t *rapid.T) {
					config.Containerfile = []mcfgv1.MachineOSContainerfile{{Content: "FROM configs"}}
					if a := pick(t, "own file", 3); a > 0 {
						config.Containerfile = append(config.Containerfile,
							mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Arm64, Content: fmt.Sprint("FROM arm ", a)})
					}
				},
				"push spec": func(t *rapid.T) {
					specs := []mcfgv1.ImageTagFormat{testRepository + ":latest", otherRegistry + ":latest", "quay.io/a/b/c:refused"}
					config.RenderedImagePushSpec = specs[pick(t, "push spec", len(specs))]
				},
				"rendered config": func(t *rapid.T) { w.facts.Rendered.Name = fmt.Sprint("rendered-worker-", pick(t, "rendered", 2)) },
				"rebuild": func(t *rapid.T) {
					if config := w.facts.Config; config.Annotations == nil {
						config.Annotations = map[string]string{}
					}
					w.facts.Config.Annotations[AnnotationRebuild] = ""
				},
				"image gone": func(t *rapid.T) {
					images := slices.Sorted(maps.Keys(w.registry))
					if len(images) == 0 {
						t.Skip("no image")
					}
					delete(w.registry, images[pick(t, "image", len(images))])
				},
				"delete build": func(t *rapid.T) {
					if len(w.facts.Builds) == 0 {
						t.Skip("no build")
					}
					i := pick(t, "build", len(w.facts.Builds))
					b := w.facts.Builds[i]
					if b.DeletionTimestamp == nil {
						b.DeletionTimestamp = &metav1.Time{}
						return
					}
					w.facts.Builds = slices.Delete(w.facts.Builds, i, i+1)
					w.facts.Jobs = slices.DeleteFunc(w.facts.Jobs, func(j Job) bool { return j.Build == b.Name })
				},
				"": func(*rapid.T) { w.now++ },
			})
			b := w.settle(t)
			ended[b.Next]++
			switch b.Next {
			case NextDone:
				if !w.registry[b.PullSpec] || w.build(b.Name) == nil {
					t.Fatalf("done with %s, which is not there", b.PullSpec)
				}
				w.checkPublished(t, b, b.PullSpec)
			case NextGiveUp, NextBlocked:
			default:
				t.Fatalf("ends with %s (%s): %s", b.Next, b.Reason, states(b))
			}
			for _, e := range w.facts.Builds {
				if e.Name != b.Name && b.Next == NextDone && endedAs(e.Status.Conditions) == "" && e.DeletionTimestamp == nil {
					t.Fatalf("build %s was left running", e.Name)
				}
			}
		})
		if ended[NextDone] == 0 || ended[NextGiveUp]+ended[NextBlocked] == 0 {
			t.Errorf("the machine ends only in %v", ended)
		}
	})
}
