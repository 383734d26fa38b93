package buildplan

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/payloadarch"
)

func pick(t *rapid.T, what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }

// anyOf is one of a list, if there is one.
func anyOf[T any](t *rapid.T, what string, list []T) T {
	if len(list) == 0 {
		t.Skip("no " + what)
	}
	return list[pick(t, what, len(list))]
}

// refusedPushSpec is a push spec without a form by digest.
const refusedPushSpec = "quay.io/a/b/c:refused"

// steps are what users, nodes, the registry, the garbage collector and strangers
// do, and the controller's writes.
func (w *world) steps() map[string]func(*rapid.T) {
	config := &w.facts.Config.Spec
	return map[string]func(*rapid.T){
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
		"deletion":        func(t *rapid.T) { w.deleteJob(anyOf(t, "job", w.facts.Jobs).Name) },
		"collection": func(t *rapid.T) {
			if !w.collect() {
				t.Skip("nothing to collect")
			}
		},
		"nodes": func(t *rapid.T) { w.facts.Architectures = payloadarch.SetOf(buildplantest.DrawArchitectures(t)...) },
		"edit": func(t *rapid.T) {
			config.Containerfile = []mcfgv1.MachineOSContainerfile{{Content: "FROM configs"}}
			if a := pick(t, "own file", 3); a > 0 {
				config.Containerfile = append(config.Containerfile,
					mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Arm64, Content: fmt.Sprint("FROM arm ", a)})
			}
		},
		"push spec": func(t *rapid.T) {
			config.RenderedImagePushSpec = anyOf(t, "push spec", []mcfgv1.ImageTagFormat{testRepository + ":latest", otherRegistry + ":latest", refusedPushSpec})
		},
		"rendered config": func(t *rapid.T) { w.facts.Rendered.Name = fmt.Sprint("rendered-worker-", pick(t, "rendered", 2)) },
		"rebuild":         func(t *rapid.T) { w.annotateConfig(AnnotationRebuild, "") },
		"attempt of the config": func(t *rapid.T) {
			w.annotateConfig(AnnotationAttempt, anyOf(t, "attempt", []string{"x", "-1", "7", ""}))
		},
		"image gone": func(t *rapid.T) { delete(w.registry, anyOf(t, "image", slices.Sorted(maps.Keys(w.registry)))) },
		"registry": func(t *rapid.T) {
			w.answers = anyOf(t, "answers", []answers{answersTruly, answersNothing, answersNotFound})
		},
		"delete build": func(t *rapid.T) {
			b := anyOf(t, "build", w.facts.Builds)
			if b.DeletionTimestamp == nil {
				b.DeletionTimestamp = &metav1.Time{}
				return
			}
			w.facts.Builds = slices.DeleteFunc(w.facts.Builds, func(o *mcfgv1.MachineOSBuild) bool { return o == b })
		},
		"delete build at once": func(t *rapid.T) {
			b := anyOf(t, "build", w.facts.Builds)
			w.facts.Builds = slices.DeleteFunc(w.facts.Builds, func(o *mcfgv1.MachineOSBuild) bool { return o == b })
		},
		"edit records": w.editRecords,
		"":             func(*rapid.T) { w.now++ },
	}
}

func (w *world) annotateConfig(name, value string) {
	if w.facts.Config.Annotations == nil {
		w.facts.Config.Annotations = map[string]string{}
	}
	w.facts.Config.Annotations[name] = value
}

// editRecords loses or edits an annotation of a build.
func (w *world) editRecords(t *rapid.T) {
	b := anyOf(t, "build", w.facts.Builds)
	name := anyOf(t, "annotation", slices.Sorted(maps.Keys(b.Annotations)))
	w.edited[b.UID] = true
	if rapid.Bool().Draw(t, "lost") {
		delete(b.Annotations, name)
		return
	}
	values := []string{"x", "-1", "7", "", "os:latest", digestText("another key")[len("sha256:"):]}
	for image := range maps.Keys(w.registry) {
		values = append(values, image)
	}
	slices.Sort(values)
	b.Annotations[name] = anyOf(t, "value", values)
}

// checkEnd fails if the world has come to an end that it should not have.
func (w *world) checkEnd(t tb, b Build) {
	switch b.Next {
	case NextDone:
		if w.named(b.Name) == nil || w.answers == answersTruly && !w.registry[b.PullSpec] {
			t.Fatalf("done with %s, which is not there", b.PullSpec)
		}
		w.checkPublished(t, b, b.PullSpec)
		for _, e := range w.facts.Builds {
			if e.Name != b.Name && endedAs(e.Status.Conditions) == "" && e.DeletionTimestamp == nil {
				t.Fatalf("build %s was left running", e.Name)
			}
		}
	case NextBlocked:
		if current := w.named(b.Name); w.facts.Config.Spec.RenderedImagePushSpec != refusedPushSpec && (current == nil || !w.edited[current.UID]) {
			t.Fatalf("blocked by %v", b.Problems)
		}
	case NextGiveUp:
	default:
		t.Fatalf("ends with %s (%s): %s", b.Next, b.Reason, states(b))
	}
}

func TestStateMachine(t *testing.T) {
	t.Run("29,32,37,39,49,52,61,92: killed after any write", func(t *testing.T) {
		ended := map[string]int{}
		rapid.Check(t, func(t *rapid.T) {
			w := newWorld(t)
			t.Repeat(w.steps())

			// Whatever the registry answers, it comes to rest.
			b := w.settle(t)
			if held := slices.ContainsFunc(b.all(), func(i Image) bool { return i.Reason == ReasonImageUnreadable }); !held {
				w.checkEnd(t, b)
			} else if w.answers != answersNothing {
				t.Fatalf("holds for a registry that answers: %s", states(b))
			} else {
				ended["held"]++
			}
			w.answers = answersTruly
			b = w.settle(t)
			w.checkEnd(t, b)
			ended[string(b.Next)]++
		})
		if ended["held"] == 0 || ended[string(NextDone)] == 0 || ended[string(NextGiveUp)] == 0 || ended[string(NextBlocked)] == 0 {
			t.Errorf("the machine ends only in %v", ended)
		}
	})
}
