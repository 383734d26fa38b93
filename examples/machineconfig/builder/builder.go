// Package builder stands for the nodes and their container runtimes: it carries
// out the Jobs of package controller. A Job of one architecture really gets an
// image, made of the base image of that architecture and one layer with what the
// containerfile says; it is pushed, and its digest reported. Commands of the
// containerfile are not run.
package builder

import (
	"context"
	"fmt"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	ctrlbuilder "sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlcontroller "sigs.k8s.io/controller-runtime/pkg/controller"
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

	mu    sync.Mutex
	built []string
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
	return ctrlbuilder.ControllerManagedBy(mgr).Named("node").
		For(&batchv1.Job{}).
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
	if job.Labels[buildplan.LabelBuild] == "" || job.DeletionTimestamp != nil || ended(job) {
		return reconcile.Result{}, nil
	}
	fits, err := r.scheduled(ctx, job)
	if err != nil || !fits {
		return reconcile.Result{}, err
	}
	if job.Status.Active == 0 {
		now := metav1.Now()
		job.Status.Active, job.Status.StartTime = 1, &now
		if err := r.Client.Status().Update(ctx, job); err != nil {
			return reconcile.Result{}, err
		}
	}
	digest, err := r.try(ctx, job)
	if err != nil {
		return r.fail(ctx, job, err)
	}
	if err := r.Client.Create(ctx, controller.Report(job, digest)); err != nil && !apierrors.IsAlreadyExists(err) {
		return reconcile.Result{}, err
	}
	now := metav1.Now()
	job.Status.Active, job.Status.Succeeded, job.Status.CompletionTime = 0, 1, &now
	job.Status.Conditions = append(job.Status.Conditions, condition(batchv1.JobComplete, ""))
	return reconcile.Result{}, client.IgnoreNotFound(r.Client.Status().Update(ctx, job))
}

// scheduled reports whether a node fits the job.
func (r *Builder) scheduled(ctx context.Context, job *batchv1.Job) (bool, error) {
	var nodes corev1.NodeList
	if err := r.Reader.List(ctx, &nodes); err != nil {
		return false, err
	}
	selector := labels.SelectorFromSet(job.Spec.Template.Spec.NodeSelector)
	for _, n := range nodes.Items {
		if selector.Matches(labels.Set(n.Labels)) {
			return true, nil
		}
	}
	return false, nil
}

func (r *Builder) try(ctx context.Context, job *batchv1.Job) (digest string, err error) {
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
		digest, err = r.publish(ctx, env)
	} else {
		digest, err = r.build(ctx, job, env)
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
	job.Status.Active = 0
	job.Status.Failed++
	if job.Status.Failed > *job.Spec.BackoffLimit {
		job.Status.Conditions = append(job.Status.Conditions, condition(batchv1.JobFailed, why.Error()))
	}
	if err := r.Client.Status().Update(ctx, job); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if ended(job) {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{RequeueAfter: 10 * time.Millisecond}, nil
}

func ended(job *batchv1.Job) bool {
	for _, c := range job.Status.Conditions {
		if (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}

func condition(t batchv1.JobConditionType, message string) batchv1.JobCondition {
	now := metav1.Now()
	return batchv1.JobCondition{Type: t, Status: corev1.ConditionTrue, Reason: fmt.Sprintf("Pod%s", t), Message: message,
		LastProbeTime: now, LastTransitionTime: now}
}
