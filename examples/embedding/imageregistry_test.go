package embedding_test

import (
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// ImageConfigController stands for the controller of that name in
// cluster-image-registry-operator.
type ImageConfigController struct {
	clusterVersionLister lister[configv1.ClusterVersion]
	featureGateLister    lister[configv1.FeatureGate] // new
}

// syncImageStatus is the part of the method of that name that is about the import
// mode. It changes cfg and says whether its status is to be written.
func (icc *ImageConfigController) syncImageStatus(cfg *configv1.Image) (modified bool, err error) {
	clusterVersion, err := icc.clusterVersionLister.Get("version")
	if err != nil && !apierrors.IsNotFound(err) {
		return false, err
	}
	gates, err := icc.featureGateLister.Get("cluster")
	if err != nil && !apierrors.IsNotFound(err) {
		return false, err
	}
	payload := payloadarch.FromClusterVersion(clusterVersion, gates)
	decision := importmode.Decide(importmode.Input{
		Spec:    cfg.Spec.ImageStreamImportMode,
		Payload: payload,
		Current: cfg.Status.ImageStreamImportMode,
	})
	if decision.StatusChanges {
		cfg.Status.ImageStreamImportMode = decision.Mode
		modified = true
	}
	degraded(append(payload.Problems, decision.Problems...))
	return modified, nil
}

// The upgrade of a multi payload to the first release that reports it. The mode
// is left alone until the operator of the new release has told.
func Example_imageRegistryOperator() {
	version := &configv1.ClusterVersion{}
	version.Status.Desired = configv1.Release{Version: "4.20.0", Image: "new"}
	version.Status.History = []configv1.UpdateHistory{
		{State: configv1.PartialUpdate, Version: "4.20.0", Image: "new"},
		{State: configv1.CompletedUpdate, Version: "4.19.0", Image: "old"},
	}
	gates := &configv1.FeatureGate{Status: configv1.FeatureGateStatus{FeatureGates: []configv1.FeatureGateDetails{
		{Version: "4.20.0", Enabled: []configv1.FeatureGateAttributes{{Name: payloadarch.Gate}}},
	}}}
	icc := &ImageConfigController{lister[configv1.ClusterVersion]{"version": version}, lister[configv1.FeatureGate]{}}
	cfg := &configv1.Image{}
	sync := func(when string) {
		modified, err := icc.syncImageStatus(cfg)
		if err != nil {
			fmt.Println(err)
		}
		fmt.Printf("%s: %q, write %t\n", when, cfg.Status.ImageStreamImportMode, modified)
	}

	sync("no FeatureGate in the cache")
	icc.featureGateLister["cluster"] = gates
	sync("the gate is on, the update is not complete")
	version.Status.Desired.Architecture = configv1.ClusterVersionArchitectureMulti
	sync("the new operator reports")
	cfg.Spec.ImageStreamImportMode = "Sometimes"
	sync("a spec that got past the CRD")
	// Output:
	// no FeatureGate in the cache: "", write false
	// the gate is on, the update is not complete: "", write false
	// the new operator reports: "PreserveOriginal", write true
	// degraded: spec.imageStreamImportMode Unsupported value
	// a spec that got past the CRD: "PreserveOriginal", write false
}

// The condition by which the fleet is asked who overrides the mode. The operator
// writes the ClusterOperator itself, and others write to the same condition.
func Example_imageRegistryOperatorCondition() {
	clusterOperator := &configv1.ClusterOperator{}
	clusterOperator.Status.Conditions = []configv1.ClusterOperatorStatusCondition{{
		Type: configv1.EvaluationConditionsDetected, Status: configv1.ConditionTrue,
		Reason: "StorageEvaluation", Message: "a bucket is public",
	}}
	for _, spec := range []configv1.ImportModeType{configv1.ImportModeLegacy, ""} {
		now := metav1.NewTime(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
		conditions, changed := importmode.ClusterOperatorConditions(
			clusterOperator.Status.Conditions, configv1.EvaluationConditionsDetected, importmode.Evaluate(spec), now)
		clusterOperator.Status.Conditions = conditions // to be written if changed
		fmt.Println(changed, conditions[0].Status, conditions[0].Reason)
	}
	// Output:
	// true True StorageEvaluation::OperatorEvaluationConditionDetected
	// true True StorageEvaluation
}
