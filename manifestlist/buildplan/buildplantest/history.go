package buildplantest

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	"pgregory.net/rapid"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Verb is what happens to a cluster.
type Verb string

const (
	// VerbReconcile: the operator makes some writes and is killed.
	VerbReconcile Verb = "Reconcile"
	// A job ends, in one of the ways in which it can.
	VerbSucceed     Verb = "Succeed"
	VerbFail        Verb = "Fail"
	VerbNoDigest    Verb = "NoDigest" // it succeeds and never says what it pushed
	VerbDeletingJob Verb = "DeletingJob"
	VerbDeleteJob   Verb = "DeleteJob"
	// VerbCollect: the garbage collector comes to a job whose build is gone. Until
	// then it goes on (kubernetes/kubernetes v1.27, pkg/controller/garbagecollector,
	// GarbageCollector.attemptToDeleteItem).
	VerbCollect Verb = "Collect"
	// Somebody changes what is to be built.
	VerbNodes         Verb = "Nodes"
	VerbContainerfile Verb = "Containerfile"
	VerbPushSpec      Verb = "PushSpec"
	VerbRendered      Verb = "Rendered"
	VerbRebuild       Verb = "Rebuild"
	// Somebody loses or edits an annotation, or deletes a build.
	VerbEditConfig    Verb = "EditConfig"
	VerbEditBuild     Verb = "EditBuild"
	VerbDeletingBuild Verb = "DeletingBuild"
	VerbDeleteBuild   Verb = "DeleteBuild"
	// The registry loses an image, or answers in another way: truly, not at all, or
	// that it has nothing.
	VerbLoseImage Verb = "LoseImage"
	VerbRegistry  Verb = "Registry"
	// VerbWait: time passes.
	VerbWait Verb = "Wait"
)

// A Step is one of the things that happen. One that has nothing to happen to does
// nothing.
type Step struct {
	Verb Verb
	// Of chooses among the jobs, builds or images; for the operator it is how many
	// writes it makes.
	Of int
	// Value chooses what it becomes.
	Value int
}

// A History is what happens to a cluster in which nothing was built yet.
type History struct{ Steps []Step }

// verbs has a verb as often as it is drawn, as far as that goes: those that come first
// are drawn more often.
func verbs() []Verb {
	return append(slices.Repeat([]Verb{VerbReconcile, VerbSucceed}, 4),
		VerbCollect, VerbEditBuild, VerbContainerfile, VerbRebuild, VerbRegistry, VerbDeletingBuild, VerbDeleteBuild, VerbLoseImage, VerbNodes,
		VerbEditConfig, VerbRendered, VerbPushSpec, VerbWait, VerbFail, VerbDeletingJob, VerbDeleteJob, VerbNoDigest)
}

// DrawHistory draws one to a hundred steps.
func DrawHistory(t *rapid.T) History {
	step := rapid.Custom(func(t *rapid.T) Step {
		s := Step{Verb: rapid.SampledFrom(verbs()).Draw(t, "verb"), Of: rapid.IntRange(0, 5).Draw(t, "of"), Value: rapid.IntRange(0, 999).Draw(t, "value")}
		if s.Verb == VerbReconcile {
			s.Of, s.Value = s.Of+1, 0
		}
		return s
	})
	// In groups: a list of as many steps would seldom be long.
	return History{slices.Concat(rapid.SliceOfN(rapid.SliceOfN(step, 1, 10), 1, 10).Draw(t, "steps")...)}
}

// An End is what a history comes to once everybody leaves the cluster alone.
type End string

const (
	// EndDone: what is wanted is published.
	EndDone End = "Done"
	// EndGaveUp: builds of what is wanted ended otherwise, as often as they may.
	EndGaveUp End = "GaveUp"
	// EndBlocked: somebody has to mend the push spec, or a build that they edited.
	EndBlocked End = "Blocked"
)

// Played is what came of a history.
type Played struct {
	// Broken are the rules that were broken, in order of time. If there are any, the
	// history may have ended early, and the rest is not told.
	Broken []Violation
	// Held is true if the operator waited for a registry that does not answer.
	Held bool
	End  End
}

// ofRule are the violations of one rule.
func (p Played) ofRule(id string) []string {
	found := []string{}
	for _, v := range p.Broken {
		if v.Rule == id && !slices.Contains(found, v.What) {
			found = append(found, v.What)
		}
	}
	return found
}

// Play has the history happen to the operator that newOperator makes for each step: it
// knows nothing but what it reads. Of it, Reconcile is needed. In the end all jobs
// succeed, first with the registry as it is, then with one that answers.
func (h History) Play(newOperator func() Impl) Played {
	f := FactsFor("amd64", "arm64", "ppc64le", "s390x")
	f.Architectures, f.Attempts = []string{"amd64", "arm64"}, 2
	p := &play{newCluster(f), newOperator}
	for _, s := range h.Steps {
		p.step(s)
		p.now++
	}
	if p.settle(); len(p.broken) > 0 {
		return Played{Broken: p.broken}
	}
	held := p.answers == answersNothing && !p.done()
	p.answers = answersTruly
	p.settle()
	end := p.checkEnd()
	return Played{p.broken, held, end}
}

// A play is a history that happens.
type play struct {
	*Cluster
	newOperator func() Impl
}

// reconcile lets the operator make up to so many writes, and reports whether it made
// fewer, because there was nothing left to do.
func (p *play) reconcile(writes int) (idle bool) {
	for writes > 0 {
		p.left, p.wrote = writes, 0
		// A step that gives up with an error is made again, as work queues do.
		_ = p.newOperator().Reconcile(p.Cluster)
		if p.wrote == 0 {
			return true
		}
		writes -= p.wrote
	}
	return false
}

func of[T any](list []T, n int) (one T) {
	if len(list) > 0 {
		one = list[n%len(list)]
	}
	return one
}

func (p *play) step(s Step) {
	running := slices.DeleteFunc(slices.Clone(p.jobs), func(j *job) bool { return !j.running() })
	if j := of(running, s.Of); j != nil {
		switch s.Verb {
		case VerbSucceed:
			p.succeed(j)
		case VerbFail:
			j.finish(batchv1.JobFailed)
		case VerbNoDigest:
			j.finish(batchv1.JobComplete)
		case VerbDeletingJob:
			j.object.DeletionTimestamp = &metav1.Time{Time: p.Now().Time}
		}
	}
	config := &p.facts.Config.Spec
	switch s.Verb {
	case VerbReconcile:
		p.reconcile(s.Of)
	case VerbDeleteJob:
		if j := of(p.jobs, s.Of); j != nil {
			p.removeJob(j.object.Name)
		}
	case VerbCollect:
		p.collect()
	case VerbNodes:
		p.facts.Architectures = of(nodes(), s.Value)
	case VerbContainerfile:
		config.Containerfile = of(containerfileLists(), s.Of)
	case VerbPushSpec:
		config.RenderedImagePushSpec = of([]mcfgv1.ImageTagFormat{Repository + ":latest", OtherRepository + ":latest", refusedPushSpec}, s.Of)
	case VerbRendered:
		p.facts.Rendered.Name = of([]string{"rendered-worker-1", "rendered-worker-2"}, s.Of)
	case VerbRebuild:
		p.annotateConfig(AnnotationRebuild, "")
	case VerbRegistry:
		p.answers = of([]answers{answersTruly, answersNothing, answersNotFound}, s.Of)
	case VerbLoseImage:
		delete(p.registry.has, of(p.registry.sortedSpecs(), s.Of))
	default:
		p.spoil(s)
	}
}

// collect deletes one job whose build is gone, if there is one.
func (c *Cluster) collect() bool {
	i := slices.IndexFunc(c.jobs, func(j *job) bool { return j.owner != "" && c.owner(j) == nil })
	if i >= 0 {
		c.jobs = slices.Delete(c.jobs, i, i+1)
	}
	return i >= 0
}

// settle lets the operator write, the garbage collector collect and jobs succeed until
// nothing moves.
func (p *play) settle() {
	before := p.creates
	for range 200 {
		moved := !p.reconcile(1)
		if !moved {
			moved = p.collect()
			for _, j := range p.jobs {
				if j.running() {
					p.succeed(j)
					moved = true
				}
			}
		}
		p.now += 2
		if most := 2*p.facts.Attempts + 2; p.creates-before > most {
			p.violate("lost-images-are-not-built-for-ever", "more than %d builds were created without any change", most)
			return
		}
		if !moved {
			return
		}
	}
	p.violate("any-write-may-be-the-last", "it does not come to rest")
}
