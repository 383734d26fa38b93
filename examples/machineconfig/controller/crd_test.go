package controller_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/payloadarch"
)

const someDigest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// TestRealCRD sends builds of pools of any name, and what Observe says of them
// while their jobs do anything, to the CRD as OpenShift ships it. Nothing is
// refused, and what has ended cannot be changed.
func TestRealCRD(t *testing.T) {
	c := testserver.Client(t, testserver.Start(t), operator.Scheme())
	ctx := t.Context()
	runs, ended := 0, map[mcfgv1.BuildProgress]int{}
	rapid.Check(t, func(t *rapid.T) {
		runs++
		pool := fmt.Sprintf("p%d", runs) + rapid.SampledFrom([]string{"", ".infra", strings.Repeat("x", 100), strings.Repeat(".y", 100)}).Draw(t, "pool")
		f := buildplan.Facts{
			Config: &mcfgv1.MachineOSConfig{ObjectMeta: metav1.ObjectMeta{Name: pool}, Spec: mcfgv1.MachineOSConfigSpec{
				MachineConfigPool: mcfgv1.MachineConfigPoolReference{Name: pool},
				RenderedImagePushSpec: mcfgv1.ImageTagFormat(rapid.SampledFrom([]string{
					"127.0.0.1:4000/ns/name:v1", "quay.io/os:v1", "image-registry.openshift-image-registry.svc:5000/ns/os:v1",
					"quay.io/" + strings.Repeat("n", 61) + "/" + strings.Repeat("o", 300) + ":v1",
				}).Draw(t, "push spec")),
			}},
			Rendered: &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: "rendered-" + pool}},
			Architectures: payloadarch.SetOf(rapid.SliceOfNDistinct(
				rapid.SampledFrom([]string{"amd64", "arm64", "s390x"}), 1, 3, rapid.ID[string]).Draw(t, "architectures")...),
			Payload: payloadarch.Multi,
			Base:    map[string]buildplan.BaseImages{},
		}
		for a := range f.Architectures.All() {
			f.Base[a] = buildplan.BaseImages{OS: someDigest}
		}
		plan := func() buildplan.Build {
			b, err := buildplan.Plan(f)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		object := plan().MachineOSBuild()
		if err := c.Create(ctx, object); err != nil {
			t.Fatalf("%s: %v", object.Name, err)
		}
		f.Builds = []*mcfgv1.MachineOSBuild{object}
		for range rapid.IntRange(1, 12).Draw(t, "rounds") {
			b := plan()
			out, err := buildplan.Observe(b, object, metav1.Now())
			if err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 20).Draw(t, "superseded") == 20 {
				out = buildplan.Interrupt(object, f.Jobs, metav1.Now())
			}
			if object.Annotations == nil {
				object.Annotations = map[string]string{}
			}
			maps.Copy(object.Annotations, out.Annotations)
			if err := c.Update(ctx, object); err != nil {
				t.Fatal(err)
			}
			object.Status = out.Status
			if err := c.Status().Update(ctx, object); err != nil {
				t.Fatalf("%s: %v", out.Progress, err)
			}
			if object.Status.BuildEnd != nil {
				break
			}
			for _, image := range append(slices.Clone(b.Images), b.Publish) {
				job := buildplan.Job{Name: image.Job, Owner: object.UID, Build: b.Name, Architecture: image.Architecture, Phase: buildplan.PhaseRunning}
				i := slices.IndexFunc(f.Jobs, func(j buildplan.Job) bool { return j.Name == image.Job })
				switch {
				case i >= 0 && f.Jobs[i].Phase == buildplan.PhaseRunning:
					f.Jobs[i].Phase = rapid.SampledFrom([]buildplan.Phase{
						buildplan.PhaseRunning, buildplan.PhaseSucceeded, buildplan.PhaseSucceeded, buildplan.PhaseFailed, buildplan.PhaseDeleted,
					}).Draw(t, "phase of "+image.Architecture)
					repository := image.PushSpec[:strings.LastIndexByte(image.PushSpec, ':')]
					f.Jobs[i].PullSpec = repository + "@" + someDigest
				case image.State == buildplan.StateRun:
					f.Jobs = append(f.Jobs, job)
				}
			}
		}
		if object.Status.BuildEnd == nil {
			return
		}
		for _, condition := range object.Status.Conditions {
			if condition.Status == metav1.ConditionTrue {
				ended[mcfgv1.BuildProgress(condition.Type)]++
			}
		}
		object.Status.Conditions[0].Message = "changed"
		if err := c.Status().Update(ctx, object); !apierrors.IsInvalid(err) {
			t.Fatalf("conditions changed after the end: %v", err)
		}
	})
	for _, p := range []mcfgv1.BuildProgress{mcfgv1.MachineOSBuildSucceeded, mcfgv1.MachineOSBuildFailed, mcfgv1.MachineOSBuildInterrupted} {
		if ended[p] == 0 {
			t.Errorf("no build ended as %s: %v", p, ended)
		}
	}

	// The CRD's description gives the empty group as an example, its rule refuses
	// it: this is why ConfigMaps are not among the related objects.
	object := &mcfgv1.MachineOSBuild{ObjectMeta: metav1.ObjectMeta{Name: "b"}, Spec: mcfgv1.MachineOSBuildSpec{
		MachineConfig:   mcfgv1.MachineConfigReference{Name: "rendered-worker"},
		MachineOSConfig: mcfgv1.MachineOSConfigReference{Name: "worker"}, RenderedImagePushSpec: "quay.io/os:v1",
	}}
	must(t, c.Create(t.Context(), object))
	for group, taken := range map[string]bool{"batch": true, "": false} {
		must(t, c.Get(t.Context(), client.ObjectKeyFromObject(object), object))
		object.Status.RelatedObjects = []mcfgv1.ObjectReference{{Group: group, Resource: "things", Name: "x"}}
		if err := c.Status().Update(t.Context(), object); (err == nil) != taken {
			t.Errorf("group %q: %v", group, err)
		}
	}
}
