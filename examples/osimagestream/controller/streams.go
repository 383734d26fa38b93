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
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

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
	// Live reads past the cache of Client: an object of a kind of which a cluster
	// has many is not worth a copy of them all.
	Live   client.Reader
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
	// Labels returns the labels of an image. It is called once per image of a
	// release, and again after an error.
	Labels func(ctx context.Context, pullSpec string) (map[string]string, error)

	inspected map[string]map[string]string // labels of the images of the release
	told      map[warning]bool             // in the last look
}

// SetupWithManager adds the controller to mgr.
func (r *Streams) SetupWithManager(mgr manager.Manager) error {
	toCluster := handler.EnqueueRequestsFromMapFunc(func(context.Context, client.Object) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: client.ObjectKey{Name: osimagestream.Name}}}
	})
	configMap, err := cache.New(mgr.GetConfig(), cache.Options{
		Scheme: mgr.GetScheme(), Mapper: mgr.GetRESTMapper(),
		ByObject: map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {Namespaces: map[string]cache.Config{
			Namespace: {FieldSelector: fields.OneTermEqualSelector("metadata.name", osimagestream.ConfigMapName)},
		}}},
	})
	if err != nil {
		return err
	}
	if err := mgr.Add(configMap); err != nil {
		return err
	}
	return builder.ControllerManagedBy(mgr).Named("os-image-stream").
		For(&mcfgv1.OSImageStream{}).
		Watches(&configv1.ClusterVersion{}, toCluster).
		Watches(&configv1.FeatureGate{}, toCluster).
		Watches(&configv1.Infrastructure{}, toCluster).
		WatchesRawSource(source.Kind[client.Object](configMap, &corev1.ConfigMap{}, toCluster)).
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
	configMap, err := operator.Lookup(ctx, r.Live, client.ObjectKey{Namespace: Namespace, Name: osimagestream.ConfigMapName}, &corev1.ConfigMap{})
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
	var unread error
	if sources.Payload, err = r.imageReferences(release); err != nil {
		unread = fmt.Errorf("release %s: %w", release, err)
	}
	sources.Labels, err = r.inspect(ctx, sources.Images())
	unread = errors.Join(unread, err)
	discovery := osimagestream.Discover(sources)

	install, _ := osimagestream.InstallVersion(version)
	singleton := osimagestream.Plan(osimagestream.Cluster{
		Flavor: r.Flavor, Discovery: discovery, Stored: stored, InstallVersion: install,
		Release: osimagestream.Release{Version: r.Build, Image: release},
	})
	var warnings []warning
	if unread != nil {
		warnings = append(warnings, warning{"Unreadable", unread.Error()})
	}
	for _, p := range slices.Concat(discovery.Problems, singleton.Problems) {
		warnings = append(warnings, warning{string(singleton.Reason), p.Error()})
	}
	for _, f := range slices.Concat(management.Findings, discovery.Findings, singleton.Findings) {
		warnings = append(warnings, warning{string(f.Code), f.String()})
	}
	r.warn(stored, warnings)
	// What could not be read is read again, after a while.
	return reconcile.Result{}, errors.Join(r.send(ctx, stored, singleton), unread)
}

// send sends the steps in their order. Each step is laid over the server's answer
// to the step before, so a writer in between causes a conflict, and a new plan.
func (r *Streams) send(ctx context.Context, current *mcfgv1.OSImageStream, singleton osimagestream.Singleton) error {
	for _, step := range singleton.Steps {
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
		r.Events.Eventf(current, corev1.EventTypeNormal, string(step.Reason), "%s for %s; default stream %q (%s)",
			step.Verb, r.Build, singleton.Stream, singleton.Reason)
	}
	return nil
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
