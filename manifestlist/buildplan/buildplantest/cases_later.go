package buildplantest

import (
	"maps"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/conformance"
)

// laterRows are what is planned when a build was there before.
func laterRows() []row {
	later := func(rule, name string, call func(Impl) conformance.Outcome) row {
		return row{Rule: rule, Name: name, Implemented: hasPlan, Call: call}
	}
	return []row{
		later("running-build-goes-on", "its jobs run: nothing is done twice", func(i Impl) conformance.Outcome {
			f, object := create(i, FactsFor("amd64", "arm64"))
			f = run(i, f, object, Running)
			return planned(i, f, nothing())
		}),
		later("running-build-goes-on", "its jobs are not there yet", func(i Impl) conformance.Outcome {
			f, _ := create(i, FactsFor("amd64", "arm64"))
			return planned(i, f, next{Run: []string{"amd64", "arm64"}})
		}),
		later("failed-build-stays-failed", "of one attempt", func(i Impl) conformance.Outcome {
			return planned(i, failed(i, 0), nothing())
		}),
		later("failed-build-is-tried-again", "of two attempts", func(i Impl) conformance.Outcome {
			return planned(i, failed(i, 2), next{Creates: true, Run: []string{"amd64", "arm64"}})
		}),
		later("failed-build-is-tried-again", "interrupted", func(i Impl) conformance.Outcome {
			f, object := create(i, FactsFor("amd64"))
			end(object, mcfgv1.MachineOSBuildInterrupted, "")
			return planned(i, f, next{Creates: true, Run: []string{"amd64"}})
		}),
		later("lost-images-are-not-built-for-ever", "a registry that says of everything that it does not have it", neverThere),
		later("name-is-created-once", "an annotation of a build is lost or edited", editedBuilds),
		later("name-is-created-once", "a build of another MachineOSConfig has the name", func(i Impl) conformance.Outcome {
			f := FactsFor("amd64")
			name := must(i, f).Build
			theirs := &mcfgv1.MachineOSBuild{ObjectMeta: metav1.ObjectMeta{Name: name, UID: "theirs"}}
			theirs.Spec.MachineOSConfig.Name = "other"
			f.Builds = []*mcfgv1.MachineOSBuild{theirs}
			p, err := i.Plan(f)
			return conformance.Outcome{Input: f, Want: false, Got: err == nil && p.Create != nil && p.Create.Name == name}
		}),
		later("job-belongs-to-its-build", "a failed build is deleted, its jobs are not", deadJobs),
		later("job-belongs-to-its-build", "one of them is collected", func(i Impl) conformance.Outcome {
			f := outlived(i)
			f.Jobs = f.Jobs[1:]
			return beside(i, f, true)
		}),
		later("job-belongs-to-its-build", "a stranger's job has the name", func(i Impl) conformance.Outcome {
			f := FactsFor("amd64", "arm64")
			p := must(i, f)
			f, _ = create(i, f)
			f.Jobs = []Job{{Object: &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: p.Images[1].Job.Name, Namespace: p.Images[1].Job.Namespace}}}}
			return beside(i, f, true)
		}),
	}
}

// deadJobRows are jobs that outlive their build.
func deadJobRows() []row {
	outlived := func(i Impl) *scene {
		s := failedPool(i)
		name := s.last().Name
		s.happens(name + " is deleted, its jobs are not")
		s.removeBuild(s.last())
		s.run()
		return s
	}
	return []row{
		ends("job-belongs-to-its-build", "a failed build was deleted, its jobs were not: another waits", "", "Prepared", outlived),
		ends("job-belongs-to-its-build", "until the garbage collector comes", "amd64 arm64 publish", "Succeeded", func(i Impl) *scene {
			s := outlived(i)
			s.finish()
			return s
		}),
	}
}

// next is what is planned next: whether a build is created, and for which
// architectures jobs are to run.
type next struct {
	Creates bool
	Run     []string
}

func nothing() next { return next{Run: []string{}} }

func planned(i Impl, f Facts, want next) conformance.Outcome {
	p := must(i, f)
	return conformance.Outcome{Input: f, Want: want, Got: next{p.Create != nil, jobsToRun(p)}}
}

// failed are facts of a build whose jobs all failed.
func failed(i Impl, attempts int) Facts {
	f := FactsFor("amd64", "arm64")
	f.Attempts = attempts
	f, object := create(i, f)
	f = run(i, f, object, Failed)
	end(object, mcfgv1.MachineOSBuildFailed, "")
	return f
}

// outlived are facts of a build with the name of one that was deleted, whose jobs the
// garbage collector has not come to (kubernetes/kubernetes v1.27,
// pkg/controller/garbagecollector, GarbageCollector.attemptToDeleteItem).
func outlived(i Impl) Facts {
	f := failed(i, 0)
	f.Builds = nil
	f, object := create(i, f)
	object.UID = "uid-again"
	return f
}

func deadJobs(i Impl) conformance.Outcome { return beside(i, outlived(i), false) }

// beside plans beside jobs that are not the build's. None of a name that is taken is
// to run; the one for amd64 is, if its name is free.
func beside(i Impl, f Facts, free bool) conformance.Outcome {
	type ran struct {
		AMD64 bool
		Taken []string
	}
	got := ran{Taken: []string{}}
	for _, image := range must(i, f).Images {
		if !image.Run {
			continue
		}
		if slices.ContainsFunc(f.Jobs, func(j Job) bool { return j.Object.Name == image.Job.Name }) {
			got.Taken = append(got.Taken, image.Job.Name)
		}
		got.AMD64 = got.AMD64 || free && image.Architecture == "amd64"
	}
	return conformance.Outcome{Input: f, Want: ran{AMD64: free, Taken: []string{}}, Got: got}
}

// neverThere counts the builds until the implementation gives up.
func neverThere(i Impl) conformance.Outcome {
	f := FactsFor("amd64")
	f.Attempts = 2
	for range 10 {
		p := must(i, f)
		if p.Create == nil {
			break
		}
		var object *mcfgv1.MachineOSBuild
		f, object = create(i, f)
		f = run(i, f, object, Succeeded)
		pullSpec := Repository + "@" + f.Jobs[len(f.Jobs)-1].Digest
		end(object, mcfgv1.MachineOSBuildSucceeded, pullSpec)
		f.Gone = append(slices.Clone(f.Gone), pullSpec)
	}
	type builds struct{ AtLeastOne, AtMostThree bool }
	n := len(f.Builds)
	return conformance.Outcome{Input: f, Want: builds{true, true}, Got: builds{n >= 1, n <= 3}}
}

// editedBuilds edits each annotation of a build that failed, and looks for a build
// that is to be created and exists.
func editedBuilds(i Impl) conformance.Outcome {
	f := failed(i, 3)
	created := []string{}
	object := f.Builds[0]
	for _, name := range slices.Sorted(maps.Keys(object.Annotations)) {
		for _, value := range []string{"x", "-1", "7", ""} {
			edited := object.DeepCopy()
			edited.Annotations[name] = value
			if value == "" {
				delete(edited.Annotations, name)
			}
			f.Builds = []*mcfgv1.MachineOSBuild{edited}
			if p, err := i.Plan(f); err == nil && p.Create != nil && p.Create.Name == object.Name {
				created = append(created, name+": "+value)
			}
		}
	}
	return conformance.Outcome{Input: f, Want: []string{}, Got: created}
}
