package dictexpandtest

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// GoldenImages is the namespace of the templates that name none.
const GoldenImages = "openshift-virtualization-os-images"

const (
	annotationArchitectures = "ssp.kubevirt.io/dict.architectures"
	labelArchitecture       = "template.kubevirt.io/architecture"
	labelDataSourceName     = "cdi.kubevirt.io/storage.import.datasource-name"
)

func ptr[T any](v T) *T { return &v }

// TemplateOf returns a template as small as can be. It is not annotated if
// architectures is "".
func TemplateOf(name, managedDataSource, architectures string) Template {
	t := Template{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if architectures != "" {
		t.Annotations = map[string]string{annotationArchitectures: architectures}
	}
	t.Spec.ManagedDataSource = managedDataSource
	t.Spec.Schedule = "0 */12 * * *"
	t.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{
		Registry: &cdiv1beta1.DataVolumeSourceRegistry{URL: ptr("docker://quay.io/containerdisks/" + managedDataSource)},
	}
	t.Spec.Template.Spec.Storage = &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("30Gi")},
	}}
	return t
}

// StoryTemplate is the template of the story: CNV-61574.
func StoryTemplate() Template {
	return Template{
		ObjectMeta: metav1.ObjectMeta{
			Name: "rhel10-image-cron",
			Annotations: map[string]string{
				annotationArchitectures:                            "amd64,arm64",
				"cdi.kubevirt.io/storage.bind.immediate.requested": "true",
			},
			Labels: map[string]string{"instancetype.kubevirt.io/default-preference": "rhel.10"},
		},
		Spec: cdiv1beta1.DataImportCronSpec{
			ManagedDataSource: "rhel10",
			Schedule:          "0 */12 * * *",
			GarbageCollect:    ptr(cdiv1beta1.DataImportCronGarbageCollectOutdated),
			Template: cdiv1beta1.DataVolume{Spec: cdiv1beta1.DataVolumeSpec{
				Source: &cdiv1beta1.DataVolumeSource{Registry: &cdiv1beta1.DataVolumeSourceRegistry{
					URL: ptr("docker://registry.redhat.io/rhel10/rhel-guest-image"), PullMethod: ptr(cdiv1beta1.RegistryPullNode),
				}},
				Storage: &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
					Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("30Gi")},
				}},
			}},
		},
	}
}

// FullTemplate returns that of the story with something in every place that could get
// lost.
func FullTemplate() Template {
	t := StoryTemplate()
	t.Finalizers = []string{"example.com/keep"}
	t.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "c", UID: "u", Controller: ptr(true), BlockOwnerDeletion: ptr(false)}}
	t.Spec.ImportsToKeep = ptr(int32(2))
	t.Spec.RetentionPolicy = ptr(cdiv1beta1.DataImportCronRetainNone)
	t.Spec.Template.ObjectMeta = metav1.ObjectMeta{
		Name: "pruned", Labels: map[string]string{"l": "v"}, Annotations: map[string]string{"a": "v"}, Finalizers: []string{"f"},
	}
	t.Spec.Template.Spec.Source.Registry.SecretRef = ptr("secret")
	t.Spec.Template.Spec.Source.Registry.CertConfigMap = ptr("ca")
	t.Spec.Template.Spec.Preallocation = ptr(true)
	t.Spec.Template.Spec.Storage.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}
	t.Spec.Template.Spec.Storage.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"l": "v"}}
	t.Spec.Template.Spec.Storage.StorageClassName = ptr("ceph")
	t.Spec.Template.Spec.Storage.VolumeMode = ptr(corev1.PersistentVolumeBlock)
	t.Spec.Template.Status.Conditions = []cdiv1beta1.DataVolumeCondition{{Type: cdiv1beta1.DataVolumeReady}}
	return t
}

// RetainNone returns the template with a retentionPolicy of None.
func RetainNone(t Template) Template {
	t.Spec.RetentionPolicy = ptr(cdiv1beta1.DataImportCronRetainNone)
	return t
}

func inNamespace(namespace string, t Template) Template {
	t.Namespace = namespace
	return t
}

func with(t Template, change func(*Template)) Template {
	change(&t)
	return t
}

func source(s *cdiv1beta1.DataVolumeSource) func(*Template) {
	return func(t *Template) { t.Spec.Template.Spec.Source = s }
}

func one(name, managedDataSource, architectures string) []Template {
	return []Template{TemplateOf(name, managedDataSource, architectures)}
}

// TwoArchitectures is a cluster of amd64 and arm64, both with nodes for workload.
func TwoArchitectures() Cluster {
	return Cluster{
		MultiArch: true, Namespace: GoldenImages,
		Architectures: []string{"amd64", "arm64"},
		Workload:      []string{"amd64", "arm64"},
		Supported:     []string{"amd64", "arm64", "s390x"},
		Labels:        map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"},
		Annotations:   map[string]string{"operator-sdk/primary-resource": "kubevirt/ssp"},
	}
}

func copyTemplates(templates []Template) []Template {
	var all []Template
	for _, t := range templates {
		all = append(all, Template{*t.ObjectMeta.DeepCopy(), *t.Spec.DeepCopy()})
	}
	return all
}
