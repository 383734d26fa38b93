package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/apiserver/server"
	"github.com/polyarch/polyarch/examples/internal/operator"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
	"github.com/polyarch/polyarch/examples/ssp/crds"
)

// A world is one API server, as a process of its own, with what the chapters
// need to act on it and to look at it.
type world struct {
	*tale
	dir        string // everything lives below it
	configFile string // the apiserver's, written by its operator
	server     *launch.Server
	cfg        *rest.Config
	scheme     *runtime.Scheme
	client     client.Client
	etcd       *clientv3.Client
}

// namespace is where the chapters keep what is not cluster-scoped.
const namespace = "demo"

// newWorld boots the API server: this same executable, started again as
// "walkthrough apiserver …".
func newWorld(ctx context.Context, t *tale) (*world, error) {
	dir, err := os.MkdirTemp("", "polyarch-")
	if err != nil {
		return nil, err
	}
	w := &world{tale: t, dir: dir, configFile: filepath.Join(dir, "openshift-apiserver.yaml"), scheme: operator.Scheme()}
	utilruntime.Must(ssp.AddToScheme(w.scheme))
	if err := w.boot(ctx); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

func (w *world) boot(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.WriteFile(w.configFile, emptyConfig(), 0o600); err != nil {
		return err
	}
	definitions := filepath.Join(w.dir, "crds")
	if err := crds.Write(definitions); err != nil {
		return err
	}
	w.server, err = launch.Start(ctx, launch.Options{
		Command:    []string{self, apiserverCommand},
		DataDir:    filepath.Join(w.dir, "apiserver"),
		ConfigFile: w.configFile,
		CRDDirs:    []string{definitions},
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

// close stops the API server and removes what it stored.
func (w *world) close() error {
	var errs []error
	if w.etcd != nil {
		errs = append(errs, w.etcd.Close())
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
	go func() { done <- mgr.Start(ctx) }()
	return func() error {
		cancel()
		return <-done
	}, nil
}

// ensure creates the object if it is not there, and writes its status too where
// the object has one: a create leaves it out.
func (w *world) ensure(ctx context.Context, obj client.Object) error {
	withStatus := obj.DeepCopyObject().(client.Object)
	if err := w.client.Create(ctx, obj); err != nil {
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return fmt.Errorf("create %T %s: %w", obj, obj.GetName(), err)
	}
	withStatus.SetResourceVersion(obj.GetResourceVersion())
	withStatus.SetUID(obj.GetUID())
	err := w.client.Status().Update(ctx, withStatus)
	if apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err) {
		return nil // it has no status of its own
	}
	return err
}

// change reads the object again, lets edit change it, and updates it, once more
// if somebody else was faster.
func change[T client.Object](ctx context.Context, w *world, obj T, edit func(T)) error {
	for {
		if err := w.client.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
			return err
		}
		edit(obj)
		if err := w.client.Update(ctx, obj); !apierrors.IsConflict(err) {
			return err
		}
	}
}

// changeStatus is change for the status.
func changeStatus[T client.Object](ctx context.Context, w *world, obj T, edit func(T)) error {
	for {
		if err := w.client.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
			return err
		}
		edit(obj)
		if err := w.client.Status().Update(ctx, obj); !apierrors.IsConflict(err) {
			return err
		}
	}
}

// A record is an object as it stands in etcd.
type record struct {
	Value    string
	Revision int64 // of the last write
}

// key returns where an object is stored: group, resource, namespace if it has
// one, name.
func key(parts ...string) string {
	k := server.StoragePrefix
	for _, p := range parts {
		k += "/" + p
	}
	return k
}

// stored reads an object from etcd, past the API server.
func (w *world) stored(ctx context.Context, key string) (record, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	resp, err := w.etcd.Get(ctx, key)
	if err != nil {
		return record{}, err
	}
	if len(resp.Kvs) != 1 {
		return record{}, fmt.Errorf("etcd holds no %s", key)
	}
	return record{string(resp.Kvs[0].Value), resp.Kvs[0].ModRevision}, nil
}

// rewrite changes an object in etcd, past the API server and all its checks.
func (w *world) rewrite(ctx context.Context, key string, edit func(stored string) string) error {
	was, err := w.stored(ctx, key)
	if err != nil {
		return err
	}
	now := edit(was.Value)
	if now == was.Value {
		return fmt.Errorf("%s: nothing to rewrite in %s", key, was.Value)
	}
	_, err = w.etcd.Put(ctx, key, now)
	return err
}

// history returns what read finds in every state that the object had in etcd
// after revision, oldest first, with repetitions left out.
func (w *world) history(ctx context.Context, key string, revision int64, read func([]byte) (string, error)) ([]string, error) {
	last, err := w.stored(ctx, key)
	if err != nil {
		return nil, err
	}
	var values []string
	if last.Revision <= revision {
		return values, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for resp := range w.etcd.Watch(ctx, key, clientv3.WithRev(revision+1)) {
		if err := resp.Err(); err != nil {
			return nil, err
		}
		for _, e := range resp.Events {
			v, err := read(e.Kv.Value)
			if err != nil {
				return nil, err
			}
			if len(values) == 0 || values[len(values)-1] != v {
				values = append(values, v)
			}
			if e.Kv.ModRevision >= last.Revision {
				return values, nil
			}
		}
	}
	return nil, ctx.Err()
}

// settle gives operators that ought to do nothing the time to do it. What they
// did meanwhile is in the history of the objects, so that nothing is missed.
func (w *world) settle(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Second):
		return nil
	}
}
