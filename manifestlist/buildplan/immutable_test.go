package buildplan

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// richFacts make Plan touch everything it can.
func richFacts(t testing.TB) Facts {
	f, object := finished(t, factsFor("amd64", "arm64"))
	f.Gone = []string{object.Annotations[AnnotationImage+"arm64"]}
	f.Rendered.Spec.Extensions = []string{"usbguard", "ipsec", "ipsec"}
	f.Config.Annotations = map[string]string{AnnotationAttempt: "0"}
	f.Rendered.Name = "rendered-worker-2"
	return f
}

func TestArgumentsAreNotChanged(t *testing.T) {
	f := richFacts(t)
	before := copyFacts(f)
	b := mustPlan(t, f)
	object := b.MachineOSBuild()
	object.Status = Interrupt(object, f.Jobs, testTime(0)).Status
	object.Status.Conditions = object.Status.Conditions[:2]
	was, wasBuild := object.DeepCopy(), mustPlan(t, f)
	if _, err := Observe(b, object, testTime(5)); err != nil {
		t.Fatal(err)
	}
	Interrupt(object, f.Jobs, testTime(5))
	Records(object)
	AcceptRebuild(f.Config.Annotations, 7)
	job := &batchv1.Job{ObjectMeta: b.JobMeta(b.Images[0])}
	wasJob := job.DeepCopy()
	ReadJob(job, buildplantest.Digest("x"))

	if diff := cmp.Diff(before, f, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Errorf("facts (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(was, object); diff != "" {
		t.Errorf("object (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(wasBuild, b); diff != "" {
		t.Errorf("plan (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(wasJob, job); diff != "" {
		t.Errorf("job (-before +after):\n%s", diff)
	}

	child := imageFor("arm64", "x")
	manifest := string(child.Manifest)
	build := recorded(t, []string{"arm64"}, map[string]manifestlist.Child{"arm64": child})
	p, err := Publish(build, []manifestlist.Child{child})
	if err != nil {
		t.Fatal(err)
	}
	p.Bytes[0] = 'x'
	if string(child.Manifest) != manifest {
		t.Error("the bytes to push are those of the argument")
	}
}

// Whoever changes a result changes neither an argument nor the next result.
func TestResultsAreNotShared(t *testing.T) {
	f := richFacts(t)
	b := mustPlan(t, f)
	object := b.MachineOSBuild()
	out, err := Observe(b, object, testTime(0))
	if err != nil {
		t.Fatal(err)
	}
	was := object.DeepCopy()
	for i := range out.Status.Conditions {
		out.Status.Conditions[i].Reason = "Changed"
	}
	object.Status = out.Status
	again, err := Observe(b, object, testTime(0))
	if err != nil {
		t.Fatal(err)
	}
	again.Status.BuildStart = nil
	for i := range again.Status.Conditions {
		again.Status.Conditions[i].Type = "Changed"
	}
	if object.Status.Conditions[0].Type == "Changed" {
		t.Error("conditions are shared")
	}
	accepted := AcceptRebuild(f.Config.Annotations, 3)
	accepted["x"] = "y"
	meta := b.JobMeta(b.Images[0])
	meta.Labels["x"], meta.Annotations["x"] = "y", "y"
	args := b.Images[0].BuildArgs()
	args["x"] = "y"
	if _, shared := f.Config.Annotations["x"]; shared {
		t.Error("annotations are shared")
	}
	if diff := cmp.Diff(was, b.MachineOSBuild()); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	b.Images[0].Base.OS, b.Findings = "changed", nil
	if mustPlan(t, f).Images[0].Base.OS == "changed" {
		t.Error("images are shared")
	}
}
