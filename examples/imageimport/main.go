// Command imageimport imports the tags of image streams that are new or have
// changed, and scheduled ones again and again, as the image import controller of
// openshift-controller-manager does.
//
//	go run ./imageimport --kubeconfig PATH [--scheduled-interval 15m] [--scheduled-per-minute 60]
package main

import (
	"context"
	"errors"
	"flag"
	"time"

	"k8s.io/client-go/util/flowcontrol"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/examples/imageimport/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
)

func main() {
	interval := flag.Duration("scheduled-interval", 15*time.Minute, "how often scheduled tags are imported; 0 is never")
	perMinute := flag.Int("scheduled-per-minute", 60, "how many image streams a minute are imported because of their schedule, at most")
	operator.Main("imageimport", operator.Scheme(), func(ctx context.Context, mgr manager.Manager) error {
		if *interval < 0 || *perMinute <= 0 {
			return errors.New("--scheduled-interval must not be negative, and --scheduled-per-minute must be positive")
		}
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "imageimport")
		if err != nil {
			return err
		}
		return (&controller.Imports{
			Client: mgr.GetClient(), Events: events, Now: time.Now, Interval: *interval,
			Limit: flowcontrol.NewTokenBucketRateLimiter(float32(*perMinute)/60, *perMinute),
		}).SetupWithManager(mgr)
	})
}
