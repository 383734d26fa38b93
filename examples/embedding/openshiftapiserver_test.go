package embedding_test

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/importmode"
)

// Strategy stands for the strategy of image streams in openshift-apiserver.
type Strategy struct {
	importMode imagev1.ImportModeType // the cluster's, out of the configuration file
}

// NewStrategy reads the mode where the server starts, so that an unknown one keeps
// it from starting.
func NewStrategy(config openshiftcontrolplanev1.OpenShiftAPIServerConfig) (Strategy, error) {
	mode, err := importmode.Configure(config.ImagePolicyConfig)
	if err != nil {
		return Strategy{}, err
	}
	return Strategy{importMode: mode}, nil
}

// PrepareForCreate and PrepareForUpdate default the modes before they look at
// what has changed.
func (s Strategy) PrepareForCreate(stream *ImageStream) {
	s.defaultImportModes(stream, nil)
	stream.Generation = 1
}

// PrepareForUpdate is as much of the method of that name as is about the mode.
func (s Strategy) PrepareForUpdate(stream, oldStream *ImageStream) {
	s.defaultImportModes(stream, oldStream.Spec.Tags)
	stream.Generation = oldStream.Generation
	if !maps.EqualFunc(oldStream.Spec.Tags, stream.Spec.Tags, sameTag) {
		stream.Generation++
	}
}

func (s Strategy) defaultImportModes(stream *ImageStream, storedTags map[string]TagReference) {
	for name, tag := range stream.Spec.Tags {
		stored, isStored := storedTags[name]
		decision := importmode.DefaultTag(imagev1.ImportModeType(tag.ImportPolicy.ImportMode),
			imagev1.ImportModeType(stored.ImportPolicy.ImportMode), isStored, s.importMode, importmode.Options{})
		tag.ImportPolicy.ImportMode = ImportModeType(decision.Store)
		stream.Spec.Tags[name] = tag
	}
}

// sameTag stands for the comparison that moves the generation. A mode compares by
// what it does: Legacy spelled out on a tag without a mode changes nothing.
func sameTag(old, next TagReference) bool {
	if importmode.ModeChanged(imagev1.ImportModeType(old.ImportPolicy.ImportMode), imagev1.ImportModeType(next.ImportPolicy.ImportMode)) {
		return false
	}
	old.ImportPolicy.ImportMode = next.ImportPolicy.ImportMode
	return old == next
}

// ValidateUpdate lets a bad value through that is stored already, so that such a
// stream can be changed elsewhere.
func (s Strategy) ValidateUpdate(stream, oldStream *ImageStream) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(stream.Spec.Tags)) {
		path := field.NewPath("spec", "tags").Key(name)
		given, stored := stream.Spec.Tags[name].ImportPolicy.ImportMode, oldStream.Spec.Tags[name].ImportPolicy.ImportMode
		errs = append(errs, importmode.ValidateMode(imagev1.ImportModeType(given), imagev1.ImportModeType(stored), path)...)
	}
	return errs
}

// A manifest without modes is applied over a stream that was stored before modes
// existed, then with Legacy spelled out, then with another tag.
func Example_openshiftAPIServer() {
	strategy, err := NewStrategy(openshiftcontrolplanev1.OpenShiftAPIServerConfig{
		ImagePolicyConfig: openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: openshiftcontrolplanev1.ImportModePreserveOriginal},
	})
	if err != nil {
		fmt.Println(err)
	}
	stored := imageStream(map[string]ImportModeType{"latest": ""})
	for _, manifest := range []map[string]ImportModeType{
		{"latest": ""}, {"latest": "Legacy"}, {"latest": "", "v2": ""},
	} {
		request := imageStream(manifest)
		strategy.PrepareForUpdate(request, stored)
		fmt.Println(request, strategy.ValidateUpdate(request, stored))
	}
	_, err = NewStrategy(openshiftcontrolplanev1.OpenShiftAPIServerConfig{
		ImagePolicyConfig: openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: "Sometimes"},
	})
	fmt.Printf("%T\n", err)
	// Output:
	// generation 1: latest="" []
	// generation 1: latest="Legacy" []
	// generation 2: latest="" v2="PreserveOriginal" []
	// *importmode.UnknownModeError
}

// imageStream makes a stored or requested stream with these modes.
func imageStream(modes map[string]ImportModeType) *ImageStream {
	stream := &ImageStream{Generation: 1}
	stream.Spec.Tags = map[string]TagReference{}
	for name, mode := range modes {
		stream.Spec.Tags[name] = TagReference{Name: name, ImportPolicy: TagImportPolicy{ImportMode: mode}}
	}
	return stream
}

func (s *ImageStream) String() string {
	text := fmt.Sprintf("generation %d:", s.Generation)
	for _, name := range slices.Sorted(maps.Keys(s.Spec.Tags)) {
		text += fmt.Sprintf(" %s=%q", name, s.Spec.Tags[name].ImportPolicy.ImportMode)
	}
	return text
}
