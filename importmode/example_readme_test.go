package importmode_test

import (
	"fmt"
	"maps"
	"slices"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// The README shows the middle part of each of these Examples, word for word.

func Example_imageRegistryOperator() {
	clusterVersion, featureGate := settledMultiCluster()
	image := &configv1.Image{}

	payload := payloadarch.FromClusterVersion(clusterVersion, featureGate)
	decision := importmode.Decide(importmode.Input{
		Spec:    image.Spec.ImageStreamImportMode,
		Payload: payload.Kind,
		Current: image.Status.ImageStreamImportMode,
	})
	if decision.StatusChanges {
		image.Status.ImageStreamImportMode = decision.Mode // and write the status
	}

	fmt.Println(image.Status.ImageStreamImportMode)
	// Output: PreserveOriginal
}

func settledMultiCluster() (*configv1.ClusterVersion, *configv1.FeatureGate) {
	return clusterVersion(configv1.ClusterVersionArchitectureMulti, configv1.CompletedUpdate, "m"),
		gates("4.20.0", "ImageStreamImportMode")
}

// eventRecorder stands for the recorder of library-go.
type eventRecorder struct{}

func (eventRecorder) Event(reason, message string) { fmt.Println(reason+":", message) }

func Example_openshiftAPIServerOperator() {
	var recorder eventRecorder
	image := &configv1.Image{Status: configv1.ImageStatus{ImageStreamImportMode: configv1.ImportModePreserveOriginal}}
	var listerErr error
	var existingConfig map[string]any

	observed, err := importmode.Observe(image, listerErr, existingConfig)
	// observed.Config is the pruned configuration, also beside an error: then it is the previous one.
	if observed.Event != nil {
		recorder.Event(observed.Event.Reason, observed.Event.Message)
	}

	fmt.Println(observed.Config, err)
	// Output:
	// ImageStreamImportModeChanged: imagePolicyConfig.imageStreamImportMode changed from "" to "PreserveOriginal"
	// map[imagePolicyConfig:map[imageStreamImportMode:PreserveOriginal]] <nil>
}

// The tags of openshift-apiserver's strategies are in a map, and of a type of its
// own.
type (
	internalMode         string
	internalImportPolicy struct{ ImportMode internalMode }
	internalTag          struct{ ImportPolicy internalImportPolicy }
	internalSpec         struct{ Tags map[string]internalTag }
	internalStream       struct{ Spec internalSpec }
)

func Example_openshiftAPIServer() {
	clusterMode := imagev1.ImportModePreserveOriginal
	stored := &internalStream{internalSpec{map[string]internalTag{"old": {}, "v1": {internalImportPolicy{"Legacy"}}}}}
	stream := &internalStream{internalSpec{map[string]internalTag{"old": {}, "v1": {}, "v2": {}}}}

	for name, tag := range stream.Spec.Tags {
		old, isStored := stored.Spec.Tags[name]
		given, was := imagev1.ImportModeType(tag.ImportPolicy.ImportMode), imagev1.ImportModeType(old.ImportPolicy.ImportMode)
		tag.ImportPolicy.ImportMode = internalMode(importmode.DefaultTag(given, was, isStored, clusterMode, importmode.Options{}).Store)
		stream.Spec.Tags[name] = tag
	}

	for _, name := range slices.Sorted(maps.Keys(stream.Spec.Tags)) {
		fmt.Printf("%s %q\n", name, stream.Spec.Tags[name].ImportPolicy.ImportMode)
	}
	// Output:
	// old ""
	// v1 "Legacy"
	// v2 "PreserveOriginal"
}

func Example_imageStreams() {
	clusterMode := imagev1.ImportModePreserveOriginal
	stored := stream(tag("old", ""))
	stream := stream(tag("old", ""), tag("v2", ""))

	for i, d := range importmode.DefaultImageStream(nil, stream, stored, clusterMode, importmode.Options{}) {
		stream.Spec.Tags[i].ImportPolicy.ImportMode = d.Store
	}

	for _, tag := range stream.Spec.Tags {
		fmt.Printf("%s %q\n", tag.Name, tag.ImportPolicy.ImportMode)
	}
	// Output:
	// old ""
	// v2 "PreserveOriginal"
}

func Example_clusterVersionOperator() {
	manifest, existing := stream(tag("cli", "")), stream(tag("cli", "Legacy"))

	for i, d := range importmode.DefaultManagedImageStream(nil, manifest, existing) {
		manifest.Spec.Tags[i].ImportPolicy.ImportMode = d.Store
	}

	fmt.Println(manifest.Spec.Tags[0].ImportPolicy.ImportMode)
	// Output: PreserveOriginal
}
