package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
)

// settleTime is how long a cluster may take until its first rollout is through.
const settleTime = 2 * time.Minute

// serve keeps the cluster of the story up for kubectl and oc, until ctx ends or
// one of its processes does by itself. Ignore is the server's --ignore-legacy-from.
func serve(ctx context.Context, out io.Writer, apiserver []string, ignore string) (err error) {
	t := &tale{out: untilDone{ctx, out}}
	defer func() {
		if ctx.Err() != nil {
			err = nil // it was told to end
		}
	}()
	fmt.Fprintln(t.out, "cluster: booting etcd and the API server ...")
	var flags []string
	if ignore != "" {
		flags = append(flags, "--ignore-legacy-from="+ignore)
	}
	w, err := newWorld(ctx, t, apiserver, flags...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close(ctx)) }()
	c := newCluster(w)
	c.restartFailed = func(err error) {
		fmt.Fprintf(t.out, "cluster: the API server could not be rolled out, and is down until it can be: %v\n", err)
	}
	stop, err := c.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	stopImports, err := w.run(ctx, importing(15*time.Minute))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopImports()) }()
	if err := c.awaitSettled(ctx, settled(single420, configv1.ImportModeLegacy)); err != nil {
		return err
	}
	fmt.Fprintf(t.out, welcome, w.server.Kubeconfig(), single420.version)
	if ignore == "" {
		fmt.Fprint(t.out, legacyHint)
	}
	fmt.Fprintln(t.out, "cluster: Ctrl-C ends it and removes its data")
	return c.watch(ctx)
}

const welcome = `cluster: up, with a single-architecture payload. In another shell:

  export KUBECONFIG=%s
  kubectl get clusterversion,images.config,openshiftapiservers
  oc adm upgrade --to-multi-arch

or, without oc:

  kubectl patch clusterversion version --type=merge \
    -p '{"spec":{"desiredUpdate":{"architecture":"Multi","version":"%s"}}}'

`

const legacyHint = `cluster: oc sends the import mode Legacy unasked, which counts as yours after a migration, too;
cluster: to have that ignored, start with IGNORE_LEGACY_FROM=oc/ (make) or -ignore-legacy-from=oc/

`

// awaitSettled returns when every hop holds what it is to hold, no rollout is
// under way, and the API server answers.
func (c *cluster) awaitSettled(ctx context.Context, want hops) error {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for {
		got, err := c.hops(ctx)
		if err == nil && cmp.Equal(got, any(want)) {
			if err = c.w.ready(ctx); err == nil {
				return nil
			}
		}
		select {
		case err := <-c.w.server.Died():
			return err
		case err := <-c.w.died:
			return err
		case <-ctx.Done():
			return fmt.Errorf("the cluster does not settle: %v, last error %w", got, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// ready asks the API server.
func (w *world) ready(ctx context.Context) error {
	c, err := rest.HTTPClientFor(w.cfg)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.cfg.Host+"/readyz", nil)
	if err != nil {
		return err
	}
	response, err := c.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("/readyz: %s", response.Status)
	}
	return nil
}

// watch returns nil when ctx ends, and why when the API server or an operator
// ends by itself. Meanwhile it does what a release does when it is applied:
// start the cluster version operator that comes with it.
func (c *cluster) watch(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-c.w.server.Died():
			return fmt.Errorf("cluster: the API server is dead: %w", err)
		case err := <-c.w.died:
			return fmt.Errorf("cluster: an operator is dead: %w", err)
		case <-time.After(200 * time.Millisecond):
		}
		cv := &configv1.ClusterVersion{ObjectMeta: named("version")}
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(cv), cv); err != nil {
			continue // the API server is rolled out, or whoever is dead is told next
		}
		for _, r := range releases() {
			if r.image != cv.Status.Desired.Image || r == c.own {
				continue
			}
			fmt.Fprintf(c.w.out, "cluster: release %s, %s, is applied: its cluster version operator starts\n", r.version, r.kind())
			if err := c.startCVO(ctx, r); err != nil {
				return err
			}
		}
	}
}
