package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/openshift/api/image/docker10"
	imagev1 "github.com/openshift/api/image/v1"
)

// appKey is where the stream app is stored.
var appKey = key("image.openshift.io", "imagestreams", namespace, "app")

// withoutModes is an image stream in storage as it was before 4.12.
func withoutModes(stored string) string {
	return strings.ReplaceAll(stored, `"importMode":"Legacy"`, "")
}

// holds tells what an image stream tag points to, and which nodes can run it.
func (c *importsChapter) holds(tag string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var istag imagev1.ImageStreamTag
		if err := c.w.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: tag}, &istag); err != nil {
			return nil, err
		}
		what := "a list"
		var offers, run []string
		for _, m := range istag.Image.DockerImageManifests {
			offers = append(offers, m.Architecture)
		}
		if len(offers) == 0 {
			what = "an image"
			var config docker10.DockerImage
			if err := json.Unmarshal(istag.Image.DockerImageMetadata.Raw, &config); err != nil {
				return nil, err
			}
			offers = append(offers, config.Architecture)
		}
		var nodes corev1.NodeList
		if err := c.w.client.List(ctx, &nodes); err != nil {
			return nil, err
		}
		for _, node := range nodes.Items {
			if slices.Contains(offers, node.Labels[corev1.LabelArchStable]) {
				run = append(run, node.Name)
			}
		}
		return fmt.Sprintf("%s for %s; runs on %s", what, strings.Join(offers, ", "), strings.Join(run, ", ")), nil
	}
}

// history reads the status of a tag of the stream app.
func (c *importsChapter) history(ctx context.Context, tag string) (imagev1.NamedTagEventList, error) {
	var is imagev1.ImageStream
	if err := c.w.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "app"}, &is); err != nil {
		return imagev1.NamedTagEventList{}, err
	}
	for _, h := range is.Status.Tags {
		if h.Tag == tag {
			return h, nil
		}
	}
	return imagev1.NamedTagEventList{}, nil
}

// events are the images of a tag of the stream app.
func (c *importsChapter) events(tag string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		h, err := c.history(ctx, tag)
		var images []string
		for _, event := range h.Items {
			images = append(images, event.Image)
		}
		return images, err
	}
}

// failure is why the last import of a tag of the stream app failed.
func (c *importsChapter) failure(tag string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		h, err := c.history(ctx, tag)
		for _, condition := range h.Conditions {
			if condition.Type == imagev1.ImportSuccess && condition.Status == corev1.ConditionFalse {
				return condition.Reason, err
			}
		}
		return "none", err
	}
}

// storedImages are the images in etcd, with the size of key and value.
func (w *world) storedImages(ctx context.Context) (map[string]int, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	prefix := key("image.openshift.io", "images") + "/"
	answer, err := w.etcd.Get(ctx, prefix, clientv3.WithPrefix())
	if err != nil {
		return nil, err
	}
	sizes := map[string]int{}
	for _, kv := range answer.Kvs {
		sizes[strings.TrimPrefix(string(kv.Key), prefix)] = len(kv.Key) + len(kv.Value)
	}
	return sizes, nil
}

// addNode adds a node of that architecture and name.
func (c *importsChapter) addNode(ctx context.Context, architecture string) error {
	node := &corev1.Node{ObjectMeta: named(architecture)}
	node.Labels = map[string]string{corev1.LabelArchStable: architecture}
	c.nodes = append(c.nodes, architecture)
	return c.w.ensure(ctx, node)
}

func (c *importsChapter) removeNodes(ctx context.Context) error {
	var errs []error
	for _, name := range c.nodes {
		errs = append(errs, client.IgnoreNotFound(c.w.client.Delete(ctx, &corev1.Node{ObjectMeta: named(name)})))
	}
	return errors.Join(errs...)
}
