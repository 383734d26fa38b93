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
	platforms := make([]cdiv1beta1.PlatformOptions, n)
	n = 0
	for i := range x.cronClaims {
		if c := &x.cronClaims[i]; c.output >= 0 && !c.draft.outcome.Blocked {
			c.draft.build(&crons[n], &c.draft.outputs[c.output], &platforms[n])
			n++
		}
	}
	return crons
}

// build fills in the cron of an output. platform is for one whose source has none.
func (d *draft) build(c *Cron, out *output, platform *cdiv1beta1.PlatformOptions) {
	t := d.template
	c.Template, c.Architecture, c.Reason = t.Name, out.architecture, d.outcome.Reason

	// Nothing else of metadata is copied: a template may have been pasted from a
	// live object.
	meta := &c.Object.ObjectMeta
	meta.Name, meta.Namespace = out.name, d.outcome.Namespace
	meta.Labels, meta.Annotations = maps.Clone(t.Labels), maps.Clone(t.Annotations)
	meta.Finalizers = slices.Clone(t.Finalizers)
	for i := range t.OwnerReferences {
		meta.OwnerReferences = append(meta.OwnerReferences, *t.OwnerReferences[i].DeepCopy())
	}
	if delete(meta.Annotations, AnnotationArchitectures); len(meta.Annotations) == 0 {
		meta.Annotations = nil
	}

	spec := &c.Object.Spec
	t.Spec.DeepCopyInto(spec)
	spec.ManagedDataSource = out.dataSource
	if out.architecture == "" {
		return
	}
	registry := spec.Template.Spec.Source.Registry
	if registry.Platform == nil {
		registry.Platform = platform
	}
	registry.Platform.Architecture = out.architecture
	if d.outcome.Reason == ReasonPerArchitecture {
		metav1.SetMetaDataLabel(meta, LabelArchitecture, out.architecture)
		metav1.SetMetaDataLabel(meta, LabelDataSourceName, t.Spec.ManagedDataSource)
	}
}
