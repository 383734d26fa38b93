package server

import (
	"context"
	"fmt"
	"slices"

	imagev1 "github.com/openshift/api/image/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/polyarch/polyarch/importmode"
)

// tagREST serves image stream tags, which are views of the tags of image
// streams. It is what "oc tag" writes to. Unlike a cluster's, it also shows a tag
// that has no image yet, since nothing is imported here.
type tagREST struct {
	rest.TableConvertor
	streams *registry.Store
	cluster imagev1.ImportModeType
}

var (
	_ rest.CreaterUpdater       = tagREST{}
	_ rest.Patcher              = tagREST{}
	_ rest.Lister               = tagREST{}
	_ rest.GracefulDeleter      = tagREST{}
	_ rest.Scoper               = tagREST{}
	_ rest.SingularNameProvider = tagREST{}
	_ rest.ShortNamesProvider   = tagREST{}
)

var (
	streamResource = schema.GroupResource{Group: imagev1.GroupName, Resource: "imagestreams"}
	tagResource    = schema.GroupResource{Group: imagev1.GroupName, Resource: "imagestreamtags"}
	tagKind        = schema.GroupKind{Group: imagev1.GroupName, Kind: "ImageStreamTag"}
)

func (tagREST) New() runtime.Object     { return &imagev1.ImageStreamTag{} }
func (tagREST) NewList() runtime.Object { return &imagev1.ImageStreamTagList{} }
func (tagREST) Destroy()                {}
func (tagREST) NamespaceScoped() bool   { return true }
func (tagREST) GetSingularName() string { return "imagestreamtag" }
func (tagREST) ShortNames() []string    { return []string{"istag"} }

func (r tagREST) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	streamName, tag, ok := splitTagName(name)
	if !ok {
		return nil, apierrors.NewNotFound(tagResource, name)
	}
	obj, err := r.streams.Get(ctx, streamName, options)
	if apierrors.IsNotFound(err) {
		return nil, apierrors.NewNotFound(tagResource, name)
	}
	if err != nil {
		return nil, err
	}
	if view := tagView(obj.(*imagev1.ImageStream), tag); view != nil {
		return view, nil
	}
	return nil, apierrors.NewNotFound(tagResource, name)
}

func (r tagREST) List(ctx context.Context, options *metainternalversion.ListOptions) (runtime.Object, error) {
	// Labels and fields are the streams', of which the tags are only views.
	obj, err := r.streams.List(ctx, options)
	if err != nil {
		return nil, err
	}
	streams := obj.(*imagev1.ImageStreamList)
	list := &imagev1.ImageStreamTagList{ListMeta: streams.ListMeta}
	for i := range streams.Items {
		for _, tag := range streams.Items[i].Spec.Tags {
			list.Items = append(list.Items, *tagView(&streams.Items[i], tag.Name))
		}
		for _, tag := range streams.Items[i].Status.Tags {
			if specTag(&streams.Items[i], tag.Tag) == nil {
				list.Items = append(list.Items, *tagView(&streams.Items[i], tag.Tag))
			}
		}
	}
	return list, nil
}

func (r tagREST) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	requested := obj.(*imagev1.ImageStreamTag)
	streamName, tag, ok := splitTagName(requested.Name)
	if !ok {
		return nil, apierrors.NewInvalid(tagKind, requested.Name, field.ErrorList{field.Invalid(field.NewPath("metadata", "name"), requested.Name, "must be <stream>:<tag>")})
	}
	if requested.Tag == nil {
		return nil, apierrors.NewInvalid(tagKind, requested.Name, field.ErrorList{field.Required(field.NewPath("tag"), "")})
	}
	if err := validate(ctx, requested.DeepCopy()); err != nil {
		return nil, err
	}
	stream, err := edit(func(stored *imagev1.ImageStream) (*imagev1.ImageStream, error) {
		if specTag(stored, tag) != nil {
			return nil, apierrors.NewAlreadyExists(tagResource, requested.Name)
		}
		return r.put(ctx, requested, nil, stored, streamName, tag)
	}).apply(ctx, r.streams, streamName, options.DryRun)
	if err != nil {
		return nil, err
	}
	return tagView(stream, tag), nil
}

func (r tagREST) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, _ rest.ValidateObjectFunc, validate rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	streamName, tag, ok := splitTagName(name)
	if !ok {
		return nil, false, apierrors.NewNotFound(tagResource, name)
	}
	stream, err := edit(func(stored *imagev1.ImageStream) (*imagev1.ImageStream, error) {
		if specTag(stored, tag) == nil {
			// By that, oc knows that it has to create the tag.
			return nil, apierrors.NewNotFound(tagResource, name)
		}
		old := tagView(stored, tag)
		obj, err := info.UpdatedObject(ctx, old)
		if err != nil {
			return nil, err
		}
		requested := obj.(*imagev1.ImageStreamTag)
		if v := requested.ResourceVersion; v != "" && v != stored.ResourceVersion {
			return nil, apierrors.NewConflict(tagResource, name, fmt.Errorf("the image stream is at resourceVersion %s, not %s", stored.ResourceVersion, v))
		}
		if err := validate(ctx, requested, old); err != nil {
			return nil, err
		}
		if requested.Tag == nil {
			return stored, nil
		}
		return r.put(ctx, requested, old, stored, streamName, tag)
	}).apply(ctx, r.streams, streamName, options.DryRun)
	if err != nil {
		return nil, false, err
	}
	return tagView(stream, tag), false, nil
}

// put writes the requested tag, under the mode that importmode decides, into the
// stored stream or, if there is none, into a new one. Old is the tag before an
// update, nil at create.
func (r tagREST) put(ctx context.Context, requested, old *imagev1.ImageStreamTag, stored *imagev1.ImageStream, streamName, tag string) (*imagev1.ImageStream, error) {
	if problems := importmode.ValidateImageStreamTagUpdate(requested, old, nil); len(problems) > 0 {
		return nil, apierrors.NewInvalid(tagKind, requested.Name, problems)
	}
	d := importmode.DefaultImageStreamTag(requested, stored, r.cluster, optionsFor(ctx))
	warn(ctx, d.Findings(field.NewPath("tag")))
	reference := requested.Tag.DeepCopy()
	reference.Name, reference.ImportPolicy.ImportMode = tag, d.Store

	stream := stored
	if stream == nil {
		stream = &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: request.NamespaceValue(ctx), Name: streamName}}
	}
	if old := specTag(stream, tag); old != nil {
		*old = *reference
	} else {
		stream.Spec.Tags = append(stream.Spec.Tags, *reference)
	}
	return stream, nil
}

func (r tagREST) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	old, err := r.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, false, err
	}
	if err := validate(ctx, old); err != nil {
		return nil, false, err
	}
	streamName, tag, _ := splitTagName(name)
	_, err = edit(func(stored *imagev1.ImageStream) (*imagev1.ImageStream, error) {
		if stored == nil || specTag(stored, tag) == nil {
			return nil, apierrors.NewNotFound(tagResource, name)
		}
		stored.Spec.Tags = slices.DeleteFunc(stored.Spec.Tags, func(t imagev1.TagReference) bool { return t.Name == tag })
		return stored, nil
	}).apply(ctx, r.streams, streamName, options.DryRun)
	if err != nil {
		return nil, false, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, true, nil
}

// tagView shows one tag of a stream, nil if the stream has none of that name.
func tagView(stream *imagev1.ImageStream, tag string) *imagev1.ImageStreamTag {
	spec, status := specTag(stream, tag), statusTag(stream, tag)
	if spec == nil && status == nil {
		return nil
	}
	view := &imagev1.ImageStreamTag{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: stream.Namespace, Name: stream.Name + ":" + tag, UID: stream.UID,
			ResourceVersion: stream.ResourceVersion, CreationTimestamp: stream.CreationTimestamp,
		},
		Tag:          spec.DeepCopy(),
		LookupPolicy: stream.Spec.LookupPolicy,
	}
	if status != nil {
		view.Conditions = slices.Clone(status.Conditions)
		if len(status.Items) > 0 {
			view.Generation = status.Items[0].Generation
			view.Image.Name, view.Image.DockerImageReference = status.Items[0].Image, status.Items[0].DockerImageReference
		}
	}
	return view
}
