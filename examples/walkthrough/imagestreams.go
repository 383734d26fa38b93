package main

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	imagev1 "github.com/openshift/api/image/v1"
)

// stream is a manifest that names no mode.
func stream(name string, tags ...string) *imagev1.ImageStream {
	is := &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	for _, tag := range tags {
		is.Spec.Tags = append(is.Spec.Tags, imagev1.TagReference{
			Name: tag,
			From: &corev1.ObjectReference{Kind: "DockerImage", Name: "quay.example.com/demo/" + name + ":" + tag},
		})
	}
	return is
}

// replace puts a manifest in the place of the stream that is there, as
// "kubectl replace" does.
func (w *world) replace(ctx context.Context, manifest *imagev1.ImageStream) error {
	stored := &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: manifest.Namespace, Name: manifest.Name}}
	return change(ctx, w, stored, func(is *imagev1.ImageStream) { is.Spec = manifest.Spec })
}

// modes is the mode of each tag.
func modes(is *imagev1.ImageStream) string {
	var all []string
	for _, tag := range is.Spec.Tags {
		all = append(all, tag.Name+" "+orEmpty(tag.ImportPolicy.ImportMode))
	}
	return strings.Join(all, ", ")
}

func (w *world) expectModes(ctx context.Context, s *step, name, want string) error {
	var is imagev1.ImageStream
	if err := w.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &is); err != nil {
		return err
	}
	s.expect("stream "+name+": modes of its tags", modes(&is), want)
	return nil
}

// removeStreams deletes all streams, those of other chapters too, which are of no
// registry that is there.
func (c *importsChapter) removeStreams(ctx context.Context) error {
	var list imagev1.ImageStreamList
	if err := c.w.client.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return err
	}
	for i := range list.Items {
		if err := client.IgnoreNotFound(c.w.client.Delete(ctx, &list.Items[i])); err != nil {
			return err
		}
	}
	return nil
}
