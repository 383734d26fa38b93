package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/polyarch/polyarch/examples/internal/operator"
)

// A chore is what an adapter is made to do again and again.
type chore interface {
	name() string
	// pick decides what is asked for next.
	pick(random *rand.Rand)
	// ask writes it. It is called again until it returns no error.
	ask(ctx context.Context) error
	// reached tells what is there, and whether that is what was asked for.
	reached(ctx context.Context) (what string, ok bool, err error)
	// close stops the adapter.
	close() error
}

// patience is how long an adapter may take. Everything is local, so what takes this
// long does not come.
const patience = 3 * time.Minute

// converges is the invariant of all chores.
const converges = "an adapter gets to what was asked for"

// startChores makes what the adapters work on and starts them.
func (s *soak) startChores(ctx context.Context, dir string) error {
	if err := s.install(ctx); err != nil {
		return err
	}
	for _, start := range []func(context.Context, string) (chore, error){
		s.startBootSources, s.startOSStreams, s.startOSBuilds, s.startChain,
	} {
		c, err := start(ctx, dir)
		if c != nil {
			s.chores = append(s.chores, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tend has a chore done again and again, and sees that it is done. The last one is done
// to its end unless ctx ends as well.
func (s *soak) tend(ctx, until context.Context, c chore, random *rand.Rand) {
	for ; until.Err() == nil; pause(until, s.between(random)) {
		c.pick(random)
		began := time.Now()
		what, ok, err := "", false, error(nil)
		// That the server is killed meanwhile is no reason not to get there.
		for time.Since(began) < patience && ctx.Err() == nil && !ok {
			if err = c.ask(ctx); err == nil {
				what, ok, err = s.await(ctx, c, began)
			}
			pause(ctx, 50*time.Millisecond)
		}
		if ctx.Err() != nil {
			return
		}
		s.hear(heard{what: "converge " + c.name(), took: time.Since(began), err: err})
		if !ok {
			s.violate(violation{converges, c.name(), "within " + patience.String(), "as asked for", fmt.Sprintf("%s, last error %v", what, err)})
		}
	}
}

// await waits until the chore is done.
func (s *soak) await(ctx context.Context, c chore, began time.Time) (what string, ok bool, err error) {
	for time.Since(began) < patience && ctx.Err() == nil {
		if what, ok, err = c.reached(ctx); ok {
			return what, true, nil
		}
		pause(ctx, 50*time.Millisecond)
	}
	return what, false, err
}

// between is a time between two acts of the same kind: of ten minutes, 5 to 15 seconds.
func (s *soak) between(random *rand.Rand) time.Duration {
	unit := s.long / 120
	return unit + time.Duration(random.Int64N(int64(2*unit)))
}

func pause(ctx context.Context, long time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(long):
	}
}

// manage starts controllers under a manager of their own. The returned function stops
// them and waits until they are gone.
func (s *soak) manage(ctx context.Context, setup func(context.Context, manager.Manager) error) (stop func() error, err error) {
	mgr, err := operator.NewManager(s.config, s.scheme)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if err := setup(ctx, mgr); err != nil {
		cancel()
		return nil, err
	}
	done := make(chan error, 1)
	go func() {
		err := mgr.Start(ctx)
		if ctx.Err() == nil {
			s.violate(violation{"an adapter ends only when it is told to", "manager", "Start", "running", fmt.Sprint(err)})
		}
		done <- err
	}()
	return func() error {
		cancel()
		return <-done
	}, nil
}

func named(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }

// ensure creates the object if it is not there, with its status where it has one.
func (s *soak) ensure(ctx context.Context, obj client.Object) error {
	withStatus := obj.DeepCopyObject().(client.Object)
	if err := s.api.Create(ctx, obj); err != nil {
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return fmt.Errorf("create %T %s: %w", obj, obj.GetName(), err)
	}
	withStatus.SetResourceVersion(obj.GetResourceVersion())
	withStatus.SetUID(obj.GetUID())
	err := s.api.Status().Update(ctx, withStatus)
	if apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err) {
		return nil // it has no status of its own
	}
	return err
}

// change reads the object, lets edit change it and writes it with write, once more if
// somebody else was faster.
func change[T client.Object](ctx context.Context, c client.Client, obj T, edit func(T), write func(context.Context, T) error) error {
	for {
		if err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
			return err
		}
		edit(obj)
		if err := write(ctx, obj); !apierrors.IsConflict(err) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func updating[T client.Object](c client.Client) func(context.Context, T) error {
	return func(ctx context.Context, obj T) error { return c.Update(ctx, obj) }
}

func updatingStatus[T client.Object](c client.Client) func(context.Context, T) error {
	return func(ctx context.Context, obj T) error { return c.Status().Update(ctx, obj) }
}
