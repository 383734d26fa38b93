package buildplantest_test

import (
	"maps"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/manifestlist/buildplan/internal/ours"
)

// step is a controller of package buildplan with a mistake.
func step(spoil func(*ours.Parts)) func() buildplantest.Impl {
	return func() buildplantest.Impl {
		parts := ours.OurParts()
		spoil(&parts)
		return buildplantest.Impl{Reconcile: parts.Reconcile}
	}
}

// sees is a controller that plans with other facts.
func sees(change func(*buildplan.Facts)) func() buildplantest.Impl {
	return step(func(p *ours.Parts) {
		p.Plan = func(f buildplan.Facts) (buildplan.Build, error) {
			change(&f)
			return buildplan.Plan(f)
		}
	})
}

// plans is a controller that carries out another plan.
func plans(change func(buildplan.Facts, *buildplan.Build)) func() buildplantest.Impl {
	return step(func(p *ours.Parts) {
		p.Plan = func(f buildplan.Facts) (buildplan.Build, error) {
			b, err := buildplan.Plan(f)
			change(f, &b)
			return b, err
		}
	})
}

// writes is a controller that writes another state.
func writes(change func(current *mcfgv1.MachineOSBuild, out *buildplan.Outcome)) func() buildplantest.Impl {
	return step(func(p *ours.Parts) {
		p.Observe = func(b buildplan.Build, current *mcfgv1.MachineOSBuild, now metav1.Time) (buildplan.Outcome, error) {
			out, err := buildplan.Observe(b, current, now)
			change(current, &out)
			return out, err
		}
	})
}

// reconcileDefects are those of a controller, which histories show.
func reconcileDefects() []defect {
	return []defect{
		{"jobs of a build that was deleted end the next one of its name", []string{"job-belongs-to-its-build"}, sees(func(f *buildplan.Facts) {
			for n, j := range f.Jobs {
				for _, b := range f.Builds {
					if b.Name == j.Build {
						f.Jobs[n].Owner = b.UID
					}
				}
			}
		})},
		{"an image that the registry does not let read passes for one that is gone", []string{"build-without-jobs-is-prepared", "unreadable-image-is-waited-for", "unreadable-is-not-gone", "unreadable-result-is-waited-for"}, sees(func(f *buildplan.Facts) {
			f.Gone, f.Unreadable = append(f.Gone, f.Unreadable...), nil
		})},
		{"a build whose records were lost publishes what is left", []string{"any-write-may-be-the-last", "nothing-less-is-published"}, publishesTheRest},
		{"builds are made for as long as the registry says that it has nothing", []string{"lost-images-are-not-built-for-ever"}, sees(func(f *buildplan.Facts) {
			for _, b := range copies(f) {
				for n := range b.Status.Conditions {
					b.Status.Conditions[n].Reason = string(buildplan.ReasonSuperseded) // why does not matter
				}
			}
		})},
		{"a build whose attempt was edited is created again, for ever", []string{"any-write-may-be-the-last", "name-is-created-once", "superseded-build-is-interrupted"}, sees(func(f *buildplan.Facts) {
			f.Builds = slices.DeleteFunc(slices.Clone(f.Builds), func(b *mcfgv1.MachineOSBuild) bool {
				n, err := strconv.Atoi(b.Annotations[buildplan.AnnotationAttempt])
				return err != nil || n < 0
			})
		})},
		{"a rebuild request stays", []string{"a-rebuild-builds-everything", "a-rebuild-is-served-once", "any-write-may-be-the-last"}, step(func(p *ours.Parts) {
			p.Accept = func(annotations map[string]string, attempt int) map[string]string {
				accepted := buildplan.AcceptRebuild(annotations, attempt)
				accepted[buildplan.AnnotationRebuild] = ""
				return accepted
			}
		})},
		{"what runs is interrupted for a problem", []string{"a-problem-stops-nothing"}, plans(func(f buildplan.Facts, b *buildplan.Build) {
			for _, e := range f.Builds {
				if b.Next == buildplan.NextBlocked && len(e.Status.Conditions) > 0 && e.Status.BuildEnd == nil && e.Name != b.Name {
					b.Superseded = append(b.Superseded, e.Name)
				}
			}
		})},
		{"builds that another took the place of go on", []string{"a-rebuild-builds-everything", "any-write-may-be-the-last", "images-outlast-their-build", "running-job-is-waited-for", "superseded-build-is-interrupted"}, plans(func(_ buildplan.Facts, b *buildplan.Build) { b.Superseded = nil })},
		{"jobs whose image nobody needs go on", []string{"unneeded-jobs-are-deleted"}, plans(func(_ buildplan.Facts, b *buildplan.Build) { b.Obsolete = nil })},
		{"every build makes every image anew", []string{"a-deleted-job-is-not-run-again", "copied-source-is-not-needed", "equal-images-are-built-once", "failed-build-is-tried-again", "images-outlast-their-build", "lost-image-ends-its-build", "lost-image-is-built-again", "lost-result-is-published-again", "other-repository-is-copied-to", "publishing-job-ends-its-build", "running-job-is-waited-for", "unneeded-jobs-are-deleted", "what-changed-is-built"}, plans(func(_ buildplan.Facts, b *buildplan.Build) {
			for n := range b.Images {
				if i := &b.Images[n]; b.Next == buildplan.NextCreate {
					i.PullSpec, i.From = "", ""
				} else if b.Next == buildplan.NextContinue && i.From != "" && !i.Recorded {
					i.State, i.PullSpec, i.From, i.Exists = buildplan.StateRun, "", "", false
					i.Job = b.Name + "-" + i.Architecture
				}
			}
		})},
		{"a job that failed is run again", []string{"a-failed-sibling-starts-nothing", "ended-build-stays-as-it-is", "failed-build-is-tried-again", "failed-build-stays-failed", "failed-job-fails-its-build", "images-outlast-their-build", "job-belongs-to-its-build", "publishing-job-ends-its-build"}, sees(func(f *buildplan.Facts) {
			f.Jobs = slices.DeleteFunc(f.Jobs, func(j buildplan.Job) bool { return j.Phase == buildplan.PhaseFailed })
		})},
		{"conditions of others are dropped", []string{"conditions-of-others-stay"}, writes(func(_ *mcfgv1.MachineOSBuild, out *buildplan.Outcome) {
			out.Status.Conditions = out.Status.Conditions[:min(5, len(out.Status.Conditions))]
		})},
		{"a build fails though its other jobs run", []string{"a-failed-sibling-starts-nothing", "failed-job-fails-its-build"}, writes(func(current *mcfgv1.MachineOSBuild, out *buildplan.Outcome) {
			if out.Reason == buildplan.ReasonSiblings {
				*out = buildplan.Interrupt(current, nil, current.CreationTimestamp)
			}
		})},
		{"what jobs made is not recorded when their build is interrupted", []string{"images-outlast-their-build"}, step(func(p *ours.Parts) {
			p.Interrupt = func(current *mcfgv1.MachineOSBuild, _ []buildplan.Job, now metav1.Time) buildplan.Outcome {
				return buildplan.Interrupt(current, nil, now)
			}
		})},
	}
}

// copies puts copies in the place of the builds and returns them.
func copies(f *buildplan.Facts) []*mcfgv1.MachineOSBuild {
	f.Builds = slices.Clone(f.Builds)
	for n, b := range f.Builds {
		f.Builds[n] = b.DeepCopy()
	}
	return f.Builds
}

// publishesTheRest knows what a build was for when it looks at it, and its publishing
// job knows only what the records say.
func publishesTheRest() buildplantest.Impl {
	parts, known := ours.OurParts(), map[types.UID]map[string]string{}
	parts.Plan = func(f buildplan.Facts) (buildplan.Build, error) {
		for _, b := range copies(&f) {
			if known[b.UID] == nil {
				known[b.UID] = maps.Clone(b.Annotations)
			}
			for name, value := range known[b.UID] {
				if b.Annotations[name] == "" {
					b.Annotations[name] = value
				}
			}
		}
		return buildplan.Plan(f)
	}
	right := parts.Publish
	parts.Publish = func(build *mcfgv1.MachineOSBuild, read func(string) (buildplantest.Manifest, bool)) ([]byte, error) {
		b, err := right(build, read)
		for _, r := range buildplan.Records(build) {
			if m, ok := read(r.PullSpec); ok && err != nil {
				return m.Manifest, nil
			}
		}
		return b, err
	}
	return buildplantest.Impl{Reconcile: parts.Reconcile}
}
