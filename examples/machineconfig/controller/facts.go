package controller

import (
	"context"
	"slices"

	"github.com/google/go-containerregistry/pkg/authn"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/payloadarch"
)

// A look is what is read at one time: the facts, and the credentials for the images
// that the plan counts on.
type look struct {
	buildplan.Facts
	credentials authn.Keychain
}

// look reads all that the plan of a MachineOSConfig rests on; nil if there is no
// such config, or if its pool has no rendered config yet. What says which build is
// wanted is read as it is stored, since a cache that has just been filled may be
// older than the builds: an old wish would interrupt the build of the new one.
func (r *Builds) look(ctx context.Context, name string) (*look, error) {
	config, err := operator.Lookup(ctx, r.Reader, client.ObjectKey{Name: name}, &mcfgv1.MachineOSConfig{})
	if err != nil || config == nil {
		return nil, err
	}
	pool, err := operator.Lookup(ctx, r.Reader, client.ObjectKey{Name: config.Spec.MachineConfigPool.Name}, &mcfgv1.MachineConfigPool{})
	if err != nil || pool == nil {
		return nil, err
	}
	rendered, err := operator.Lookup(ctx, r.Reader, client.ObjectKey{Name: pool.Spec.Configuration.Name}, &mcfgv1.MachineConfig{})
	if err != nil || rendered == nil {
		return nil, err
	}
	l := &look{Facts: buildplan.Facts{
		Config: config, Rendered: rendered, Attempts: r.Attempts,
		Architectures: payloadarch.ParseSet(pool.Annotations[buildplan.AnnotationArchitectures]),
		Base:          map[string]buildplan.BaseImages{},
	}}
	version, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Name: "version"}, &configv1.ClusterVersion{})
	if err != nil {
		return nil, err
	}
	gates, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Name: "cluster"}, &configv1.FeatureGate{})
	if err != nil {
		return nil, err
	}
	l.Payload = payloadarch.FromClusterVersion(version, gates).Kind
	base, pushed, err := r.credentials(ctx, config)
	if err != nil {
		return nil, err
	}
	l.credentials = pushed
	for a := range l.Architectures.All() {
		os, err := ImageFor(ctx, rendered.Spec.OSImageURL, a, base)
		if err != nil {
			return nil, err
		}
		extensions, err := ImageFor(ctx, rendered.Spec.BaseOSExtensionsContainerImage, a, base)
		if err != nil {
			return nil, err
		}
		l.Base[a] = buildplan.BaseImages{OS: os, Extensions: extensions}
	}
	return l, r.history(ctx, &l.Facts)
}

// history reads the builds and their jobs, out of the cache: there may be
// thousands. A cache may lag behind in two ways that would end a build, and there
// what is stored counts: a job that an unfinished build lists and the cache does not
// show would be taken for deleted, and a job that has succeeded and whose report the
// cache does not show for one that has pushed nothing.
func (r *Builds) history(ctx context.Context, f *buildplan.Facts) error {
	var builds mcfgv1.MachineOSBuildList
	if err := r.Client.List(ctx, &builds); err != nil {
		return err
	}
	ours := []client.ListOption{client.InNamespace(buildplan.Namespace), client.HasLabels{buildplan.LabelLayering}}
	var jobs batchv1.JobList
	if err := r.Client.List(ctx, &jobs, ours...); err != nil {
		return err
	}
	known := map[string]bool{}
	for i := range jobs.Items {
		known[jobs.Items[i].Name] = true
	}
	for i := range builds.Items {
		f.Builds = append(f.Builds, &builds.Items[i])
		for _, name := range unseen(&builds.Items[i], known) {
			key := client.ObjectKey{Namespace: buildplan.Namespace, Name: name}
			job, err := operator.Lookup(ctx, r.Reader, key, &batchv1.Job{})
			if err != nil {
				return err
			}
			if job != nil {
				jobs.Items = append(jobs.Items, *job)
			}
		}
	}
	for i := range jobs.Items {
		job := &jobs.Items[i]
		if job.Annotations[buildplan.AnnotationConfig] != f.Config.Name {
			continue
		}
		read := buildplan.ReadJob(job, "")
		if read.Phase == buildplan.PhaseSucceeded {
			digest, err := r.reported(ctx, job.Name)
			if err != nil {
				return err
			}
			read = buildplan.ReadJob(job, digest)
		}
		f.Jobs = append(f.Jobs, read)
	}
	return nil
}

// unseen are the jobs that an unfinished build lists and that are not known.
func unseen(b *mcfgv1.MachineOSBuild, known map[string]bool) (names []string) {
	ended := slices.ContainsFunc(b.Status.Conditions, func(c metav1.Condition) bool {
		switch mcfgv1.BuildProgress(c.Type) {
		case mcfgv1.MachineOSBuildSucceeded, mcfgv1.MachineOSBuildFailed, mcfgv1.MachineOSBuildInterrupted:
			return c.Status == metav1.ConditionTrue
		}
		return false
	})
	for _, o := range b.Status.RelatedObjects {
		if !ended && o.Group == batchv1.GroupName && o.Resource == "jobs" && !known[o.Name] {
			names = append(names, o.Name)
		}
	}
	return names
}

// reported returns the digest that a job has reported, empty if it has reported
// none.
func (r *Builds) reported(ctx context.Context, job string) (string, error) {
	key := client.ObjectKey{Namespace: buildplan.Namespace, Name: DigestConfigMap(job)}
	for _, reader := range []client.Reader{r.Reports, r.Reader} {
		report, err := operator.Lookup(ctx, reader, key, &corev1.ConfigMap{})
		if err != nil {
			return "", err
		}
		if report != nil {
			return report.Data[DigestKey], nil
		}
	}
	return "", nil
}
