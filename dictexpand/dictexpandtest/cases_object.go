package dictexpandtest

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// An ObjectCase is a template and a part of what its cron for one architecture, arm64
// unless it is said otherwise, holds.
type ObjectCase struct {
	Rule, Name string
	Template   Template
	Cluster    func(*Cluster)
	// Part is what is looked at.
	Part func(cdiv1beta1.DataImportCron) any
	Want any
}

// ObjectCases are about what crons are made of, field by field.
func ObjectCases() []ObjectCase {
	labels := func(c cdiv1beta1.DataImportCron) any { return c.Labels }
	annotations := func(c cdiv1beta1.DataImportCron) any { return c.Annotations }
	others := func(c cdiv1beta1.DataImportCron) any { // what no rule names
		c = *c.DeepCopy()
		maps.DeleteFunc(c.Labels, func(k, _ string) bool { return k == labelArchitecture || k == labelDataSourceName })
		c.Name, c.Namespace, c.Annotations, c.Spec.ManagedDataSource = "", "", nil, ""
		c.Spec.Template.Spec.Source.Registry.Platform = nil
		c.Spec.Template.ObjectMeta = metav1.ObjectMeta{} // pruned
		c.Spec.Template.Status = cdiv1beta1.DataVolumeStatus{}
		return c
	}
	asWritten := func(t Template) cdiv1beta1.DataImportCron {
		return cdiv1beta1.DataImportCron{ObjectMeta: t.ObjectMeta, Spec: t.Spec}
	}
	off := func(c *Cluster) { c.MultiArch = false }
	arm64 := func(c *Cluster) { c.Architectures, c.Workload = []string{"arm64"}, []string{"arm64"} }
	made := func(c *Cluster) { arm64(c); c.Made = map[string][]string{"rhel10": {"amd64", "arm64"}} }
	plain := FullTemplate()
	delete(plain.Annotations, annotationArchitectures)
	kept := map[string]string{"cdi.kubevirt.io/storage.bind.immediate.requested": "true"}
	labeled := TemplateOf("x", "m", "arm64")
	labeled.Labels = map[string]string{labelArchitecture: "amd64", labelDataSourceName: "other"}
	pasted := TemplateOf("x", "m", "arm64")
	pasted.UID, pasted.ResourceVersion, pasted.Generation, pasted.GenerateName = "u", "7", 3, "g-"
	pasted.CreationTimestamp = metav1.Unix(1, 0)
	pasted.DeletionTimestamp = ptr(metav1.Unix(2, 0))
	pasted.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl"}}
	pasted.DeletionGracePeriodSeconds = ptr(int64(1))
	return []ObjectCase{
		{"cron-name", "the template of the story", StoryTemplate(), arm64, func(c cdiv1beta1.DataImportCron) any { return c.Name }, "rhel10-image-cron-arm64"},
		{"cron-platform", "the template of the story", StoryTemplate(), arm64, func(c cdiv1beta1.DataImportCron) any {
			return c.Spec.Template.Spec.Source.Registry.Platform
		}, &cdiv1beta1.PlatformOptions{Architecture: "arm64"}},
		{"cron-data-source", "the template of the story", StoryTemplate(), arm64, func(c cdiv1beta1.DataImportCron) any { return c.Spec.ManagedDataSource }, "rhel10-arm64"},
		{"cron-architecture-label", "the template of the story", StoryTemplate(), arm64, func(c cdiv1beta1.DataImportCron) any { return c.Labels[labelArchitecture] }, "arm64"},
		{"cron-architecture-label", "it wins over that of the template", labeled, arm64, func(c cdiv1beta1.DataImportCron) any { return c.Labels[labelArchitecture] }, "arm64"},
		{"cron-data-source-label", "the template of the story", StoryTemplate(), arm64, func(c cdiv1beta1.DataImportCron) any { return c.Labels[labelDataSourceName] }, "rhel10"},
		{"cron-data-source-label", "it wins over that of the template", labeled, arm64, func(c cdiv1beta1.DataImportCron) any { return c.Labels[labelDataSourceName] }, "m"},
		{"annotation-is-not-copied", "the template of the story", StoryTemplate(), arm64, annotations, kept},
		{"annotation-is-not-copied", "multiple architectures switched off", StoryTemplate(), off, annotations, kept},
		{"annotation-is-not-copied", "all that is left of the template", FullTemplate(), arm64, others, others(asWritten(FullTemplate()))},
		{"annotation-is-not-copied", "all labels, multiple architectures switched off", StoryTemplate(), off, labels, StoryTemplate().Labels},
		{"one-cron-as-written", "all that is left of the template", FullTemplate(), off, others, others(asWritten(FullTemplate()))},
		{"default-architecture-alone", "the cron has the platform and the DataSource of the architecture", plain, made, func(c cdiv1beta1.DataImportCron) any {
			return []string{c.Name, c.Spec.ManagedDataSource, c.Spec.Template.Spec.Source.Registry.Platform.Architecture}
		}, []string{"rhel10-image-cron", "rhel10-arm64", "arm64"}},
		{"default-architecture-alone", "and is as the template wants it elsewhere", plain, made, func(c cdiv1beta1.DataImportCron) any { return []any{c.Labels, others(c)} },
			[]any{plain.Labels, others(asWritten(plain))}},
		{"server-metadata-is-not-copied", "a template pasted from a live object", pasted, arm64, func(c cdiv1beta1.DataImportCron) any {
			c.Labels, c.Annotations = nil, nil
			return c.ObjectMeta
		}, metav1.ObjectMeta{Namespace: GoldenImages, Name: "x-arm64"}},
	}
}

func objectRows() []row {
	var all []row
	for _, c := range ObjectCases() {
		all = append(all, row{Rule: c.Rule, Name: c.Name, Implemented: hasExpand, Call: func(i Impl) outcome {
			on := TwoArchitectures()
			if c.Cluster != nil {
				c.Cluster(&on)
			}
			e := i.expand([]Template{c.Template}, on)
			if len(e.Crons) != 1 {
				return outcome{Input: expandInput{[]Template{c.Template}, on}, Want: "one cron", Got: Summary(e)}
			}
			return outcome{Input: expandInput{[]Template{c.Template}, on}, Want: c.Want, Got: c.Part(e.Crons[0])}
		}})
	}
	return all
}
