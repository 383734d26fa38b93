// Command imageregistry writes the import mode of image streams to the status of
// the cluster's image configuration, as the cluster image registry operator
// does, and reports the fleet evaluation condition on its ClusterOperator.
//
//	go run ./imageregistry --kubeconfig PATH
package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/examples/imageregistry/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
)

func main() {
	operator.Main("imageregistry", operator.Scheme(), func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "imageregistry")
		if err != nil {
			return err
		}
		if err := (&controller.ImportMode{Client: mgr.GetClient(), Events: events}).SetupWithManager(mgr); err != nil {
			return err
		}
		return (&controller.Evaluation{Client: mgr.GetClient(), Now: metav1.Now}).SetupWithManager(mgr)
	})
}
