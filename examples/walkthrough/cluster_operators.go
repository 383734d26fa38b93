package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	configv1 "github.com/openshift/api/config/v1"

	clusterversion "github.com/polyarch/polyarch/examples/clusterversion/controller"
	imageregistry "github.com/polyarch/polyarch/examples/imageregistry/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	openshiftapiserver "github.com/polyarch/polyarch/examples/openshiftapiserver/controller"
)

// operators adds the image registry operator and the apiserver's operator.
func (c *cluster) operators(ctx context.Context, mgr manager.Manager) error {
	events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "walkthrough")
	if err != nil {
		return err
	}
	for _, r := range []interface{ SetupWithManager(manager.Manager) error }{
		&imageregistry.ImportMode{Client: mgr.GetClient(), Events: events},
		&imageregistry.Evaluation{Client: mgr.GetClient(), Now: metav1.Now},
		&openshiftapiserver.Observe{Client: mgr.GetClient(), Events: events},
		&openshiftapiserver.Rollout{
			Client: mgr.GetClient(), ConfigFile: c.w.configFile,
			Restart: func(ctx context.Context) error {
				c.rollouts.Add(1)
				err := c.w.server.Restart(ctx)
				if err != nil && c.restartFailed != nil {
					c.restartFailed(err)
				}
				return err
			},
		},
	} {
		if err := r.SetupWithManager(mgr); err != nil {
			return err
		}
	}
	return nil
}

// startCVO starts the cluster version operator that comes with a release, in
// place of the one that runs.
func (c *cluster) startCVO(ctx context.Context, own release) error {
	if c.stopCVO != nil {
		if err := c.stopCVO(); err != nil {
			return err
		}
	}
	stop, err := c.w.run(ctx, func(ctx context.Context, mgr manager.Manager) error {
		return (&clusterversion.Reconciler{
			Client: mgr.GetClient(), Own: own.image, Releases: c.releases, Now: metav1.Now,
		}).SetupWithManager(ctx, mgr)
	})
	if err != nil {
		return err
	}
	c.stopCVO, c.own = stop, own
	return nil
}

// migrate asks for the multi payload of the version that runs, as
// "oc adm upgrade --to-multi-arch" does.
func (c *cluster) migrate(ctx context.Context) error {
	cv := &configv1.ClusterVersion{ObjectMeta: named("version")}
	patch := fmt.Sprintf(`{"spec":{"desiredUpdate":{"architecture":"Multi","version":%q,"image":"","force":false}}}`, c.own.version)
	return c.w.client.Patch(ctx, cv, client.RawPatch(types.MergePatchType, []byte(patch)))
}

// update asks for a release, as "oc adm upgrade --to-image" does.
func (c *cluster) update(ctx context.Context, r release) error {
	return change(ctx, c.w, &configv1.ClusterVersion{ObjectMeta: named("version")}, func(cv *configv1.ClusterVersion) {
		cv.Spec.DesiredUpdate = &configv1.Update{Image: r.image, Version: r.version}
	})
}
