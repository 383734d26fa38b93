package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/ssp/cdi"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
)

// A virtCluster is nodes of two architectures, an SSP object, the operator that
// expands its templates, and a stand-in for CDI, which imports.
type virtCluster struct {
	w      *world
	stop   func() error
	digest atomic.Value // of all images, "" while CDI cannot import
	// What was written to the SSP object last.
	multiArch bool
	templates []dictexpand.Template

	mu   sync.Mutex
	took []string
}

func newVirtCluster(ctx context.Context, w *world) (*virtCluster, error) {
	c := &virtCluster{w: w}
	c.digest.Store("1111")
	for name, arch := range map[string]string{"virt-control": "amd64", "virt-worker": "amd64", "virt-arm": "arm64"} {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelArchStable: arch, corev1.LabelOSStable: "linux",
		}}}
		if name == "virt-control" {
			node.Labels["node-role.kubernetes.io/control-plane"] = ""
			node.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
		}
		if err := w.ensure(ctx, node); err != nil {
			return nil, err
		}
	}
	if err := w.client.Create(ctx, c.ssp()); err != nil {
		return nil, err
	}
	var err error
	c.stop, err = w.run(ctx, func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "ssp")
		if err != nil {
			return err
		}
		importer := &cdi.Reconciler{
			Client: mgr.GetClient(), Digest: func(*cdiv1beta1.DataImportCron) string { return c.digest.Load().(string) },
		}
		expander := &ssp.Reconciler{
			Client: mgr.GetClient(), Events: events, Namespace: ssp.GoldenImages, Now: metav1.Now, Took: c.note,
		}
		return errors.Join(importer.SetupWithManager(mgr), expander.SetupWithManager(mgr))
	})
	return c, err
}

// note notes what the operator did, and why.
func (c *virtCluster) note(s dictexpand.Step) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.took = append(c.took, fmt.Sprintf("%s %s %s: %s", s.Verb, s.Kind, s.Name, s.Reason))
}

// steps prints what the operator did since it was asked last.
func (c *virtCluster) steps(s *step) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range c.took {
		s.note("%s", line)
	}
	c.took = nil
}

// imports sets what the images of all templates lead to. Without a digest nothing
// can be imported. The crons are touched, since CDI's stand-in does not poll.
func (c *virtCluster) imports(ctx context.Context, digest string) error {
	c.digest.Store(digest)
	var crons cdiv1beta1.DataImportCronList
	if err := c.w.client.List(ctx, &crons, client.InNamespace(ssp.GoldenImages)); err != nil {
		return err
	}
	for i := range crons.Items {
		err := change(ctx, c.w, &crons.Items[i], func(cron *cdiv1beta1.DataImportCron) {
			metav1.SetMetaDataAnnotation(&cron.ObjectMeta, "polled", digest)
		})
		if client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// close stops the operators and removes what the chapter made and the operators
// leave: images, and the DataSources of images.
func (c *virtCluster) close(ctx context.Context) error {
	errs := []error{client.IgnoreNotFound(c.w.client.Delete(ctx, c.ssp())), c.gone(ctx), c.stop()}
	for _, kind := range []client.Object{&cdiv1beta1.DataSource{}, &corev1.PersistentVolumeClaim{}} {
		errs = append(errs, c.w.client.DeleteAllOf(ctx, kind, client.InNamespace(ssp.GoldenImages)))
	}
	for _, name := range []string{"virt-control", "virt-worker", "virt-arm"} {
		errs = append(errs, c.w.client.Delete(ctx, &corev1.Node{ObjectMeta: named(name)}))
	}
	return errors.Join(errs...)
}

// gone waits until the SSP object is gone.
func (c *virtCluster) gone(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		u := c.ssp()
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(u), u); apierrors.IsNotFound(err) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the SSP object does not go: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (c *virtCluster) ssp() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(ssp.GroupVersionKind)
	u.SetNamespace(namespace)
	u.SetName("ssp")
	return u
}

// write gives the SSP object these templates.
func (c *virtCluster) write(ctx context.Context, multiArch bool, templates ...dictexpand.Template) error {
	list := make([]any, len(templates))
	for i := range templates {
		var err error
		if list[i], err = runtime.DefaultUnstructuredConverter.ToUnstructured(&templates[i]); err != nil {
			return err
		}
	}
	c.multiArch, c.templates = multiArch, templates
	return change(ctx, c.w, c.ssp(), func(u *unstructured.Unstructured) {
		u.Object["spec"] = map[string]any{
			"enableMultipleArchitectures": multiArch,
			"commonTemplates":             map[string]any{"dataImportCronTemplates": list},
		}
	})
}
