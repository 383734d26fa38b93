// Command osimagestream keeps the OSImageStream of a cluster and resolves its
// machine config pools to OS images, as the machine config operator does. Built
// with -tags scos it is OKD's, else OCP's.
//
//	go run [-tags scos] ./osimagestream --kubeconfig PATH --version VERSION --build HASH --release IMAGE=DIR [--release IMAGE=DIR …]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/osimagestream/controller"
)

func main() {
	version := flag.String("version", "", "version of the release that this process belongs to")
	build := flag.String("build", "", "what to annotate the OSImageStream with, the hash of the operator's sources")
	releases := map[string]string{}
	flag.Func("release", "IMAGE=DIR, a release image and the directory that holds its release-manifests (repeatable)", func(s string) error {
		image, dir, ok := strings.Cut(s, "=")
		if !ok || image == "" || dir == "" {
			return fmt.Errorf("%q is not of the form IMAGE=DIR", s)
		}
		releases[image] = dir
		return nil
	})
	operator.Main("osimagestream", operator.Scheme(), func(ctx context.Context, mgr manager.Manager) error {
		if *version == "" || *build == "" {
			return errors.New("--version and --build must be set")
		}
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "osimagestream")
		if err != nil {
			return err
		}
		streams := &controller.Streams{
			Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Events: events, Flavor: flavor, Version: *version, Build: *build,
			Releases: releases, Labels: controller.Registry{Secrets: mgr.GetAPIReader()}.Labels,
		}
		if err := streams.SetupWithManager(mgr); err != nil {
			return err
		}
		return (&controller.Pools{Client: mgr.GetClient(), Build: *build, Now: metav1.Now}).SetupWithManager(mgr)
	})
}
