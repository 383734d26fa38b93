package controller_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/ssp/controller"
)

// A starter empties the API server and puts nodes and an SSP object into it.
type starter func(t *testing.T, templates ...dictexpand.Template) *site

// TestAdapter runs all tests on one API server, each from its beginning.
func TestAdapter(t *testing.T) {
	start := boot(t)
	for _, tc := range []struct {
		name string
		test func(*testing.T, starter)
	}{
		{"Story", testStory},
		{"Scenarios", testScenarios},
		{"Rename", testRename},
		{"FailingWrites", testFailingWrites},
		{"Conflict", testConflict},
		{"LongName", testLongName},
		{"ObjectsOfOthers", testObjectsOfOthers},
		{"OwnImages", testOwnImages},
		{"Nodes", testNodes},
		{"PrunedFields", testPrunedFields},
		{"UnreadableSpec", testUnreadableSpec},
		{"ConditionsOfOthers", testConditionsOfOthers},
		{"Watches", testWatches},
		{"WriteFailures", testWriteFailures},
		{"EventsOnChange", testEventsOnChange},
		{"BoundedMessage", testBoundedMessage},
		{"CleanUp", testCleanUp},
		{"CleanUpThatFails", testCleanUpThatFails},
		{"Heartbeats", testHeartbeats},
		{"DefinitionsRefuse", testDefinitionsRefuse},
		{"DryRunRefuses", testDryRunRefuses},
		{"Typos", testTypos},
		{"DryRunUnknown", testDryRunUnknown},
		{"Grace", testGrace},
	} {
		t.Run(tc.name, func(t *testing.T) { tc.test(t, start) })
	}
}

// testStory is the example of the story, from the YAML of an SSP object to the
// YAML of what the API server then holds.
func testStory(t *testing.T, start starter) {
	s := start(t)
	story, err := os.ReadFile(filepath.Join("testdata", "story.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	u := &unstructured.Unstructured{}
	if err := yaml.UnmarshalStrict(story, &u.Object); err != nil {
		t.Fatal(err)
	}
	was := s.get(t)
	was.Object["spec"] = u.Object["spec"]
	if err := s.Update(t.Context(), was); err != nil {
		t.Fatal(err)
	}
	s.settle(t)

	var objects []client.Object
	for _, c := range s.crons(t) {
		objects = append(objects, &c)
	}
	for _, ds := range s.dataSources(t) {
		objects = append(objects, &ds)
	}
	var made []string
	for _, obj := range objects {
		kinds, _, err := s.Scheme().ObjectKinds(obj)
		if err != nil {
			t.Fatal(err)
		}
		// As stored, and not as our types read it.
		raw := &unstructured.Unstructured{}
		raw.SetGroupVersionKind(kinds[0])
		if err := s.Get(t.Context(), client.ObjectKeyFromObject(obj), raw); err != nil {
			t.Fatal(err)
		}
		for _, server := range []string{"creationTimestamp", "generation", "managedFields", "resourceVersion", "uid"} {
			unstructured.RemoveNestedField(raw.Object, "metadata", server)
		}
		y, err := yaml.Marshal(raw.Object)
		if err != nil {
			t.Fatal(err)
		}
		name := obj.GetName() + ".yaml"
		made = append(made, name)
		golden := filepath.Join("testdata", "golden", name)
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(string(want), string(y)); diff != "" {
			t.Errorf("%s, -want +got:\n%s", golden, diff)
		}
	}
	if diff := cmp.Diff([]string{"rhel10-image-cron-amd64.yaml", "rhel10-image-cron-arm64.yaml", "rhel10.yaml"}, made); diff != "" {
		t.Errorf("objects, -want +got:\n%s", diff)
	}
	s.expectCondition(t, "True", controller.ReasonAsExpected)
}

// Two templates for one DataSource: neither is made, and the cron that one of
// them has is not deleted.
func testConflict(t *testing.T, start starter) {
	s := start(t, template("fedora", "fedora", "amd64"))
	s.settle(t)
	live := []string{"cron fedora-amd64 manages fedora-amd64", "DataSource fedora leads to fedora-amd64"}
	s.expect(t, "one template", live...)

	s.change(t, true, template("fedora", "fedora", "amd64"), template("mine", "fedora", "amd64"), template("centos", "centos", ""))
	s.settle(t)
	s.expect(t, "two templates for one DataSource", "cron centos manages centos", live[0], live[1])
	s.expectCondition(t, "False", controller.ReasonBlocked)
	_, _, message := s.condition(t)
	for _, name := range []string{"fedora", "mine"} {
		if !strings.Contains(message, name) {
			t.Errorf("the message does not name %q: %s", name, message)
		}
	}

	s.change(t, true, template("fedora", "fedora", "amd64"), template("centos", "centos", ""))
	s.settle(t)
	s.expect(t, "resolved", "cron centos manages centos", live[0], live[1])
	s.expectCondition(t, "True", controller.ReasonAsExpected)
}

// A name that is too long with its suffix is a problem that says so; the other
// template is made.
func testLongName(t *testing.T, start starter) {
	long := strings.Repeat("n", 60)
	s := start(t, template(long, "long", "amd64,arm64"), template("fedora", "fedora", "amd64"))
	s.settle(t)
	s.expect(t, "a name of 60", "cron fedora-amd64 manages fedora-amd64", "DataSource fedora leads to fedora-amd64")
	s.expectCondition(t, "False", controller.ReasonBlocked)
	if _, _, message := s.condition(t); !strings.Contains(message, long) || !strings.Contains(message, "57") {
		t.Errorf("the message does not name the template and what fits: %s", message)
	}
	if diff := cmp.Diff([]string{"FieldValueTooLong", "TemplatesBlocked"}, s.saw()); diff != "" {
		t.Errorf("events, -want +got:\n%s", diff)
	}
}

func testObjectsOfOthers(t *testing.T, start starter) {
	s := start(t)
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: controller.GoldenImages, Name: name, Labels: map[string]string{"app": "mine"}}
	}
	cron := &cdiv1beta1.DataImportCron{ObjectMeta: meta("fedora-amd64"), Spec: template("", "mine", "").Spec}
	other := &cdiv1beta1.DataImportCron{ObjectMeta: meta("unrelated"), Spec: template("", "unrelated", "").Spec}
	s.create(t, cron)
	s.create(t, other)
	s.create(t, &cdiv1beta1.DataSource{ObjectMeta: meta("fedora")})
	s.create(t, &corev1.PersistentVolumeClaim{ObjectMeta: meta("own")})
	s.create(t, pointsTo("centos", "own"))
	before := s.versions(t)

	s.change(t, true, template("fedora", "fedora", "amd64,arm64"), template("centos", "centos", ""))
	s.settle(t)
	s.expect(t, "beside objects of others",
		"cron fedora-amd64 manages mine",
		"cron fedora-arm64 manages fedora-arm64",
		"cron unrelated manages unrelated",
		"DataSource centos has own",
		"DataSource fedora")
	s.expectCondition(t, "False", controller.ReasonLeftAlone)
	if diff := cmp.Diff([]string{"AutoUpdateOff", "NotOwned", "NotOwned"}, s.saw()); diff != "" {
		t.Errorf("events, -want +got:\n%s", diff)
	}

	s.change(t, true)
	s.settle(t)
	after := s.versions(t)
	delete(before, "SSP")
	delete(after, "SSP")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("objects of others changed:\n%s", diff)
	}
	s.expectCondition(t, "True", controller.ReasonAsExpected)
}

// pointsTo returns a DataSource that points to a claim.
func pointsTo(name, claim string) *cdiv1beta1.DataSource {
	ds := &cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: controller.GoldenImages, Name: name}}
	ds.Spec.Source.PVC = &cdiv1beta1.DataVolumeSourcePVC{Namespace: controller.GoldenImages, Name: claim}
	return ds
}

// No cron replaces an uploaded image. A DataSource whose claim was imported, and
// one whose claim does not exist, stop no cron, and get the label without which CDI
// updates neither.
func testOwnImages(t *testing.T, start starter) {
	s := start(t)
	uploaded := metav1.ObjectMeta{Namespace: controller.GoldenImages, Name: "uploaded"}
	imported := metav1.ObjectMeta{
		Namespace: controller.GoldenImages, Name: "imported", Labels: map[string]string{dictexpand.LabelDataImportCron: "lost"},
	}
	s.create(t, &corev1.PersistentVolumeClaim{ObjectMeta: uploaded})
	s.create(t, &corev1.PersistentVolumeClaim{ObjectMeta: imported})
	s.create(t, pointsTo("own", "uploaded"))
	s.create(t, pointsTo("lost", "imported"))
	s.create(t, pointsTo("placeholder", "none"))
	s.change(t, true, template("own", "own", ""), template("lost", "lost", ""), template("placeholder", "placeholder", ""))
	s.settle(t)
	s.expect(t, "an image of each sort",
		"cron lost manages lost",
		"cron placeholder manages placeholder",
		"DataSource lost has imported of cron lost",
		"DataSource own has uploaded",
		"DataSource placeholder has none of cron placeholder")
	s.expectCondition(t, "True", controller.ReasonAsExpected)
	if diff := cmp.Diff([]string{"AutoUpdateOff"}, s.saw()); diff != "" {
		t.Errorf("events, -want +got:\n%s", diff)
	}
}

// Without spec.cluster the architectures are those of the nodes, and while one
// node has none yet nothing is deleted.
func testNodes(t *testing.T, start starter) {
	s := start(t, template("fedora", "fedora", "amd64,arm64,s390x"))
	s.settle(t)
	two := []string{"cron fedora-amd64 manages fedora-amd64", "cron fedora-arm64 manages fedora-arm64"}
	ref := "DataSource fedora leads to fedora-amd64"
	s.expect(t, "amd64 and arm64", append(two, ref)...)

	s.node(t, "c", "s390x")
	s.settle(t)
	s.expect(t, "a node of s390x joined", append(two, "cron fedora-s390x manages fedora-s390x", ref)...)

	// The only arm64 node is replaced: the new one has not said what it is.
	gone := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "b"}}
	if err := s.Delete(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	s.node(t, "d", "")
	s.settle(t)
	s.expect(t, "a node without an architecture", append(two, "cron fedora-s390x manages fedora-s390x", ref)...)
	s.expectCondition(t, "False", controller.ReasonLeftAlone)

	if err := s.Delete(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "d"}}); err != nil {
		t.Fatal(err)
	}
	s.settle(t)
	s.expect(t, "arm64 is gone for good", two[0], "cron fedora-s390x manages fedora-s390x", ref)
	s.expectCondition(t, "True", controller.ReasonAsExpected)
}

// testPrunedFields sends all that a template can hold: what the API server does
// not keep must not look like a change.
func testPrunedFields(t *testing.T, start starter) {
	x := template("full", "full", "amd64,arm64")
	yes, keep, class, block := true, int32(2), "ceph", corev1.PersistentVolumeBlock
	none := cdiv1beta1.DataImportCronRetainNone
	x.Spec.ImportsToKeep, x.Spec.RetentionPolicy = &keep, &none
	x.Spec.Template.TypeMeta = metav1.TypeMeta{APIVersion: "cdi.kubevirt.io/v1beta1", Kind: "DataVolume"}
	x.Spec.Template.ObjectMeta = metav1.ObjectMeta{Name: "pruned", Labels: map[string]string{"l": "v"}, Annotations: map[string]string{"a": "v"}}
	x.Spec.Template.Spec.Source.Registry.SecretRef = &class
	x.Spec.Template.Spec.Source.Registry.CertConfigMap = &class
	x.Spec.Template.Spec.Preallocation = &yes
	x.Spec.Template.Spec.PriorityClassName = "high"
	x.Spec.Template.Spec.Storage = &cdiv1beta1.StorageSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}, VolumeMode: &block, StorageClassName: &class,
		Selector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "k", Operator: metav1.LabelSelectorOpIn, Values: []string{"v"}}}},
		Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{
			corev1.ResourceStorage: resource.MustParse("0.5Ti"), // 512Gi, when the server has read it
		}},
	}
	s := start(t, x)
	s.settle(t)
	s.expect(t, "created",
		"cron full-amd64 manages full-amd64", "cron full-arm64 manages full-arm64", "DataSource full leads to full-amd64")
	if m := s.crons(t)[0].Spec.Template.ObjectMeta; m.Name != "" || m.Labels != nil {
		t.Errorf("the metadata of the DataVolume is not pruned, so this test shows nothing: %+v", m)
	}
}

func testUnreadableSpec(t *testing.T, start starter) {
	s := start(t, template("fedora", "fedora", "amd64"))
	s.settle(t)
	u := s.get(t)
	if err := unstructured.SetNestedField(u.Object, "not a list", "spec", "commonTemplates", "dataImportCronTemplates"); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	s.settle(t)
	s.expect(t, "nothing is deleted", "cron fedora-amd64 manages fedora-amd64", "DataSource fedora leads to fedora-amd64")
	s.expectCondition(t, "False", controller.ReasonUnreadable)
}

// The conditions of others stay.
func testConditionsOfOthers(t *testing.T, start starter) {
	s := start(t, template("fedora", "fedora", "adm64"))
	u := s.get(t)
	others := map[string]any{"type": "Available", "status": "True", "lastHeartbeatTime": "2026-01-01T00:00:00Z"}
	if err := unstructured.SetNestedSlice(u.Object, []any{others}, "status", "conditions"); err != nil {
		t.Fatal(err)
	}
	if err := s.Status().Update(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	s.settle(t)
	s.change(t, true)
	s.settle(t)
	all, _, err := unstructured.NestedSlice(s.get(t).Object, "status", "conditions")
	if err != nil || len(all) != 2 {
		t.Fatalf("conditions %v, %v", all, err)
	}
	if diff := cmp.Diff(any(others), all[0]); diff != "" {
		t.Errorf("a condition of others changed:\n%s", diff)
	}
	s.expectCondition(t, "True", controller.ReasonAsExpected)
}

// The definitions refuse what CDI's webhooks refuse.
func testDefinitionsRefuse(t *testing.T, start starter) {
	s := start(t)
	cron := func(name, managed string) *cdiv1beta1.DataImportCron {
		return &cdiv1beta1.DataImportCron{
			ObjectMeta: metav1.ObjectMeta{Namespace: controller.GoldenImages, Name: name}, Spec: template("", managed, "").Spec,
		}
	}
	fits, long := strings.Repeat("a", 63), strings.Repeat("a", 64)
	s.create(t, cron(fits, fits))
	if err := s.Create(t.Context(), cron(long, "m")); !apierrors.IsInvalid(err) {
		t.Errorf("a name of 64: %v", err)
	}
	if err := s.Create(t.Context(), cron("x", long)); !apierrors.IsInvalid(err) {
		t.Errorf("a managedDataSource of 64: %v", err)
	}
	live := &s.crons(t)[0]
	live.Labels = map[string]string{"l": "v"}
	if err := s.Update(t.Context(), live); err != nil {
		t.Errorf("a label: %v", err)
	}
	live.Spec.Schedule = "0 0 * * *"
	if err := s.Update(t.Context(), live); !apierrors.IsInvalid(err) {
		t.Errorf("another spec: %v", err)
	}
}
