package dictexpandtest

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// A SpecCase is what somebody writes into the spec of a template.
type SpecCase struct {
	Rule, Name string
	Edit       func(*cdiv1beta1.DataImportCronSpec)
	// Refused is the field below spec for which CDI refuses the cron, "" if it takes it.
	Refused string
}

// SpecCases are specs that CDI refuses whatever the cluster, and those that it takes.
func SpecCases() []SpecCase {
	type spec = cdiv1beta1.DataImportCronSpec
	size := func(s string) corev1.VolumeResourceRequirements {
		return corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(s)}}
	}
	pvc := func(s *spec, modes ...corev1.PersistentVolumeAccessMode) {
		s.Template.Spec.Storage, s.Template.Spec.PVC = nil, &corev1.PersistentVolumeClaimSpec{Resources: size("1Gi"), AccessModes: modes}
	}
	clone := func(s *spec, namespace, name string) {
		s.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: namespace, Name: name}}
	}
	registry := func(s *spec) *cdiv1beta1.DataVolumeSourceRegistry { return s.Template.Spec.Source.Registry }
	stream := func(s *spec, name string, pull *cdiv1beta1.RegistryPullMethod) {
		s.Template.Spec.Source.Registry = &cdiv1beta1.DataVolumeSourceRegistry{ImageStream: &name, PullMethod: pull}
	}
	return []SpecCase{
		{"schedule-parses", "a schedule that is none", func(s *spec) { s.Schedule = "whenever" }, "schedule"},
		{"schedule-parses", "no schedule, no polling", func(s *spec) { s.Schedule = "" }, ""},
		{"schedule-parses", "a time zone that may exist", func(s *spec) { s.Schedule = "TZ=Moon/Tycho 0 0 * * *" }, ""},
		{"values-are-known", "fewer than no imports", func(s *spec) { s.ImportsToKeep = ptr(int32(-1)) }, "importsToKeep"},
		{"values-are-known", "no imports", func(s *spec) { s.ImportsToKeep = ptr(int32(0)) }, ""},
		{"values-are-known", "garbage that nobody collects", func(s *spec) { s.GarbageCollect = ptr(cdiv1beta1.DataImportCronGarbageCollect("outdated")) }, "garbageCollect"},
		{"values-are-known", "garbage collected never", func(s *spec) { s.GarbageCollect = ptr(cdiv1beta1.DataImportCronGarbageCollectNever) }, ""},
		{"unsettable-is-not-set", "sourceRef", func(s *spec) {
			s.Template.Spec.SourceRef = &cdiv1beta1.DataVolumeSourceRef{Kind: "DataSource", Name: "x"}
		}, "template.spec.sourceRef"},
		{"unsettable-is-not-set", "contentType", func(s *spec) { s.Template.Spec.ContentType = cdiv1beta1.DataVolumeKubeVirt }, "template.spec.contentType"},
		{"unsettable-is-not-set", "checkpoints", func(s *spec) { s.Template.Spec.Checkpoints = []cdiv1beta1.DataVolumeCheckpoint{{Current: "1"}} }, "template.spec.checkpoints"},
		{"unsettable-is-not-set", "finalCheckpoint", func(s *spec) { s.Template.Spec.FinalCheckpoint = true }, "template.spec.finalCheckpoint"},
		{"disk-has-a-size", "neither storage nor pvc", func(s *spec) { s.Template.Spec.Storage = nil }, "template.spec.storage"},
		{"disk-has-a-size", "storage and pvc", func(s *spec) { s.Template.Spec.PVC = &corev1.PersistentVolumeClaimSpec{} }, "template.spec.pvc"},
		{"disk-has-a-size", "no size", func(s *spec) { s.Template.Spec.Storage.Resources.Requests = nil }, "template.spec.storage.resources.requests.storage"},
		{"disk-has-a-size", "no size, but that of what is cloned", func(s *spec) { clone(s, "ns", "p"); s.Template.Spec.Storage.Resources.Requests = nil }, ""},
		{"disk-has-a-size", "1 MiB", func(s *spec) { s.Template.Spec.Storage.Resources = size("1Mi") }, ""},
		{"disk-has-a-size", "less than 1 MiB", func(s *spec) { s.Template.Spec.Storage.Resources = size("1048575") }, "template.spec.storage.resources.requests.storage"},
		{"disk-has-a-size", "several access modes in storage", func(s *spec) {
			s.Template.Spec.Storage.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany, corev1.ReadWriteOncePod}
		}, ""},
		{"disk-has-a-size", "an access mode that is none", func(s *spec) {
			s.Template.Spec.Storage.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany, "Sometimes"}
		}, "template.spec.storage.accessModes[1]"},
		{"disk-has-a-size", "pvc", func(s *spec) { pvc(s, corev1.ReadWriteOnce) }, ""},
		{"disk-has-a-size", "an access mode in pvc that is none", func(s *spec) { pvc(s, "ReadWriteTwice") }, "template.spec.pvc.accessModes[0]"},
		{"disk-has-a-size", "no access mode in pvc", func(s *spec) { pvc(s) }, "template.spec.pvc.accessModes"},
		{"disk-has-a-size", "two access modes in pvc", func(s *spec) { pvc(s, corev1.ReadWriteOnce, corev1.ReadWriteMany) }, "template.spec.pvc.accessModes"},
		{"disk-has-a-size", "no size in pvc, though it is cloned", func(s *spec) {
			pvc(s, corev1.ReadWriteOnce)
			clone(s, "ns", "p")
			s.Template.Spec.PVC.Resources.Requests = nil
		}, "template.spec.pvc.resources.requests.storage"},
		{"one-source", "no source", func(s *spec) { s.Template.Spec.Source = nil }, "template.spec.source"},
		{"one-source", "a source that CDI does not poll", func(s *spec) {
			s.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{HTTP: &cdiv1beta1.DataVolumeSourceHTTP{URL: "https://a/b"}}
		}, "template.spec.source"},
		{"one-source", "two sources", func(s *spec) { s.Template.Spec.Source.Blank = &cdiv1beta1.DataVolumeBlankImage{} }, "template.spec.source"},
		{"one-source", "a pvc", func(s *spec) { clone(s, "ns", "p") }, ""},
		{"one-source", "a pvc without a namespace", func(s *spec) { clone(s, "", "p") }, "template.spec.source.pvc"},
		{"one-source", "a pvc without a name", func(s *spec) { clone(s, "ns", "") }, "template.spec.source.pvc"},
		{"registry-is-whole", "neither url nor imageStream", func(s *spec) { registry(s).URL = nil }, "template.spec.source.registry"},
		{"registry-is-whole", "url and imageStream", func(s *spec) {
			registry(s).ImageStream, registry(s).PullMethod = ptr("fedora"), ptr(cdiv1beta1.RegistryPullNode)
		}, "template.spec.source.registry"},
		{"registry-is-whole", "an archive", func(s *spec) { registry(s).URL = ptr("oci-archive:///a") }, ""},
		{"registry-is-whole", "a scheme in capitals", func(s *spec) { registry(s).URL = ptr("DOCKER://quay.io/a") }, ""},
		{"registry-is-whole", "a scheme that is none", func(s *spec) { registry(s).URL = ptr("https://quay.io/a") }, "template.spec.source.registry.url"},
		{"registry-is-whole", "nothing but a scheme", func(s *spec) { registry(s).URL = ptr("docker") }, "template.spec.source.registry.url"},
		{"registry-is-whole", "no scheme", func(s *spec) { registry(s).URL = ptr("quay.io/a") }, "template.spec.source.registry.url"},
		{"registry-is-whole", "pull method of the node", func(s *spec) { registry(s).PullMethod = ptr(cdiv1beta1.RegistryPullNode) }, ""},
		{"registry-is-whole", "pull method of a pod", func(s *spec) { registry(s).PullMethod = ptr(cdiv1beta1.RegistryPullPod) }, ""},
		{"registry-is-whole", "pull method that is none", func(s *spec) { registry(s).PullMethod = ptr(cdiv1beta1.RegistryPullMethod("")) }, "template.spec.source.registry.pullMethod"},
		{"registry-is-whole", "an image stream", func(s *spec) { stream(s, "fedora", ptr(cdiv1beta1.RegistryPullNode)) }, ""},
		{"registry-is-whole", "an image stream by a pod", func(s *spec) { stream(s, "fedora", ptr(cdiv1beta1.RegistryPullPod)) }, "template.spec.source.registry.pullMethod"},
		{"registry-is-whole", "an image stream by default", func(s *spec) { stream(s, "fedora", nil) }, "template.spec.source.registry.pullMethod"},
		{"registry-is-whole", "an image stream without a name", func(s *spec) { stream(s, "", ptr(cdiv1beta1.RegistryPullNode)) }, "template.spec.source.registry.imageStream"},
		{"unknown-retention-is-all", "a retentionPolicy that is none", func(s *spec) { s.RetentionPolicy = ptr(cdiv1beta1.DataImportCronRetentionPolicy("none")) }, ""},
	}
}

func specRows() []row {
	var all []row
	for _, c := range SpecCases() {
		all = append(all, acceptanceRow(c.Rule, c.Name, c.Refused == "", func(t *Template) { c.Edit(&t.Spec) }))
	}
	return all
}

// acceptanceRow is a row for a template that gives its cron, or none because CDI or the
// API server would refuse it. Another template beside it goes on.
func acceptanceRow(rule, name string, accepted bool, edit func(*Template)) row {
	return row{Rule: rule, Name: name, Implemented: hasExpand, Call: func(i Impl) outcome {
		t := TemplateOf("x", "m", "")
		edit(&t)
		templates, on := []Template{t, TemplateOf("sound", "n", "")}, TwoArchitectures()
		want := map[string]bool{"x": accepted, "sound": true}
		got := map[string]bool{"x": false, "sound": false}
		for _, c := range i.expand(templates, on).Crons {
			got[c.Name] = true
		}
		return outcome{Input: expandInput{templates, on}, Want: want, Got: got}
	}}
}
