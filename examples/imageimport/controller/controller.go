package controller

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	imagev1 "github.com/openshift/api/image/v1"
)

// Imports sends the imports that image streams need.
type Imports struct {
	Client client.Client
	Events record.EventRecorder
	Now    func() time.Time
	// Interval is the time from one import of scheduled tags to the next one. 0 turns
	// schedules off.
	Interval time.Duration
	// Limit is how often, over all streams, scheduled tags are imported. nil is no limit.
	Limit flowcontrol.RateLimiter

	mu  sync.Mutex
	due map[client.ObjectKey]time.Time // of streams with scheduled tags
}

// workers is how many streams are imported at a time: a registry that does not answer
// holds one of them up for as long as the API server waits for it.
const workers = 5

// SetupWithManager adds the controller to mgr.
func (r *Imports) SetupWithManager(mgr manager.Manager) error {
	return builder.ControllerManagedBy(mgr).Named("image-import").
		For(&imagev1.ImageStream{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(r)
}

// Reconcile sends the import that the stream needs, if it needs one, and says when its
// scheduled tags are due.
func (r *Imports) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var stream imagev1.ImageStream
	if err := r.Client.Get(ctx, req.NamespacedName, &stream); err != nil {
		if apierrors.IsNotFound(err) {
			r.forget(req.NamespacedName)
		}
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	wait := r.schedule(req.NamespacedName, &stream)
	scheduled := wait < 0
	if scheduled && r.Limit != nil && !r.Limit.TryAccept() {
		scheduled, wait = false, time.Duration(float64(time.Second)/float64(r.Limit.QPS()))
	}
	if request := requestFor(&stream, scheduled); request != nil {
		if err := r.send(ctx, &stream, request); err != nil {
			return reconcile.Result{}, err
		}
	}
	if scheduled {
		wait = r.postpone(req.NamespacedName)
	}
	return reconcile.Result{RequeueAfter: wait}, nil
}

// send sends an import. What has become of it is in the stream, but for one that the
// API server refuses: it would do so again.
func (r *Imports) send(ctx context.Context, stream *imagev1.ImageStream, request *imagev1.ImageStreamImport) error {
	err := r.Client.Create(ctx, request)
	if apierrors.IsInvalid(err) {
		r.Events.Event(stream, corev1.EventTypeWarning, "ImportRefused", err.Error())
		return nil
	}
	return err
}

// schedule returns how long it is until the scheduled tags of the stream are due: a
// negative time if they are, 0 if there are none. They are due for the first time one
// interval after the stream was first seen.
func (r *Imports) schedule(key client.ObjectKey, stream *imagev1.ImageStream) time.Duration {
	if r.Interval == 0 || !hasSchedule(stream) {
		r.forget(key)
		return 0
	}
	r.mu.Lock()
	due, known := r.due[key]
	r.mu.Unlock()
	if !known {
		return r.postpone(key)
	}
	if wait := due.Sub(r.Now()); wait > 0 {
		return wait
	}
	return -1
}

// postpone has the scheduled tags wait for an interval.
func (r *Imports) postpone(key client.ObjectKey) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.due == nil {
		r.due = map[client.ObjectKey]time.Time{}
	}
	r.due[key] = r.Now().Add(r.Interval)
	return r.Interval
}

func (r *Imports) forget(key client.ObjectKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.due, key)
}
