// Package controller is how the machine config operator would embed buildplan: it
// reads MachineOSConfigs and what belongs to them, plans, and makes the writes
// that the plan asks for. It remembers nothing between two looks.
package controller

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// Builds carries out the plan of each MachineOSConfig.
type Builds struct {
	// Client lists out of a cache.
	Client client.Client
	// Reader reads single objects as they are stored.
	Reader client.Reader
	// Reports reads the ConfigMaps in which jobs report. SetupWithManager makes a
	// cache of these only: a cluster has many other ConfigMaps.
	Reports client.Reader
	Events  record.EventRecorder
	// Attempts is how often a build of the same inputs may fail.
	Attempts int
	// Deadline is how long a job may take with all its retries, waiting for a node
	// included. Zero means DefaultDeadline.
	Deadline time.Duration
	// Resync is how often the registry is asked whether the images are still
	// there. Zero means only when something else happens.
	Resync time.Duration
	Now    func() metav1.Time
}

// DefaultDeadline lets a slow build take its four tries, and ends one whose pod
// never starts.
const DefaultDeadline = 2 * time.Hour

// again is how soon to look again after something that passes: a cache that lags
// behind, or a registry that does not tell.
const again, whenUnreadable = time.Second, time.Minute

// errStale says that what was seen is no longer so.
var errStale = errors.New("what was seen has changed since")

// Reconcile looks at one MachineOSConfig, plans, and writes. Each write can be the
// last: the next look begins with what is stored then.
func (r *Builds) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	result, err := r.reconcile(ctx, req.Name)
	if errors.Is(err, errStale) || apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return reconcile.Result{RequeueAfter: again}, nil
	}
	return result, err
}

func (r *Builds) reconcile(ctx context.Context, name string) (reconcile.Result, error) {
	f, err := r.look(ctx, name)
	if err != nil || f == nil {
		return reconcile.Result{}, err
	}
	b, err := planned(ctx, &f.Facts, f.credentials)
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
		if !slices.Contains(b.Superseded, current.Name) {
			continue
		}
		if err := r.apply(ctx, current, buildplan.Interrupt(current, f.Jobs, r.Now())); err != nil {
			return reconcile.Result{}, err
		}
	}
	for _, name := range b.Obsolete {
		if err := r.remove(ctx, name); err != nil {
			return reconcile.Result{}, err
		}
	}
	if err := r.advance(ctx, f, b); err != nil {
		return reconcile.Result{}, err
	}
	result := reconcile.Result{RequeueAfter: r.Resync}
	if len(f.Unreadable) > 0 && (r.Resync == 0 || r.Resync > whenUnreadable) {
		result.RequeueAfter = whenUnreadable
	}
	return result, r.report(ctx, f, b)
}

// remove deletes a job in the foreground: it is there until its pods are gone,
// which would push on after it otherwise, and until then no other job has its name.
func (r *Builds) remove(ctx context.Context, name string) error {
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: buildplan.Namespace, Name: name}}
	return client.IgnoreNotFound(r.Client.Delete(ctx, job, client.PropagationPolicy(metav1.DeletePropagationForeground)))
}

// advance creates the build, writes its state and starts its jobs.
func (r *Builds) advance(ctx context.Context, f *look, b buildplan.Build) error {
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
	if out.Annotations == nil && !out.Changed {
		if err := r.unchanged(ctx, b, current); err != nil {
			return err
		}
	}
	if err := r.apply(ctx, current, out); err != nil {
		return err
	}
	return r.start(ctx, f, b, current)
}

// unchanged makes sure, where jobs are to be started and nothing else is written,
// that the build is as it was seen: a cache that lags behind shows one that does not
// list its jobs yet. Where something is written, the API server sees to that.
func (r *Builds) unchanged(ctx context.Context, b buildplan.Build, seen *mcfgv1.MachineOSBuild) error {
	if !slices.ContainsFunc(append(slices.Clone(b.Images), b.Publish), toRun) {
		return nil
	}
	stored := new(mcfgv1.MachineOSBuild)
	err := r.Reader.Get(ctx, client.ObjectKeyFromObject(seen), stored)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	if err != nil || stored.UID != seen.UID || stored.ResourceVersion != seen.ResourceVersion {
		return errStale
	}
	return nil
}

func toRun(i buildplan.Image) bool { return i.State == buildplan.StateRun }

// start creates the jobs that are to run, each after its ConfigMap.
func (r *Builds) start(ctx context.Context, f *look, b buildplan.Build, owner *mcfgv1.MachineOSBuild) error {
	images := append(slices.Clone(b.Images), b.Publish)
	if !slices.ContainsFunc(images, toRun) {
		return nil
	}
	nodes, err := nodesOf(ctx, r.Client, b.Pool)
	if err != nil {
		return err
	}
	p := placement{config: f.Config, tolerations: tolerations(nodes), deadline: cmp.Or(r.Deadline, DefaultDeadline)}
	if p.machineConfig, err = MachineConfigFile(f.Rendered); err != nil {
		return err
	}
	for _, i := range images {
		if !toRun(i) {
			continue
		}
		for _, o := range objectsOf(b, i, owner, p) {
			if err := r.create(ctx, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// create creates an object that may be there already. One of an earlier build of
// the name is waited for: the garbage collector will take it.
func (r *Builds) create(ctx context.Context, o client.Object) error {
	owner := metav1.GetControllerOfNoCopy(o).UID
	err := r.Client.Create(ctx, o)
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	if err := r.Reader.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
		return client.IgnoreNotFound(err)
	}
	if have := metav1.GetControllerOfNoCopy(o); have == nil || have.UID != owner {
		return errStale
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
