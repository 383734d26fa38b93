// Command clusterversion reports releases in the ClusterVersion, as the cluster
// version operator does. A release is a directory with release-manifests in it.
//
//	go run ./clusterversion --kubeconfig PATH --own IMAGE --release IMAGE=DIR [--release IMAGE=DIR …]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/examples/clusterversion/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
)

func main() {
	own := flag.String("own", "", "image of the release that this process belongs to")
	releases := map[string]string{}
	flag.Func("release", "IMAGE=DIR, a release image and the directory that holds its release-manifests (repeatable)", func(s string) error {
		image, dir, ok := strings.Cut(s, "=")
		if !ok || image == "" || dir == "" {
			return fmt.Errorf("%q is not of the form IMAGE=DIR", s)
		}
		releases[image] = dir
		return nil
	})
	operator.Main("clusterversion", operator.Scheme(), func(ctx context.Context, mgr manager.Manager) error {
		if *own == "" || releases[*own] == "" {
			return errors.New("--own must name an image that a --release gives a directory for")
		}
		return (&controller.Reconciler{
			Client: mgr.GetClient(), Own: *own, Releases: releases, Now: metav1.Now,
		}).SetupWithManager(ctx, mgr)
	})
}
