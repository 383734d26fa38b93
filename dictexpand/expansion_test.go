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
			name: "1,7: no annotation gives one cron as written",
			want: `x: NoAnnotation
`,
		},
		{
			name: "1: an empty annotation gives one cron as written",
			want: `x: NoAnnotation
`,
		},
		{
			name: "1: multiple architectures switched off give one cron as written",
			want: `x: MultiArchOff
`,
		},
		{
			name: "1: the namespace of the template wins over the default",
			want: `x: NoAnnotation
`,
		},
		{
			name: "2,3,4: a cron for each architecture",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
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

// sspTemplate is declared as the SSP operator declares its type; the conversion
// must stay a plain one.
type sspTemplate struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec cdiv1beta1.DataImportCronSpec `json:"spec"`
}

var _ = dictexpand.Template(sspTemplate{})
