package dictexpand

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// buildCrons builds the crons of the drafts that are not blocked.
func (x *expander) buildCrons() []Cron {
	n := 0
	for _, c := range x.cronClaims.all() {
		if c.output >= 0 && !x.claimant(c).outcome.Blocked {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	crons, rooms := make([]Cron, n), make([]room, n)
	n = 0
	for _, c := range x.cronClaims.all() {
		if d := x.claimant(c); c.output >= 0 && !d.outcome.Blocked {
			d.build(&crons[n], &d.outputs.all()[c.output], &rooms[n])
			n++
		}
	}
	return crons
}

// build fills in the cron of an output.
func (d *draft) build(c *Cron, out *output, in *room) {
	t := d.template
	c.Template, c.Architecture, c.Reason = t.Name, out.architecture, d.outcome.Reason

	// Nothing else of metadata is copied: a template may have been pasted from a
	// live object.
	meta := &c.Object.ObjectMeta
	meta.Name, meta.Namespace = out.name, d.outcome.Namespace
	if d.built == nil {
		meta.Labels, meta.Annotations = maps.Clone(t.Labels), without(AnnotationArchitectures, t.Annotations)
		if d.outcome.Reason == ReasonPerArchitecture {
			metav1.SetMetaDataLabel(meta, LabelDataSourceName, t.Spec.ManagedDataSource)
		}
		d.built = meta
	} else { // what they have in common is there already
		meta.Labels, meta.Annotations = maps.Clone(d.built.Labels), maps.Clone(d.built.Annotations)
	}
	meta.Finalizers = slices.Clone(t.Finalizers)
	for i := range t.OwnerReferences {
		meta.OwnerReferences = append(meta.OwnerReferences, *t.OwnerReferences[i].DeepCopy())
	}

	in.copySpec(&c.Object.Spec, &t.Spec)
	c.Object.Spec.ManagedDataSource = out.dataSource
	if out.architecture == "" {
		return
	}
	in.platform.Architecture = out.architecture
	c.Object.Spec.Template.Spec.Source.Registry.Platform = &in.platform
	if d.outcome.Reason == ReasonPerArchitecture {
		metav1.SetMetaDataLabel(meta, LabelArchitecture, out.architecture)
	}
}

// without returns a copy of m that lacks the key, nil if nothing is left.
func without(key string, m map[string]string) map[string]string {
	rest := maps.Clone(m)
	if delete(rest, key); len(rest) == 0 {
		return nil
	}
	return rest
}

// A room is where a cron keeps what most specs point to: one piece of memory is had
// faster than many small ones.
type room struct {
	source         cdiv1beta1.DataVolumeSource
	registry       cdiv1beta1.DataVolumeSourceRegistry
	platform       cdiv1beta1.PlatformOptions
	url            string
	pullMethod     cdiv1beta1.RegistryPullMethod
	storage        cdiv1beta1.StorageSpec
	garbageCollect cdiv1beta1.DataImportCronGarbageCollect
}

// copySpec makes a deep copy. What the room does not have a place for is copied as ever.
func (r *room) copySpec(to, from *cdiv1beta1.DataImportCronSpec) {
	rest := *from
	rest.GarbageCollect, rest.Template.Spec.Storage, rest.Template.Spec.Source = nil, nil, nil
	rest.DeepCopyInto(to)
	to.GarbageCollect = put(&r.garbageCollect, from.GarbageCollect)
	if storage := from.Template.Spec.Storage; storage != nil {
		rest := *storage
		rest.Resources.Requests = nil
		rest.DeepCopyInto(&r.storage)
		r.storage.Resources.Requests = copyRequests(storage.Resources.Requests)
		to.Template.Spec.Storage = &r.storage
	}
	if source := from.Template.Spec.Source; source != nil {
		r.copySource(source)
		to.Template.Spec.Source = &r.source
	}
}

// copyRequests makes a deep copy. Nearly all requests are a number of bytes and nothing else: no
// pointer is in them, so that the map is copied as a whole, faster than pair by pair.
func copyRequests(from corev1.ResourceList) corev1.ResourceList {
	size, given := from[corev1.ResourceStorage]
	if _, whole := size.AsInt64(); given && whole && len(from) == 1 {
		return maps.Clone(from)
	}
	return from.DeepCopy()
}

func (r *room) copySource(from *cdiv1beta1.DataVolumeSource) {
	rest := *from
	rest.Registry = nil
	rest.DeepCopyInto(&r.source)
	if from.Registry == nil {
		return
	}
	registry := *from.Registry
	registry.URL, registry.PullMethod, registry.Platform = nil, nil, nil
	registry.DeepCopyInto(&r.registry)
	r.registry.URL, r.registry.PullMethod = put(&r.url, from.Registry.URL), put(&r.pullMethod, from.Registry.PullMethod)
	r.registry.Platform = put(&r.platform, from.Registry.Platform)
	r.source.Registry = &r.registry
}

// put copies what the pointer leads to, if it leads anywhere.
func put[T any](place, from *T) *T {
	if from == nil {
		return nil
	}
	*place = *from
	return place
}
