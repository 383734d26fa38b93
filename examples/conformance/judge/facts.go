package judge

import (
	"context"
	"fmt"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/payloadarch"
)

func (r *run) clusterVersion(ctx context.Context) (*configv1.ClusterVersion, error) {
	cv := &configv1.ClusterVersion{}
	err := r.client.Get(ctx, client.ObjectKey{Name: "version"}, cv)
	return cv, err
}

func (r *run) imageConfig(ctx context.Context) (*configv1.Image, error) {
	image := &configv1.Image{}
	err := r.client.Get(ctx, client.ObjectKey{Name: "cluster"}, image)
	return image, err
}

// payload is what the ClusterVersion says, and whether it may say it.
func (r *run) payload(ctx context.Context) (payloadarch.Verdict, error) {
	cv, err := r.clusterVersion(ctx)
	if err != nil {
		return payloadarch.Verdict{}, err
	}
	gates, err := operator.Lookup(ctx, r.client, client.ObjectKey{Name: "cluster"}, &configv1.FeatureGate{})
	if err != nil {
		return payloadarch.Verdict{}, err
	}
	return payloadarch.FromClusterVersion(cv, gates), nil
}

// observedMode is spec.observedConfig.imagePolicyConfig.imageStreamImportMode of
// the OpenShiftAPIServer.
func (r *run) observedMode(ctx context.Context) (string, error) {
	apiserver := &operatorv1.OpenShiftAPIServer{}
	if err := r.client.Get(ctx, client.ObjectKey{Name: "cluster"}, apiserver); err != nil {
		return "", err
	}
	var config struct {
		ImagePolicyConfig struct {
			ImageStreamImportMode string `json:"imageStreamImportMode"`
		} `json:"imagePolicyConfig"`
	}
	if err := yaml.Unmarshal(apiserver.Spec.ObservedConfig.Raw, &config); err != nil {
		return "", missing("openshiftapiservers[cluster].spec.observedConfig cannot be read: " + err.Error())
	}
	return config.ImagePolicyConfig.ImageStreamImportMode, nil
}

// history is the ClusterVersion's, newest first, on one line. The ends of the
// images tell two payloads of one version apart.
func history(cv *configv1.ClusterVersion) string {
	const end = 8
	var all []string
	for _, h := range cv.Status.History {
		all = append(all, fmt.Sprintf("%s …%s %s", h.Version, h.Image[max(0, len(h.Image)-end):], h.State))
	}
	return "history " + orNone(strings.Join(all, ", "))
}

func orNone[S ~string](s S) string {
	if s == "" {
		return "none"
	}
	return string(s)
}
