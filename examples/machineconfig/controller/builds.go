// Package controller is how the machine config operator would embed buildplan: it
// reads MachineOSConfigs and what belongs to them, plans, and makes the writes
// that the plan asks for. It remembers nothing between two looks.
package controller

import (
	"context"
	"maps"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// Blocked is the condition of a MachineOSConfig that says why nothing is built.
const Blocked = "Blocked"

// Builds carries out the plan of each MachineOSConfig.
type Builds struct {
	Client client.Client
	// Reader reads what is stored: a cache could show a build that lists a job and
	// not yet the job, which would count as deleted.
	Reader client.Reader
	Events record.EventRecorder
	// Attempts is how often a build of the same inputs may fail.
	Attempts int
	// Resync is how often the registry is asked whether the images are still
	// there. Zero means only when something else happens.
	Resync time.Duration
	Now    func() metav1.Time
}

// SetupWithManager adds the controller to mgr.
func (r *Builds) SetupWithManager(mgr manager.Manager) error {
	request := func(config string) []reconcile.Request {
		if config == "" {
			return nil
		}
		return []reconcile.Request{{NamespacedName: client.ObjectKey{Name: config}}}
	}
	ofBuild := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		return request(o.(*mcfgv1.MachineOSBuild).Spec.MachineOSConfig.Name)
	})
	ofJob := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		return request(o.GetAnnotations()[buildplan.AnnotationConfig])
	})
	ofPool := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object) []reconcile.Request {
		var configs mcfgv1.MachineOSConfigList
		if err := r.Client.List(ctx, &configs); err != nil {
			return nil
		}
		var all []reconcile.Request
		for _, c := range configs.Items {
			if c.Spec.MachineConfigPool.Name == o.GetName() {
				all = append(all, request(c.Name)...)
			}
		}
		return all
	})
	return builder.ControllerManagedBy(mgr).Named("machine-os-build").
		For(&mcfgv1.MachineOSConfig{}).
		Watches(&mcfgv1.MachineOSBuild{}, ofBuild).
		Watches(&batchv1.Job{}, ofJob).
		Watches(&mcfgv1.MachineConfigPool{}, ofPool).
		Complete(r)
}

// Reconcile looks at one MachineOSConfig, plans, and writes. Each write can be the
// last: the next look begins with what is stored then.
func (r *Builds) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	f, err := r.facts(ctx, req.Name)
	if err != nil || f == nil {
		return reconcile.Result{}, err
	}
	b, err := planned(ctx, f)
	if err != nil {
		return reconcile.Result{}, err
	}
	for _, finding := range b.Findings {
		r.Events.Event(f.Config, corev1.EventTypeWarning, string(finding.Code), finding.String())
	}
	if b.Next == buildplan.NextAccept {
		next := f.Config.DeepCopy()
		next.Annotations = buildplan.AcceptRebuild(next.Annotations, b.Attempt)
		return reconcile.Result{}, r.Client.Update(ctx, next)
	}
	for _, current := range f.Builds {
		for _, name := range b.Superseded {
			if current.Name != name {
				continue
			}
			if err := r.apply(ctx, current, buildplan.Interrupt(current, f.Jobs, r.Now())); err != nil {
				return reconcile.Result{}, err
			}
		}
	}
	for _, name := range b.Obsolete {
		job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: buildplan.Namespace, Name: name}}
		if err := client.IgnoreNotFound(r.Client.Delete(ctx, job)); err != nil {
			return reconcile.Result{}, err
		}
	}
	if err := r.advance(ctx, f, b); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{RequeueAfter: r.Resync}, r.report(ctx, f.Config, b)
}

// advance creates the build, writes its state and starts its jobs.
func (r *Builds) advance(ctx context.Context, f *buildplan.Facts, b buildplan.Build) error {
	var current *mcfgv1.MachineOSBuild
	switch b.Next {
	case buildplan.NextCreate:
		current = b.MachineOSBuild()
		current.OwnerReferences = []metav1.OwnerReference{
			*metav1.NewControllerRef(f.Config, mcfgv1.GroupVersion.WithKind("MachineOSConfig")),
		}
		if err := r.Client.Create(ctx, current); err != nil {
			return err
		}
	case buildplan.NextContinue:
		for _, have := range f.Builds {
			if have.Name == b.Name {
				current = have
			}
		}
	default:
		return nil
	}
	out, err := buildplan.Observe(b, current, r.Now())
	if err != nil {
		return err
	}
	for _, finding := range out.Findings {
		r.Events.Event(f.Config, corev1.EventTypeWarning, string(finding.Code), finding.String())
	}
	if err := r.apply(ctx, current, out); err != nil {
		return err
	}
	for _, i := range append(b.Images, b.Publish) {
		if i.State != buildplan.StateRun {
			continue
		}
		for _, o := range objectsOf(b, i, current) {
			if err := r.Client.Create(ctx, o); err != nil && !apierrors.IsAlreadyExists(err) {
				return err
			}
		}
	}
	return nil
}

// apply writes what there is to record, then the status.
func (r *Builds) apply(ctx context.Context, current *mcfgv1.MachineOSBuild, out buildplan.Outcome) error {
	next := current.DeepCopy()
	if out.Annotations != nil {
		if next.Annotations == nil {
			next.Annotations = map[string]string{}
		}
		maps.Copy(next.Annotations, out.Annotations)
		if err := r.Client.Update(ctx, next); err != nil {
			return err
		}
	}
	if !out.Changed {
		return nil
	}
	next.Status = out.Status
	return r.Client.Status().Update(ctx, next)
}

// report tells the MachineOSConfig what came of it.
func (r *Builds) report(ctx context.Context, config *mcfgv1.MachineOSConfig, b buildplan.Build) error {
	next := config.DeepCopy()
	condition := metav1.Condition{Type: Blocked, Status: metav1.ConditionFalse, Reason: string(b.Reason), LastTransitionTime: r.Now()}
	if b.Next == buildplan.NextBlocked {
		condition.Status = metav1.ConditionTrue
		if err := b.Problems.ToAggregate(); err != nil {
			condition.Message = err.Error()
		}
	}
	meta.SetStatusCondition(&next.Status.Conditions, condition)
	next.Status.ObservedGeneration = config.Generation
	if b.Next == buildplan.NextDone {
		next.Status.CurrentImagePullSpec = mcfgv1.ImageDigestFormat(b.PullSpec)
		next.Status.MachineOSBuild = &mcfgv1.ObjectReference{Group: mcfgv1.GroupName, Resource: "machineosbuilds", Name: b.Name}
	}
	if equality.Semantic.DeepEqual(next.Status, config.Status) {
		return nil
	}
	return r.Client.Status().Update(ctx, next)
}
