package buildplan

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/payloadarch"
)

// tb is what testing.T, testing.B and rapid.T have in common.
type tb interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

const (
	testRepository = buildplantest.Repository
	otherRegistry  = buildplantest.OtherRepository
)

// testTime is a moment that the tests count from.
func testTime(seconds int) metav1.Time {
	return metav1.NewTime(time.Date(2026, 8, 1, 12, 0, seconds, 0, time.UTC))
}

// factsFor are the facts of the pool worker with nodes of the architectures.
func factsFor(architectures ...string) Facts {
	return factsOf(buildplantest.FactsFor(architectures...))
}

// factsOf are inputs of the test package, of which nothing was built yet.
func factsOf(same buildplantest.Facts) Facts {
	f := Facts{
		Config: same.Config, Rendered: same.Rendered,
		Architectures: payloadarch.SetOf(same.Architectures...), Payload: payloadarch.Multi,
		Base: map[string]BaseImages{},
	}
	for a, images := range same.Base {
		f.Base[a] = BaseImages(images)
	}
	return f
}

// copyFacts returns facts that share no memory with f.
func copyFacts(f Facts) Facts {
	f.Config = f.Config.DeepCopy()
	f.Rendered = f.Rendered.DeepCopy()
	base := map[string]BaseImages{}
	for a, images := range f.Base {
		base[a] = images
	}
	f.Base = base
	builds := make([]*mcfgv1.MachineOSBuild, len(f.Builds))
	for i, b := range f.Builds {
		builds[i] = b.DeepCopy()
	}
	f.Builds = builds
	f.Jobs = slices.Clone(f.Jobs)
	f.Gone = slices.Clone(f.Gone)
	f.Unreadable = slices.Clone(f.Unreadable)
	return f
}

func mustPlan(t tb, f Facts) Build {
	t.Helper()
	b, err := Plan(f)
	if err != nil {
		t.Fatalf("Plan: %v", err)
	}
	return b
}

// created returns f with the build that it calls for.
func created(t tb, f Facts) (Facts, *mcfgv1.MachineOSBuild) {
	t.Helper()
	b := mustPlan(t, f)
	if b.Next != NextCreate {
		t.Fatalf("Next = %s (%s), want Create", b.Next, b.Reason)
	}
	object := b.MachineOSBuild()
	object.CreationTimestamp = testTime(len(f.Builds))
	object.UID = newUID()
	f = copyFacts(f)
	f.Builds = append(f.Builds, object)
	return f, object
}

var uids atomic.Int64

// newUID returns a UID that no other object of the tests has.
func newUID() types.UID { return types.UID(fmt.Sprint("uid-", uids.Add(1))) }

// observed writes what Observe says of the planned build.
func observed(t tb, f Facts, object *mcfgv1.MachineOSBuild, seconds int) Outcome {
	t.Helper()
	out, err := Observe(mustPlan(t, f), object, testTime(seconds))
	if err != nil {
		t.Fatalf("Observe: %v", err)
	}
	for name, value := range out.Annotations {
		object.Annotations[name] = value
	}
	object.Status = out.Status
	return out
}

// jobOf is a job that a plan asked for, in a phase.
func jobOf(b Build, img Image, phase Phase) Job {
	j := Job{Name: img.Job, Owner: b.UID, Build: b.Name, Architecture: img.Architecture, Phase: phase}
	if phase == PhaseSucceeded {
		repository, _ := splitTag(img.PushSpec)
		j.PullSpec = repository + "@" + buildplantest.Digest("made by "+img.Job)
	}
	return j
}

// finished carries a plan to its end: every job succeeds.
func finished(t tb, f Facts) (Facts, *mcfgv1.MachineOSBuild) {
	t.Helper()
	f, object := created(t, f)
	for i := range 20 {
		out := observed(t, f, object, 10*i)
		if out.Progress == mcfgv1.MachineOSBuildSucceeded {
			return f, object
		}
		b := mustPlan(t, f)
		for _, img := range b.all() {
			if img.State == StateRun {
				f.Jobs = append(f.Jobs, jobOf(b, img, PhaseSucceeded))
			}
		}
	}
	t.Fatalf("build %s does not end", object.Name)
	return f, nil
}

// states renders the images and the final image in short.
func states(b Build) string {
	text := ""
	for _, img := range b.all() {
		name := img.Architecture
		if name == "" {
			name = "publish"
		}
		text += fmt.Sprintf("%s:%s/%s ", name, img.State, img.Reason)
	}
	if text != "" {
		text = text[:len(text)-1]
	}
	return text
}

func codes(findings []Finding) []FindingCode {
	list := []FindingCode{}
	for _, f := range findings {
		list = append(list, f.Code)
	}
	return list
}

func imageOf(t tb, b Build, architecture string) Image {
	t.Helper()
	for _, img := range b.Images {
		if img.Architecture == architecture {
			return img
		}
	}
	t.Fatalf("build %s has no image for %s", b.Name, architecture)
	return Image{}
}

// controlled adds the controller reference that JobMeta leaves to its caller.
func controlled(meta metav1.ObjectMeta, build string, uid types.UID) metav1.ObjectMeta {
	owner := &metav1.ObjectMeta{Name: build, UID: uid}
	meta.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, mcfgv1.GroupVersion.WithKind("MachineOSBuild"))}
	return meta
}
