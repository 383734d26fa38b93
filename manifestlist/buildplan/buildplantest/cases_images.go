package buildplantest

import mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

// imageRows are where the image of an architecture comes from.
func imageRows() []row {
	two := []string{"amd64", "arm64"}
	another := func(s *scene) { s.change("another rendered config, of equal inputs", rendered("rendered-worker-2")) }
	return []row{
		ends("unreadable-image-is-waited-for", "before it is published", "", "Building", func(i Impl) *scene {
			s := begin(i, two...)
			s.run()
			s.jobs()
			s.end(VerbSucceed, two...)
			s.registryAnswers(answersNothing)
			s.run()
			return s
		}),
		ends("unreadable-image-is-waited-for", "until the registry answers", "publish", "Succeeded", func(i Impl) *scene {
			s := begin(i, two...)
			s.run()
			s.jobs()
			s.end(VerbSucceed, two...)
			s.registryAnswers(answersNothing)
			s.run()
			s.registryAnswers(answersTruly)
			s.finish()
			return s
		}),
		ends("lost-image-ends-its-build", "and another build makes it again", "amd64 publish", "Interrupted Succeeded", func(i Impl) *scene {
			s := begin(i, two...)
			s.run()
			s.jobs()
			s.end(VerbSucceed, "amd64")
			s.run()
			s.lose(s.image("amd64"))
			s.end(VerbSucceed, "arm64")
			s.finish()
			return s
		}),
		ends("a-job-is-run-once", "it runs", "", "Building", func(i Impl) *scene {
			s := begin(i, two...)
			s.run()
			s.jobs()
			s.run()
			return s
		}),
		ends("a-job-is-run-once", "one succeeded, one runs", "", "Building", func(i Impl) *scene {
			s := begin(i, two...)
			s.run()
			s.jobs()
			s.end(VerbSucceed, "amd64")
			s.run()
			return s
		}),
		ends("a-job-is-run-once", "it gave no digest", "", "Failed", func(i Impl) *scene {
			s := begin(i, "amd64")
			s.run()
			s.jobs()
			s.end(VerbNoDigest, "amd64")
			s.run()
			return s
		}),
		ends("a-deleted-job-is-not-run-again", "its build is interrupted, and another runs it", "arm64", "Interrupted Building", func(i Impl) *scene {
			s := begin(i, two...)
			s.run()
			s.jobs()
			s.end(VerbDeleteJob, "arm64")
			s.run()
			return s
		}),
		ends("equal-images-are-built-once", "another rendered config", "publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, two...)
			another(s)
			s.finish()
			return s
		}),
		ends("equal-images-are-built-once", "a node of another architecture", "publish s390x", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, two...)
			s.change("a node of s390x", func(f *Facts) { f.Architectures = []string{"amd64", "arm64", "s390x"} })
			s.finish()
			return s
		}),
		ends("equal-images-are-built-once", "the last node of an architecture leaves", "publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, two...)
			s.change("no node of arm64", func(f *Facts) { f.Architectures = []string{"amd64"} })
			s.finish()
			return s
		}),
		ends("other-repository-is-copied-to", "another push spec", "publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, two...)
			s.change("another push spec", func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = OtherRepository + ":latest" })
			s.finish()
			return s
		}),
		shows("other-repository-is-copied-to", "the result is in the other repository", OtherRepository, func(i Impl) (*scene, any) {
			s := publishedPool(i, "amd64")
			s.change("another push spec", func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = OtherRepository + ":latest" })
			s.finish()
			return s, repositoryOf(string(s.last().Status.DigestedImagePushSpec))
		}),
		ends("other-repository-is-copied-to", "a build repository", "amd64 publish", "Succeeded", func(i Impl) *scene {
			s := begin(i, "amd64")
			s.change("a build repository", func(f *Facts) { f.BuildRepository = "builds.example.com/os" })
			s.finish()
			return s
		}),
		ends("lost-image-is-built-again", "one of two, of a build of before", "amd64 publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, two...)
			s.lose(s.image("amd64"))
			another(s)
			s.finish()
			return s
		}),
		ends("running-job-is-waited-for", "an edit that leaves one of two images as it is", "arm64", "Interrupted Building", func(i Impl) *scene {
			s := begin(i, two...)
			s.run()
			s.jobs()
			s.change("a containerfile for arm64", func(f *Facts) {
				f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, entry(mcfgv1.Arm64, "FROM own"))
			})
			s.run()
			return s
		}),
		ends("unreadable-is-not-gone", "images of a build of before", "", "Succeeded Prepared", func(i Impl) *scene {
			s := publishedPool(i, two...)
			another(s)
			s.registryAnswers(answersNothing)
			s.run()
			return s
		}),
		ends("unreadable-is-not-gone", "nor is what is published", "", "Succeeded", func(i Impl) *scene {
			s := publishedPool(i, two...)
			s.registryAnswers(answersNothing)
			s.run()
			return s
		}),
		ends("what-is-deleted-is-not-reused", "a build that is being deleted", "amd64 arm64 publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, two...)
			deleting(s, s.last())
			another(s)
			s.finish()
			return s
		}),
		ends("what-changed-is-built", "the base image of one architecture", "arm64 publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, two...)
			s.change("another base image for arm64", func(f *Facts) {
				f.Base["arm64"] = BaseImages{OS: Digest("new"), Extensions: f.Base["arm64"].Extensions}
			})
			s.finish()
			return s
		}),
		ends("a-failed-sibling-starts-nothing", "one job failed before the other was created", "", "Failed", func(i Impl) *scene {
			s := begin(i, two...)
			for range 100 {
				if s.write(); len(s.started) > 0 {
					break
				}
			}
			s.jobs()
			s.end(VerbFail, s.started[0].architecture)
			s.run()
			return s
		}),
		ends("a-failed-sibling-starts-nothing", "those that run may finish", "", "Building", func(i Impl) *scene {
			s := begin(i, two...)
			s.run()
			s.jobs()
			s.end(VerbFail, "amd64")
			s.run()
			s.latest("arm64")
			return s
		}),
		ends("a-failed-sibling-starts-nothing", "not beside one that runs", "", "Building", func(i Impl) *scene {
			s := begin(i, "amd64", "arm64", "s390x")
			for range 100 {
				if s.write(); len(s.started) > 1 {
					break
				}
			}
			s.jobs()
			s.end(VerbFail, s.started[0].architecture)
			s.run()
			return s
		}),
		ends("edited-records-are-not-believed", "those of a build of other inputs", "amd64 arm64 publish", "Succeeded Succeeded", func(i Impl) *scene {
			s := publishedPool(i, two...)
			other := publishedPool(i, two...)
			other.change("another containerfile", noArch("FROM other"))
			other.run()
			s.happens("somebody writes the annotations of a build of another containerfile to the build")
			s.touched[s.last().UID], s.anyTouched = true, true
			for k, v := range other.last().Annotations {
				s.last().Annotations[k] = v
			}
			s.change("another containerfile", noArch("FROM other"))
			s.finish()
			return s
		}),
	}
}
