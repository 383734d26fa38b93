package controller

import (
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/internal/quote"
	"github.com/polyarch/polyarch/payloadarch"
)

// resolve returns the image of the release that spec.desiredUpdate asks for. An
// update that names no image, as "oc adm upgrade --to-multi-arch" sends it, is
// looked up by version and architecture among the releases that are known here,
// as findUpdateFromConfig of the cluster version operator (openshift/cluster-
// version-operator, pkg/cvo/updatepayload.go, 0122b19) does among those that the
// update service offers. An update that leads nowhere is a problem, and the
// release stays what it is.
func (r *Reconciler) resolve(cv *configv1.ClusterVersion) (image string, problem *field.Error, err error) {
	update := cv.Spec.DesiredUpdate
	if update == nil {
		return r.Own, nil, nil
	}
	if update.Image != "" {
		return update.Image, nil, nil
	}
	current := r.Own
	if _, known := r.Releases[cv.Status.Desired.Image]; known {
		current = cv.Status.Desired.Image
	}
	version, payload, err := r.load(current)
	if err != nil {
		return "", nil, fmt.Errorf("release %s: %w", current, err)
	}
	at := field.NewPath("spec", "desiredUpdate", "version")
	if update.Version == "" {
		return current, field.Required(at, "must specify version or image"), nil
	}
	kind := payload.Kind
	if update.Architecture == configv1.ClusterVersionArchitectureMulti && kind != payloadarch.Multi {
		// Upstream takes the current version here whatever the request says.
		if update.Version != version {
			return current, field.Invalid(at, quote.Cut(update.Version), "the architecture can be changed within the current version only, which is "+version), nil
		}
		kind = payloadarch.Multi
	}
	images, err := r.releasesOf(update.Version, kind)
	switch {
	case slices.Contains(images, current):
		return current, nil, nil
	case len(images) == 1:
		return images[0], nil, nil
	case len(images) > 1:
		return current, field.Invalid(at, quote.Cut(update.Version), "there are multiple possible payloads for this version, specify the exact image"), nil
	case err != nil:
		return "", nil, err
	}
	return current, field.Invalid(at, quote.Cut(update.Version), "when image is empty the update must be a previous version or an available update"), nil
}

// releasesOf returns the images of the releases of that version and kind. The
// error is of those that cannot be read.
func (r *Reconciler) releasesOf(version string, kind payloadarch.Kind) ([]string, error) {
	var images []string
	var errs []error
	for image := range r.Releases {
		v, payload, err := r.load(image)
		if err != nil {
			errs = append(errs, fmt.Errorf("release %s: %w", image, err))
		} else if v == version && payload.Kind == kind {
			images = append(images, image)
		}
	}
	return images, errors.Join(errs...)
}

// clusterVersionInvalid is the type of the condition that oc looks at before it
// asks for an update.
const clusterVersionInvalid configv1.ClusterStatusConditionType = "Invalid"

// reportInvalid sets or removes the condition. What is true already keeps the
// time at which it became so.
func reportInvalid(conditions []configv1.ClusterOperatorStatusCondition, problem *field.Error, now metav1.Time) []configv1.ClusterOperatorStatusCondition {
	i := slices.IndexFunc(conditions, func(c configv1.ClusterOperatorStatusCondition) bool { return c.Type == clusterVersionInvalid })
	switch {
	case problem == nil && i < 0:
		return conditions
	case problem == nil:
		return slices.Delete(conditions, i, i+1)
	case i < 0:
		i = len(conditions)
		conditions = append(conditions, configv1.ClusterOperatorStatusCondition{Type: clusterVersionInvalid})
	}
	c := &conditions[i]
	if c.Status != configv1.ConditionTrue {
		c.Status, c.LastTransitionTime = configv1.ConditionTrue, now
	}
	c.Reason, c.Message = "InvalidClusterVersion", "The cluster version is invalid: "+problem.Error()
	return conditions
}
