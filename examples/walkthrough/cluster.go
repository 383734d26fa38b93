package main

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// A cluster is the singletons of an OpenShift cluster and the operators that
// lead the import mode from hop to hop.
type cluster struct {
	w        *world
	releases map[string]string // image → release directory
	rollouts atomic.Int64      // of the apiserver
	stopCVO  func() error
	own      release // that the running cluster version operator came with
	// restartFailed, if set, is told of rollouts that are tried again.
	restartFailed func(error)
}

func newCluster(w *world) *cluster { return &cluster{w: w, releases: map[string]string{}} }

// start installs the single-architecture release and starts the operators. The
// returned function stops them.
func (c *cluster) start(ctx context.Context) (stop func() error, err error) {
	return c.install(ctx, single420, true)
}

// install makes the singletons, with a FeatureGate that knows the release's
// version and enables the import mode's gate there or not, and starts the
// operators.
func (c *cluster) install(ctx context.Context, r release, gate bool) (stop func() error, err error) {
	for _, r := range releases() {
		if err := c.writeRelease(r); err != nil {
			return nil, err
		}
	}
	enabled := []configv1.FeatureGateAttributes{}
	if gate {
		enabled = append(enabled, configv1.FeatureGateAttributes{Name: payloadarch.Gate})
	}
	for _, obj := range []client.Object{
		&configv1.FeatureGate{ObjectMeta: named("cluster"), Status: configv1.FeatureGateStatus{
			FeatureGates: []configv1.FeatureGateDetails{{Version: r.version, Enabled: enabled, Disabled: []configv1.FeatureGateAttributes{}}},
		}},
		&configv1.ClusterVersion{ObjectMeta: named("version"), Spec: configv1.ClusterVersionSpec{ClusterID: "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"}},
		&configv1.Image{ObjectMeta: named("cluster")},
		&configv1.ClusterOperator{ObjectMeta: named("image-registry"), Status: configv1.ClusterOperatorStatus{
			Conditions: []configv1.ClusterOperatorStatusCondition{{
				Type: configv1.EvaluationConditionsDetected, Status: configv1.ConditionTrue,
				Reason: otherReason, Message: otherMessage, LastTransitionTime: metav1.Now(),
			}},
		}},
		&operatorv1.OpenShiftAPIServer{ObjectMeta: named("cluster"), Spec: operatorv1.OpenShiftAPIServerSpec{
			OperatorSpec: operatorv1.OperatorSpec{ManagementState: operatorv1.Managed},
		}},
	} {
		if err := c.w.ensure(ctx, obj); err != nil {
			return nil, err
		}
	}
	if err := c.startCVO(ctx, r); err != nil {
		return nil, err
	}
	stopOthers, err := c.w.run(ctx, c.operators)
	if err != nil {
		return nil, errors.Join(err, c.stopCVO())
	}
	return func() error { return errors.Join(c.stopCVO(), stopOthers()) }, nil
}

// The part of the shared condition that another owner wrote.
const (
	otherReason  = "SomethingElseDetected"
	otherMessage = "another component relies on something else"
)

// remove deletes the singletons and starts the apiserver on an empty
// configuration, so that another cluster can be installed.
func (c *cluster) remove(ctx context.Context) error {
	for _, obj := range []client.Object{
		&configv1.FeatureGate{ObjectMeta: named("cluster")},
		&configv1.ClusterVersion{ObjectMeta: named("version")},
		&configv1.Image{ObjectMeta: named("cluster")},
		&configv1.ClusterOperator{ObjectMeta: named("image-registry")},
		&operatorv1.OpenShiftAPIServer{ObjectMeta: named("cluster")},
	} {
		if err := client.IgnoreNotFound(c.w.client.Delete(ctx, obj)); err != nil {
			return err
		}
	}
	if err := os.WriteFile(c.w.configFile, emptyConfig(), 0o600); err != nil {
		return err
	}
	return c.w.server.Restart(ctx)
}
