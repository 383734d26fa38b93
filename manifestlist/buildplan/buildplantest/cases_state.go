package buildplantest

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// stateRows are the state of a build, and its publishing job.
func stateRows() []row {
	two := []string{"amd64", "arm64"}
	// running is a pool whose jobs run.
	running := func(i Impl) *scene {
		s := begin(i, two...)
		s.run()
		s.jobs()
		return s
	}
	publishing := func(i Impl) *scene {
		s := running(i)
		s.end(VerbSucceed, two...)
		s.run()
		s.jobs()
		return s
	}
	after := func(how Verb, architecture string, of func(Impl) *scene) func(Impl) *scene {
		return func(i Impl) *scene {
			s := of(i)
			s.end(how, architecture)
			s.run()
			return s
		}
	}
	rows := []row{
		ends("an-only-image-is-published-in-place", "there is no other job", "arm64", "Succeeded", func(i Impl) *scene {
			s := begin(i, "arm64")
			s.finish()
			return s
		}),
		shows("an-only-image-is-published-in-place", "the result is what the job pushed", true, func(i Impl) (*scene, any) {
			s := publishedPool(i, "arm64")
			return s, string(s.last().Status.DigestedImagePushSpec) == s.image("arm64")
		}),
		ends("publishing-waits-for-all-images", "one is there", "", "Building", after(VerbSucceed, "amd64", running)),
		ends("publishing-waits-for-all-images", "both are", "publish", "Building", func(i Impl) *scene {
			s := after(VerbSucceed, "amd64", running)(i)
			s.end(VerbSucceed, "arm64")
			s.run()
			return s
		}),
		ends("publishing-job-ends-its-build", "it failed", "", "Failed", after(VerbFail, "", publishing)),
		ends("publishing-job-ends-its-build", "it succeeded", "", "Succeeded", after(VerbSucceed, "", publishing)),
		ends("publishing-job-ends-its-build", "it gave no digest", "", "Failed", after(VerbNoDigest, "", publishing)),
		ends("publishing-job-ends-its-build", "it was deleted: another build publishes", "publish", "Interrupted Building", after(VerbDeleteJob, "", publishing)),
		ends("unreadable-result-is-waited-for", "the build goes on", "", "Building", func(i Impl) *scene {
			s := publishing(i)
			s.end(VerbSucceed, "")
			s.registryAnswers(answersNothing)
			s.run()
			return s
		}),
		ends("unreadable-result-is-waited-for", "until the registry answers", "", "Succeeded", func(i Impl) *scene {
			s := publishing(i)
			s.end(VerbSucceed, "")
			s.registryAnswers(answersNothing)
			s.run()
			s.registryAnswers(answersTruly)
			s.run()
			return s
		}),
		ends("copied-source-is-not-needed", "it is lost when the copy is there", "", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, "amd64")
			source := s.image("amd64")
			s.change("another push spec", func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = OtherRepository + ":latest" })
			s.run()
			s.end(VerbSucceed, "")
			s.jobs()
			s.lose(source)
			s.run()
			return s
		}),
		ends("failed-job-fails-its-build", "as soon as no other runs", "", "Failed", func(i Impl) *scene {
			s := after(VerbFail, "amd64", running)(i)
			s.end(VerbSucceed, "arm64")
			s.run()
			return s
		}),
		ends("failed-job-fails-its-build", "not before", "", "Building", after(VerbFail, "amd64", running)),
		ends("failed-job-fails-its-build", "one failed, one was deleted", "", "Failed", func(i Impl) *scene {
			s := running(i)
			s.end(VerbDeletingJob, "amd64")
			s.end(VerbFail, "arm64")
			s.run()
			return s
		}),
		shows("deleted-job-interrupts-its-build", "one is being deleted", "Interrupted", func(i Impl) (*scene, any) {
			s := after(VerbDeletingJob, "amd64", running)(i)
			return s, s.builds()[0]
		}),
		ends("published-build-succeeds", "of several architectures", "", "Succeeded", after(VerbSucceed, "", publishing)),
		shows("published-build-succeeds", "with its pull spec by digest", true, func(i Impl) (*scene, any) {
			s := publishedPool(i, two...)
			pullSpec := string(s.last().Status.DigestedImagePushSpec)
			return s, LegalPullSpec(pullSpec) && repositoryOf(pullSpec) == Repository && s.registry.has[pullSpec]
		}),
		ends("running-job-means-building", "the jobs run", "", "Building", running),
		ends("running-job-means-building", "the publishing job runs", "", "Building", publishing),
		ends("build-without-jobs-is-prepared", "as long as the registry does not tell what is to be built", "", "Succeeded Prepared", func(i Impl) *scene {
			s := publishedPool(i, two...)
			s.change("another rendered config, of equal inputs", rendered("rendered-worker-2"))
			s.registryAnswers(answersNothing)
			s.run()
			return s
		}),
		ends("interrupt-leaves-what-has-ended", "a build that succeeded", "amd64 arm64", "Succeeded Building", func(i Impl) *scene {
			s := publishedPool(i, two...)
			s.change("another containerfile", noArch("FROM other"))
			s.run()
			return s
		}),
		ends("images-outlast-their-build", "of a build that failed, whose jobs are gone", "arm64 publish", "Failed Succeeded", func(i Impl) *scene {
			s := failedPool(i)
			s.end(VerbDeleteJob, "amd64", "arm64")
			s.change("another rendered config, of equal inputs", rendered("rendered-worker-2"))
			s.finish()
			return s
		}),
		ends("images-outlast-their-build", "of a build that was interrupted, whose jobs are gone", "arm64 publish", "Interrupted Succeeded", func(i Impl) *scene {
			s := running(i)
			s.end(VerbSucceed, "amd64")
			s.change("a containerfile for arm64", func(f *Facts) {
				f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, entry(mcfgv1.Arm64, "FROM own"))
			})
			for range 100 {
				if s.write(); s.builds()[0] == string(mcfgv1.MachineOSBuildInterrupted) {
					break
				}
			}
			s.end(VerbDeleteJob, "amd64")
			s.finish()
			return s
		}),
	}
	return append(rows, statusRows(running, publishing)...)
}

// statusRows are what is in the status of a build.
func statusRows(running, publishing func(Impl) *scene) []row {
	two := []string{"amd64", "arm64"}
	type times struct{ Set, Kept bool }
	return []row{
		shows("ended-build-stays-as-it-is", "whatever becomes of its jobs and images", true, func(i Impl) (*scene, any) {
			s := failedPool(i)
			before := s.last().Status.DeepCopy()
			s.end(VerbDeleteJob, "arm64")
			s.lose(s.image("amd64"))
			s.run()
			return s, equality.Semantic.DeepEqual(*before, s.facts.Builds[0].Status)
		}),
		ends("ended-build-stays-as-it-is", "one that failed and succeeded has failed", "", "Failed", func(i Impl) *scene {
			s := publishedPool(i, two...)
			s.happens("somebody writes that it failed")
			for n := range s.last().Status.Conditions {
				if c := &s.last().Status.Conditions[n]; c.Type == string(mcfgv1.MachineOSBuildFailed) {
					c.Status = metav1.ConditionTrue
				}
			}
			s.lose(string(s.last().Status.DigestedImagePushSpec))
			s.run()
			return s
		}),
		shows("one-condition-is-true", "at each write", []string{}, func(i Impl) (*scene, any) {
			s := failedPool(i)
			s.change("a build may fail twice", func(f *Facts) { f.Attempts = 2 })
			s.finish()
			return s, s.brokenBy("one-condition-is-true")
		}),
		shows("conditions-of-others-stay", "while there is room", true, func(i Impl) (*scene, any) {
			s := running(i)
			s.happens("somebody adds a condition")
			s.last().Status.Conditions = append(s.last().Status.Conditions,
				metav1.Condition{Type: "Theirs", Status: metav1.ConditionTrue, Reason: "Theirs", LastTransitionTime: s.Now()})
			s.finish()
			return s, slices.ContainsFunc(s.last().Status.Conditions, func(c metav1.Condition) bool { return c.Type == "Theirs" })
		}),
		shows("conditions-of-others-stay", "eight fit", []string{}, func(i Impl) (*scene, any) {
			s := running(i)
			s.happens("somebody adds conditions")
			for _, name := range []string{"TheirsA", "TheirsB", "TheirsC", "TheirsD", "TheirsE"} {
				s.last().Status.Conditions = append(s.last().Status.Conditions, metav1.Condition{Type: name, Status: metav1.ConditionTrue, Reason: "Theirs", LastTransitionTime: s.Now()})
			}
			s.finish()
			return s, s.brokenBy("conditions-of-others-stay")
		}),
		shows("times-are-set-once", "the start with the first job, the end with the last", times{true, true}, func(i Impl) (*scene, any) {
			s := running(i)
			start := s.last().Status.BuildStart.DeepCopy()
			s.finish()
			end := s.last().Status.BuildEnd
			return s, times{start != nil && end != nil && start.Before(end), len(s.brokenBy("times-are-set-once")) == 0 && start.Equal(s.last().Status.BuildStart)}
		}),
		shows("times-are-set-once", "a build that is over within a second", []string{}, func(i Impl) (*scene, any) {
			s := begin(i, "amd64")
			for range 100 {
				idle := s.reconcile(1) // no time passes
				if len(s.Cluster.jobs) > 0 && s.latest("amd64").running() {
					s.end(VerbSucceed, "amd64")
					s.now--
				} else if idle {
					break
				}
			}
			return s, append(s.brokenBy("times-are-set-once"), slices.DeleteFunc(s.builds(), func(b string) bool { return b == "Succeeded" })...)
		}),
		shows("jobs-are-related-objects", "beside those of others", []string{"jobs/amd64", "jobs/arm64", "jobs/publish", "theirs"}, func(i Impl) (*scene, any) {
			s := running(i)
			s.happens("somebody adds a related object")
			s.last().Status.RelatedObjects = append(s.last().Status.RelatedObjects, mcfgv1.ObjectReference{Group: "example.com", Resource: "things", Name: "theirs"})
			s.finish()
			return s, related(s)
		}),
		shows("jobs-are-related-objects", "ten fit", []string{}, func(i Impl) (*scene, any) {
			s := begin(i, two...)
			s.write()
			s.happens("somebody adds related objects")
			for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
				s.last().Status.RelatedObjects = append(s.last().Status.RelatedObjects, mcfgv1.ObjectReference{Group: "example.com", Resource: "things", Name: name})
			}
			s.finish()
			return s, append(s.brokenBy("jobs-are-related-objects"), slices.DeleteFunc(s.builds(), func(b string) bool { return b == "Succeeded" })...)
		}),
		shows("nothing-less-is-published", "an annotation is lost while the publishing job runs", []string{}, func(i Impl) (*scene, any) {
			s, found := publishing(i), []string{}
			for _, name := range slices.Sorted(maps.Keys(s.last().Annotations)) {
				s = publishing(i)
				s.happens("somebody removes the annotation " + name)
				delete(s.last().Annotations, name)
				s.touched[s.last().UID], s.anyTouched = true, true
				s.end(VerbSucceed, "")
				s.run()
				for _, what := range s.brokenBy("nothing-less-is-published") {
					found = append(found, name+": "+what)
				}
			}
			return s, found
		}),
		shows("builder-is-the-last-job", "the one that publishes", true, func(i Impl) (*scene, any) {
			s := publishing(i)
			return s, builder(s) == s.latest("").object.Name
		}),
		shows("builder-is-the-last-job", "the only one", true, func(i Impl) (*scene, any) {
			s := publishedPool(i, "amd64")
			return s, builder(s) == s.latest("amd64").object.Name
		}),
	}
}

func builder(s *scene) string {
	if b := s.last().Status.Builder; b != nil && b.Job != nil {
		return b.Job.Name
	}
	return ""
}

// related are the related objects of the last build, our jobs by what they are for.
func related(s *scene) []string {
	names := []string{}
	for _, o := range s.last().Status.RelatedObjects {
		name := o.Name
		for _, j := range s.Cluster.jobs {
			if j.object.Name == o.Name {
				name = o.Resource + "/" + jobOf(j.work.Architecture)
			}
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
