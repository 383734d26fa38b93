// Command machineconfig builds the OS images of machine config pools whose nodes
// have several architectures, as the machine config operator would.
//
//	go run ./machineconfig --kubeconfig PATH [--local-builder]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
)

func main() {
	local := flag.Bool("local-builder", false, "carry out the jobs in this process too, in place of nodes")
	attempts := flag.Int("attempts", 1, "how many builds of the same inputs may fail")
	deadline := flag.Duration("deadline", controller.DefaultDeadline, "how long a job may take with all its retries")
	operator.Main("machineconfig", operator.Scheme(), func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "machine-os-builder")
		if err != nil {
			return err
		}
		if err := (&controller.Architectures{Client: mgr.GetClient(), Reader: mgr.GetAPIReader()}).SetupWithManager(mgr); err != nil {
			return err
		}
		if *local {
			b := &builder.Builder{Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Say: func(job *batchv1.Job, why string) {
				fmt.Fprintf(os.Stderr, "machineconfig: ##### %s: %s #####\n", job.Name, why)
			}}
			if b.Buildah, err = builder.FindBuildah(); err != nil {
				fmt.Fprintf(os.Stderr, "machineconfig: ##### NO CONTAINERFILE IS RUN: %v #####\n", err)
			}
			if err := b.SetupWithManager(mgr); err != nil {
				return err
			}
		}
		return (&controller.Builds{
			Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Events: events,
			Attempts: *attempts, Deadline: *deadline, Resync: 10 * time.Minute, Now: metav1.Now,
		}).SetupWithManager(mgr)
	})
}
