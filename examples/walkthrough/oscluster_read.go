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

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/osimagestream"
)

// singleton is the OSImageStream as one line.
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
	return fmt.Sprintf("%s, offers %s", defaultsOf(o), strings.Join(offered, " ")), nil
}

// runs is what the pools master, worker and infra run, by which rule they have
// their stream, and why one is degraded.
func (c *osCluster) runs(ctx context.Context) (any, error) {
	facts := osimagestream.Pool{Worker: pool("worker")}
	if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(facts.Worker), facts.Worker); err != nil {
		return nil, err
	}
	var all []string
	var err error
	if facts.Stored, err = operator.Lookup(ctx, c.w.client, client.ObjectKey{Name: osimagestream.Name}, &mcfgv1.OSImageStream{}); err != nil {
		return nil, err
	}
	for _, p := range []string{"master", "worker", "infra"} {
		pool, rendered := pool(p), &mcfgv1.MachineConfig{ObjectMeta: named(controller.RenderedPrefix + p)}
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(pool), pool); err != nil {
			return nil, err
		}
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(rendered), rendered); client.IgnoreNotFound(err) != nil {
			return nil, err
		}
		facts.Pool = pool
		line := p + " " + c.names[rendered.Spec.OSImageURL] + " (" + string(osimagestream.ForPool(facts).Reason)
		for _, condition := range pool.Status.Conditions {
			if condition.Type == mcfgv1.MachineConfigPoolRenderDegraded && condition.Status == corev1.ConditionTrue {
				line += ", degraded: " + condition.Reason
			}
		}
		all = append(all, line+")")
	}
	return strings.Join(all, "; "), nil
}

// decided is why the operator of a release made that stream the default when it
// wrote the status.
func (c *osCluster) decided(r osRelease, stream string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var events corev1.EventList
		if err := c.w.client.List(ctx, &events); err != nil {
			return nil, err
		}
		begins := fmt.Sprintf("%s for %s; default stream %q (", osimagestream.VerbUpdateStatus, r.build(), stream)
		for _, e := range events.Items {
			if why, ok := strings.CutPrefix(e.Message, begins); ok && e.InvolvedObject.Kind == "OSImageStream" {
				return strings.TrimSuffix(why, ")"), nil
			}
		}
		return "nothing", nil
	}
}

// reported tells whether an event of that reason was recorded.
func (c *osCluster) reported(code osimagestream.FindingCode) func(context.Context) (any, error) {
	return c.w.recorded(func(e corev1.Event) bool {
		return e.Reason == string(code) && e.InvolvedObject.Kind == "OSImageStream"
	})
}

func defaultsOf(o *mcfgv1.OSImageStream) string {
	return fmt.Sprintf("spec %s, status %s", orEmpty(o.Spec.DefaultStream), orEmpty(o.Status.DefaultStream))
}

// defaults reads the defaults out of a stored OSImageStream, and the build that it is
// annotated with, if it is.
func defaults(stored []byte) (string, error) {
	var o mcfgv1.OSImageStream
	err := json.Unmarshal(stored, &o)
	line := defaultsOf(&o)
	if build := o.Annotations[osimagestream.AnnotationReleaseVersion]; build != "" {
		line += ", " + build
	}
	return line, err
}
