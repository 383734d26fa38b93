// Package operator is what the example adapters have in common: how they get a
// manager, and how they run as commands. It holds no decision.
package operator

import (
	"context"
	"flag"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/examples/internal/interrupt"
)

// Scheme returns a new scheme with the types that the adapters read and write:
// those of client-go, and OpenShift's config, image, machineconfiguration and
// operator groups.
func Scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		scheme.AddToScheme, configv1.Install, imagev1.Install, mcfgv1.Install, operatorv1.Install,
	} {
		utilruntime.Must(add(s))
	}
	return s
}

// NewManager returns a manager that serves no metrics and elects no leader.
func NewManager(cfg *rest.Config, s *runtime.Scheme) (manager.Manager, error) {
	// One process may run a controller, stop it and run it again, as the
	// walkthrough does where an operator restarts.
	again := true
	return ctrl.NewManager(cfg, ctrl.Options{
		Scheme:     s,
		Metrics:    metricsserver.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: &again},
	})
}

// Recorder returns a recorder of core/v1 events that stops with ctx.
func Recorder(ctx context.Context, cfg *rest.Config, s *runtime.Scheme, component string) (record.EventRecorder, error) {
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return nil, err
	}
	b := record.NewBroadcaster(record.WithContext(ctx))
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	return b.NewRecorder(s, corev1.EventSource{Component: component}), nil
}

// Main runs an adapter as a command against the cluster of --kubeconfig (or
// $KUBECONFIG, or the service account it runs under) until it is interrupted.
// setup adds the adapter's controllers; the flags are parsed when it is called.
func Main(name string, s *runtime.Scheme, setup func(context.Context, manager.Manager) error) {
	flag.Parse()
	ctrl.SetLogger(zap.New())
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	if err := run(ctx, s, setup); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s *runtime.Scheme, setup func(context.Context, manager.Manager) error) error {
	cfg, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	mgr, err := NewManager(cfg, s)
	if err != nil {
		return err
	}
	if err := setup(ctx, mgr); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

// ToCluster leads every event to the object named "cluster": whatever changes is
// an input of the one decision about it.
func ToCluster() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(context.Context, client.Object) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: client.ObjectKey{Name: "cluster"}}}
	})
}
