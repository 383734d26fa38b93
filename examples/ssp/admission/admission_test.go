package admission_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericadmission "k8s.io/apiserver/pkg/admission"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/examples/ssp/admission"
)

func ptr[T any](v T) *T { return &v }

// fine is a cron that CDI accepts.
func fine() *cdiv1beta1.DataImportCron {
	c := &cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: "images", Name: "fedora"}}
	c.Spec.ManagedDataSource, c.Spec.Schedule = "fedora", "0 */12 * * *"
	c.Spec.Template.Spec = cdiv1beta1.DataVolumeSpec{
		Source:  &cdiv1beta1.DataVolumeSource{Registry: &cdiv1beta1.DataVolumeSourceRegistry{URL: ptr("docker://quay.io/containerdisks/fedora")}},
		Storage: &cdiv1beta1.StorageSpec{Resources: size("30Gi")},
	}
	return c
}

func size(s string) corev1.VolumeResourceRequirements {
	return corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(s)}}
}

// claim makes the cron import into a claim, and not into storage.
func claim(c *cdiv1beta1.DataImportCron, modes ...corev1.PersistentVolumeAccessMode) *corev1.PersistentVolumeClaimSpec {
	dv := &c.Spec.Template.Spec
	dv.Storage, dv.PVC = nil, &corev1.PersistentVolumeClaimSpec{Resources: size("1Gi"), AccessModes: modes}
	return dv.PVC
}

func TestRefuse(t *testing.T) {
	fits, long := strings.Repeat("a", 63), strings.Repeat("a", 64)
	type cron = cdiv1beta1.DataImportCron
	for _, tc := range []struct {
		name string
		edit func(*cron)
		want string // the field, "" if CDI accepts it
	}{
		{"nothing", func(*cron) {}, ""},
		{"a name of 63", func(c *cron) { c.Name = fits }, ""},
		{"a name of 64", func(c *cron) { c.Name = long }, "metadata.name"},
		{"one cause at a time", func(c *cron) { c.Name, c.Spec.Schedule = long, "whenever" }, "metadata.name"},

		{"no source", func(c *cron) { c.Spec.Template.Spec.Source = nil }, "spec.template.spec.source"},
		{"a source of HTTP", func(c *cron) {
			c.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{HTTP: &cdiv1beta1.DataVolumeSourceHTTP{URL: "https://a/b"}}
		}, "spec.template.spec.source"},
		{"two sources", func(c *cron) { c.Spec.Template.Spec.Source.Blank = &cdiv1beta1.DataVolumeBlankImage{} }, "spec.template.spec.source"},
		{"a claim to clone", func(c *cron) {
			c.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: "a", Name: "b"}}
			c.Spec.Template.Spec.Storage.Resources = corev1.VolumeResourceRequirements{}
		}, ""},
		{"a claim without a name", func(c *cron) {
			c.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: "a"}}
		}, "spec.template.spec.source.pvc"},

		{"sourceRef", func(c *cron) {
			c.Spec.Template.Spec.SourceRef = &cdiv1beta1.DataVolumeSourceRef{Kind: "DataSource", Name: "x"}
		}, "spec.template.spec.sourceRef"},
		{"contentType, even the only one that a registry has", func(c *cron) { c.Spec.Template.Spec.ContentType = cdiv1beta1.DataVolumeKubeVirt }, "spec.template.spec.contentType"},
		{"checkpoints", func(c *cron) { c.Spec.Template.Spec.Checkpoints = []cdiv1beta1.DataVolumeCheckpoint{{Current: "1"}} }, "spec.template.spec.checkpoints"},
		{"finalCheckpoint", func(c *cron) { c.Spec.Template.Spec.FinalCheckpoint = true }, "spec.template.spec.finalCheckpoint"},

		{"neither storage nor pvc", func(c *cron) { c.Spec.Template.Spec.Storage = nil }, "spec.template.spec.storage"},
		{"storage and pvc", func(c *cron) { c.Spec.Template.Spec.PVC = &corev1.PersistentVolumeClaimSpec{} }, "spec.template.spec.pvc"},
		{"storage without a size", func(c *cron) { c.Spec.Template.Spec.Storage.Resources.Requests = nil }, "spec.template.spec.storage.resources.requests.storage"},
		{"storage of 1 MiB", func(c *cron) { c.Spec.Template.Spec.Storage.Resources = size("1Mi") }, ""},
		{"storage of less", func(c *cron) { c.Spec.Template.Spec.Storage.Resources = size("1048575") }, "spec.template.spec.storage.resources.requests.storage"},
		{"storage of less than nothing", func(c *cron) { c.Spec.Template.Spec.Storage.Resources = size("-1Gi") }, "spec.template.spec.storage.resources.requests.storage"},
		{"storage with two access modes", func(c *cron) {
			c.Spec.Template.Spec.Storage.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany, corev1.ReadWriteOnce}
		}, ""},
		{"storage with an access mode that is none", func(c *cron) {
			c.Spec.Template.Spec.Storage.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany, "Sometimes"}
		}, "spec.template.spec.storage.accessModes[1]"},
		{"pvc", func(c *cron) { claim(c, corev1.ReadWriteOncePod) }, ""},
		{"pvc without a size", func(c *cron) { claim(c, corev1.ReadWriteOnce).Resources.Requests = nil }, "spec.template.spec.pvc.resources.requests.storage"},
		{"pvc without an access mode", func(c *cron) { claim(c) }, "spec.template.spec.pvc.accessModes"},
		{"pvc with two access modes", func(c *cron) { claim(c, corev1.ReadWriteOnce, corev1.ReadWriteMany) }, "spec.template.spec.pvc.accessModes"},
		{"pvc with an access mode that is none", func(c *cron) { claim(c, "Sometimes") }, "spec.template.spec.pvc.accessModes[0]"},

		{"neither url nor imageStream", func(c *cron) { c.Spec.Template.Spec.Source.Registry.URL = nil }, "spec.template.spec.source.registry"},
		{"url and imageStream", func(c *cron) { c.Spec.Template.Spec.Source.Registry.ImageStream = ptr("fedora") }, "spec.template.spec.source.registry"},
		{"an archive", func(c *cron) { c.Spec.Template.Spec.Source.Registry.URL = ptr("oci-archive:///a") }, ""},
		{"a scheme that is none", func(c *cron) { c.Spec.Template.Spec.Source.Registry.URL = ptr("https://quay.io/a") }, "spec.template.spec.source.registry.url"},
		{"no scheme", func(c *cron) { c.Spec.Template.Spec.Source.Registry.URL = ptr("quay.io/a") }, "spec.template.spec.source.registry.url"},
		{"no url", func(c *cron) { c.Spec.Template.Spec.Source.Registry.URL = ptr("docker://a b%") }, "spec.template.spec.source.registry.url"},
		{"pull method of the node", func(c *cron) { c.Spec.Template.Spec.Source.Registry.PullMethod = ptr(cdiv1beta1.RegistryPullNode) }, ""},
		{"pull method that is none", func(c *cron) {
			c.Spec.Template.Spec.Source.Registry.PullMethod = ptr(cdiv1beta1.RegistryPullMethod(""))
		}, "spec.template.spec.source.registry.pullMethod"},
		{"an image stream by the node", func(c *cron) { imageStream(c, "fedora", ptr(cdiv1beta1.RegistryPullNode)) }, ""},
		{"an image stream by a pod", func(c *cron) { imageStream(c, "fedora", ptr(cdiv1beta1.RegistryPullPod)) }, "spec.template.spec.source.registry.pullMethod"},
		{"an image stream by default", func(c *cron) { imageStream(c, "fedora", nil) }, "spec.template.spec.source.registry.pullMethod"},
		{"an image stream without a name", func(c *cron) { imageStream(c, "", ptr(cdiv1beta1.RegistryPullNode)) }, "spec.template.spec.source.registry.imageStream"},

		{"no schedule", func(c *cron) { c.Spec.Schedule = "" }, ""},
		{"a schedule by name", func(c *cron) { c.Spec.Schedule = "@daily" }, ""},
		{"a schedule in words", func(c *cron) { c.Spec.Schedule = "whenever" }, "spec.schedule"},
		{"a minute that is none", func(c *cron) { c.Spec.Schedule = "61 * * * *" }, "spec.schedule"},
		{"six fields", func(c *cron) { c.Spec.Schedule = "0 0 */12 * * *" }, "spec.schedule"},
		{"a time zone", func(c *cron) { c.Spec.Schedule = "TZ=UTC 0 0 * * *" }, ""},
		{"a time zone and nothing else", func(c *cron) { c.Spec.Schedule = "CRON_TZ=UTC" }, "spec.schedule"},

		{"importsToKeep 0", func(c *cron) { c.Spec.ImportsToKeep = ptr(int32(0)) }, ""},
		{"importsToKeep below 0", func(c *cron) { c.Spec.ImportsToKeep = ptr(int32(-1)) }, "spec.importsToKeep"},
		{"garbageCollect Never", func(c *cron) { c.Spec.GarbageCollect = ptr(cdiv1beta1.DataImportCronGarbageCollectNever) }, ""},
		{"garbageCollect that is none", func(c *cron) { c.Spec.GarbageCollect = ptr(cdiv1beta1.DataImportCronGarbageCollect("outdated")) }, "spec.garbageCollect"},
		{"no managedDataSource", func(c *cron) { c.Spec.ManagedDataSource = "" }, "spec.managedDataSource"},
		{"a managedDataSource of 63", func(c *cron) { c.Spec.ManagedDataSource = fits }, ""},
		{"a managedDataSource of 64", func(c *cron) { c.Spec.ManagedDataSource = long }, "spec.managedDataSource"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := fine()
			tc.edit(c)
			got := ""
			if err := admission.Refuse(c, nil); err != nil {
				got = err.Field
			}
			if got != tc.want {
				t.Errorf("created: refused %q, want %q", got, tc.want)
			}
			// An update is held against what there was, and not against these rules.
			changed := c.DeepCopy()
			changed.Labels = map[string]string{"l": "v"}
			if err := admission.Refuse(changed, c); err != nil && err.Field != "metadata.name" {
				t.Errorf("a label: refused %v", err)
			}
			changed.Spec.Template.Spec.Preallocation = ptr(true)
			if err := admission.Refuse(changed, c); err == nil || err.Type != field.ErrorTypeForbidden && err.Field != "metadata.name" {
				t.Errorf("another spec: %v", err)
			}
		})
	}
}

func imageStream(c *cdiv1beta1.DataImportCron, name string, pull *cdiv1beta1.RegistryPullMethod) {
	c.Spec.Template.Spec.Source.Registry = &cdiv1beta1.DataVolumeSourceRegistry{ImageStream: &name, PullMethod: pull}
}

// Spec equality is Semantic.DeepEqual: another spelling of a quantity is none.
func TestRefuseComparesQuantities(t *testing.T) {
	old, c := fine(), fine()
	c.Spec.Template.Spec.Storage.Resources = size("30720Mi")
	if err := admission.Refuse(c, old); err != nil {
		t.Error(err)
	}
}

func TestValidate(t *testing.T) {
	bad := fine()
	bad.Spec.Schedule = "whenever"
	crons := cdiv1beta1.SchemeGroupVersion.WithResource("dataimportcrons")
	for _, tc := range []struct {
		name        string
		resource    schema.GroupVersionResource
		subresource string
		refused     bool
	}{
		{"a cron", crons, "", true},
		{"its status", crons, "status", false},
		{"another resource", cdiv1beta1.SchemeGroupVersion.WithResource("datasources"), "", false},
		{"another group", schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "dataimportcrons"}, "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := admission.New().Validate(t.Context(), attributes(t, bad, nil, tc.resource, tc.subresource), nil)
			if refused := apierrors.IsInvalid(err); refused != tc.refused {
				t.Errorf("refused %t, want %t: %v", refused, tc.refused, err)
			}
			if err != nil && !strings.Contains(err.Error(), "spec.schedule") {
				t.Errorf("%v does not name the field", err)
			}
		})
	}
	if err := admission.New().Validate(t.Context(), attributes(t, bad, fine(), crons, ""), nil); !apierrors.IsInvalid(err) {
		t.Errorf("an update: %v", err)
	}
	for _, op := range []genericadmission.Operation{genericadmission.Create, genericadmission.Update} {
		if !admission.New().Handles(op) {
			t.Errorf("%s is not handled", op)
		}
	}
	if admission.New().Handles(genericadmission.Delete) {
		t.Error("a deletion is handled")
	}
}

func attributes(t *testing.T, c, old *cdiv1beta1.DataImportCron, r schema.GroupVersionResource, subresource string) genericadmission.Attributes {
	t.Helper()
	op, was := genericadmission.Create, runtime.Object(nil)
	if old != nil {
		op, was = genericadmission.Update, toUnstructured(t, old)
	}
	kind := r.GroupVersion().WithKind("DataImportCron")
	return genericadmission.NewAttributesRecord(toUnstructured(t, c), was, kind, c.Namespace, c.Name, r, subresource, op, nil, true, nil)
}

func toUnstructured(t *testing.T, c *cdiv1beta1.DataImportCron) *unstructured.Unstructured {
	t.Helper()
	u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(c)
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: u}
}
