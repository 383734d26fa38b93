package importmode_test

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

func ExampleDecide() {
	d := importmode.Decide(importmode.Input{
		Spec:    "",
		Current: configv1.ImportModeLegacy,
		Payload: payloadarch.Multi,
		Nodes:   payloadarch.SetOf("arm64"),
	})
	fmt.Println(d.Mode, d.Reason, d.StatusChanges, d.RollsOut)
	for _, f := range d.Findings {
		fmt.Println(f.Code, "at", f.Path)
	}
	// Output:
	// PreserveOriginal MultiPayload true true
	// HomogeneousNodes at spec.imageStreamImportMode
}

func ExampleEvaluate() {
	ev := importmode.Evaluate(configv1.ImportModeLegacy)
	fmt.Println(ev.Detected, ev.Reason)
	fmt.Println(ev.Message)
	// Output:
	// true OperatorEvaluationConditionDetected
	// image.config.openshift.io/cluster: spec.imageStreamImportMode is "Legacy" and overrides the mode that follows from the release payload; remove the field to let the payload decide
}

func ExampleClusterOperatorConditions() {
	existing := []configv1.ClusterOperatorStatusCondition{{
		Type:    configv1.EvaluationConditionsDetected,
		Status:  configv1.ConditionTrue,
		Reason:  "StorageEvaluation",
		Message: "a bucket is public",
	}}
	at := metav1.NewTime(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	joined, changed := importmode.ClusterOperatorConditions(existing, importmode.Evaluate(configv1.ImportModeLegacy), at)
	fmt.Println(joined[0].Status, joined[0].Reason, changed)
	left, _ := importmode.ClusterOperatorConditions(joined, importmode.Evaluate(""), at)
	fmt.Println(left[0].Status, left[0].Reason, "-", left[0].Message)
	// Output:
	// True StorageEvaluation::OperatorEvaluationConditionDetected true
	// True StorageEvaluation - a bucket is public
}

func ExampleOperatorConditions() {
	var existing []operatorv1.OperatorCondition
	at := metav1.NewTime(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	joined, changed := importmode.OperatorConditions(existing, importmode.Evaluate(""), at)
	fmt.Println(joined[0].Type, joined[0].Status, joined[0].Reason, changed)
	// Output: EvaluationConditionsDetected False AsExpected true
}

func ExampleObserve() {
	image := &configv1.Image{Status: configv1.ImageStatus{ImageStreamImportMode: configv1.ImportModePreserveOriginal}}
	existing := map[string]any{"imagePolicyConfig": map[string]any{"imageStreamImportMode": "Legacy"}}
	o, err := importmode.Observe(image, nil, existing)
	if err != nil {
		fmt.Println(err) // o holds the previous configuration
	}
	fmt.Println(o.Config, o.Changed)
	fmt.Println(o.Event.Reason+":", o.Event.Message)
	// Output:
	// map[imagePolicyConfig:map[imageStreamImportMode:PreserveOriginal]] true
	// ImageStreamImportModeChanged: imagePolicyConfig.imageStreamImportMode changed from "Legacy" to "PreserveOriginal"
}

func ExampleConfigure() {
	mode, err := importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{})
	fmt.Println(mode, err)
	_, err = importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: "Whole"})
	fmt.Println(err)
	// Output:
	// Legacy <nil>
	// OpenShiftAPIServerConfig: imagePolicyConfig.imageStreamImportMode: unknown import mode "Whole", allowed are "", "Legacy", "PreserveOriginal"
}

func ExampleConvert() {
	image := configv1.Image{Status: configv1.ImageStatus{ImageStreamImportMode: configv1.ImportModeLegacy}}
	mode, err := importmode.Convert[imagev1.ImportModeType](image.Status.ImageStreamImportMode)
	fmt.Printf("%T %s %v\n", mode, mode, err)
	// Output: v1.ImportModeType Legacy <nil>
}

// An API server calls it when it prepares a create or an update, and writes the
// modes itself.
func ExampleDefaultImageStream() {
	stored := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "old"}, // from before the field existed
		{Name: "v1", ImportPolicy: imagev1.TagImportPolicy{ImportMode: imagev1.ImportModeLegacy}},
	}}}
	request := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "old"}, {Name: "v1"}, {Name: "v2"},
	}}}
	decisions := importmode.DefaultImageStream(nil, request, stored, imagev1.ImportModePreserveOriginal, importmode.Options{})
	for _, d := range decisions {
		t := &request.Spec.Tags[d.Index]
		t.ImportPolicy.ImportMode = d.Mode
		fmt.Printf("%s %q %s new=%t changed=%t\n", t.Name, d.Mode, d.Reason(), d.New, d.Changed)
	}
	// Output:
	// old "" StoredEmpty new=false changed=false
	// v1 "Legacy" Stored new=false changed=false
	// v2 "PreserveOriginal" ClusterMode new=true changed=false
}

func ExampleDefaultImageStreamTag() {
	request := &imagev1.ImageStreamTag{
		ObjectMeta: metav1.ObjectMeta{Name: "app:v1"},
		Tag:        &imagev1.TagReference{Name: "v1"},
	}
	if request.Tag != nil {
		d := importmode.DefaultImageStreamTag(request, nil, imagev1.ImportModePreserveOriginal, importmode.Options{})
		request.Tag.ImportPolicy.ImportMode = d.Mode
		fmt.Println(d.Mode, d.Reason())
	}
	// Output: PreserveOriginal ClusterMode
}

// A client that sends Legacy unasked, and is known for it.
func ExampleDefaultImageStreamImport() {
	request := &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Images: []imagev1.ImageImportSpec{
		{ImportPolicy: imagev1.TagImportPolicy{ImportMode: imagev1.ImportModeLegacy}},
	}}}
	request.Spec.Images[0].From.Name = "registry.example.com/x/y:v1"
	decisions := importmode.DefaultImageStreamImport(nil, request, nil, imagev1.ImportModePreserveOriginal, importmode.Options{IgnoreLegacy: true})
	fmt.Println(decisions[0].Mode, decisions[0].Reason())
	for _, f := range importmode.Findings(decisions, field.NewPath("spec", "images")) {
		fmt.Println(f.Code, "at", f.Path)
	}
	// Output:
	// PreserveOriginal ClusterMode
	// LegacyIgnored at spec.images[0]
}

func ExampleDefaultRepositoryImport() {
	request := &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Repository: &imagev1.RepositoryImportSpec{}}}
	stored := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{{Name: "v1"}}}}
	tags := []string{"v1", "v2"} // as the registry lists them
	for _, d := range importmode.DefaultRepositoryImport(nil, request, tags, stored, imagev1.ImportModePreserveOriginal, importmode.Options{}) {
		fmt.Println(tags[d.Index], d.Mode, d.Reason())
	}
	// Output:
	// v1 Legacy StoredEmpty
	// v2 PreserveOriginal ClusterMode
}

func ExampleDefaultManagedImageStream() {
	manifest := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{{Name: "latest"}}}}
	for _, d := range importmode.DefaultManagedImageStream(nil, manifest, nil) {
		fmt.Println(d.Mode, d.Reason())
	}
	// Output: PreserveOriginal Managed
}

func ExampleFindings() {
	manifest := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "latest", ImportPolicy: imagev1.TagImportPolicy{ImportMode: imagev1.ImportModeLegacy}},
	}}}
	existing := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "latest", ImportPolicy: imagev1.TagImportPolicy{ImportMode: imagev1.ImportModePreserveOriginal}},
	}}}
	decisions := importmode.DefaultManagedImageStream(nil, manifest, existing)
	for _, f := range importmode.Findings(decisions, field.NewPath("spec", "tags")) {
		fmt.Println(f.Code, "at", f.Path)
	}
	// Output: LegacyOverPreserveOriginal at spec.tags[0]
}

func ExampleEffectiveMode() {
	fmt.Println(importmode.EffectiveMode(""), importmode.EffectiveMode(imagev1.ImportModePreserveOriginal))
	// Output: Legacy PreserveOriginal
}

func ExampleModeChanged() {
	fmt.Println(importmode.ModeChanged("", imagev1.ImportModeLegacy), importmode.ModeChanged("", imagev1.ImportModePreserveOriginal))
	// Output: false true
}

func ExampleValidateImageStream() {
	stream := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "v1", ImportPolicy: imagev1.TagImportPolicy{ImportMode: "Whole"}},
	}}}
	for _, problem := range importmode.ValidateImageStream(stream, nil) {
		fmt.Println(problem.Type, "at", problem.Field)
	}
	// Output: Unsupported value at spec.tags[0].importPolicy.importMode
}

func ExampleValidateImageStreamUpdate() {
	stored := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "v1", ImportPolicy: imagev1.TagImportPolicy{ImportMode: "Whole"}},
	}}}
	request := stored.DeepCopy()
	request.Spec.Tags = append(request.Spec.Tags, imagev1.TagReference{Name: "v2"})
	fmt.Println(len(importmode.ValidateImageStreamUpdate(request, stored, nil)))
	// Output: 0
}

func ExampleValidateImageStreamTag() {
	request := &imagev1.ImageStreamTag{Tag: &imagev1.TagReference{ImportPolicy: imagev1.TagImportPolicy{ImportMode: "Whole"}}}
	for _, problem := range importmode.ValidateImageStreamTag(request, nil) {
		fmt.Println(problem.Field)
	}
	// Output: tag.importPolicy.importMode
}

func ExampleValidateImageStreamImport() {
	request := &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{
		Repository: &imagev1.RepositoryImportSpec{ImportPolicy: imagev1.TagImportPolicy{ImportMode: "Whole"}},
	}}
	for _, problem := range importmode.ValidateImageStreamImport(request, nil) {
		fmt.Println(problem.Field)
	}
	// Output: spec.repository.importPolicy.importMode
}
