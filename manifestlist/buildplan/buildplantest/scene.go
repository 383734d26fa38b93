package buildplantest

import (
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/conformance"
)

// A scene is a history that is written down instead of drawn: what happens to a pool,
// and what the operator made of it.
type scene struct {
	play
	happened []string
	mark     int // of started
}

// begin is a pool of which nothing was built yet. A build of it may fail once.
func begin(i Impl, architectures ...string) *scene {
	f := FactsFor("amd64", "arm64", "ppc64le", "s390x")
	f.Architectures = architectures
	return &scene{play: play{newCluster(f), func() Impl { return i }}, happened: []string{"nodes of " + strings.Join(architectures, " and ")}}
}

// publishedPool is a pool whose image is published.
func publishedPool(i Impl, architectures ...string) *scene {
	s := begin(i, architectures...)
	s.finish()
	s.jobs()
	return s
}

func (s *scene) happens(what string) { s.happened = append(s.happened, what) }

// write lets the operator make one write.
func (s *scene) write() {
	s.happens("the operator makes one write")
	s.reconcile(1)
	s.now++
}

// run lets the operator write until it has nothing to do.
func (s *scene) run() {
	s.happens("the operator writes until it has nothing to do")
	for range 100 {
		s.now++
		if s.reconcile(1) {
			return
		}
	}
	s.happens("which it never has")
}

// finish lets the operator write and the jobs succeed until nothing moves.
func (s *scene) finish() {
	s.happens("the operator writes and jobs succeed until nothing moves")
	s.settle()
}

// end ends the latest jobs for the architectures, "" for the one that publishes.
func (s *scene) end(how Verb, architectures ...string) {
	for _, a := range architectures {
		s.happens(string(how) + ": the job for " + jobOf(a))
		j := s.latest(a)
		switch how {
		case VerbSucceed:
			s.succeed(j)
		case VerbFail:
			j.finish(batchv1.JobFailed)
		case VerbNoDigest:
			j.finish(batchv1.JobComplete)
		case VerbDeletingJob:
			j.object.DeletionTimestamp = &metav1.Time{Time: s.Now().Time}
		case VerbDeleteJob:
			s.removeJob(j.object.Name)
		}
		s.now++
	}
}

// latest is the latest job for an architecture. It panics if there is none, which fails
// the row.
func (s *scene) latest(architecture string) *job {
	for _, j := range slices.Backward(s.Cluster.jobs) {
		if j.work.Architecture == architecture {
			return j
		}
	}
	panic("there is no job for " + jobOf(architecture))
}

func jobOf(architecture string) string {
	if architecture == "" {
		return "publish"
	}
	return architecture
}

// image is where a job pushed.
func (s *scene) image(architecture string) string {
	j := s.latest(architecture)
	return repositoryOf(j.work.PushSpec) + "@" + j.digest
}

func (s *scene) lose(pullSpec string) {
	s.happens("the registry loses " + pullSpec)
	delete(s.registry.has, pullSpec)
}

func (s *scene) registryAnswers(a answers) {
	s.happens("the registry " + []string{"answers truly", "does not answer", "says that it has nothing"}[a])
	s.answers = a
}

// change changes what is to be built.
func (s *scene) change(what string, change func(*Facts)) {
	s.happens(what)
	change(&s.facts)
}

// jobs are the jobs that were created since the last call.
func (s *scene) jobs() []string {
	names := []string{}
	for _, j := range s.started[s.mark:] {
		names = append(names, jobOf(j.architecture))
	}
	s.mark = len(s.started)
	slices.Sort(names)
	return names
}

// builds are the states of the builds, in the order in which they were created.
func (s *scene) builds() []string {
	states := []string{}
	for _, b := range s.facts.Builds {
		state := "none"
		for _, p := range progresses() {
			if isTrue(b.Status.Conditions, p) {
				state = string(p)
				break
			}
		}
		states = append(states, state)
	}
	return states
}

func (s *scene) last() *mcfgv1.MachineOSBuild { return s.facts.Builds[len(s.facts.Builds)-1] }

// brokenBy are the violations of a rule until now.
func (s *scene) brokenBy(rule string) []string { return Played{Broken: s.broken}.ofRule(rule) }

// seen is what came of a scene: the jobs that were created at the end of it, and the
// states of all builds.
type seen struct{ Jobs, Builds []string }

func (s *scene) seen() seen { return seen{s.jobs(), s.builds()} }

func list(words string) []string { return append([]string{}, strings.Fields(words)...) }

// ends is a row that ends with jobs and builds.
func ends(rule, name, jobs, builds string, play func(Impl) *scene) row {
	return shows(rule, name, seen{list(jobs), list(builds)}, func(i Impl) (*scene, any) {
		s := play(i)
		return s, s.seen()
	})
}

// shows is a row of a scene.
func shows(rule, name string, want any, play func(Impl) (*scene, any)) row {
	return row{Rule: rule, Name: name, Implemented: hasReconcile, Call: func(i Impl) conformance.Outcome {
		s, got := play(i)
		return conformance.Outcome{Input: s.happened, Want: want, Got: got}
	}}
}
