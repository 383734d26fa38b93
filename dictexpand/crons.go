package dictexpand

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// buildCrons builds the crons of the drafts that are not blocked.
func (x *expander) buildCrons() []Cron {
	n := 0
	for i := range x.cronClaims {
		if c := &x.cronClaims[i]; c.output >= 0 && !c.draft.outcome.Blocked {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	crons := make([]Cron, n)
	sources := make([]source, n)
	n = 0
	for i := range x.cronClaims {
		if c := &x.cronClaims[i]; c.output >= 0 && !c.draft.outcome.Blocked {
			c.draft.build(&crons[n], &c.draft.outputs[c.output], &sources[n])
			n++
		}
	}
	return crons
}

// A source is where the cron of an architecture imports from, in one piece of memory.
type source struct {
	of       cdiv1beta1.DataVolumeSource
	registry cdiv1beta1.DataVolumeSourceRegistry
	platform cdiv1beta1.PlatformOptions
}

// build fills in the cron of an output. room is for the source of one that chooses an
// architecture.
func (d *draft) build(c *Cron, out *output, room *source) {
	t := d.template
	c.Template, c.Architecture, c.Reason = t.Name, out.architecture, d.outcome.Reason

	// Nothing else of metadata is copied: a template may have been pasted from a
	// live object.
	meta := &c.Object.ObjectMeta
	meta.Name, meta.Namespace = out.name, d.outcome.Namespace
	meta.Labels, meta.Annotations = maps.Clone(t.Labels), without(AnnotationArchitectures, t.Annotations)
	meta.Finalizers = slices.Clone(t.Finalizers)
	for i := range t.OwnerReferences {
		meta.OwnerReferences = append(meta.OwnerReferences, *t.OwnerReferences[i].DeepCopy())
	}

	spec := t.Spec
	spec.ManagedDataSource = out.dataSource
	if out.architecture != "" {
		spec.Template.Spec.Source = nil
	}
	spec.DeepCopyInto(&c.Object.Spec)
	if out.architecture == "" {
		return
	}
	c.Object.Spec.Template.Spec.Source = room.fill(t.Spec.Template.Spec.Source, out.architecture)
	if d.outcome.Reason == ReasonPerArchitecture {
		metav1.SetMetaDataLabel(meta, LabelArchitecture, out.architecture)
		metav1.SetMetaDataLabel(meta, LabelDataSourceName, t.Spec.ManagedDataSource)
	}
}

// without returns a copy of m that lacks the key, nil if nothing is left.
func without(key string, m map[string]string) map[string]string {
	var rest map[string]string
	for k, v := range m {
		if k == key {
			continue
		}
		if rest == nil {
			rest = make(map[string]string, len(m))
		}
		rest[k] = v
	}
	return rest
}

// fill makes a copy of a source that is a registry, for the architecture.
func (s *source) fill(from *cdiv1beta1.DataVolumeSource, architecture string) *cdiv1beta1.DataVolumeSource {
	of, registry := *from, *from.Registry
	of.Registry = nil
	of.DeepCopyInto(&s.of)
	if registry.Platform != nil {
		s.platform = *registry.Platform
		registry.Platform = nil
	}
	registry.DeepCopyInto(&s.registry)
	s.platform.Architecture = architecture
	s.registry.Platform, s.of.Registry = &s.platform, &s.registry
	return &s.of
}
