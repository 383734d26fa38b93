package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// streamImageREST serves image stream images: an image by its digest, if the stream
// has it. It models REST of openshift-apiserver (pkg/image/apiserver/registry/
// imagestreamimage/rest.go, 07eed4d): an image of a manifest list is the stream's if
// the list is. Where a part of a digest fits several images, upstream takes any of
// them; here that is a conflict, as it is in ResolveImageID.
type streamImageREST struct {
	rest.TableConvertor
	streams streamViews
	images  *registry.Store
}

var (
	_ rest.Getter               = streamImageREST{}
	_ rest.Scoper               = streamImageREST{}
	_ rest.SingularNameProvider = streamImageREST{}
	_ rest.ShortNamesProvider   = streamImageREST{}
)

var streamImageResource = schema.GroupResource{Group: imagev1.GroupName, Resource: "imagestreamimages"}

func (streamImageREST) New() runtime.Object     { return &imagev1.ImageStreamImage{} }
func (streamImageREST) Destroy()                {}
func (streamImageREST) NamespaceScoped() bool   { return true }
func (streamImageREST) GetSingularName() string { return "imagestreamimage" }
func (streamImageREST) ShortNames() []string    { return []string{"isimage"} }

func (r streamImageREST) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	streamName, id, ok := strings.Cut(name, "@")
	if !ok || streamName == "" || id == "" || strings.Contains(id, "@") {
		return nil, apierrors.NewBadRequest("ImageStreamImages must be retrieved with <name>@<id>")
	}
	obj, err := r.streams.Get(ctx, streamName, options)
	if err != nil {
		return nil, err
	}
	stream := obj.(*imagev1.ImageStream)
	image, err := r.find(ctx, stream, id, name)
	if err != nil {
		return nil, err
	}
	return &imagev1.ImageStreamImage{
		ObjectMeta: metav1.ObjectMeta{Namespace: stream.Namespace, Name: name, UID: image.UID, CreationTimestamp: image.CreationTimestamp},
		Image:      *image,
	}, nil
}

// find looks among the images of the stream's events first, and then among the
// images of those that are lists.
func (r streamImageREST) find(ctx context.Context, stream *imagev1.ImageStream, id, name string) (*imagev1.Image, error) {
	var fits, lists []string
	for _, tag := range stream.Status.Tags {
		for _, event := range tag.Items {
			if digestFits(event.Image, id) {
				fits = append(fits, event.Image)
			}
			lists = append(lists, event.Image)
		}
	}
	slices.Sort(lists)
	if len(fits) == 0 {
		for _, list := range slices.Compact(lists) {
			image, err := imageNamed(ctx, r.images, list)
			if err != nil {
				return nil, err
			}
			if image == nil {
				continue
			}
			for _, child := range image.DockerImageManifests {
				if digestFits(child.Digest, id) {
					fits = append(fits, child.Digest)
				}
			}
		}
	}
	slices.Sort(fits)
	switch fits = slices.Compact(fits); len(fits) {
	case 0:
		return nil, apierrors.NewNotFound(streamImageResource, name)
	case 1:
		image, err := imageNamed(ctx, r.images, fits[0])
		if err == nil && image == nil {
			err = apierrors.NewNotFound(streamImageResource, name)
		}
		return image, err
	}
	return nil, apierrors.NewConflict(streamImageResource, name, fmt.Errorf("several images have a digest that begins so: %s", strings.Join(fits, ", ")))
}

// digestFits is DigestOrImageMatch of library-go (pkg/image/imageutil): a digest is
// named by its beginning, with or without the algorithm.
func digestFits(digest, id string) bool {
	_, hex, _ := strings.Cut(digest, ":")
	return digest != "" && (strings.HasPrefix(digest, id) || hex != "" && strings.HasPrefix(hex, id))
}

// imageNamed returns the image of that digest, nil if it is not stored.
func imageNamed(ctx context.Context, images *registry.Store, name string) (*imagev1.Image, error) {
	if name == "" {
		return nil, nil
	}
	obj, err := images.Get(ctx, name, &metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return obj.(*imagev1.Image), nil
}

func streamImageColumns() columns {
	return columns{rest.NewDefaultTableConvertor(streamImageResource), []metav1.TableColumnDefinition{
		column("Name", metav1.ObjectMeta{}.SwaggerDoc()["name"], 0),
		column("Updated", "Last update time.", 0),
		column("Image Reference", imagev1.Image{}.SwaggerDoc()["dockerImageReference"], 1),
		column("Image Name", imagev1.ImageStreamImage{}.SwaggerDoc()["image"], 1),
	}, func(obj runtime.Object) []any {
		image := obj.(*imagev1.ImageStreamImage)
		return []any{image.Name, ago(image.CreationTimestamp), image.Image.DockerImageReference, image.Image.Name}
	}}
}
