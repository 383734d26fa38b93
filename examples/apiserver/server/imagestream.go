package server

import (
	"context"

	imagev1 "github.com/openshift/api/image/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericregistry "k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/storage/names"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/polyarch/polyarch/importmode"
)

func imageGroup(name string) group {
	return newGroup(schema.GroupVersion{Group: name, Version: "v1"},
		&imagev1.ImageStream{}, &imagev1.ImageStreamList{},
		&imagev1.ImageStreamTag{}, &imagev1.ImageStreamTagList{}, &imagev1.ImageStreamImport{})
}

// imageStreams serves image streams under the group's name. A cluster mode of ""
// makes them pass through: what Configure returns is never empty.
func imageStreams(g group, options genericregistry.RESTOptionsGetter, cluster imagev1.ImportModeType) (*genericapiserver.APIGroupInfo, error) {
	strategy := imageStreamStrategy{
		ObjectTyper:   g.scheme,
		NameGenerator: names.SimpleNameGenerator,
		group:         g.version,
		cluster:       cluster,
		passThrough:   cluster == "",
	}
	resource := schema.GroupResource{Group: g.version.Group, Resource: "imagestreams"}
	store := &registry.Store{
		NewFunc:                   func() runtime.Object { return &imagev1.ImageStream{} },
		NewListFunc:               func() runtime.Object { return &imagev1.ImageStreamList{} },
		DefaultQualifiedResource:  resource,
		SingularQualifiedResource: schema.GroupResource{Group: resource.Group, Resource: "imagestream"},
		CreateStrategy:            strategy,
		UpdateStrategy:            strategy,
		DeleteStrategy:            strategy,
		ResetFieldsStrategy:       strategy,
		TableConvertor:            rest.NewDefaultTableConvertor(resource),
	}
	if err := store.CompleteWithOptions(&genericregistry.StoreOptions{RESTOptions: options}); err != nil {
		return nil, err
	}
	status := *store
	statusStrategy := imageStreamStatusStrategy{strategy}
	status.CreateStrategy, status.DeleteStrategy = nil, nil
	status.UpdateStrategy, status.ResetFieldsStrategy = statusStrategy, statusStrategy

	served := map[string]rest.Storage{
		"imagestreams":        namedREST{store, "is"},
		"imagestreams/status": statusREST{&status},
	}
	if !strategy.passThrough {
		served["imagestreamtags"] = tagREST{TableConvertor: rest.NewDefaultTableConvertor(tagResource), streams: store, cluster: cluster}
		served["imagestreamimports"] = importREST{streams: store, cluster: cluster}
	}
	return g.info(served), nil
}

// imageStreamStrategy is where a request meets the stored object.
type imageStreamStrategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	group schema.GroupVersion
	// cluster is the import mode of tags that are new and name none.
	cluster imagev1.ImportModeType
	// passThrough leaves importmode out, for benchmarks to compare with.
	passThrough bool
}

func (imageStreamStrategy) NamespaceScoped() bool          { return true }
func (imageStreamStrategy) AllowCreateOnUpdate() bool      { return false }
func (imageStreamStrategy) AllowUnconditionalUpdate() bool { return true }
func (imageStreamStrategy) Canonicalize(runtime.Object)    {}

func (s imageStreamStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return map[fieldpath.APIVersion]*fieldpath.Set{
		fieldpath.APIVersion(s.group.String()): fieldpath.NewSet(fieldpath.MakePathOrDie("status")),
	}
}

func (s imageStreamStrategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	stream := obj.(*imagev1.ImageStream)
	stream.Status = imagev1.ImageStreamStatus{}
	s.defaultModes(stream, nil)
	countGenerations(stream, nil)
}

func (s imageStreamStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	stream, stored := obj.(*imagev1.ImageStream), old.(*imagev1.ImageStream)
	stream.Status = stored.Status
	s.defaultModes(stream, stored)
	countGenerations(stream, stored)
}

// defaultModes gives each tag the mode that importmode decides, with the stream
// at hand that the tag was stored in.
func (s imageStreamStrategy) defaultModes(stream, stored *imagev1.ImageStream) {
	if s.passThrough {
		return
	}
	var room [8]importmode.DecidedTag
	for i, d := range importmode.DefaultImageStream(room[:0], stream, stored, s.cluster, importmode.Options{}) {
		stream.Spec.Tags[i].ImportPolicy.ImportMode = d.Store
	}
}

func (s imageStreamStrategy) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	stream := obj.(*imagev1.ImageStream)
	problems := validateTagNames(stream)
	if s.passThrough {
		return problems
	}
	return append(problems, importmode.ValidateImageStream(stream, nil)...)
}

func (s imageStreamStrategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	stream := obj.(*imagev1.ImageStream)
	problems := validateTagNames(stream)
	if s.passThrough {
		return problems
	}
	return append(problems, importmode.ValidateImageStreamUpdate(stream, old.(*imagev1.ImageStream), nil)...)
}

// validateTagNames wants what makes the list of tags a map: names, and each once.
func validateTagNames(stream *imagev1.ImageStream) field.ErrorList {
	var problems field.ErrorList
	seen := make(map[string]bool, len(stream.Spec.Tags))
	for i := range stream.Spec.Tags {
		name, path := stream.Spec.Tags[i].Name, field.NewPath("spec", "tags").Index(i).Child("name")
		switch {
		case name == "":
			problems = append(problems, field.Required(path, ""))
		case seen[name]:
			problems = append(problems, field.Duplicate(path, name))
		}
		seen[name] = true
	}
	return problems
}

func (imageStreamStrategy) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }
func (imageStreamStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// imageStreamStatusStrategy changes the status and nothing else.
type imageStreamStatusStrategy struct{ imageStreamStrategy }

func (s imageStreamStatusStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return map[fieldpath.APIVersion]*fieldpath.Set{
		fieldpath.APIVersion(s.group.String()): fieldpath.NewSet(fieldpath.MakePathOrDie("spec")),
	}
}

func (imageStreamStatusStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	stream, stored := obj.(*imagev1.ImageStream), old.(*imagev1.ImageStream)
	stream.Spec = stored.Spec
	stream.Generation = stored.Generation
	stream.Labels, stream.OwnerReferences = stored.Labels, stored.OwnerReferences
}

func (imageStreamStatusStrategy) ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList {
	return nil
}
