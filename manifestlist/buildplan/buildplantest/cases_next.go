package buildplantest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

func rendered(name string) func(*Facts) {
	return func(f *Facts) { f.Rendered.Name = name }
}

func noArch(content string) func(*Facts) {
	return func(f *Facts) { f.Config.Spec.Containerfile = []mcfgv1.MachineOSContainerfile{entry("", content)} }
}

func askRebuild(f *Facts) {
	f.Config.Annotations = map[string]string{AnnotationRebuild: ""}
}

func deleting(s *scene, b *mcfgv1.MachineOSBuild) {
	s.happens(b.Name + " is being deleted")
	b.DeletionTimestamp = &metav1.Time{Time: s.Now().Time}
}

// nextRows are what becomes of a build.
func nextRows() []row {
	return []row{
		ends("no-nodes-no-build", "a pool without nodes", "", "", func(i Impl) *scene {
			s := begin(i)
			s.finish()
			return s
		}),
		ends("a-rebuild-builds-everything", "what is published is built again", "amd64 arm64 publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, "amd64", "arm64")
			s.change("somebody asks for a rebuild", askRebuild)
			s.finish()
			return s
		}),
		ends("a-rebuild-builds-everything", "jobs that run are not waited for", "amd64 arm64", "Interrupted Building", func(i Impl) *scene {
			s := begin(i, "amd64", "arm64")
			s.run()
			s.jobs()
			s.change("somebody asks for a rebuild", askRebuild)
			s.run()
			return s
		}),
		shows("a-rebuild-is-served-once", "the request goes away", false, func(i Impl) (*scene, any) {
			s := publishedPool(i, "amd64")
			s.change("somebody asks for a rebuild", askRebuild)
			s.finish()
			_, asked := s.facts.Config.Annotations[AnnotationRebuild]
			return s, asked
		}),
		ends("a-rebuild-is-served-once", "the operator is killed after each write, and nothing is built a third time", "", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, "amd64")
			s.change("somebody asks for a rebuild", askRebuild)
			s.finish()
			s.jobs()
			s.finish()
			return s
		}),
		ends("a-rebuild-is-served-once", "a second request is another", "amd64", "Succeeded Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, "amd64")
			for range 2 {
				s.jobs()
				s.change("somebody asks for a rebuild", func(f *Facts) {
					annotations := map[string]string{AnnotationRebuild: ""}
					for k, v := range f.Config.Annotations {
						annotations[k] = v
					}
					f.Config.Annotations = annotations
				})
				s.finish()
			}
			return s
		}),
		ends("a-problem-stops-nothing", "jobs run, and nobody knows the kernel that is asked for", "", "Building", func(i Impl) *scene {
			s := begin(i, "amd64", "arm64")
			s.run()
			s.jobs()
			s.change("an unknown kernel is asked for", func(f *Facts) { f.Rendered.Name, f.Rendered.Spec.KernelType = "rendered-worker-2", "micro" })
			s.run()
			s.latest("amd64")
			s.latest("arm64")
			return s
		}),
		ends("new-inputs-make-a-build", "the first", "amd64 arm64 publish", "Succeeded", func(i Impl) *scene {
			s := begin(i, "amd64", "arm64")
			s.finish()
			return s
		}),
		ends("new-inputs-make-a-build", "another containerfile", "amd64 arm64 publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, "amd64", "arm64")
			s.change("another containerfile", noArch("FROM other"))
			s.finish()
			return s
		}),
		ends("a-deleted-build-is-replaced", "it succeeded", "amd64 arm64 publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, "amd64", "arm64")
			deleting(s, s.last())
			s.finish()
			return s
		}),
		shows("done-is-left-alone", "nothing is written", true, func(i Impl) (*scene, any) {
			s := publishedPool(i, "amd64", "arm64")
			return s, s.reconcile(1)
		}),
		ends("done-is-left-alone", "going back to what was published before", "", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, "amd64", "arm64")
			before := s.facts.Config.Spec.Containerfile
			s.change("another containerfile", noArch("FROM other"))
			s.finish()
			s.jobs()
			s.change("the containerfile of before", func(f *Facts) { f.Config.Spec.Containerfile = before })
			s.finish()
			return s
		}),
		ends("lost-result-is-published-again", "of several images", "publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, "amd64", "arm64")
			s.lose(string(s.last().Status.DigestedImagePushSpec))
			s.finish()
			return s
		}),
		ends("failed-build-stays-failed", "one of two jobs failed", "", "Failed", func(i Impl) *scene {
			s := failedPool(i)
			s.finish()
			return s
		}),
		ends("failed-build-is-tried-again", "and builds only what failed", "arm64 publish", "Failed Succeeded", func(i Impl) *scene {
			s := failedPool(i)
			s.change("a build may fail twice", func(f *Facts) { f.Attempts = 2 })
			s.finish()
			return s
		}),
		ends("superseded-build-is-interrupted", "by another containerfile", "amd64 arm64", "Interrupted Building", func(i Impl) *scene {
			s := begin(i, "amd64", "arm64")
			s.run()
			s.jobs()
			s.change("another containerfile", noArch("FROM other"))
			s.run()
			return s
		}),
		shows("unneeded-jobs-are-deleted", "by another containerfile", 2, func(i Impl) (*scene, any) {
			s := begin(i, "amd64", "arm64")
			s.run()
			s.change("another containerfile", noArch("FROM other"))
			s.run()
			return s, len(s.Cluster.jobs)
		}),
		shows("unneeded-jobs-are-deleted", "but not those that are waited for", []string{"amd64", "arm64"}, func(i Impl) (*scene, any) {
			s := begin(i, "amd64", "arm64")
			s.run()
			s.change("another rendered config, of equal inputs", rendered("rendered-worker-2"))
			s.run()
			return s, s.jobs() // no other was created
		}),
	}
}

// failedPool is a pool whose build failed, because the job for arm64 did.
func failedPool(i Impl) *scene {
	s := begin(i, "amd64", "arm64")
	s.run()
	s.end(VerbSucceed, "amd64")
	s.end(VerbFail, "arm64")
	s.run()
	s.jobs()
	return s
}
