// Command ssp makes DataImportCrons and DataSources out of the
// DataImportCronTemplates of SSP objects, as the SSP operator does, one cron for
// each architecture.
//
//	go run ./ssp --kubeconfig PATH [--namespace NAMESPACE]
package main

import (
	"context"
	"flag"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/ssp/controller"
)

func main() {
	namespace := flag.String("namespace", controller.GoldenImages, "where the crons of templates without a namespace go")
	grace := flag.Duration("architecture-grace", time.Hour, "how long the crons of an architecture stay when its last node is gone")
	scheme := operator.Scheme()
	utilruntime.Must(controller.AddToScheme(scheme))
	operator.Main("ssp", scheme, func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "ssp")
		if err != nil {
			return err
		}
		return (&controller.Reconciler{
			Client: mgr.GetClient(), Events: events, Namespace: *namespace, Grace: *grace, Now: metav1.Now,
			Took: func(s dictexpand.Step) {
				mgr.GetLogger().Info(string(s.Verb), "kind", s.Kind, "namespace", s.Namespace, "name", s.Name, "reason", s.Reason)
			},
		}).SetupWithManager(mgr)
	})
}
