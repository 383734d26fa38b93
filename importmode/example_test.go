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
		Payload: payloadarch.FromHostedCluster("Multi"),
		Nodes:   payloadarch.SetOf("arm64"),
	})
	fmt.Println(d.Mode, d.Reason, d.StatusChanges)
	for _, f := range d.Findings {
		fmt.Println(f.Code, "at", f.Path)
	}
	// Output:
	// PreserveOriginal MultiPayload true
	// HomogeneousNodes at spec.imageStreamImportMode
}

func ExampleEvaluate() {
	ev := importmode.Evaluate(configv1.ImportModeLegacy)
	fmt.Println(ev.Detected, ev.Reason)
	fmt.Println(ev.Message)
	// Output:
	// true OperatorEvaluationConditionDetected
	// image.config.openshift.io/cluster: spec.imageStreamImportMode is "Legacy" and overrides the mode that follows from the release payload; remove the field to let the payload decide, and set importPolicy.importMode in the image streams that need another mode
}

// The image registry operator writes the ClusterOperator itself, where others
// share the condition.
func ExampleClusterOperatorConditions() {
	existing := []configv1.ClusterOperatorStatusCondition{{
		Type:    configv1.EvaluationConditionsDetected,
		Status:  configv1.ConditionTrue,
		Reason:  "StorageEvaluation",
		Message: "a bucket is public",
	}}
	at := metav1.NewTime(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	detected := importmode.Evaluate(configv1.ImportModeLegacy)
	joined, changed := importmode.ClusterOperatorConditions(existing, configv1.EvaluationConditionsDetected, detected, at)
	fmt.Println(joined[0].Status, joined[0].Reason, changed)
	left, _ := importmode.ClusterOperatorConditions(joined, configv1.EvaluationConditionsDetected, importmode.Evaluate(""), at)
	fmt.Println(left[0].Status, left[0].Reason, "-", left[0].Message)
	// Output:
	// True StorageEvaluation::OperatorEvaluationConditionDetected true
	// True StorageEvaluation - a bucket is public
}

// An operator on library-go writes a condition of its own and leaves the
// ClusterOperator to the status controller.
func ExampleOperatorConditions() {
	var existing []operatorv1.OperatorCondition
	at := metav1.NewTime(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	const own = "ImageStreamImportModeEvaluationConditionsDetected"
	joined, changed := importmode.OperatorConditions(existing, own, importmode.Evaluate(configv1.ImportModeLegacy), at)
	fmt.Println(joined[0].Type, joined[0].Status, changed)
	// Output: ImageStreamImportModeEvaluationConditionsDetected True true
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
	// ImageStreamImportModeChanged: imagePolicyConfig.imageStreamImportMode changed from "Legacy" to "PreserveOriginal", as the status of image.config.openshift.io/cluster says; openshift-apiserver rolls out
}

func ExampleConfigure() {
	mode, err := importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{})
	fmt.Println(mode, err)
	_, err = importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: "Whole"})
	fmt.Println(err)
	// Output:
	// Legacy <nil>
	// OpenShiftAPIServerConfig: imagePolicyConfig.imageStreamImportMode: unknown import mode "Whole", allowed are "", "Legacy", "PreserveOriginal"; the server does not start
}

func ExampleConvert() {
	image := configv1.Image{Status: configv1.ImageStatus{ImageStreamImportMode: configv1.ImportModeLegacy}}
	mode, err := importmode.Convert[imagev1.ImportModeType](image.Status.ImageStreamImportMode)
	fmt.Printf("%T %s %v\n", mode, mode, err)
	// Output: v1.ImportModeType Legacy <nil>
}

func ExampleDefaultTag() {
	const cluster = imagev1.ImportModePreserveOriginal
	show := func(what string, d importmode.TagDecision) {
		fmt.Printf("%s: store %q, import by %s: %v\n", what, d.Store, d.Import, d.Reason)
	}
	show("new tag", importmode.DefaultTag("", "", false, cluster, importmode.Options{}))
	show("stored without a mode", importmode.DefaultTag("", "", true, cluster, importmode.Options{}))
	show("stored", importmode.DefaultTag("", imagev1.ImportModeLegacy, true, cluster, importmode.Options{}))
	show("given", importmode.DefaultTag(imagev1.ImportModeLegacy, "", false, cluster, importmode.Options{}))
	// Output:
	// new tag: store "PreserveOriginal", import by PreserveOriginal: ClusterMode
	// stored without a mode: store "", import by Legacy: StoredEmpty
	// stored: store "Legacy", import by Legacy: Stored
	// given: store "Legacy", import by Legacy: Given
}

func ExampleDefaultManagedTag() {
	d := importmode.DefaultManagedTag("", imagev1.ImportModeLegacy, true)
	fmt.Println(d.Store, d.Reason, d.Changed)
	// Output: PreserveOriginal Managed true
}

func ExampleDefaultImageStream() {
	stored := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "old"}, // from before the field existed
		{Name: "v1", ImportPolicy: imagev1.TagImportPolicy{ImportMode: imagev1.ImportModeLegacy}},
	}}}
	request := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "old"}, {Name: "v1"}, {Name: "v2"},
	}}}
	for _, d := range importmode.DefaultImageStream(nil, request, stored, imagev1.ImportModePreserveOriginal, importmode.Options{}) {
		fmt.Printf("%s %q %v new=%t changed=%t\n", d.Name, d.Store, d.Reason, d.New, d.Changed)
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
		request.Tag.ImportPolicy.ImportMode = d.Store
		fmt.Println(d.Store, d.Reason)
	}
	// Output: PreserveOriginal ClusterMode
}

// The image is imported by one mode and the tag keeps what it has.
func ExampleDefaultImageStreamImport() {
	request := &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Images: make([]imagev1.ImageImportSpec, 2)}}
	request.Spec.Images[0].From.Name = "registry.example.com/x/y:v1"
	request.Spec.Images[1].From.Name = "registry.example.com/x/y:v2"
	stored := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{{Name: "v1"}}}}
	for _, d := range importmode.DefaultImageStreamImport(nil, request, stored, imagev1.ImportModePreserveOriginal, importmode.Options{}) {
		fmt.Printf("%s: import by %s, store %q\n", d.Name, d.Import, d.Store)
	}
	// Output:
	// v1: import by Legacy, store ""
	// v2: import by PreserveOriginal, store "PreserveOriginal"
}

func ExampleDefaultRepositoryImport() {
	request := &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Repository: &imagev1.RepositoryImportSpec{}}}
	stored := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{{Name: "v1"}}}}
	tags := []string{"v1", "v2"} // as the registry lists them
	for _, d := range importmode.DefaultRepositoryImport(nil, request, tags, stored, imagev1.ImportModePreserveOriginal, importmode.Options{}) {
		fmt.Println(d.Name, d.Import, d.Reason)
	}
	// Output:
	// v1 Legacy StoredEmpty
	// v2 PreserveOriginal ClusterMode
}

func ExampleDefaultManagedImageStream() {
	manifest := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{{Name: "latest"}}}}
	for _, d := range importmode.DefaultManagedImageStream(nil, manifest, nil) {
		fmt.Println(d.Name, d.Store, d.Reason)
	}
	// Output: latest PreserveOriginal Managed
}

// A client that sends Legacy unasked, and is known for it.
func ExampleTagDecision_Findings() {
	d := importmode.DefaultTag(imagev1.ImportModeLegacy, "", false, imagev1.ImportModePreserveOriginal, importmode.Options{IgnoreLegacy: true})
	for _, f := range d.Findings(field.NewPath("spec", "tags").Key("v1")) {
		fmt.Println(f)
	}
	// Output: spec.tags[v1]: the client sends Legacy unasked, so Legacy counts as omitted; the tag is imported as "PreserveOriginal" (ClusterMode)
}

func ExampleEffectiveMode() {
	fmt.Println(importmode.EffectiveMode(""), importmode.EffectiveMode(imagev1.ImportModePreserveOriginal))
	// Output: Legacy PreserveOriginal
}

func ExampleModeChanged() {
	fmt.Println(importmode.ModeChanged("", imagev1.ImportModeLegacy), importmode.ModeChanged("", imagev1.ImportModePreserveOriginal))
	// Output: false true
}

// A caller with types of its own validates each tag.
func ExampleValidateMode() {
	path := field.NewPath("spec", "tags").Key("v1")
	for _, problem := range importmode.ValidateMode("Whole", imagev1.ImportModeLegacy, path) {
		fmt.Println(problem.Type, "at", problem.Field)
	}
	fmt.Println(len(importmode.ValidateMode("Whole", "Whole", path)))
	// Output:
	// Unsupported value at spec.tags[v1].importPolicy.importMode
	// 0
}

func ExampleValidateImageStream() {
	stream := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "v1", ImportPolicy: imagev1.TagImportPolicy{ImportMode: "Whole"}},
	}}}
	for _, problem := range importmode.ValidateImageStream(stream, nil) {
		fmt.Println(problem.Type, "at", problem.Field)
	}
	// Output: Unsupported value at spec.tags[v1].importPolicy.importMode
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

// What was read is written back: a stored value that is no mode is let through.
func ExampleValidateImageStreamTagUpdate() {
	stored := &imagev1.ImageStreamTag{Tag: &imagev1.TagReference{ImportPolicy: imagev1.TagImportPolicy{ImportMode: "Whole"}}}
	fmt.Println(len(importmode.ValidateImageStreamTagUpdate(stored.DeepCopy(), stored, nil)))
	// Output: 0
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
