// Package builder stands for the nodes and their container runtimes: it carries
// out the Jobs of package controller, which really get an image each that is pushed
// and whose digest is reported. Where buildah can run the containerfile of a Job, it
// does. Else a stand-in makes an image of the base image, the rendered config and the
// labels, runs no command, and says so loudly.
package builder

import (
	"context"
	"errors"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrlbuilder "sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlcontroller "sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// Builder runs jobs, those of different architectures at the same time.
type Builder struct {
	Client client.Client
	Reader client.Reader
	// Before, if set, is called before each try of a job. It may wait; an error
	// makes the try fail.
	Before func(ctx context.Context, job *batchv1.Job) error
	// Buildah is the path of buildah; empty leaves every image to the stand-in. See
	// FindBuildah.
	Buildah string
	// Say, if set, is told of each image that the stand-in makes, and why. It may be
	// called by several goroutines at the same time.
	Say func(job *batchv1.Job, why string)

	mu      sync.Mutex
	built   []string
	running map[types.UID]context.CancelFunc
}

// Built returns the names of the jobs that were carried out, in their order; one
// that was carried out twice is there twice.
func (r *Builder) Built() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.built...)
}

// SetupWithManager adds the builder to mgr.
func (r *Builder) SetupWithManager(mgr manager.Manager) error {
	waiting := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, _ client.Object) []reconcile.Request {
		var jobs batchv1.JobList
		if err := r.Client.List(ctx, &jobs); err != nil {
			return nil
		}
		var all []reconcile.Request
		for _, j := range jobs.Items {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&j)})
		}
		return all
	})
	// A job whose try runs is looked at when the try has ended. Its deletion must not
	// wait for that.
	deleted := handler.Funcs{UpdateFunc: func(_ context.Context, e event.UpdateEvent, _ workqueue.TypedRateLimitingInterface[reconcile.Request]) {
		if e.ObjectNew.GetDeletionTimestamp() != nil {
			r.kill(e.ObjectNew.GetUID())
		}
	}}
	return ctrlbuilder.ControllerManagedBy(mgr).Named("node").
		For(&batchv1.Job{}).
		Watches(&batchv1.Job{}, deleted).
		Watches(&corev1.Node{}, waiting).
		WithOptions(ctrlcontroller.Options{MaxConcurrentReconciles: 8}).
		Complete(r)
}

// Reconcile tries one job once.
func (r *Builder) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	job := new(batchv1.Job)
	if err := r.Reader.Get(ctx, req.NamespacedName, job); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if job.Labels[buildplan.LabelBuild] == "" {
		return reconcile.Result{}, nil
	}
	if job.DeletionTimestamp != nil {
		return reconcile.Result{}, r.collect(ctx, job)
	}
	if ended(job) {
		return reconcile.Result{}, nil
	}
	if job.Status.StartTime == nil {
		now := metav1.Now()
		job.Status.StartTime = &now
		if err := r.Client.Status().Update(ctx, job); err != nil {
			return reconcile.Result{}, err
		}
	}
	left := untilDeadline(job)
	if left <= 0 {
		return reconcile.Result{}, r.end(ctx, job, batchv1.JobReasonDeadlineExceeded, "Job was active longer than specified deadline")
	}
	keys, err := r.scheduled(ctx, job)
	if err != nil || keys == nil {
		return reconcile.Result{RequeueAfter: min(left, untilStarted)}, err
	}
	if job.Status.Active == 0 {
		job.Status.Active = 1
		if err := r.Client.Status().Update(ctx, job); err != nil {
			return reconcile.Result{}, err
		}
	}
	digest, err := r.try(ctx, job, keys)
	if err != nil {
		return r.fail(ctx, job, err)
	}
	if err := r.Client.Create(ctx, controller.Report(job, digest)); err != nil && !apierrors.IsAlreadyExists(err) {
		return reconcile.Result{}, err
	}
	now := metav1.Now()
	job.Status.Active, job.Status.Succeeded, job.Status.CompletionTime = 0, 1, &now
	job.Status.Conditions = append(job.Status.Conditions, condition(batchv1.JobComplete, "Completed", ""))
	return reconcile.Result{}, client.IgnoreNotFound(r.Client.Status().Update(ctx, job))
}

// untilStarted is how soon a pod is tried again that could not start.
const untilStarted = 5 * time.Second

// kill ends the try of a job, as a pod ends that is deleted.
func (r *Builder) kill(job types.UID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if end := r.running[job]; end != nil {
		end()
	}
}

// collect is what the garbage collector does to a job that is deleted in the
// foreground, once its pods are gone: here they are, since a job is not tried and
// looked at at the same time.
func (r *Builder) collect(ctx context.Context, job *batchv1.Job) error {
	if !controllerutil.RemoveFinalizer(job, metav1.FinalizerDeleteDependents) {
		return nil
	}
	return client.IgnoreNotFound(r.Client.Update(ctx, job))
}

// untilDeadline is how long a job that has started may go on.
func untilDeadline(job *batchv1.Job) time.Duration {
	if job.Spec.ActiveDeadlineSeconds == nil {
		return time.Hour
	}
	return time.Until(job.Status.StartTime.Add(time.Duration(*job.Spec.ActiveDeadlineSeconds) * time.Second))
}

func (r *Builder) try(ctx context.Context, job *batchv1.Job, keys *keys) (digest string, err error) {
	ctx, cancel := context.WithTimeout(ctx, untilDeadline(job))
	defer cancel()
	r.mu.Lock()
	if r.running == nil {
		r.running = map[types.UID]context.CancelFunc{}
	}
	r.running[job.UID] = cancel
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.running, job.UID)
	}()
	// A deletion that came before the try was there to be ended is seen here.
	if err := r.Reader.Get(ctx, client.ObjectKeyFromObject(job), job); err != nil {
		return "", err
	}
	if job.DeletionTimestamp != nil {
		return "", errors.New("the job is being deleted")
	}
	if r.Before != nil {
		if err := r.Before(ctx, job); err != nil {
			return "", err
		}
	}
	env := map[string]string{}
	for _, e := range job.Spec.Template.Spec.Containers[0].Env {
		env[e.Name] = e.Value
	}
	if env[controller.EnvBuild] != "" {
		digest, err = r.publish(ctx, env, keys)
	} else {
		digest, err = r.build(ctx, job, env, keys)
	}
	if err == nil {
		r.mu.Lock()
		r.built = append(r.built, job.Name)
		r.mu.Unlock()
	}
	return digest, err
}

// fail counts a failed pod, and ends the job when no retry is left.
func (r *Builder) fail(ctx context.Context, job *batchv1.Job, why error) (reconcile.Result, error) {
	if ctx.Err() != nil {
		return reconcile.Result{}, ctx.Err() // the builder stops, the job does not
	}
	stored := new(batchv1.Job)
	if err := r.Reader.Get(ctx, client.ObjectKeyFromObject(job), stored); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if stored.UID != job.UID || stored.DeletionTimestamp != nil {
		return reconcile.Result{RequeueAfter: time.Millisecond}, nil // to be collected
	}
	stored.Status.Failed++
	if stored.Status.Failed > *stored.Spec.BackoffLimit {
		return reconcile.Result{}, r.end(ctx, stored, batchv1.JobReasonBackoffLimitExceeded, why.Error())
	}
	stored.Status.Active = 0
	if err := r.Client.Status().Update(ctx, stored); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	return reconcile.Result{RequeueAfter: 10 * time.Millisecond}, nil
}

// end lets a job fail.
func (r *Builder) end(ctx context.Context, job *batchv1.Job, reason, message string) error {
	job.Status.Active = 0
	job.Status.Conditions = append(job.Status.Conditions, condition(batchv1.JobFailed, reason, message))
	return client.IgnoreNotFound(r.Client.Status().Update(ctx, job))
}

func ended(job *batchv1.Job) bool {
	for _, c := range job.Status.Conditions {
		if (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}

func condition(t batchv1.JobConditionType, reason, message string) batchv1.JobCondition {
	now := metav1.Now()
	return batchv1.JobCondition{Type: t, Status: corev1.ConditionTrue, Reason: reason, Message: message,
		LastProbeTime: now, LastTransitionTime: now}
}
