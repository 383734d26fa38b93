package server

import (
	"context"

	imagev1 "github.com/openshift/api/image/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/storage/names"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/polyarch/polyarch/examples/apiserver/validation"
	"github.com/polyarch/polyarch/importmode"
)

// streamStrategy is where a request meets the stored image stream: names,
// content, reference policies and generations, but not import modes. It models
// Strategy of openshift-apiserver (pkg/image/apiserver/registry/imagestream/
// strategy.go, 0c44269), without limits.
type streamStrategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	group schema.GroupVersion
}

func newStreamStrategy(g group) streamStrategy {
	return streamStrategy{ObjectTyper: g.scheme, NameGenerator: names.SimpleNameGenerator, group: g.version}
}

func (streamStrategy) NamespaceScoped() bool     { return true }
func (streamStrategy) AllowCreateOnUpdate() bool { return false }

// AllowUnconditionalUpdate is false, as upstream: whoever writes without having
// read would undo imports.
func (streamStrategy) AllowUnconditionalUpdate() bool { return false }
func (streamStrategy) Canonicalize(runtime.Object)    {}

func (s streamStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return map[fieldpath.APIVersion]*fieldpath.Set{
		fieldpath.APIVersion(s.group.String()): fieldpath.NewSet(fieldpath.MakePathOrDie("status")),
	}
}

func (s streamStrategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	stream := obj.(*imagev1.ImageStream)
	stream.Status = imagev1.ImageStreamStatus{}
	settleSpec(stream, nil)
}

func (s streamStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	stream, stored := obj.(*imagev1.ImageStream), old.(*imagev1.ImageStream)
	stream.Status = stored.Status
	settleSpec(stream, stored)
}

// settleSpec fills in what the server decides about the spec. Stored is nil at
// create.
func settleSpec(stream, stored *imagev1.ImageStream) {
	tags := validation.TagsByName(stored)
	validation.DefaultReferencePolicies(stream, tags)
	countGenerations(stream, stored, tags)
}

func (streamStrategy) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	return validation.Stream(obj.(*imagev1.ImageStream), nil)
}

func (streamStrategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	return validation.Stream(obj.(*imagev1.ImageStream), old.(*imagev1.ImageStream))
}

func (streamStrategy) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }
func (streamStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// modeStrategy adds the import modes. They are decided here, with the stored
// stream at hand, and not in decoding, which does not see it.
type modeStrategy struct {
	streamStrategy
	// cluster is the import mode of tags that are new and name none.
	cluster imagev1.ImportModeType
	// get reads the streams that tags follow.
	get streamGetter
	// allowed are the registries that may be imported from.
	allowed validation.AllowedRegistries
}

func (s modeStrategy) PrepareForCreate(ctx context.Context, obj runtime.Object) {
	s.prepare(ctx, obj.(*imagev1.ImageStream), nil)
	follow(ctx, s.get, obj.(*imagev1.ImageStream), nil)
}

func (s modeStrategy) PrepareForUpdate(ctx context.Context, obj, old runtime.Object) {
	s.prepare(ctx, obj.(*imagev1.ImageStream), old.(*imagev1.ImageStream))
	follow(ctx, s.get, obj.(*imagev1.ImageStream), old.(*imagev1.ImageStream))
}

// prepare is all but the events. Stored is nil at create.
func (s modeStrategy) prepare(ctx context.Context, stream, stored *imagev1.ImageStream) {
	s.defaultModes(stream, stored)
	if stored == nil {
		s.streamStrategy.PrepareForCreate(ctx, stream)
	} else {
		s.streamStrategy.PrepareForUpdate(ctx, stream, stored)
	}
}

// defaultModes gives each tag the mode that importmode decides.
func (s modeStrategy) defaultModes(stream, stored *imagev1.ImageStream) {
	var room [8]importmode.DecidedTag
	for i, d := range importmode.DefaultImageStream(room[:0], stream, stored, s.cluster, importmode.Options{}) {
		stream.Spec.Tags[i].ImportPolicy.ImportMode = d.Store
	}
}

func (s modeStrategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	stream := obj.(*imagev1.ImageStream)
	problems := append(s.streamStrategy.Validate(ctx, obj), importmode.ValidateImageStream(stream, nil)...)
	return s.validateSources(ctx, stream, nil, problems)
}

func (s modeStrategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	stream, stored := obj.(*imagev1.ImageStream), old.(*imagev1.ImageStream)
	problems := append(s.streamStrategy.ValidateUpdate(ctx, obj, old), importmode.ValidateImageStreamUpdate(stream, stored, nil)...)
	return s.validateSources(ctx, stream, stored, problems)
}

// validateSources holds what tags are from against what is there and allowed.
func (s modeStrategy) validateSources(ctx context.Context, stream, stored *imagev1.ImageStream, problems field.ErrorList) field.ErrorList {
	problems = append(problems, validateFollowing(ctx, s.get, stream, stored)...)
	return append(problems, s.allowed.AdmitStream(stream, stored)...)
}

// viewStrategy also writes the status that it is given. It is for the resources
// that are views of image streams, as upstream's InternalStrategy is, and never
// for what a client sends.
type viewStrategy struct{ modeStrategy }

func (s viewStrategy) PrepareForCreate(ctx context.Context, obj runtime.Object) {
	stream := obj.(*imagev1.ImageStream)
	status := stream.Status
	s.prepare(ctx, stream, nil)
	stream.Status = status
	follow(ctx, s.get, stream, nil)
}

func (s viewStrategy) PrepareForUpdate(ctx context.Context, obj, old runtime.Object) {
	stream, stored := obj.(*imagev1.ImageStream), old.(*imagev1.ImageStream)
	status := stream.Status
	s.prepare(ctx, stream, stored)
	stream.Status = status
	follow(ctx, s.get, stream, stored)
}

// streamStatusStrategy changes the status and nothing else.
type streamStatusStrategy struct{ streamStrategy }

func (s streamStatusStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return map[fieldpath.APIVersion]*fieldpath.Set{
		fieldpath.APIVersion(s.group.String()): fieldpath.NewSet(fieldpath.MakePathOrDie("spec")),
	}
}

func (streamStatusStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	stream, stored := obj.(*imagev1.ImageStream), old.(*imagev1.ImageStream)
	stream.Spec = stored.Spec
	stream.Generation = stored.Generation
	stream.Labels, stream.OwnerReferences = stored.Labels, stored.OwnerReferences
	observe(stream, stored)
}

func (streamStatusStrategy) ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList {
	return nil
}
