package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	hypershift "github.com/polyarch/polyarch/examples/hypershift/crds"
	"github.com/polyarch/polyarch/examples/internal/operator"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
	"github.com/polyarch/polyarch/examples/ssp/crds"
)

// A world is one API server, as a process of its own, with what the chapters
// need to act on it and to look at it.
type world struct {
	*tale
	dir        string   // everything lives below it
	apiserver  []string // the command line
	configFile string   // the apiserver's, written by its operator
	server     *launch.Server
	cfg        *rest.Config
	scheme     *runtime.Scheme
	client     client.Client
	etcd       *clientv3.Client
	died       chan error // controllers that ended by themselves
}

// namespace is where the chapters keep what is not cluster-scoped.
const namespace = "demo"

// newWorld boots the API server by its command line, with further flags.
func newWorld(ctx context.Context, t *tale, apiserver []string, flags ...string) (*world, error) {
	dir, err := os.MkdirTemp("", "polyarch-")
	if err != nil {
		return nil, err
	}
	w := &world{tale: t, dir: dir, apiserver: apiserver, configFile: filepath.Join(dir, "openshift-apiserver.yaml"), scheme: operator.Scheme(), died: make(chan error, 1)}
	utilruntime.Must(ssp.AddToScheme(w.scheme))
	if err := w.boot(ctx, flags); err != nil {
		return nil, errors.Join(err, w.close(ctx))
	}
	return w, nil
}

func (w *world) boot(ctx context.Context, flags []string) error {
	if err := os.WriteFile(w.configFile, emptyConfig(), 0o600); err != nil {
		return err
	}
	definitions := filepath.Join(w.dir, "crds")
	for _, write := range []func(dir string) error{crds.Write, hypershift.Write} {
		if err := write(definitions); err != nil {
			return err
		}
	}
	var err error
	w.server, err = launch.Start(ctx, launch.Options{
		Command:    w.apiserver,
		DataDir:    filepath.Join(w.dir, "apiserver"),
		ConfigFile: w.configFile,
		CRDDirs:    []string{definitions},
		Flags:      flags,
	})
	if err != nil {
		return err
	}
	w.cfg = w.server.Config()
	w.cfg.Dial = w.dial
	if w.client, err = client.New(w.cfg, client.Options{Scheme: w.scheme}); err != nil {
		return err
	}
	if w.etcd, err = w.server.Etcd(); err != nil {
		return err
	}
	return w.ensure(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})
}

// dial stands for the load balancer in front of a cluster's API servers: while
// the only one there is starts anew, connections wait instead of being refused.
func (w *world) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.server.Running() // answers when no restart is under way
	var dialer net.Dialer
	return dialer.DialContext(ctx, network, address)
}

// emptyConfig is the apiserver's configuration before anything was observed.
func emptyConfig() []byte {
	return []byte("apiVersion: openshiftcontrolplane.config.openshift.io/v1\nkind: OpenShiftAPIServerConfig\n")
}

// close stops the API server and removes what it stored. When ctx has ended,
// somebody waits for that, and nothing is worth stopping in order.
func (w *world) close(ctx context.Context) error {
	var errs []error
	if w.etcd != nil {
		errs = append(errs, w.etcd.Close())
	}
	if w.server != nil && ctx.Err() != nil {
		errs = append(errs, w.server.Kill())
	}
	if w.server != nil {
		errs = append(errs, w.server.Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(w.dir))...)
}

// run starts controllers under a manager of their own. The returned function
// stops them and waits until they are gone.
func (w *world) run(ctx context.Context, setup func(context.Context, manager.Manager) error) (stop func() error, err error) {
	mgr, err := operator.NewManager(w.cfg, w.scheme)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	if err := setup(ctx, mgr); err != nil {
		cancel()
		return nil, err
	}
	done := make(chan error, 1)
	go func() {
		err := mgr.Start(ctx)
		if ctx.Err() == nil {
			select {
			case w.died <- fmt.Errorf("controllers ended by themselves: %w", err):
			default: // nobody has taken the last one yet
			}
		}
		done <- err
	}()
	return func() error {
		cancel()
		return <-done
	}, nil
}
