// Command openshiftapiserver observes the import mode of image streams and rolls
// an apiserver out when it changes, as the openshift-apiserver operator does.
//
//	go run ./openshiftapiserver --kubeconfig PATH --config FILE --restart COMMAND
package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"

	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/openshiftapiserver/controller"
)

func main() {
	config := flag.String("config", "", "the apiserver's configuration file, written by this command")
	restart := flag.String("restart", "", "shell command that starts the apiserver anew and returns when it serves")
	operator.Main("openshiftapiserver", operator.Scheme(), func(ctx context.Context, mgr manager.Manager) error {
		if *config == "" || *restart == "" {
			return errors.New("both --config and --restart are needed")
		}
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "openshiftapiserver")
		if err != nil {
			return err
		}
		if err := (&controller.Observe{Client: mgr.GetClient(), Events: events}).SetupWithManager(mgr); err != nil {
			return err
		}
		return (&controller.Rollout{
			Client:     mgr.GetClient(),
			ConfigFile: *config,
			Restart: func(ctx context.Context) error {
				cmd := exec.CommandContext(ctx, "sh", "-c", *restart)
				cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
				return cmd.Run()
			},
		}).SetupWithManager(mgr)
	})
}
