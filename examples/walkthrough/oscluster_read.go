package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/osimagestream"
)

// singleton is the OSImageStream as one line: spec / status: what is offered.
func (c *osCluster) singleton(ctx context.Context) (any, error) {
	o := &mcfgv1.OSImageStream{ObjectMeta: named(osimagestream.Name)}
	if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
		if apierrors.IsNotFound(err) {
			return "none", nil
		}
		return nil, err
	}
	var offered []string
	for _, s := range o.Status.AvailableStreams {
		offered = append(offered, s.Name)
	}
	return fmt.Sprintf("%s / %s: %s", o.Spec.DefaultStream, o.Status.DefaultStream, strings.Join(offered, " ")), nil
}

// runs is what the pools master, worker and infra run, and why one is degraded.
func (c *osCluster) runs(ctx context.Context) (any, error) {
	var all []string
	for _, p := range []string{"master", "worker", "infra"} {
		pool, rendered := pool(p), &mcfgv1.MachineConfig{ObjectMeta: named(controller.RenderedPrefix + p)}
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(pool), pool); err != nil {
			return nil, err
		}
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(rendered), rendered); client.IgnoreNotFound(err) != nil {
			return nil, err
		}
		line := c.names[rendered.Spec.OSImageURL]
		for _, condition := range pool.Status.Conditions {
			if condition.Type == mcfgv1.MachineConfigPoolRenderDegraded && condition.Status == corev1.ConditionTrue {
				line += " (degraded)"
			}
		}
		all = append(all, line)
	}
	return strings.Join(all, ", "), nil
}

// reported tells whether an event of that reason was recorded.
func (c *osCluster) reported(code osimagestream.FindingCode) func(context.Context) (any, error) {
	return c.w.recorded(func(e corev1.Event) bool {
		return e.Reason == string(code) && e.InvolvedObject.Kind == "OSImageStream"
	})
}

// defaults reads "spec / status" out of a stored OSImageStream, and the build that it is
// annotated with, if it is.
func defaults(stored []byte) (string, error) {
	var o mcfgv1.OSImageStream
	err := json.Unmarshal(stored, &o)
	line := fmt.Sprintf("%s / %s", o.Spec.DefaultStream, o.Status.DefaultStream)
	if build := o.Annotations[osimagestream.AnnotationReleaseVersion]; build != "" {
		line += ", " + build
	}
	return line, err
}
