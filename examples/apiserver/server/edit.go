package server

import (
	"context"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
)

// An edit changes a copy of the image stream as it is stored at that moment; it
// runs again if somebody else is faster. Without a stream of that name, it gets
// nil, and what it returns is created. Through it, the resources that are views
// of image streams write by way of the stream's own strategy.
type edit func(stored *imagev1.ImageStream) (*imagev1.ImageStream, error)

var _ rest.UpdatedObjectInfo = edit(nil)

func (f edit) Preconditions() *metav1.Preconditions { return nil }

func (f edit) UpdatedObject(_ context.Context, old runtime.Object) (runtime.Object, error) {
	stored := old.(*imagev1.ImageStream)
	if stored.ResourceVersion == "" {
		return f(nil)
	}
	return f(stored.DeepCopy())
}

// apply writes the edit to the stream of that name.
func (f edit) apply(ctx context.Context, streams streamViews, name string, dryRun []string) (*imagev1.ImageStream, error) {
	obj, _, err := streams.views.Update(ctx, name, f, rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, true, &metav1.UpdateOptions{DryRun: dryRun})
	if err != nil {
		return nil, err
	}
	return obj.(*imagev1.ImageStream), nil
}

// specTag returns the spec tag of that name, nil if there is none.
func specTag(stream *imagev1.ImageStream, name string) *imagev1.TagReference {
	if stream == nil {
		return nil
	}
	for i := range stream.Spec.Tags {
		if stream.Spec.Tags[i].Name == name {
			return &stream.Spec.Tags[i]
		}
	}
	return nil
}

// statusTag returns the history of that tag, nil if there is none.
func statusTag(stream *imagev1.ImageStream, name string) *imagev1.NamedTagEventList {
	for i := range stream.Status.Tags {
		if stream.Status.Tags[i].Tag == name {
			return &stream.Status.Tags[i]
		}
	}
	return nil
}

// splitTagName takes the name of an image stream tag apart: stream:tag.
func splitTagName(name string) (stream, tag string, ok bool) {
	stream, tag, _ = strings.Cut(name, ":")
	return stream, tag, stream != "" && tag != "" && !strings.ContainsAny(tag, ":@")
}
