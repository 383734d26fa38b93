package controller

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/payloadarch"
)

// facts reads all that the plan of a MachineOSConfig rests on; nil if there is no
// such config, or if its pool has no rendered config yet.
func (r *Builds) facts(ctx context.Context, name string) (*buildplan.Facts, error) {
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
	f := &buildplan.Facts{
		Config: config, Rendered: rendered, Attempts: r.Attempts,
		Architectures: payloadarch.ParseSet(pool.Annotations[buildplan.AnnotationArchitectures]),
		Base:          map[string]buildplan.BaseImages{},
	}
	version, err := operator.Lookup(ctx, r.Reader, client.ObjectKey{Name: "version"}, &configv1.ClusterVersion{})
	if err != nil {
		return nil, err
	}
	gates, err := operator.Lookup(ctx, r.Reader, client.ObjectKey{Name: "cluster"}, &configv1.FeatureGate{})
	if err != nil {
		return nil, err
	}
	f.Payload = payloadarch.FromClusterVersion(version, gates).Kind
	for a := range f.Architectures.All() {
		os, err := ImageFor(ctx, rendered.Spec.OSImageURL, a)
		if err != nil {
			return nil, err
		}
		extensions, err := ImageFor(ctx, rendered.Spec.BaseOSExtensionsContainerImage, a)
		if err != nil {
			return nil, err
		}
		f.Base[a] = buildplan.BaseImages{OS: os, Extensions: extensions}
	}
	return f, r.builds(ctx, f)
}

// builds reads the builds before their jobs, and the jobs before what they
// reported, so that what is read later is the fresher.
func (r *Builds) builds(ctx context.Context, f *buildplan.Facts) error {
	var builds mcfgv1.MachineOSBuildList
	if err := r.Reader.List(ctx, &builds); err != nil {
		return err
	}
	for i := range builds.Items {
		f.Builds = append(f.Builds, &builds.Items[i])
	}
	ours := []client.ListOption{client.InNamespace(buildplan.Namespace), client.HasLabels{buildplan.LabelLayering}}
	var jobs batchv1.JobList
	if err := r.Reader.List(ctx, &jobs, ours...); err != nil {
		return err
	}
	var reports corev1.ConfigMapList
	if err := r.Reader.List(ctx, &reports, ours...); err != nil {
		return err
	}
	digests := map[string]string{}
	for _, c := range reports.Items {
		digests[c.Name] = c.Data[DigestKey]
	}
	for i := range jobs.Items {
		if job := &jobs.Items[i]; job.Annotations[buildplan.AnnotationConfig] == f.Config.Name {
			f.Jobs = append(f.Jobs, buildplan.ReadJob(job, digests[DigestConfigMap(job.Name)]))
		}
	}
	return nil
}

// planned plans, and asks the registry, once each, for the images that the plan
// counts on. As long as one is gone it plans again without it.
func planned(ctx context.Context, f *buildplan.Facts) (buildplan.Build, error) {
	asked := map[string]bool{}
	for {
		b, err := buildplan.Plan(*f)
		if err != nil {
			return b, err
		}
		gone := false
		for _, image := range b.Verify {
			if asked[image] {
				continue
			}
			asked[image] = true
			exists, err := Exists(ctx, image)
			if err != nil {
				return b, err
			}
			if !exists {
				f.Gone = append(f.Gone, image)
				gone = true
			}
		}
		if !gone {
			return b, nil
		}
	}
}
