// Command hypershift writes the import mode of image streams into the configuration of
// the openshift-apiserver of hosted clusters, as HyperShift would, and rolls out that of
// one hosted cluster when it changes.
//
//	go run ./hypershift --kubeconfig PATH [--hosted-cluster NAMESPACE/NAME
//		[--hosted-kubeconfig PATH] [--config FILE --restart COMMAND]]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/examples/hypershift/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
)

func main() {
	name := flag.String("hosted-cluster", "", "`namespace/name` of the HostedCluster that the other flags are about")
	kubeconfig := flag.String("hosted-kubeconfig", "", "kubeconfig of that hosted cluster, asked while its HostedCluster has no status.payloadArch")
	config := flag.String("config", "", "configuration file of its openshift-apiserver, written by this command")
	restart := flag.String("restart", "", "shell command that starts that apiserver anew and returns when it serves")
	operator.Main("hypershift", operator.Scheme(), func(ctx context.Context, mgr manager.Manager) error {
		var hosted types.NamespacedName
		if *name != "" {
			var ok bool
			if hosted.Namespace, hosted.Name, ok = strings.Cut(*name, "/"); !ok {
				return fmt.Errorf("--hosted-cluster %s: want namespace/name", *name)
			}
		}
		if (*config == "") != (*restart == "") || *name == "" && (*config != "" || *kubeconfig != "") {
			return errors.New("--config and --restart go together, and both and --hosted-kubeconfig need --hosted-cluster")
		}
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "hypershift")
		if err != nil {
			return err
		}
		mode := &controller.ImportMode{Client: mgr.GetClient(), Events: events}
		if *kubeconfig != "" {
			mode.Hosted = func(_ context.Context, key types.NamespacedName) (client.Reader, error) {
				if key != hosted {
					return nil, nil
				}
				cfg, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
				if err != nil {
					return nil, err
				}
				return client.New(cfg, client.Options{Scheme: mgr.GetScheme()})
			}
		}
		if err := mode.SetupWithManager(mgr); err != nil || *config == "" {
			return err
		}
		return (&controller.Serve{
			Client: mgr.GetClient(), HostedCluster: hosted, ConfigFile: *config,
			Restart: func(ctx context.Context) error {
				cmd := exec.CommandContext(ctx, "sh", "-c", *restart)
				cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
				return cmd.Run()
			},
		}).SetupWithManager(mgr)
	})
}
