// Package controller is how the machine config operator would embed package
// osimagestream: it reads a release and the labels of its OS images, keeps the
// OSImageStream up to date by the steps of Plan, and resolves pools to the images
// of their streams.
package controller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/osimagestream"
)

// Namespace is where the machine config operator keeps its ConfigMap.
const Namespace = "openshift-machine-config-operator"

// Streams keeps the OSImageStream named cluster.
type Streams struct {
	Client client.Client
	Events record.EventRecorder
	// Flavor is what the operator was built for.
	Flavor osimagestream.Flavor
	// Version is the version of the release that this process belongs to. Build is
	// what it annotates the OSImageStream with: the machine config operator uses
	// the hash of its sources.
	Version, Build string
	// Releases maps the image of a release to a directory that holds its
	// release-manifests.
	Releases map[string]string
	// Labels returns the labels of an image.
	Labels func(ctx context.Context, pullSpec string) (map[string]string, error)
}

// SetupWithManager adds the controller to mgr.
func (r *Streams) SetupWithManager(mgr manager.Manager) error {
	toCluster := handler.EnqueueRequestsFromMapFunc(func(context.Context, client.Object) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: client.ObjectKey{Name: osimagestream.Name}}}
	})
	return builder.ControllerManagedBy(mgr).Named("os-image-stream").
		For(&mcfgv1.OSImageStream{}).
		Watches(&configv1.ClusterVersion{}, toCluster).
		Watches(&configv1.FeatureGate{}, toCluster).
		Watches(&configv1.Infrastructure{}, toCluster).
		Watches(&corev1.ConfigMap{}, toCluster).
		Complete(r)
}

// Reconcile fetches the facts, plans, and sends the steps.
func (r *Streams) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if req.Name != osimagestream.Name {
		return reconcile.Result{}, nil
	}
	infrastructure, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Name: "cluster"}, &configv1.Infrastructure{})
	if err != nil {
		return reconcile.Result{}, err
	}
	gates, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Name: "cluster"}, &configv1.FeatureGate{})
	if err != nil {
		return reconcile.Result{}, err
	}
	version, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Name: "version"}, &configv1.ClusterVersion{})
	if err != nil {
		return reconcile.Result{}, err
	}
	configMap, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Namespace: Namespace, Name: osimagestream.ConfigMapName}, &corev1.ConfigMap{})
	if err != nil {
		return reconcile.Result{}, err
	}
	stored, err := operator.Lookup(ctx, r.Client, req.NamespacedName, &mcfgv1.OSImageStream{})
	if err != nil {
		return reconcile.Result{}, err
	}

	management := osimagestream.Manage(osimagestream.Platform{
		Flavor: r.Flavor, FeatureGate: gates, Version: r.Version, Infrastructure: infrastructure,
	})
	// While an update begins, the operator of the old release still runs. Reading
	// the new payload is left to the operator of the new one.
	if !management.Manage || version == nil || version.Status.Desired.Version != r.Version {
		return reconcile.Result{}, nil
	}

	release := version.Status.Desired.Image
	sources := osimagestream.Sources{ConfigMap: configMap}
	if sources.Payload, err = r.imageReferences(release); err != nil {
		r.warn(stored, "ImageReferences", fmt.Sprintf("release %s: %v", release, err))
	}
	sources.Labels = r.inspect(ctx, stored, sources.Images())
	discovery := osimagestream.Discover(sources)

	install, _ := osimagestream.InstallVersion(version)
	singleton := osimagestream.Plan(osimagestream.Cluster{
		Flavor: r.Flavor, Discovery: discovery, Stored: stored, InstallVersion: install,
		Release: osimagestream.Release{Version: r.Build, Image: release},
	})
	for _, p := range append(discovery.Problems, singleton.Problems...) {
		r.warn(stored, string(singleton.Reason), p.Error())
	}
	for _, f := range append(append(management.Findings, discovery.Findings...), singleton.Findings...) {
		r.warn(stored, string(f.Code), f.String())
	}
	if err := r.send(ctx, stored, singleton.Steps); err != nil {
		return reconcile.Result{}, err
	}
	if !discovery.Complete {
		return reconcile.Result{}, errors.New("the payload or an image of it could not be read") // try again
	}
	return reconcile.Result{}, nil
}

// send sends the steps in their order. Each step is laid over the server's answer
// to the step before, so a writer in between causes a conflict, and a new plan.
func (r *Streams) send(ctx context.Context, current *mcfgv1.OSImageStream, steps []osimagestream.Step) error {
	for _, step := range steps {
		var err error
		switch current = step.On(current); step.Verb {
		case osimagestream.VerbCreate:
			err = r.Client.Create(ctx, current)
		case osimagestream.VerbUpdate:
			err = r.Client.Update(ctx, current)
		case osimagestream.VerbUpdateStatus:
			err = r.Client.Status().Update(ctx, current)
		}
		if err != nil {
			return fmt.Errorf("%s (%s): %w", step.Verb, step.Reason, err)
		}
	}
	return nil
}

// inspect returns the labels of the images that can be inspected.
func (r *Streams) inspect(ctx context.Context, about *mcfgv1.OSImageStream, images []string) map[string]map[string]string {
	labels := make(map[string]map[string]string, len(images))
	for _, image := range images {
		l, err := r.Labels(ctx, image)
		if err != nil {
			r.warn(about, "Inspect", fmt.Sprintf("%s: %v", image, err))
			continue
		}
		labels[image] = l
	}
	return labels
}

func (r *Streams) imageReferences(release string) (*imagev1.ImageStream, error) {
	dir, ok := r.Releases[release]
	if !ok {
		return nil, errors.New("no release directory is known for this image")
	}
	data, err := os.ReadFile(filepath.Join(dir, "release-manifests", "image-references"))
	if err != nil {
		return nil, err
	}
	return osimagestream.ParseImageReferences(data)
}

func (r *Streams) warn(about *mcfgv1.OSImageStream, reason, message string) {
	if about == nil {
		about = osimagestream.New("")
	}
	r.Events.Event(about, corev1.EventTypeWarning, reason, message)
}
