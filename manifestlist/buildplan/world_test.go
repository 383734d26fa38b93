package buildplan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/payloadarch"
)

// answers is how the registry answers the controller; jobs read and push as ever.
type answers int

const (
	answersTruly answers = iota
	// answersNothing: it refuses (401, 403), is in trouble (5xx), or times out.
	answersNothing
	// answersNotFound: it denies reading with 404, as registries do that do not tell
	// strangers what there is.
	answersNotFound
)

// A world is a cluster, a registry, and a controller that dies after each single
// write: it knows nothing but what it reads.
//
// The garbage collector lags: a build's jobs stay when the build is gone, and go on.
// In the end they are deleted, because no object has the UID that they name as
// their owner's (kubernetes/kubernetes v1.27, pkg/controller/garbagecollector,
// GarbageCollector.attemptToDeleteItem).
type world struct {
	facts    Facts
	answers  answers
	registry map[string]bool // pull specs
	blobs    map[string]manifestlist.Child
	now      int
	pushed   int
	creates  int

	// What is true of builds and jobs, whatever their annotations say by now.
	keys    map[types.UID]map[string]string // build → architecture → key
	edited  map[types.UID]bool              // builds whose annotations somebody edited
	jobKeys map[string]string               // job and owner → architecture and key
}

func newWorld(t tb) *world {
	f := factsFor("amd64", "arm64", "ppc64le", "s390x")
	f.Architectures = payloadarch.SetOf("amd64", "arm64")
	f.Attempts = 2
	return &world{facts: f, registry: map[string]bool{}, blobs: map[string]manifestlist.Child{},
		keys: map[types.UID]map[string]string{}, edited: map[types.UID]bool{}, jobKeys: map[string]string{}}
}

// look is what the controller reads. It asks the registry for everything.
func (w *world) look() Facts {
	f := copyFacts(w.facts)
	ask := func(image string) {
		switch {
		case !isPullSpec(image):
		case w.answers == answersNothing:
			f.Unreadable = append(f.Unreadable, image)
		case w.answers == answersNotFound || !w.registry[image]:
			f.Gone = append(f.Gone, image)
		}
	}
	for _, b := range f.Builds {
		for _, r := range Records(b) {
			ask(r.PullSpec)
		}
		ask(string(b.Status.DigestedImagePushSpec))
	}
	for _, j := range f.Jobs {
		ask(j.PullSpec)
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
		current := w.named(name)
		return w.writeOutcome(t, current, Interrupt(current, f.Jobs, testTime(w.now)))
	}
	if len(b.Obsolete) > 0 {
		w.deleteJob(b.Obsolete[0])
		return false
	}
	if b.Next == NextCreate {
		w.create(t, b)
		return false
	}
	if b.Next == NextContinue {
		current := w.named(b.Name)
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
			job := jobOf(b, img, PhaseRunning)
			w.facts.Jobs = append(w.facts.Jobs, job)
			w.jobKeys[job.Name+" "+string(job.Owner)] = img.Architecture + " " + img.Key
			return false
		}
	}
	return true
}

// create does what the API server does: a name that exists is refused.
func (w *world) create(t tb, b Build) {
	if w.named(b.Name) != nil {
		t.Fatalf("build %s exists", b.Name)
	}
	object := b.MachineOSBuild()
	object.CreationTimestamp, object.UID = testTime(w.now), newUID()
	w.facts.Builds = append(w.facts.Builds, object)
	w.creates++
	w.keys[object.UID] = map[string]string{}
	for _, r := range Records(object) {
		w.keys[object.UID][r.Architecture] = r.Key
	}
}

// writeOutcome writes annotations or, once they are there, the status.
func (w *world) writeOutcome(t tb, current *mcfgv1.MachineOSBuild, out Outcome) (idle bool) {
	if out.Annotations != nil {
		if current.Annotations == nil {
			current.Annotations = map[string]string{}
		}
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

func (w *world) find(which func(*mcfgv1.MachineOSBuild) bool) *mcfgv1.MachineOSBuild {
	if i := slices.IndexFunc(w.facts.Builds, which); i >= 0 {
		return w.facts.Builds[i]
	}
	return nil
}

func (w *world) named(name string) *mcfgv1.MachineOSBuild {
	return w.find(func(b *mcfgv1.MachineOSBuild) bool { return b.Name == name })
}

// owner is the build that a job belongs to, nil if it is gone.
func (w *world) owner(j *Job) *mcfgv1.MachineOSBuild {
	return w.find(func(b *mcfgv1.MachineOSBuild) bool { return b.UID == j.Owner })
}

func (w *world) deleteJob(name string) {
	w.facts.Jobs = slices.DeleteFunc(w.facts.Jobs, func(j Job) bool { return j.Name == name })
}

// collect deletes one job whose owner is gone, if there is one.
func (w *world) collect() (collected bool) {
	for i := range w.facts.Jobs {
		if w.owner(&w.facts.Jobs[i]) == nil {
			w.facts.Jobs = slices.Delete(w.facts.Jobs, i, i+1)
			return true
		}
	}
	return false
}

// succeed does what the job is for.
func (w *world) succeed(t tb, j *Job) {
	if j.Architecture != "" {
		w.pushed++
		child := imageFor(j.Architecture, fmt.Sprint(w.pushed))
		j.Phase, j.PullSpec = PhaseSucceeded, testRepository+"@"+string(childDigest(&child))
		if build := w.owner(j); build != nil {
			repository, _ := splitTag(string(build.Spec.RenderedImagePushSpec))
			j.PullSpec = repository + "@" + string(childDigest(&child))
		}
		w.registry[j.PullSpec] = true
		w.blobs[string(childDigest(&child))] = child
		return
	}
	build := w.owner(j)
	if build == nil {
		j.Phase = PhaseFailed // there is nothing left to publish
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
		if !w.edited[build.UID] {
			t.Fatalf("a publishing job was started too early: %v", err)
		}
		j.Phase = PhaseFailed
		return
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

// settle lets the controller write, the garbage collector collect and jobs succeed
// until nothing moves. It creates no more builds than may fail and be lost.
func (w *world) settle(t tb) Build {
	before := w.creates
	for range 1000 {
		if !w.write(t) {
			continue
		}
		moved := w.collect()
		for i := range w.facts.Jobs {
			if j := &w.facts.Jobs[i]; j.Phase == PhaseRunning {
				w.succeed(t, j)
				moved = moved || j.Phase != PhaseRunning
			}
		}
		w.now += 2
		if moved {
			continue
		}
		if most := 2*w.facts.Attempts + 2; w.creates-before > most {
			t.Fatalf("%d builds were created without any change, more than %d", w.creates-before, most)
		}
		return mustPlan(t, w.look())
	}
	t.Fatalf("does not end: %s", states(mustPlan(t, w.look())))
	return Build{}
}

// checkRun fails if the job exists, if its image does, or if it is being made by a
// job whose build lives.
func (w *world) checkRun(t tb, b Build, img Image) {
	for _, j := range w.facts.Jobs {
		if j.Name == img.Job {
			t.Fatalf("job %s exists", img.Job)
		}
	}
	if img.Architecture == "" {
		return
	}
	for i := range w.facts.Jobs {
		j := &w.facts.Jobs[i]
		owner := w.owner(j)
		if j.Phase == PhaseRunning && owner != nil && owner.DeletionTimestamp == nil &&
			w.jobKeys[j.Name+" "+string(j.Owner)] == img.Architecture+" "+img.Key {
			t.Fatalf("%s is built while job %s of %s builds the same", img.Architecture, j.Name, owner.Name)
		}
	}
	if w.answers == answersNotFound {
		return // there is nothing that the controller could know of
	}
	floor, _ := parseAttempt(w.facts.Config.Annotations[AnnotationAttempt], maxFloor)
	for _, e := range w.facts.Builds {
		attempt, _ := parseAttempt(e.Annotations[AnnotationAttempt], maxAttempt)
		if e.DeletionTimestamp != nil || attempt < floor || w.edited[e.UID] || w.keys[e.UID][img.Architecture] != img.Key {
			continue
		}
		if image := e.Annotations[AnnotationImage+img.Architecture]; w.registry[image] {
			t.Fatalf("%s is built again, though %s has %s", img.Architecture, e.Name, image)
		}
		for _, j := range w.facts.Jobs {
			if j.Owner == e.UID && j.Architecture == img.Architecture && j.Phase == PhaseSucceeded && w.registry[j.PullSpec] {
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
