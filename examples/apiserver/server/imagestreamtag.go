package server

import (
	"context"
	"fmt"
	"maps"
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
// streams. It is what "oc tag" writes to. It models REST of openshift-apiserver
// (pkg/image/apiserver/registry/imagestreamtag/rest.go, 08af395). Unlike that, it
// also shows a tag that has no image yet, so that one that waits for its import, or
// whose import fails, is seen; it answers a PUT of a tag that is not there with 404, by which oc knows that it has
// to create the tag; and it honors a precondition on the resource version.
type tagREST struct {
	rest.TableConvertor
	streams  streamViews
	images   *registry.Store
	strategy tagStrategy
	cluster  imagev1.ImportModeType
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
		return nil, errTagName
	}
	obj, err := r.streams.Get(ctx, streamName, options)
	if apierrors.IsNotFound(err) {
		return nil, apierrors.NewNotFound(tagResource, name)
	}
	if err != nil {
		return nil, err
	}
	view := tagView(obj.(*imagev1.ImageStream), tag)
	if view == nil {
		return nil, apierrors.NewNotFound(tagResource, name)
	}
	return r.withImage(ctx, view)
}

// errTagName is what nameAndTag of rest.go answers.
var errTagName = apierrors.NewBadRequest("ImageStreamTags must be retrieved with <name>:<tag>")

func (r tagREST) List(ctx context.Context, options *metainternalversion.ListOptions) (runtime.Object, error) {
	// Labels and fields are the streams', of which the tags are only views.
	obj, err := r.streams.List(ctx, options)
	if err != nil {
		return nil, err
	}
	streams := obj.(*imagev1.ImageStreamList)
	list := &imagev1.ImageStreamTagList{ListMeta: streams.ListMeta, Items: make([]imagev1.ImageStreamTag, 0, countTags(streams))}
	for i := range streams.Items {
		stream := &streams.Items[i]
		for j := range stream.Spec.Tags {
			tag := &stream.Spec.Tags[j]
			list.Items = append(list.Items, sharedView(stream, tag.Name, tag, statusTag(stream, tag.Name)))
		}
		for j := range stream.Status.Tags {
			if tag := &stream.Status.Tags[j]; specTag(stream, tag.Tag) == nil {
				list.Items = append(list.Items, sharedView(stream, tag.Tag, nil, tag))
			}
		}
		*stream = imagev1.ImageStream{} // what no view shares is not kept
	}
	return list, nil
}

func (r tagREST) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	requested := obj.(*imagev1.ImageStreamTag)
	rest.FillObjectMetaSystemFields(&requested.ObjectMeta)
	if err := rest.BeforeCreate(r.strategy, ctx, requested); err != nil {
		return nil, err
	}
	if err := validate(ctx, requested.DeepCopy()); err != nil {
		return nil, err
	}
	streamName, tag, _ := splitTagName(requested.Name) // as BeforeCreate has found
	stream, err := edit(func(stored *imagev1.ImageStream) (*imagev1.ImageStream, error) {
		if specTag(stored, tag) != nil {
			return nil, apierrors.NewAlreadyExists(tagResource, requested.Name)
		}
		stream := stored
		if stream == nil {
			stream = &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: request.NamespaceValue(ctx), Name: streamName}}
		}
		warnLabels(ctx, requested, stream)
		r.put(ctx, requested, stored, stream, tag)
		return stream, nil
	}).apply(ctx, r.streams, streamName, options.DryRun)
	if err != nil {
		return nil, err
	}
	return r.withImage(ctx, tagView(stream, tag))
}

func (r tagREST) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, _ rest.ValidateObjectFunc, validate rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	streamName, tag, ok := splitTagName(name)
	if !ok {
		return nil, false, errTagName
	}
	stream, err := edit(func(stored *imagev1.ImageStream) (*imagev1.ImageStream, error) {
		var old *imagev1.ImageStreamTag
		if stored != nil {
			old = tagView(stored, tag)
		}
		if old == nil {
			return nil, apierrors.NewNotFound(tagResource, name)
		}
		obj, err := info.UpdatedObject(ctx, old.DeepCopy())
		if err != nil {
			return nil, err
		}
		requested := obj.(*imagev1.ImageStreamTag)
		switch v := requested.ResourceVersion; v {
		case "":
			// Upstream: such a PUT should be refused, and was accepted once.
			requested.ResourceVersion = stored.ResourceVersion
		case stored.ResourceVersion:
		default:
			return nil, apierrors.NewConflict(tagResource, name, fmt.Errorf("the image stream is at resourceVersion %s, not %s", stored.ResourceVersion, v))
		}
		if old.Tag == nil && requested.Tag == nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("imagestreamtag %s is not a spec tag in imagestream %s/%s, cannot be updated", tag, stored.Namespace, stored.Name))
		}
		if err := rest.BeforeUpdate(r.strategy, ctx, requested, old); err != nil {
			return nil, err
		}
		if err := validate(ctx, requested, old); err != nil {
			return nil, err
		}
		warnLabels(ctx, requested, stored)
		r.put(ctx, requested, stored, stored, tag)
		return stored, nil
	}).apply(ctx, r.streams, streamName, options.DryRun)
	if err != nil {
		return nil, false, err
	}
	view, err := r.withImage(ctx, tagView(stream, tag))
	return view, false, err
}

// put writes the requested tag into the stream, under the mode that importmode
// decides. Stored is the stream as it was before, nil if there was none.
func (r tagREST) put(ctx context.Context, requested *imagev1.ImageStreamTag, stored, stream *imagev1.ImageStream, tag string) {
	d := importmode.DefaultImageStreamTag(requested, stored, r.cluster, optionsFor(ctx))
	path := field.NewPath("tag")
	warn(ctx, d.Findings(path))
	warnLegacy(ctx, r.cluster, d, requested.Tag.ImportPolicy.ImportMode, path)
	reference := requested.Tag.DeepCopy()
	reference.Name, reference.ImportPolicy.ImportMode = tag, d.Store
	if old := specTag(stream, tag); old != nil {
		*old = *reference
	} else {
		stream.Spec.Tags = append(stream.Spec.Tags, *reference)
	}
}

// Delete takes the tag out of the spec and its history out of the status, as
// Delete of rest.go does: what stayed in either would still be shown.
func (r tagREST) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	old, err := r.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, false, err
	}
	if err := validate(ctx, old); err != nil {
		return nil, false, err
	}
	streamName, tag, _ := splitTagName(name) // as Get has found
	_, err = edit(func(stored *imagev1.ImageStream) (*imagev1.ImageStream, error) {
		if stored == nil || tagView(stored, tag) == nil {
			return nil, apierrors.NewNotFound(tagResource, name)
		}
		if err := checkPreconditions(options.Preconditions, stored, name); err != nil {
			return nil, err
		}
		stored.Spec.Tags = slices.DeleteFunc(stored.Spec.Tags, func(t imagev1.TagReference) bool { return t.Name == tag })
		stored.Status.Tags = slices.DeleteFunc(stored.Status.Tags, func(t imagev1.NamedTagEventList) bool { return t.Tag == tag })
		return stored, nil
	}).apply(ctx, r.streams, streamName, options.DryRun)
	if err != nil {
		return nil, false, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, true, nil
}

// withImage fills in the image that the tag points to, as newISTag of rest.go does:
// under the name that the tag has for it, and with the annotations of the spec tag.
// An image that was deleted leaves its name.
func (r tagREST) withImage(ctx context.Context, view *imagev1.ImageStreamTag) (*imagev1.ImageStreamTag, error) {
	image, err := imageNamed(ctx, r.images, view.Image.Name)
	if err != nil || image == nil {
		return view, err
	}
	image.DockerImageReference = view.Image.DockerImageReference
	if len(view.Annotations) > 0 {
		annotations := maps.Clone(image.Annotations)
		if annotations == nil {
			annotations = map[string]string{}
		}
		maps.Copy(annotations, view.Annotations)
		image.Annotations = annotations
	}
	view.Image = *image
	return view, nil
}

// checkPreconditions holds what the client has read against the stream, whose
// UID and resource version a tag shows as its own.
func checkPreconditions(wanted *metav1.Preconditions, stored *imagev1.ImageStream, name string) error {
	if wanted == nil {
		return nil
	}
	if uid := wanted.UID; uid != nil && *uid != stored.UID {
		return apierrors.NewConflict(tagResource, name, fmt.Errorf("the UID in the precondition is %s, the image stream's is %s", *uid, stored.UID))
	}
	if v := wanted.ResourceVersion; v != nil && *v != stored.ResourceVersion {
		return apierrors.NewConflict(tagResource, name, fmt.Errorf("the resourceVersion in the precondition is %s, the image stream's is %s", *v, stored.ResourceVersion))
	}
	return nil
}

// tagView shows one tag of a stream, nil if the stream has none of that name. What
// it returns shares nothing with the stream.
func tagView(stream *imagev1.ImageStream, tag string) *imagev1.ImageStreamTag {
	spec, status := specTag(stream, tag), statusTag(stream, tag)
	if spec == nil && status == nil {
		return nil
	}
	view := sharedView(stream, tag, spec, status)
	return view.DeepCopy()
}

// sharedView is one tag of a stream, with what there is of it in spec and status. It
// models newISTag of rest.go: the labels are the stream's, and the annotations the
// spec tag's.
func sharedView(stream *imagev1.ImageStream, tag string, spec *imagev1.TagReference, status *imagev1.NamedTagEventList) imagev1.ImageStreamTag {
	view := imagev1.ImageStreamTag{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: stream.Namespace, Name: stream.Name + ":" + tag, UID: stream.UID,
			ResourceVersion: stream.ResourceVersion, CreationTimestamp: stream.CreationTimestamp,
			Labels: stream.Labels,
		},
		Tag:          spec,
		LookupPolicy: stream.Spec.LookupPolicy,
	}
	if spec != nil {
		view.Annotations = spec.Annotations
	}
	if status != nil {
		view.Conditions = status.Conditions
		if len(status.Items) > 0 {
			latest := status.Items[0]
			view.CreationTimestamp, view.Generation = latest.Created, latest.Generation
			view.Image.Name, view.Image.DockerImageReference = latest.Image, latest.DockerImageReference
		}
	}
	return view
}

// countTags is how many tags there are, for streams whose tags are all in the spec or
// all in the status, and at least that many for others.
func countTags(streams *imagev1.ImageStreamList) int {
	tags := 0
	for i := range streams.Items {
		tags += max(len(streams.Items[i].Spec.Tags), len(streams.Items[i].Status.Tags))
	}
	return tags
}
