package buildplan

import (
	"slices"
	"strings"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/payloadarch"
)

// FuzzPushSpec holds what Plan says of a push spec to the patterns of the CRD.
func FuzzPushSpec(f *testing.F) {
	f.Add("quay.io/org/os")                           // one path level
	f.Add("quay.io/org/team/os")                      // legal as a push spec, not by digest
	f.Add("image-registry.openshift.svc:5000/ns/os")  // a service
	f.Add("127.0.0.1:41234/ns/name")                  // an address
	f.Add("quay.io//os")                              // the CRD takes it, no registry does
	f.Add("quay.io/")                                 // the same
	f.Add("quay.io:/os")                              // a colon and no port
	f.Add("-.-/_")                                    // the least that is legal
	f.Add("quay.io/" + strings.Repeat("a", 447-72-8)) // the longest
	f.Add("quay.io/" + strings.Repeat("a", 447-72-7)) // one more
	f.Fuzz(func(t *testing.T, repository string) {
		if strings.Contains(repository, "@") {
			return
		}
		checkRepository(t, repository)
	})
}

// FuzzPlan feeds what users and other controllers may write. Whatever it is, a
// plan comes back, it is the same twice, and its names fit.
func FuzzPlan(f *testing.F) {
	key := strings.Repeat("0", 64)
	f.Add("worker", "FROM configs", "AMD64", "quay.io/org/os:v1", "", key, "quay.io/org/os@"+buildplantest.Digest("x"), "amd64,arm64") // as it should be
	f.Add("worker", "", "", "quay.io/a/b/c:v1", "-1", "", "", "")                                                                      // nothing but trouble
	f.Add(strings.Repeat("p", 300), "\r\n", "RISCV64", "", "99999999999999999999", "0", "@", "riscv64")                                // too long, too large
	f.Add(".", "FROM", "NoArch", ":", "1e3", key, "os:latest", ",,,")                                                                  // separators only
	f.Fuzz(func(t *testing.T, pool, content, architecture, pushSpec, attempt, key, image, set string) {
		facts := factsFor("amd64", "arm64")
		facts.Architectures = payloadarch.ParseSet(set)
		facts.Config.Spec.MachineConfigPool.Name = pool
		facts.Config.Spec.Containerfile = append(facts.Config.Spec.Containerfile,
			mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.ContainerfileArch(architecture), Content: content})
		facts.Config.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat(pushSpec)
		facts.Config.Annotations = map[string]string{AnnotationAttempt: attempt}
		first, err := Plan(facts)
		if err != nil {
			if pool != "" {
				t.Fatal(err)
			}
			return
		}
		// The same build as it was created, with an image, and with edited records.
		object := first.MachineOSBuild()
		object.Annotations[AnnotationImage+"amd64"] = image
		for i, name := range []string{"", AnnotationAttempt, AnnotationKey + "amd64"} {
			edited := object.DeepCopy()
			if name != "" {
				edited.Annotations[name] = []string{"", attempt, key}[i]
			}
			facts.Builds = []*mcfgv1.MachineOSBuild{edited}
			checkFuzzedPlan(t, facts)
		}
	})
}

func checkFuzzedPlan(t *testing.T, facts Facts) {
	t.Helper()
	b := mustPlan(t, facts)
	again, err := Plan(facts)
	if err != nil || states(b) != states(again) || b.Name != again.Name {
		t.Fatalf("%s %s, then %s %s, %v", b.Name, states(b), again.Name, states(again), err)
	}
	if len(b.Images) != facts.Architectures.Len() {
		t.Fatalf("%d images for %q", len(b.Images), facts.Architectures)
	}
	if b.Next == NextCreate && b.Name == facts.Builds[0].Name {
		t.Fatalf("creates %s, which exists", b.Name)
	}
	if b.Next == NextCreate {
		for _, m := range slices.Concat(buildplantest.Misfits(asKitHasIt(b)), buildplantest.Shared(asKitHasIt(b))) {
			if !strings.Contains(m, "label "+LabelPool) { // a pool name that no CRD takes
				t.Error(m)
			}
		}
	}
	for _, r := range Records(facts.Builds[0]) {
		if !isKey(r.Key) || r.PullSpec != "" && !isPullSpec(r.PullSpec) {
			t.Errorf("record %+v", r)
		}
	}
}

// asKitHasIt are the names of a build in the terms of the test package.
func asKitHasIt(b Build) buildplantest.Plan {
	p := buildplantest.Plan{Build: b.Name, Create: b.MachineOSBuild()}
	for _, i := range b.all() {
		if i.Architecture == "" && i.Reason == ReasonInPlace {
			continue // no job
		}
		p.Images = append(p.Images, buildplantest.Image{PushSpec: i.PushSpec, Job: b.JobMeta(i)})
	}
	return p
}
