package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestExpansion(t *testing.T) {
	testExpand(t, []expandRow{
		{
			name:      "1,7: no annotation gives one cron as written",
			templates: one("x", "m", ""),
			want:      "cron x manages m arch any: NoAnnotation\n",
		},
		{
			name: "1: an empty annotation gives one cron as written",
			templates: []dictexpand.Template{with(template("x", "m", ""), func(t *dictexpand.Template) {
				t.Annotations = map[string]string{dictexpand.AnnotationArchitectures: ""}
			})},
			want: "cron x manages m arch any: NoAnnotation\n",
		},
		{
			name:      "1: multiple architectures switched off give one cron as written",
			templates: one("x", "m", "amd64,arm64"),
			options:   func(o *dictexpand.Options) { o.MultiArch = false },
			want:      "cron x manages m arch any: MultiArchOff\n",
		},
		{
			name: "1: the namespace of the template wins over the default",
			templates: []dictexpand.Template{with(template("x", "m", ""), func(t *dictexpand.Template) {
				t.Namespace = "custom"
			})},
			want: "cron custom/x manages m arch any: NoAnnotation\n",
		},
		{
			name:      "2,3,4: a cron for each architecture",
			templates: one("x", "m", "amd64,arm64"),
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},
	})
}

// storyCron is what CNV-61574 asks for, written down field by field and not
// derived from the template.
func storyCron(arch string) cdiv1beta1.DataImportCron {
	return cdiv1beta1.DataImportCron{
		ObjectMeta: metav1.ObjectMeta{
			Name:      "rhel10-image-cron-" + arch, // rule 2
			Namespace: "openshift-virtualization-os-images",
			Labels: map[string]string{
				"template.kubevirt.io/architecture":              arch,     // rule 5
				"cdi.kubevirt.io/storage.import.datasource-name": "rhel10", // rule 6
				"instancetype.kubevirt.io/default-preference":    "rhel.10",
			},
			Annotations: map[string]string{ // rule 7
				"cdi.kubevirt.io/storage.bind.immediate.requested": "true",
			},
		},
		Spec: cdiv1beta1.DataImportCronSpec{
			Schedule:          "0 */12 * * *",
			GarbageCollect:    ptr(cdiv1beta1.DataImportCronGarbageCollectOutdated),
			ManagedDataSource: "rhel10-" + arch, // rule 4
			Template: cdiv1beta1.DataVolume{Spec: cdiv1beta1.DataVolumeSpec{
				Source: &cdiv1beta1.DataVolumeSource{Registry: &cdiv1beta1.DataVolumeSourceRegistry{
					URL:        ptr("docker://registry.redhat.io/rhel10/rhel-guest-image"),
					PullMethod: ptr(cdiv1beta1.RegistryPullNode),
					Platform:   &cdiv1beta1.PlatformOptions{Architecture: arch}, // rule 3
				}},
				Storage: &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
					Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("30Gi")},
				}},
			}},
		},
	}
}

func TestStory(t *testing.T) {
	t.Run("2,3,4,5,6,7,23: the template of the story", func(t *testing.T) {
		e := dictexpand.Expand([]dictexpand.Template{rhel10()}, twoArchitectures())
		want := dictexpand.Expansion{
			Crons: []dictexpand.Cron{
				{Object: storyCron("amd64"), Template: "rhel10-image-cron", Architecture: "amd64", Reason: dictexpand.ReasonPerArchitecture},
				{Object: storyCron("arm64"), Template: "rhel10-image-cron", Architecture: "arm64", Reason: dictexpand.ReasonPerArchitecture},
			},
			References: []dictexpand.Reference{{
				Namespace: goldenImages, Name: "rhel10", Target: "rhel10-amd64", Architecture: "amd64",
				Templates: []string{"rhel10-image-cron"}, Reason: dictexpand.ReasonFirstWithWorkload,
			}},
			Options: twoArchitectures(),
			Outcomes: []dictexpand.Outcome{{
				Template: "rhel10-image-cron", Namespace: goldenImages, DataSource: "rhel10", Reason: dictexpand.ReasonPerArchitecture,
			}},
		}
		if diff := cmp.Diff(want, e); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// full returns a template with something in every place that could get lost.
func full() dictexpand.Template {
	t := rhel10()
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

// Rule 1 says "as written", and rule 7 "all other": so nothing else may differ.
func TestNothingElseChanges(t *testing.T) {
	for _, tc := range []struct {
		name    string
		options func(*dictexpand.Options)
		want    func(*dictexpand.Template) // what may change
	}{
		{
			name:    "1,7: multiple architectures switched off",
			options: func(o *dictexpand.Options) { o.MultiArch = false },
			want:    func(*dictexpand.Template) {},
		},
		{
			name:    "2,3,4,5,6,7: one architecture",
			options: func(o *dictexpand.Options) { o.Architectures = []string{"arm64"} },
			want: func(t *dictexpand.Template) {
				t.Name += "-arm64"
				t.Labels[dictexpand.LabelArchitecture] = "arm64"
				t.Labels[dictexpand.LabelDataSourceName] = "rhel10"
				t.Spec.ManagedDataSource += "-arm64"
				t.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "arm64"}
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := twoArchitectures()
			tc.options(&o)
			want := full()
			delete(want.Annotations, dictexpand.AnnotationArchitectures)
			want.Namespace = goldenImages
			tc.want(&want)
			e := dictexpand.Expand([]dictexpand.Template{full()}, o)
			if len(e.Crons) != 1 {
				t.Fatalf("%d crons: %s", len(e.Crons), text(e))
			}
			if diff := cmp.Diff(cdiv1beta1.DataImportCron{ObjectMeta: want.ObjectMeta, Spec: want.Spec}, e.Crons[0].Object); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestLabelsWin(t *testing.T) {
	t.Run("5,6: the labels win over those of the template", func(t *testing.T) {
		x := template("x", "m", "amd64")
		x.Labels = map[string]string{dictexpand.LabelArchitecture: "arm64", dictexpand.LabelDataSourceName: "other"}
		got := dictexpand.Expand([]dictexpand.Template{x}, twoArchitectures()).Crons[0].Object.Labels
		want := map[string]string{dictexpand.LabelArchitecture: "amd64", dictexpand.LabelDataSourceName: "m"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// sspTemplate is declared as the SSP operator declares its type; the conversion
// must stay a plain one.
type sspTemplate struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec cdiv1beta1.DataImportCronSpec `json:"spec"`
}

var _ = dictexpand.Template(sspTemplate{})
