package dictexpand_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// What CDI surely refuses is a problem at once, and the model of its webhook agrees
// with each row.
func TestWhatCDIRefuses(t *testing.T) {
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
	for _, tc := range []struct {
		name string
		edit func(*spec)
		want string // the field below spec, "" if CDI takes it
	}{
		{"16: a schedule that is none", func(s *spec) { s.Schedule = "whenever" }, "schedule"},
		{"16: no schedule, no polling", func(s *spec) { s.Schedule = "" }, ""},
		{"16: a time zone that may exist", func(s *spec) { s.Schedule = "TZ=Moon/Tycho 0 0 * * *" }, ""},
		{"17: fewer than no imports", func(s *spec) { s.ImportsToKeep = ptr(int32(-1)) }, "importsToKeep"},
		{"17: no imports", func(s *spec) { s.ImportsToKeep = ptr(int32(0)) }, ""},
		{"17: garbage that nobody collects", func(s *spec) { s.GarbageCollect = ptr(cdiv1beta1.DataImportCronGarbageCollect("outdated")) }, "garbageCollect"},
		{"17: garbage collected never", func(s *spec) { s.GarbageCollect = ptr(cdiv1beta1.DataImportCronGarbageCollectNever) }, ""},
		{"18: sourceRef", func(s *spec) {
			s.Template.Spec.SourceRef = &cdiv1beta1.DataVolumeSourceRef{Kind: "DataSource", Name: "x"}
		}, "template.spec.sourceRef"},
		{"18: contentType", func(s *spec) { s.Template.Spec.ContentType = cdiv1beta1.DataVolumeKubeVirt }, "template.spec.contentType"},
		{"18: checkpoints", func(s *spec) { s.Template.Spec.Checkpoints = []cdiv1beta1.DataVolumeCheckpoint{{Current: "1"}} }, "template.spec.checkpoints"},
		{"18: finalCheckpoint", func(s *spec) { s.Template.Spec.FinalCheckpoint = true }, "template.spec.finalCheckpoint"},
		{"19: neither storage nor pvc", func(s *spec) { s.Template.Spec.Storage = nil }, "template.spec.storage"},
		{"19: storage and pvc", func(s *spec) { s.Template.Spec.PVC = &corev1.PersistentVolumeClaimSpec{} }, "template.spec.pvc"},
		{"19: no size", func(s *spec) { s.Template.Spec.Storage.Resources.Requests = nil }, "template.spec.storage.resources.requests.storage"},
		{"19: no size, but that of what is cloned", func(s *spec) { clone(s, "ns", "p"); s.Template.Spec.Storage.Resources.Requests = nil }, ""},
		{"19: 1 MiB", func(s *spec) { s.Template.Spec.Storage.Resources = size("1Mi") }, ""},
		{"19: less than 1 MiB", func(s *spec) { s.Template.Spec.Storage.Resources = size("1048575") }, "template.spec.storage.resources.requests.storage"},
		{"19: several access modes in storage", func(s *spec) {
			s.Template.Spec.Storage.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany, corev1.ReadWriteOncePod}
		}, ""},
		{"19: an access mode that is none", func(s *spec) {
			s.Template.Spec.Storage.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany, "Sometimes"}
		}, "template.spec.storage.accessModes[1]"},
		{"19: pvc", func(s *spec) { pvc(s, corev1.ReadWriteOnce) }, ""},
		{"19: no access mode in pvc", func(s *spec) { pvc(s) }, "template.spec.pvc.accessModes"},
		{"19: two access modes in pvc", func(s *spec) { pvc(s, corev1.ReadWriteOnce, corev1.ReadWriteMany) }, "template.spec.pvc.accessModes"},
		{"19: no size in pvc, though it is cloned", func(s *spec) {
			pvc(s, corev1.ReadWriteOnce)
			clone(s, "ns", "p")
			s.Template.Spec.PVC.Resources.Requests = nil
		}, "template.spec.pvc.resources.requests.storage"},
		{"20: no source", func(s *spec) { s.Template.Spec.Source = nil }, "template.spec.source"},
		{"20: a source that CDI does not poll", func(s *spec) {
			s.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{HTTP: &cdiv1beta1.DataVolumeSourceHTTP{URL: "https://a/b"}}
		}, "template.spec.source"},
		{"20: two sources", func(s *spec) { s.Template.Spec.Source.Blank = &cdiv1beta1.DataVolumeBlankImage{} }, "template.spec.source"},
		{"20: a pvc", func(s *spec) { clone(s, "ns", "p") }, ""},
		{"20: a pvc without a namespace", func(s *spec) { clone(s, "", "p") }, "template.spec.source.pvc"},
		{"20: a pvc without a name", func(s *spec) { clone(s, "ns", "") }, "template.spec.source.pvc"},
		{"21: neither url nor imageStream", func(s *spec) { registry(s).URL = nil }, "template.spec.source.registry"},
		{"21: url and imageStream", func(s *spec) {
			registry(s).ImageStream, registry(s).PullMethod = ptr("fedora"), ptr(cdiv1beta1.RegistryPullNode)
		}, "template.spec.source.registry"},
		{"21: an archive", func(s *spec) { registry(s).URL = ptr("oci-archive:///a") }, ""},
		{"21: a scheme in capitals", func(s *spec) { registry(s).URL = ptr("DOCKER://quay.io/a") }, ""},
		{"21: a scheme that is none", func(s *spec) { registry(s).URL = ptr("https://quay.io/a") }, "template.spec.source.registry.url"},
		{"21: no scheme", func(s *spec) { registry(s).URL = ptr("quay.io/a") }, "template.spec.source.registry.url"},
		{"21: pull method of the node", func(s *spec) { registry(s).PullMethod = ptr(cdiv1beta1.RegistryPullNode) }, ""},
		{"21: pull method of a pod", func(s *spec) { registry(s).PullMethod = ptr(cdiv1beta1.RegistryPullPod) }, ""},
		{"21: pull method that is none", func(s *spec) { registry(s).PullMethod = ptr(cdiv1beta1.RegistryPullMethod("")) }, "template.spec.source.registry.pullMethod"},
		{"21: an image stream", func(s *spec) { stream(s, "fedora", ptr(cdiv1beta1.RegistryPullNode)) }, ""},
		{"21: an image stream by a pod", func(s *spec) { stream(s, "fedora", ptr(cdiv1beta1.RegistryPullPod)) }, "template.spec.source.registry.pullMethod"},
		{"21: an image stream by default", func(s *spec) { stream(s, "fedora", nil) }, "template.spec.source.registry.pullMethod"},
		{"21: an image stream without a name", func(s *spec) { stream(s, "", ptr(cdiv1beta1.RegistryPullNode)) }, "template.spec.source.registry.imageStream"},
		{"22: a retentionPolicy that is none", func(s *spec) { s.RetentionPolicy = ptr(cdiv1beta1.DataImportCronRetentionPolicy("none")) }, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := template("x", "m", "")
			tc.edit(&x.Spec)
			e := dictexpand.Expand([]dictexpand.Template{x}, twoArchitectures())
			var got []string
			for _, p := range e.Problems {
				got = append(got, strings.TrimPrefix(p.Field, "dataImportCronTemplates[x].spec."))
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("%v, -want +got:\n%s", e.Problems, diff)
			}
			c := cdiv1beta1.DataImportCron{Spec: x.Spec}
			c.Name, c.Namespace = "x", "ns"
			if why := webhook(c); (why != "") != (tc.want != "") {
				t.Errorf("the webhook says %q", why)
			}
			if noted := len(e.Findings) == 1; noted != strings.HasPrefix(tc.name, "22: ") {
				t.Errorf("findings %v", e.Findings)
			}
		})
	}
}

func TestBadMetadata(t *testing.T) {
	const q = "dataImportCronTemplates[x].metadata."
	for _, tc := range []struct {
		name string
		edit func(*dictexpand.Template)
		want string
	}{
		{"12: a namespace that is none", func(x *dictexpand.Template) { x.Namespace = "a.b" }, q + "namespace"},
		{"12: a namespace of 64", func(x *dictexpand.Template) { x.Namespace = name63 + "4" }, q + "namespace"},
		{"12: a label without a key", func(x *dictexpand.Template) { x.Labels = map[string]string{"": "v"} }, q + "labels"},
		{"12: a label with two prefixes", func(x *dictexpand.Template) { x.Labels = map[string]string{"a/b/c": "v"} }, q + "labels"},
		{"12: a label with a bad prefix", func(x *dictexpand.Template) { x.Labels = map[string]string{"a_b/c": "v"} }, q + "labels"},
		{"12: a label with a prefix and nothing else", func(x *dictexpand.Template) { x.Labels = map[string]string{"a.b/": "v"} }, q + "labels"},
		{"12: keys of all kinds", func(x *dictexpand.Template) {
			x.Labels = map[string]string{"a.b-c/D_e.f": "v", "G": "v", "a": "", strings.Repeat("a.", 100) + "b/c": "v"}
			x.Annotations = map[string]string{"A.B/C": strings.Repeat("v", 1000), "lower.case/d": ""}
		}, ""},
		{"12: an annotation with a bad key", func(x *dictexpand.Template) { x.Annotations = map[string]string{"a b": "v"} }, q + "annotations"},
		{"12: annotations of more than 256 KiB", func(x *dictexpand.Template) {
			x.Annotations = map[string]string{"a": strings.Repeat("v", 256<<10)}
		}, q + "annotations"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := template("x", "m", "")
			tc.edit(&x)
			e := dictexpand.Expand([]dictexpand.Template{x}, twoArchitectures())
			var got []string
			for _, p := range e.Problems {
				got = append(got, p.Field)
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("%v, -want +got:\n%s", e.Problems, diff)
			}
			c := cdiv1beta1.DataImportCron{ObjectMeta: x.ObjectMeta, Spec: x.Spec}
			if c.Namespace == "" {
				c.Namespace = "ns"
			}
			if why := webhook(c); (why != "") != (tc.want != "") {
				t.Errorf("the API server says %q", why)
			}
		})
	}
}

// A value of half a megabyte, and a thousand names, make no text of that size.
func TestTextsAreBounded(t *testing.T) {
	t.Run("32: long values and many names", func(t *testing.T) {
		long := strings.Repeat("x", 500_000)
		x := template(long, long, long+","+long)
		x.Namespace, x.Labels = long, map[string]string{long: long}
		x.Annotations[long] = long
		x.Spec.Schedule, x.Spec.GarbageCollect = long, ptr(cdiv1beta1.DataImportCronGarbageCollect(long))
		x.Spec.RetentionPolicy = ptr(cdiv1beta1.DataImportCronRetentionPolicy(long))
		x.Spec.Template.Spec.Source.Registry.URL = &long
		x.Spec.Template.Spec.Storage.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.PersistentVolumeAccessMode(long)}
		templates := []dictexpand.Template{x, template(long, "m", "amd64"), template("y", long, ""), template("z", "n", "s390x")}
		for i := range 30 {
			templates = append(templates, template("shared-"+strings.Repeat("i", i), "m", ""))
		}
		o := twoArchitectures()
		o.Architectures = append(o.Architectures, long)
		e := dictexpand.Expand(templates, o)
		if len(e.Problems) < 40 || len(e.Findings) == 0 {
			t.Fatalf("%d problems, %d findings", len(e.Problems), len(e.Findings))
		}
		for _, p := range e.Problems {
			if n := len(p.Error()); n > 2000 {
				t.Errorf("problem of %d bytes: %.200s", n, p.Error())
			}
			if strings.Contains(p.Detail, "shared-iii") && !strings.Contains(p.Detail, "and 20 more") {
				t.Errorf("names too many or too few: %s", p.Detail)
			}
		}
		for _, f := range e.Findings {
			if n := len(f.String()); n > 2000 {
				t.Errorf("finding of %d bytes: %.200s", n, f)
			}
		}
	})
}
