package controller_test

import (
	"slices"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// A cache that lags behind is no reason to end a build or to run a job twice.
func TestLaggingCache(t *testing.T) {
	running := func(t *testing.T) *site {
		s := newSite(t)
		s.node(t, "amd64")
		s.node(t, "arm64")
		s.config(t, file(mcfgv1.NoArch, "FROM configs"))
		return s
	}
	// undisturbed: one build, which succeeds, and each job once.
	undisturbed := func(t *testing.T, s *site) {
		t.Helper()
		s.lag = nil
		s.settle(t)
		built := s.builder.Built()
		if b := s.builds(t); len(b) != 1 || !is(b[0], mcfgv1.MachineOSBuildSucceeded) || len(built) != 3 {
			t.Errorf("%d builds, the first %+v; carried out %v", len(b), b[0].Status.Conditions, built)
		}
	}
	t.Run("the build that was just created", func(t *testing.T) {
		s := running(t)
		s.look(t)
		s.lag = func(list client.ObjectList) {
			if l, is := list.(*mcfgv1.MachineOSBuildList); is {
				l.Items = nil
			}
		}
		for range 3 {
			s.look(t)
		}
		undisturbed(t, s)
	})
	t.Run("the jobs that a build lists", func(t *testing.T) {
		s := running(t)
		s.look(t)
		s.look(t)
		if n := len(s.builds(t)[0].Status.RelatedObjects); n != 2 {
			t.Fatalf("%d related objects", n)
		}
		s.lag = func(list client.ObjectList) {
			if l, is := list.(*batchv1.JobList); is {
				l.Items = nil
			}
		}
		for range 3 {
			s.look(t)
			s.jobs(t)
		}
		undisturbed(t, s)
	})
	t.Run("the reports of jobs", func(t *testing.T) {
		s := running(t)
		s.hideReports = true
		s.settle(t)
		undisturbed(t, s)
	})
	t.Run("a build that does not list its jobs yet", func(t *testing.T) {
		s := running(t)
		s.look(t)
		s.look(t)
		old := s.builds(t)[0]
		i := slices.IndexFunc(old.Status.RelatedObjects, func(o mcfgv1.ObjectReference) bool { return o.Name == old.Name+"-arm64" })
		old.Status.RelatedObjects = slices.Delete(old.Status.RelatedObjects, i, i+1)
		old.ResourceVersion = "1"
		// Somebody deletes the job, and the pod pushes on.
		job := &batchv1.Job{}
		job.Namespace, job.Name = buildplan.Namespace, old.Name+"-arm64"
		must(t, s.Delete(t.Context(), job))
		s.lag = func(list client.ObjectList) {
			if l, is := list.(*mcfgv1.MachineOSBuildList); is {
				l.Items = []mcfgv1.MachineOSBuild{*old.DeepCopy()}
			}
		}
		for range 3 {
			s.look(t)
		}
		if n := len(s.all(t)); n != 1 {
			t.Errorf("%d jobs: one was started again", n)
		}
	})
}
