// Package controller is how the cluster version operator would embed
// payloadarch: it reads a release directory and writes what it finds to
// status.desired and status.history of the ClusterVersion.
package controller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

const name = "version"

// Reconciler plays one process of the cluster version operator. Such a process
// belongs to one release and learns its feature gates once, at its start: an
// update is complete only when the new release's own process runs and reports.
type Reconciler struct {
	Client client.Client
	// Own is the image of the release that this process came with.
	Own string
	// Releases leads from the image of a release to a directory with its
	// release-manifests.
	Releases map[string]string
	Now      func() metav1.Time

	gates *configv1.FeatureGate
}

// SetupWithManager reads the FeatureGate, once, and adds the controller to mgr.
func (r *Reconciler) SetupWithManager(ctx context.Context, mgr manager.Manager) error {
	r.gates = &configv1.FeatureGate{}
	err := mgr.GetAPIReader().Get(ctx, client.ObjectKey{Name: "cluster"}, r.gates)
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return builder.ControllerManagedBy(mgr).Named("cluster-version").
		For(&configv1.ClusterVersion{}).
		Complete(r)
}

// Reconcile takes up what spec.desiredUpdate asks for and reports the release.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if req.Name != name {
		return reconcile.Result{}, nil
	}
	var cv configv1.ClusterVersion
	if err := r.Client.Get(ctx, req.NamespacedName, &cv); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	image, problem, err := r.resolve(&cv)
	if err != nil {
		return reconcile.Result{}, err
	}
	version, payload, err := r.load(image)
	if err != nil {
		return reconcile.Result{}, fmt.Errorf("release %s: %w", image, err)
	}

	next := *cv.Status.DeepCopy()
	next.ObservedGeneration = cv.Generation
	next.Conditions = reportInvalid(next.Conditions, problem, r.Now())
	next.Desired = configv1.Release{Version: version, Image: image}
	if len(next.History) == 0 || next.History[0].Image != image {
		next.History = slices.Insert(next.History, 0, configv1.UpdateHistory{
			State: configv1.PartialUpdate, StartedTime: r.Now(), Version: version, Image: image,
		})
	}
	if current := &next.History[0]; image == r.Own && current.State != configv1.CompletedUpdate {
		now := r.Now()
		current.State, current.CompletionTime = configv1.CompletedUpdate, &now
	}
	// As long as the architecture is empty, payloadarch tells whether the gates
	// that this process knows let it be reported.
	switch payloadarch.FromClusterVersion(&configv1.ClusterVersion{Status: next}, r.gates).Reason {
	case payloadarch.ReasonGateUnknown, payloadarch.ReasonGateDisabled:
	default:
		next.Desired.Architecture = payloadarch.ReportedArchitecture(payload.Kind)
	}
	if equality.Semantic.DeepEqual(cv.Status, next) {
		return reconcile.Result{}, nil
	}
	cv.Status = next
	return reconcile.Result{}, r.Client.Status().Update(ctx, &cv)
}

// load reads the release metadata of an image.
func (r *Reconciler) load(image string) (version string, payload payloadarch.Verdict, err error) {
	dir, ok := r.Releases[image]
	if !ok {
		return "", payload, errors.New("no release directory is known for this image")
	}
	data, err := os.ReadFile(filepath.Join(dir, "release-manifests", "release-metadata"))
	if err != nil {
		return "", payload, err
	}
	if payload, err = payloadarch.FromReleaseMetadata(data); err != nil {
		return "", payload, err
	}
	if err := payload.Problems.ToAggregate(); err != nil {
		return "", payload, err
	}
	var metadata struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(data, &metadata); err != nil {
		return "", payload, err
	}
	return metadata.Version, payload, nil
}
